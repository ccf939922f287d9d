//! Single edits, with the bytes worked out by hand.

use boson_bson::edit::{DocumentMut, EditError, Editor, edit};
use boson_bson::{EncodeErrorKind, encode};
use boson_document::edit::{Change, Edit, New, PathFault, Reason, Recorded, Touch};
use boson_document::{DecodeErrorKind, Limits, PathBuf, Scalar, Span, Value};
use boson_testkit::unhex;

/// `{"a": int32 1, "b": [true, "x"]}`: 4 + (1+2+4) + (1+2+ 4+(1+2+1)+(1+2+6)+1) + 1.
const BEFORE: &str = "21000000 10 6100 01000000 04 6200 12000000 08 3000 01 02 3100 02000000 7800 00 00";

fn path(text: &str) -> PathBuf {
    text.parse().unwrap()
}

fn changed(at: &str, change: Change<'_>) -> (Edit, Recorded<Vec<u8>>) {
    let mut buffer = Recorded::new(unhex(BEFORE));
    let edit = edit(&mut buffer, &path(at), &change).unwrap();
    (edit, buffer)
}

#[track_caller]
fn expect(at: &str, change: Change<'_>, after: &str, edit: Edit) {
    let (actual, buffer) = changed(at, change);
    assert_eq!((actual, actual.bytes()), (edit, buffer.bytes()), "{at}");
    assert_eq!(boson_testkit::hex(buffer.into_inner()), after.replace(' ', ""), "{at}");
}

#[test]
fn values_of_one_width_are_overwritten() {
    let after = "21000000 10 6100 02000000 04 6200 12000000 08 3000 01 02 3100 02000000 7800 00 00";
    expect("a", Change::Set(New::from(2)), after, Edit::InPlace { written: 4 });
    let (_, buffer) = changed("a", Change::Set(New::from(2)));
    assert_eq!(buffer.touches(), [Touch::Written(Span::new(7, 4))]);
    // A string of the same length, and code in its place, whose type byte is another.
    let after = "21000000 10 6100 01000000 04 6200 12000000 08 3000 01 02 3100 02000000 7900 00 00";
    expect("b[1]", Change::Set(New::from("y")), after, Edit::InPlace { written: 6 });
    let after = "21000000 10 6100 01000000 04 6200 12000000 08 3000 01 0d 3100 02000000 7900 00 00";
    expect("b[1]", Change::Set(Scalar::Code("y").into()), after, Edit::InPlace { written: 7 });
}

