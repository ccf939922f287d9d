//! BSON, OSON and JSON documents: encode, decode, read one field, convert.
//!
//! This crate is the door to the others. It needs no async runtime, no server and no software of MongoDB or Oracle, and
//! no crate behind it has `unsafe` code of its own.
//!
//! | you have, you want | use |
//! |---|---|
//! | a field of a document that stays bytes | [`bson::Document::get`](bson::DocumentIn::get), [`oson::Document::get`](oson::Image::get) |
//! | many fields of one BSON document | [`bson::Index`] |
//! | to change a document in its bytes | [`bson::edit`], [`oson::edit`] |
//! | a whole document | drive a [`Source`] into a [`Sink`]; [`Builder`] makes a [`Value`] |
//! | typed structs | feature `serde`: `bson::from_slice`, `oson::to_vec` |
//! | another format | [`convert`], [`Converter`] for many documents |
//! | to know whether bytes are sound | [`bson::validate`], [`oson::validate`] |
//! | to know what each byte is for | [`Layout::regions`] |
//! | a document of whatever format | [`AnyDocument`] |
//! | what differs | [`diff`] |
//!
//! # Reading one field
//!
//! ```
//! use boson::{Scalar, bson};
//!
//! let bytes = b"\x1a\0\0\0\x02name\0\x04\0\0\0Ada\0\x10n\0\x07\0\0\0\0";
//! let document = bson::Document::new(bytes)?;
//! let n = document.get("n")?.expect("it is there");
//! assert_eq!(n.scalar()?, Scalar::Int32(7));
//! assert!(document.get("absent")?.is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Converting
//!
//! ```
//! use boson::{AnyDocument, Format, Policy, Report, convert};
//!
//! let text = br#"{"_id": {"$oid": "0123456789abcdef01234567"}, "price": {"$numberDecimal": "1.50"}}"#;
//! let document = AnyDocument::new(Format::Json, text)?;
//! let (mut image, mut report) = (Vec::new(), Report::new());
//! convert(&document, Format::Oson, &Policy::default(), &mut report, &mut image)?;
//! let price = boson::oson::Document::new(&image)?.get("price")?.expect("it is there");
//! assert_eq!(price.kind(), boson::Kind::Decimal128);
//! // A NUMBER keeps no zeros at its end, and that is said:
//! assert_eq!(report.to_string(), "decimal-scale 1 x $.price: the decimal is the same, the zeros at its end are gone\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Making a document
//!
//! ```
//! use boson::{ObjectId, Value, bson, oson};
//!
//! let id: ObjectId = "0123456789abcdef01234567".parse()?;
//! let value = Value::Object(vec![
//!     ("_id".into(), Value::ObjectId(id)),
//!     ("tags".into(), Value::Array(vec![Value::String("a".into()), Value::Null])),
//! ]);
//! let bytes = bson::encode(&value)?;
//! let image = oson::write::to_vec(&value, &oson::write::Options::default())?;
//! assert_eq!(bson::Document::new(&bytes)?.fields().count(), 2);
//! assert_eq!(oson::Document::new(&image)?.root()?.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use boson_bson as bson;
pub use boson_json as json;
pub use boson_oson as oson;

pub use boson_document::*;
pub use boson_transcode::*;

/// The examples of the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
