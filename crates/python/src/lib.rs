//! The native half of the Python package, `boson._boson`.
//!
//! Python objects are walked straight into the writers of the formats, and made straight from their walks; nothing stands
//! in between. What Python has no type for is an object of a class that `boson._types` chooses.

mod bson;
mod builder;
mod convert;
mod dates;
mod explain;
mod fault;
mod input;
mod names;
mod oson;
mod profile;
mod types;
mod walk;

use pyo3::prelude::*;

/// The native half of the package; its functions are documented where `boson.bson`, `boson.oson` and `boson` have them.
#[pymodule]
mod _boson {
    #[pymodule_export]
    use super::bson::{
        FileIterator, RawDocument, bson_decode, bson_decode_all, bson_dumps, bson_encode, bson_is_valid,
        bson_iter_path, bson_loads, decimal128_of_text, decimal128_to_text,
    };
    #[pymodule_export]
    use super::convert::convert;
    #[pymodule_export]
    use super::explain::explain;
    #[pymodule_export]
    use super::oson::{OsonEditor, RawDocument as RawOsonDocument, oson_decode, oson_encode, oson_raw_at};
    #[pymodule_export]
    use super::profile::{Profile, profile_of_bytes};
}