#[test]
fn fixed_width_values_cost_their_width_and_their_type() {
    let of_8: [Scalar<'_>; 4] =
        [Scalar::Double(1.5), Scalar::Int64(7), Scalar::DateTime(-1), Scalar::Timestamp { time: 1, increment: 2 }];
    for before in of_8 {
        for after in of_8 {
            let tree = |scalar: Scalar<'_>| Value::Object(vec![("v".into(), scalar.into()), ("w".into(), Value::Null)]);
            let mut buffer = Recorded::new(encode(&tree(before)).unwrap());
            let edit = edit(&mut buffer, &path("v"), &Change::Set(after.into())).unwrap();
            let written = 8 + usize::from(before.kind() != after.kind());
            assert_eq!((edit, buffer.bytes()), (Edit::InPlace { written }, written));
            assert_eq!(buffer.into_inner(), encode(&tree(after)).unwrap());
        }
    }
}

#[test]
fn other_widths_move_what_follows_and_all_lengths_around_follow() {
    // "x" becomes "xyz": 2 bytes more, in the array and in the document; the two NULs behind it move.
    let after = "23000000 10 6100 01000000 04 6200 14000000 08 3000 01 02 3100 04000000 78797a00 00 00";
    expect("b[1]", Change::Set(New::from("xyz")), after, Edit::Spliced { written: 8 + 8, moved: 2 });
    // int32 becomes null.
    let after = "1d000000 0a 6100 04 6200 12000000 08 3000 01 02 3100 02000000 7800 00 00";
    expect("a", Change::Set(Scalar::Null.into()), after, Edit::Spliced { written: 1 + 4, moved: 26 - 4 });
}

#[test]
fn fields_and_elements_are_added_and_removed() {
    // `10 6300 07000000` before the last NUL.
    let after = "28000000 10 6100 01000000 04 6200 12000000 08 3000 01 02 3100 02000000 7800 00 10 6300 07000000 00";
    expect("c", Change::Set(New::from(7)), after, Edit::Spliced { written: 7 + 4, moved: 1 });
    // `0a 3200` before the array's NUL.
    let after = "24000000 10 6100 01000000 04 6200 15000000 08 3000 01 02 3100 02000000 7800 0a 3200 00 00";
    expect("b", Change::Push(Scalar::Null.into()), after, Edit::Spliced { written: 3 + 8, moved: 2 });
    // "x" is element 0 now.
    let after = "1d000000 10 6100 01000000 04 6200 0e000000 02 3000 02000000 7800 00 00";
    expect("b[0]", Change::Remove, after, Edit::Spliced { written: 9 + 8, moved: 2 });
    // null comes first.
    let after = "24000000 10 6100 01000000 04 6200 15000000 0a 3000 08 3100 01 02 3200 02000000 7800 00 00";
    expect("b[0]", Change::Insert(Scalar::Null.into()), after, Edit::Spliced { written: 3 + 4 + 9 + 8, moved: 2 });
    let after = "1a000000 04 6200 12000000 08 3000 01 02 3100 02000000 7800 00 00";
    expect("a", Change::Remove, after, Edit::Spliced { written: 4, moved: 22 });
}

#[test]
fn names_of_elements_become_shorter_and_longer_at_powers_of_ten() {
    for len in [9, 10, 11, 99, 100, 101, 1001] {
        let array = |numbers: Vec<i32>| {
            Value::Object(vec![("a".into(), Value::Array(numbers.into_iter().map(Value::Int32).collect()))])
        };
        let mut bytes = encode(&array((0..len).collect())).unwrap();
        let mut editor = Editor::open(&mut bytes).unwrap();
        editor.remove(&path("a[0]")).unwrap();
        assert_eq!(editor.document().bytes(), encode(&array((1..len).collect())).unwrap());
        editor.insert(&path("a[0]"), 0).unwrap();
        assert_eq!(editor.document().bytes(), encode(&array((0..len).collect())).unwrap());
        editor.push(&path("a"), len).unwrap();
        assert_eq!(editor.document().bytes(), encode(&array((0..=len).collect())).unwrap());
    }
}

#[test]
fn both_lengths_of_code_with_scope_follow() {
    let code = |scope| {
        let code = Value::CodeWithScope { code: "f".into(), scope };
        encode(&Value::Object(vec![("c".into(), code), ("d".into(), Value::Null)])).unwrap()
    };
    let mut bytes = code(vec![("x".into(), Value::Null)]);
    let mut buffer = Recorded::new(&mut bytes);
    let edit = edit(&mut buffer, &path("c.x"), &Change::Set(New::from(1))).unwrap();
    // Four bytes and three lengths; the scope's NUL, `0a 6400` and the last NUL move.
    assert_eq!(edit, Edit::Spliced { written: 4 + 1 + 12, moved: 5 });
    assert_eq!(bytes, code(vec![("x".into(), Value::Int32(1))]));
}

#[test]
fn the_first_of_equal_names_is_meant() {
    let twice =
        |a, b| encode(&Value::Object(vec![("x".into(), Value::Int32(a)), ("x".into(), Value::Int32(b))])).unwrap();
    let mut bytes = twice(1, 2);
    let mut gathered = DocumentMut::open(bytes.clone()).unwrap();
    for document in [7, 8] {
        edit(&mut bytes, &path("x"), &Change::Set(New::from(document))).unwrap();
        gathered.change(&path("x"), &Change::Set(New::from(document))).unwrap();
    }
    assert_eq!((&bytes, &gathered.to_vec().unwrap()), (&twice(8, 2), &twice(8, 2)));
    gathered.change(&path("x"), &Change::Remove).unwrap();
    gathered.change(&path("x"), &Change::Set(New::from(9))).unwrap();
    assert_eq!(gathered.to_vec().unwrap(), encode(&Value::Object(vec![("x".into(), Value::Int32(9))])).unwrap());
}

#[test]
fn what_cannot_be_changed_is_refused_and_nothing_is_written() {
    let mut buffer = Recorded::new(unhex(BEFORE));
    let mut refused = |at: &str, change: Change<'_>| {
        let error = edit(&mut buffer, &path(at), &change).unwrap_err();
        assert_eq!(
            (buffer.touches().len(), boson_testkit::hex(boson_document::edit::Buffer::as_bytes(&buffer))),
            (0, BEFORE.replace(' ', ""))
        );
        error
    };
    let scalar = |scalar: Scalar<'static>| Change::Set(scalar.into());
    for (error, message) in [
        (refused("x.y", Change::Remove), "$.x: there is no such field"),
        (refused("x", Change::Remove), "$.x: there is no such field"),
        (refused("a.y", scalar(Scalar::Null)), "$.a.y: expected object, found int"),
        (refused("b.y", scalar(Scalar::Null)), "$.b.y: expected object, found array"),
        (
            refused("b[2]", scalar(Scalar::Null)),
            "$.b[2]: there is no such element, the array has 2; to add one, push or insert it",
        ),
        (refused("a", Change::Push(New::from(1))), "$.a: expected array, found int"),
        (refused("$", Change::Remove), "$: the root cannot be removed"),
        (refused("$", scalar(Scalar::Null)), "$: the root must be a document, found null"),
        (refused("c", scalar(Scalar::OracleVector(&[]))), "$.c: BSON has no type for a VECTOR"),
        (refused("b", Change::Push(Scalar::Id(&[]).into())), "$.b[2]: BSON has no type for a ID"),
        (refused("[\"a\\u0000\"]", scalar(Scalar::Null)), "$[\"a\\u0000\"]: a name must not contain a NUL character"),
    ] {
        assert_eq!(error.to_string(), message);
    }
    let inner = Value::Object(vec![("o".into(), Value::Array(vec![Value::Null, Value::Id(vec![1])]))]);
    let error = refused("b[0]", Change::Set(New::from(&inner)));
    assert_eq!(error.to_string(), "$.b[0].o[1]: BSON has no type for a ID");
}

