//! What is said of an [`Analysis`], a plan and a [`Proof`]: to programs as they serialise, to people as one [`Page`] that
//! needs nothing else.

mod analysis;
mod page;
mod proof;
mod words;

pub use analysis::{
    After, Analysis, Broken, BytesView, Collections, ConversionView, FindingView, FormatBytes, FormatSizes,
    FormatsView, How, LeftAloneView, Measured, MisfitsView, Outcome, Outlook, PathView, Said, SizesView, Source,
    TypeView, WordView, ratio,
};
pub use page::{Page, Part};
pub use proof::{Missing, Proof, Proofs, Row, real};
pub use words::{collection_words, counted, grouped};
