//! Adapters between any source and any sink.

use boson_document::{
    Builder, Container, Decimal128, DecodeError, Descend, Kind, Limits, ObjectId, Scalar, Sink, Source, Span, Value,
};
use boson_json::{Dialects, Style, Text, Unwrap, Wrap, is_bson_only};
use boson_testkit::laws::assert_same;
use boson_testkit::random::{Gen, documents};

use crate::laws::as_text_has_it;
use crate::support::{mongodb, object, string, written};

fn wrapped(value: &Value) -> Value {
    let mut sink = Wrap::bson_only(Builder::new());
    value.drive(&mut sink).unwrap();
    sink.into_inner().finish().unwrap()
}

fn unwrapped(value: &Value, dialects: Dialects) -> Result<Value, DecodeError> {
    let mut sink = Unwrap::new(Builder::new(), dialects);
    value.drive(&mut sink)?;
    Ok(sink.into_inner().finish().unwrap())
}

fn bson_only() -> Vec<Value> {
    vec![
        Value::MinKey,
        Value::MaxKey,
        Value::Undefined,
        Value::Symbol("s".to_owned()),
        Value::Code("c".to_owned()),
        Value::Regex { pattern: "p".to_owned(), options: "i".to_owned() },
        Value::Timestamp { time: u32::MAX, increment: 1 },
        Value::DbPointer { namespace: "n".to_owned(), id: ObjectId([9; 12]) },
        Value::Binary { subtype: 4, bytes: vec![1; 16] },
        Value::Decimal128(Decimal128::NAN),
        Value::CodeWithScope { code: "c".to_owned(), scope: vec![("m".to_owned(), Value::MinKey)] },
        Value::CodeWithScope { code: String::new(), scope: Vec::new() },
    ]
}

fn others() -> Vec<Value> {
    vec![
        Value::Null,
        Value::Int64(1),
        Value::Double(f64::NAN),
        Value::DateTime(1),
        Value::ObjectId(ObjectId([1; 12])),
        Value::Binary { subtype: 0, bytes: vec![1] },
        Value::Decimal128(Decimal128::ZERO),
        Value::Symbol(String::new()),
    ]
}

#[test]
fn what_is_wrapped_is_what_text_says_and_comes_back() {
    for value in bson_only() {
        let object = wrapped(&value);
        assert_eq!(object.kind(), Kind::Object, "{value:?}");
        assert_eq!(unwrapped(&object, Dialects::MONGODB), Ok(value.clone()));
        assert_eq!(mongodb(written(&object, Style::ExtendedRelaxed)), Ok(value.clone()));
        assert_eq!(written(&object, Style::Plain), written(&value, Style::ExtendedRelaxed));
    }
    for value in others().into_iter().take(7) {
        assert_eq!(wrapped(&value), value);
        value_is_not_bson_only(&value);
    }
}

fn value_is_not_bson_only(value: &Value) {
    let mut builder = Wrap::new(Builder::new(), |scalar: &Scalar<'_>| {
        assert!(!is_bson_only(scalar));
        false
    });
    value.drive(&mut builder).unwrap();
    assert_eq!(builder.into_inner().finish().as_ref(), Some(value));
}

#[test]
fn a_caller_says_what_is_wrapped() {
    let wanted = |scalar: &Scalar<'_>| matches!(scalar.kind(), Kind::Int64 | Kind::ObjectId | Kind::Null);
    let mut sink = Wrap::new(Builder::new(), wanted).with_code_with_scope(false);
    let code = Value::CodeWithScope { code: "c".to_owned(), scope: vec![("n".to_owned(), Value::Int64(5))] };
    object([("a", Value::Int64(5)), ("b", Value::MinKey), ("c", code), ("d", Value::Null)]).drive(&mut sink).unwrap();
    let long = object([("$numberLong", string("5"))]);
    let code = Value::CodeWithScope { code: "c".to_owned(), scope: vec![("n".to_owned(), long.clone())] };
    let expected = object([("a", long), ("b", Value::MinKey), ("c", code), ("d", Value::Null)]);
    assert_eq!(sink.into_inner().finish(), Some(expected));
}