#[test]
fn a_fault_on_the_way_is_found_with_its_path() {
    // The string's length is 3, and it would end on the array's NUL.
    let mut bytes = unhex(&BEFORE.replace("02000000 78", "09000000 78"));
    for change in [Change::Push(New::from(1)), Change::Set(New::from(1))] {
        let at = if let Change::Push(_) = change { "b" } else { "b[1]" };
        let Err(EditError::Decode(located)) = edit(&mut bytes, &path(at), &change) else {
            panic!("the fault was not seen")
        };
        let fault = DecodeErrorKind::LengthMismatch { declared: 9, actual: 2 };
        assert_eq!((located.error.offset, located.error.kind, located.path), (25, fault, path("b[1]")));
    }
    // What stands behind the place is not looked at, unless it has to be named anew.
    edit(&mut bytes, &path("a"), &Change::Set(New::from(1))).unwrap();
    let mut gathered = DocumentMut::open(bytes).unwrap();
    assert!(matches!(gathered.change(&path("b[0]"), &Change::Remove), Err(EditError::Decode(_))));
}

#[test]
fn limits_are_kept() {
    let limits = Limits::BSON.with_bytes(34).with_depth(3);
    let mut editor = Editor::open(unhex(BEFORE)).unwrap().with_limits(limits);
    let error = editor.change(&path("b[1]"), &Change::Set(New::from("xyz"))).unwrap_err();
    assert_eq!(error.to_string(), "$.b[1]: the document is larger than 34 bytes");
    editor.change(&path("b[1]"), &Change::Set(New::from("xy"))).unwrap();
    let deep = Value::Array(vec![]);
    editor.change(&path("b[1]"), &Change::Set(New::from(&deep))).unwrap();
    let too_deep = Value::Array(vec![deep]);
    let Err(EditError::Encode(error)) = editor.change(&path("b[1]"), &Change::Set(New::from(&too_deep))) else {
        panic!("too deep")
    };
    assert_eq!((error.kind(), error.path()), (&EncodeErrorKind::TooDeep { depth_max: 3 }, &path("b[1][0]")));

    let mut gathered = DocumentMut::open(Recorded::new(unhex(BEFORE))).unwrap().with_limits(limits);
    gathered.change(&path("b[1]"), &Change::Set(New::from("xyz"))).unwrap();
    assert!(matches!(gathered.commit(), Err(EditError::Encode(_))));
    gathered.change(&path("b[1]"), &Change::Set(New::from("z"))).unwrap();
    gathered.commit().unwrap();
    assert_eq!(gathered.into_inner().bytes(), 6);
}

