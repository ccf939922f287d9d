//! Extended JSON that was stored with its wrapping.

use boson_document::Value;
use boson_profile::{Actual, Target};

use crate::support::{described, field, object, string};

fn wrapper(name: &str, text: &str) -> Value {
    object([(name, string(text))])
}

/// The bytes are those that the BSON of the document loses when it holds the value itself.
#[test]
fn wrappers_are_the_values_they_wrap() {
    let id = boson_document::ObjectId([0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11]);
    for (stored, target, value) in [
        (wrapper("$oid", "507f1f77bcf86cd799439011"), Target::ObjectId, Value::ObjectId(id)),
        (wrapper("$date", "2024-01-15T10:30:00Z"), Target::Date, Value::DateTime(1_705_314_600_000)),
        (
            object([("$date", wrapper("$numberLong", "1705314600000"))]),
            Target::Date,
            Value::DateTime(1_705_314_600_000),
        ),
        (object([("$date", Value::Int64(1_705_314_600_000))]), Target::Date, Value::DateTime(1_705_314_600_000)),
        (wrapper("$numberLong", "12"), Target::Int64, Value::Int64(12)),
        (wrapper("$numberInt", "12"), Target::Int32, Value::Int32(12)),
        (wrapper("$numberDecimal", "1.50"), Target::Decimal128, crate::support::decimal("1.50")),
        (wrapper("$numberDouble", "1.5"), Target::Double, Value::Double(1.5)),
    ] {
        let size = |value: &Value| boson_bson::encode(&object([("v", value.clone())])).unwrap().len();
        let difference = i64::try_from(size(&stored)).unwrap() - i64::try_from(size(&value)).unwrap();
        let mut found = field("v", [stored.clone(), stored.clone()]).findings();
        let at_field = found.findings.iter().position(|finding| finding.path.to_string() == "$.v").unwrap();
        let finding = found.findings.remove(at_field);
        assert_eq!((finding.actual, finding.proposal.target), (Actual::ExtendedJson, target), "{stored:?}");
        assert_eq!(finding.saved_bytes(), Some(2 * difference), "{stored:?}");
        assert_eq!((found.findings.len(), found.left_alone.len()), (0, 0), "nothing inside is found again: {found:?}");
    }
}

#[test]
fn objects_that_only_look_like_wrappers() {
    for value in [
        object([("$oid", string("507f1f77bcf86cd799439011")), ("x", Value::Null)]),
        wrapper("$oid", "not hexadecimal"),
        wrapper("$ref", "507f"),
        wrapper("oid", "text"),
        object([("$date", Value::Null)]),
    ] {
        let found = field("v", [value.clone()]).findings();
        assert!(found.findings.iter().all(|finding| finding.actual != Actual::ExtendedJson), "{value:?}");
    }
    assert_eq!(described(&field("v", [wrapper("$regex", "a")])), "text");
}
