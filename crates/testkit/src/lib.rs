//! What the tests share: random documents, laws, damaged input. No crate depends on it outside its tests.

pub mod corrupt;
pub mod laws;
mod peers;
pub mod random;
pub mod rng;
mod server;

pub use peers::{shared, skip, workspace_root};
pub use random::{Coverage, Gen, OwnedChange, documents};
pub use rng::Rng;
pub use server::TestServer;

/// The bytes that `digits` spells; white space is left out, so that a test can group them.
///
/// # Panics
///
/// When it is not an even number of hexadecimal digits: a mistake in the test.
#[expect(clippy::expect_used, reason = "a mistake in a test must fail it")]
pub fn unhex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    hex::decode(digits).expect("a test's hexadecimal digits")
}

/// The bytes as lower-case hexadecimal digits.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}