#[test]
fn gathered_changes_of_one_width_are_written_where_they_are() {
    let mut gathered = DocumentMut::open(Recorded::new(unhex(BEFORE))).unwrap();
    gathered.change(&path("a"), &Change::Set(New::from(2))).unwrap();
    gathered.change(&path("b[0]"), &Change::Set(New::from(false))).unwrap();
    gathered.change(&path("a"), &Change::Set(New::from(3))).unwrap();
    assert!(gathered.change(&path("c"), &Change::Remove).is_err());
    assert_eq!(gathered.commit(), Ok(Edit::InPlace { written: 5 }));
    let buffer = gathered.into_inner();
    assert_eq!(buffer.bytes(), 5);
    let after = "21000000 10 6100 03000000 04 6200 12000000 08 3000 00 02 3100 02000000 7800 00 00";
    assert_eq!(boson_testkit::hex(buffer.into_inner()), after.replace(' ', ""));
}

#[test]
fn gathered_changes_are_written_once() {
    let mut gathered = DocumentMut::open(Recorded::new(unhex(BEFORE))).unwrap();
    let array = Value::Array(vec![Value::Null]);
    for (at, change) in [
        ("n", Change::Set(New::from(&array))),
        ("n", Change::Push(New::from(1))),
        ("n[0]", Change::Set(New::from("s"))),
        ("b[1]", Change::Insert(New::from(true))),
        ("b[0]", Change::Remove),
        ("a", Change::Remove),
    ] {
        gathered.change(&path(at), &change).unwrap();
    }
    // {"b": [true, "x"], "n": ["s", 1]}
    let after = "32000000 04 6200 12000000 08 3000 01 02 3100 02000000 7800 00 \
                 04 6e00 15000000 02 3000 02000000 7300 10 3100 01000000 00 00";
    let len = unhex(after).len();
    let rebuilt = Edit::Rebuilt { written: len, reason: Reason::Gathered };
    assert_eq!(gathered.commit(), Ok(rebuilt));
    let buffer = gathered.into_inner();
    assert_eq!(buffer.touches().len(), 1);
    assert_eq!(boson_testkit::hex(buffer.into_inner()), after.replace(' ', ""));
}

#[test]
fn a_leaf_cannot_be_entered_and_stays() {
    let mut gathered = DocumentMut::open(Recorded::new(unhex(BEFORE))).unwrap();
    let Err(EditError::Path(error)) = gathered.change(&path("a.x.y"), &Change::Remove) else { panic!("found") };
    assert!(matches!(error.fault, PathFault::NotContainer { .. }));
    assert_eq!(gathered.commit(), Ok(Edit::InPlace { written: 0 }));
    assert_eq!(boson_testkit::hex(gathered.into_inner().into_inner()), BEFORE.replace(' ', ""));
}