#[test]
fn keys_of_a_wrapper_come_in_any_order() {
    let scope = vec![("x".to_owned(), Value::MaxKey)];
    for (text, value) in [
        (r#"{"$scope":{"x":{"$maxKey":1}},"$code":"f"}"#, Value::CodeWithScope { code: "f".to_owned(), scope }),
        (
            r#"{"$dbPointer":{"$id":{"$oid":"010101010101010101010101"},"$ref":"n"}}"#,
            Value::DbPointer { namespace: "n".to_owned(), id: ObjectId([1; 12]) },
        ),
        (r#"{"$timestamp":{"i":1,"t":2}}"#, Value::Timestamp { time: 2, increment: 1 }),
        (r#"{"$binary":{"subType":"0","base64":""}}"#, Value::Binary { subtype: 0, bytes: Vec::new() }),
    ] {
        assert_eq!(mongodb(text), Ok(value.clone()));
        let around = format!(r#"[{text},{{"a":{text}}},{{"$x":{text}}},{{"$scope":{{"s":{text}}},"$code":""}}]"#);
        let scope = Value::CodeWithScope { code: String::new(), scope: vec![("s".to_owned(), value.clone())] };
        let (a, x) = (object([("a", value.clone())]), object([("$x", value.clone())]));
        assert_eq!(mongodb(around), Ok(Value::Array(vec![value, a, x, scope])));
    }
}

#[test]
fn what_is_held_back_in_vain_is_delivered_unchanged() {
    for text in [
        r#"{"$date":{"a":[1,{"b":{}}],"c":{"$date":"x"}},"d":1}"#,
        r#"{"$scope":{"$scope":{"$scope":{}}}}"#,
        r#"{"$scope":{"a":[{"$scope":[{}]}]},"b":{"c":{}}}"#,
        r#"{"$code":{"$code":{"$code":{"$numberInt":{}}}}}"#,
        r#"{"$binary":{"base64":"","subType":{}},"z":[]}"#,
        r#"{"$oid":[[[[]]]]}"#,
        r#"{"$oid":null,"$oid":null}"#,
        r#"{"$code":"","$scope":{"$oid":"56e1fc72e0c917e9c471416"},"x":{"y":[]}}"#,
        r#"[{"$numberInt":"x"},{"$numberInt":"1","a":{}},{"a":{"b":1,"$date":2}}]"#,
    ] {
        let mut sink = Unwrap::new(Builder::new(), Dialects::MONGODB.lenient());
        Text::new(text.as_bytes()).drive(&mut sink).expect(text);
        let plain = crate::support::raw(text).unwrap();
        assert_eq!(sink.into_inner().finish(), Some(plain), "{text}");
    }
}

/// Wrappers in wrappers, a quarter of a million deep: one stack, every event kept once.
#[test]
fn deep_wrappers_are_read_in_bounded_time() {
    let depth = 250_000;
    let limits = Limits::JSON.with_depth(u32::MAX);
    for (open, inside, close) in [
        (r#"{"$scope":"#, "{}", r#","$code":""}"#),
        (r#"{"$code":"","$scope":{"s":"#, "1", "}}"),
        (r#"{"$date":"#, r#"{"$numberLong":"1"}"#, "}"),
        (r#"{"$timestamp":{"t":"#, "1", r#","i":1}}"#),
        (r#"{"$scope":[{"$oid":"#, "{}", "}]}"),
        (r#"{"a":{"$type":"#, "1", "}}"),
    ] {
        let text = format!("{}{inside}{}", open.repeat(depth), close.repeat(depth));
        let mut sink = Unwrap::new(boson_document::Discard, Dialects::ORACLE.with_legacy().lenient());
        Text::new(text.as_bytes()).with_limits(limits).drive(&mut sink).expect(open);
    }
}

/// Skips the objects that have a number of members, and counts what it gets.
#[derive(Default)]
struct Picky(Vec<String>);

impl Picky {
    fn call(&mut self, call: impl Into<String>) {
        self.0.push(call.into());
    }

    /// Takes the beginning of a container, which it does not want after a name that says so.
    fn begin(&mut self, call: &str) -> Descend {
        let skip = self.0.last().is_some_and(|last| last.starts_with("skip"));
        self.call(call);
        if skip { Descend::Skip } else { Descend::Into }
    }
}

impl Sink for Picky {
    type Error = DecodeError;
    fn begin_object(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin("{"))
    }
    fn end_object(&mut self) -> Result<(), DecodeError> {
        self.call("}");
        Ok(())
    }
    fn begin_array(&mut self, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin("["))
    }
    fn end_array(&mut self) -> Result<(), DecodeError> {
        self.call("]");
        Ok(())
    }
    fn begin_code_with_scope(&mut self, _: &str, _: Container) -> Result<Descend, DecodeError> {
        Ok(self.begin("code"))
    }
    fn end_code_with_scope(&mut self) -> Result<(), DecodeError> {
        self.call("end");
        Ok(())
    }
    fn key(&mut self, name: &str, _: Span) -> Result<(), DecodeError> {
        self.call(name);
        Ok(())
    }
    fn scalar(&mut self, scalar: Scalar<'_>, _: Span) -> Result<(), DecodeError> {
        self.call(scalar.kind().name());
        Ok(())
    }
}

#[test]
fn a_sink_may_skip_behind_an_adapter() {
    let calls = |text: &str| {
        let mut sink = Unwrap::new(Picky::default(), Dialects::MONGODB.lenient());
        Text::new(text.as_bytes()).drive(&mut sink).expect(text);
        sink.into_inner().0.join(" ")
    };
    assert_eq!(calls(r#"{"skip":{},"a":1}"#), "{ skip { a int }");
    assert_eq!(calls(r#"{"skip":{"b":{"c":[1]},"d":2},"a":1}"#), "{ skip { a int }");
    assert_eq!(calls(r#"{"skip":[{"$oid":1}],"a":1}"#), "{ skip [ a int }");
    assert_eq!(calls(r#"{"skip":{"$oid":1},"a":{}}"#), "{ skip { a { } }");
    assert_eq!(calls(r#"{"skip":{"$oid":1,"x":{"y":[{}]},"z":1},"a":1}"#), "{ skip { a int }");
    assert_eq!(calls(r#"{"skip":{"$code":"","$scope":{"x":1}},"a":1}"#), "{ skip code a int }");
    assert_eq!(calls(r#"{"skip":{"$minKey":1},"a":1}"#), "{ skip minKey a int }");
    assert_eq!(calls(r#"{"$oid":{"skip":{"b":{}}},"a":1}"#), "{ $oid { skip { } a int }");
    assert_eq!(calls(r#"{"$date":{"skip":{"b":{}},"c":1},"a":1}"#), "{ $date { skip { c int } a int }");

    let mut sink = Wrap::bson_only(Picky::default());
    let scope = vec![("x".to_owned(), Value::MinKey)];
    let code = Value::CodeWithScope { code: String::new(), scope };
    object([("skip", Value::MinKey), ("skip", code.clone()), ("c", code), ("a", Value::Null)])
        .drive(&mut sink)
        .unwrap();
    let calls = sink.into_inner().0.join(" ");
    assert_eq!(calls, "{ skip { skip { c { $code string $scope { x { $minKey int } } } a null }");
}

#[test]
fn random_documents_come_back_through_wrappers() {
    for document in documents(17, Gen::BSON_ALL.with_width(60), 300) {
        let object = wrapped(&document);
        let back = unwrapped(&object, Dialects::MONGODB.lenient()).unwrap();
        assert_same(&as_text_has_it(document), &as_text_has_it(back));
    }
}
