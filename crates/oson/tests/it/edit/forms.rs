//! Each way to lead to a new value, on images small enough to be told byte by byte. Those that `server` does not compare
//! with a server's image are known from Oracle's Java reference, which reads them (see `reference`).

use boson_document::edit::{Buffer, Change, Edit, EditError, New, PathFault, Reason};
use boson_document::{Segment, Value};
use boson_oson::edit::Editor;
use boson_oson::write::{EncodeErrorKind, Options, to_vec};
use boson_testkit::{hex, unhex};

use super::held;

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// The image without its dictionary: the tree segment and what follows.
fn tree(image: &[u8]) -> String {
    let header = boson_oson::Header::read(image).unwrap();
    let update = if header.extended_tree_len() > 0 { image.len() - update_at(image) } else { 0 };
    hex(&image[image.len() - update - header.tree_len()..])
}

/// Where the update header stands in these small images.
fn update_at(image: &[u8]) -> usize {
    let header = boson_oson::Header::read(image).unwrap();
    let names = usize::from(image[6]);
    13 + names + 2 * names + usize::from(image[8]) + header.tree_len()
}

/// `{"a": node, "b": node, …}` in version 1, each node at its own place. The names are sorted as they are named: the hash
/// of a name of one letter is 0x2C for `a`, 0xE5 for `b`, 0x52 for `c`.
fn image(tree: &str) -> Vec<u8> {
    let tree = unhex(tree);
    let header = "ff4a5a01 2106 02 0004 00";
    let tree_len = u8::try_from(tree.len()).unwrap();
    [unhex(header), vec![tree_len, 0, 0], unhex("2ce5 0000 0002 0161 0162"), tree].concat()
}

fn open(image: Vec<u8>) -> Editor<Vec<u8>> {
    Editor::open(image).unwrap()
}

fn set<'a>(editor: &mut Editor<Vec<u8>>, path: &str, new: impl Into<New<'a>>) -> Edit {
    editor.set(&path.parse().unwrap(), new).unwrap()
}

#[test]
fn what_fits_goes_where_the_old_value_was() {
    let mut editor = open(image("84 02 01 02 0008 000e 05 68656c6c6f 31"));
    assert_eq!(set(&mut editor, "a", "world"), Edit::InPlace { written: 6 });
    assert_eq!(tree(editor.buffer()), hex(unhex("84 02 01 02 0008 000e 05 776f726c64 31")));
    // Shorter: what is left of the old one is slack.
    assert_eq!(set(&mut editor, "a", 1), Edit::InPlace { written: 3 });
    assert_eq!(tree(editor.buffer()), hex(unhex("84 02 01 02 0008 000e 42c102 726c64 31")));
    assert_eq!(editor.slack_len(), 3);
    assert_eq!(set(&mut editor, "b", false), Edit::InPlace { written: 1 });
    assert_eq!(held(editor.buffer()), object(&[("a", Value::Int32(1)), ("b", Value::Bool(false))]));
    assert_eq!(editor.document().header().version(), 1);
}

#[test]
fn a_forwarding_is_turned_when_the_value_moves_again() {
    let mut editor = open(image("84 02 01 02 0008 000e 05 68656c6c6f 31"));
    assert_eq!(set(&mut editor, "a", "longer"), Edit::Appended { written: 1 + 5, appended: 16 + 7 });
    assert_eq!(
        tree(editor.buffer()),
        hex(unhex("84 02 01 02 0008 000e 77 00000000 6f 31   0100 0000 00000000 00000000 00000007   06 6c6f6e676572"))
    );
    // Its four bytes, and the size of the extended tree.
    assert_eq!(set(&mut editor, "a", "longest"), Edit::Appended { written: 4 + 4, appended: 8 });
    assert_eq!(
        tree(editor.buffer()),
        hex(unhex(
            "84 02 01 02 0008 000e 77 00000007 6f 31   0100 0000 00000000 00000000 0000000f
             06 6c6f6e676572 07 6c6f6e67657374"
        ))
    );
    // Now it fits where the last one is.
    assert_eq!(set(&mut editor, "a", "shorter"), Edit::InPlace { written: 8 });
    assert_eq!(editor.slack_len(), 1 + 7);
}

/// `["xx", "xx"]`, both the same node, is what our own writer makes; `a` and `b` are the other values.
#[test]
fn a_value_that_others_share_is_never_overwritten() {
    let shared = image("84 02 01 02 0008 0008 03 787878");
    for (mut editor, appended) in [(open(shared.clone()), 16 + 4), (open(shared), 16 + 2)] {
        let new = if appended == 16 + 2 { "y" } else { "yyy" };
        assert_eq!(set(&mut editor, "b", new), Edit::Appended { written: 1 + 2, appended });
        assert_eq!(held(editor.buffer()), object(&[("a", text("xxx")), ("b", text(new))]));
    }
    // Without a census it is as safe, if the flags say that something is shared, which no writer forgets.
    let mut flagged = image("84 02 01 02 0008 0008 03 787878");
    flagged[5] |= 0x20;
    let mut editor = Editor::trusting(flagged).unwrap();
    assert_eq!(set(&mut editor, "b", "yyy"), Edit::Appended { written: 1 + 2, appended: 16 + 4 });
    assert_eq!(held(editor.buffer()), object(&[("a", text("xxx")), ("b", text("yyy"))]));
}

/// Two offsets lead to one array of one element: one edit is for one of them.
#[test]
fn a_container_that_others_share_is_copied_or_the_image_rebuilt() {
    let shared = image("84 02 01 02 0008 0008 c0 01 000c 31");
    let both = |a: &[Value], b: &[Value]| object(&[("a", Value::Array(a.to_vec())), ("b", Value::Array(b.to_vec()))]);
    let (yes, no) = (Value::Bool(true), Value::Bool(false));

    let mut editor = open(shared.clone());
    let edit = editor.set(&"a[0]".parse().unwrap(), false).unwrap();
    assert!(matches!(edit, Edit::Rebuilt { reason: Reason::SharedContainer, .. }), "{edit}");
    assert_eq!(held(editor.buffer()), both(std::slice::from_ref(&no), std::slice::from_ref(&yes)));

    // A copy is made for `a`, and then the element is in two arrays.
    let mut editor = open(shared);
    let edit = editor.push(&"a".parse().unwrap(), false).unwrap();
    assert_eq!(edit, Edit::Appended { written: 1 + 2, appended: 16 + 1 + 2 + 2 * 2 });
    assert_eq!(held(editor.buffer()), both(&[yes.clone(), no.clone()], std::slice::from_ref(&yes)));
    let edit = editor.set(&"b[0]".parse().unwrap(), false).unwrap();
    assert!(matches!(edit, Edit::Appended { .. } | Edit::Rebuilt { .. }), "{edit}");
    assert_eq!(held(editor.buffer()), both(&[yes, no.clone()], std::slice::from_ref(&no)));
}

/// `[{"a": 1, "b": 2}, {"a": …, "b": …}]`: the second has the ids of the first, which has its `s` bit set.
#[test]
fn an_object_that_lends_its_ids_moves_through_its_u_bit_or_its_parent() {
    // The root array at 0, the first object at 6, the second at 18 with the owner's offset 6; a value at 14 and 16.
    let lending = image("c0 02 0006 0010  86 02 01 02 000e 000f 31 32  9c 0006 000e 000f");
    let expected = |first: &[(&str, Value)]| {
        let second = object(&[("a", Value::Bool(true)), ("b", Value::Bool(false))]);
        Value::Array(vec![object(first), second])
    };
    let path = "[0].b".parse().unwrap();

    // By the offset in the array.
    let mut editor = open(lending.clone());
    let edit = editor.remove(&path).unwrap();
    assert_eq!(edit, Edit::Appended { written: 1 + 2, appended: 16 + 2 + 1 + 2 });
    assert_eq!(held(editor.buffer()), expected(&[("a", Value::Bool(true))]));

    // By its u bit and an entry of the map.
    let mut editor = open(lending).keeping_offsets();
    let edit = editor.remove(&path).unwrap();
    assert_eq!(edit, Edit::Appended { written: 1 + 1, appended: 16 + 8 + 2 + 1 + 2 });
    assert_eq!(
        tree(editor.buffer()),
        hex(unhex(
            "c0 02 0006 0010  87 02 01 02 000e 000f 31 32  9c 0006 000e 000f
             0000 0001 00000000 00000008 00000005   00000006 00000000   84 01 01 000e"
        ))
    );
    assert_eq!(held(editor.buffer()), expected(&[("a", Value::Bool(true))]));
    // Once more: the entry of the map leads elsewhere, and the second copy has room for four more fields.
    let edit = editor.set(&path, "new").unwrap();
    assert_eq!(edit, Edit::Appended { written: 4 + 4, appended: 4 + 2 + 2 + 4 + 4 * 3 });
    assert_eq!(held(editor.buffer()), expected(&[("a", Value::Bool(true)), ("b", text("new"))]));
}

/// Of an object with more than ten fields the places of the values tell the order. Values too short for a forwarding keep
/// theirs by an entry of the map; when that is full, the object is copied, its fields in their order.
#[test]
fn fields_stay_in_their_order() {
    let names = ["k2", "k5", "k9", "k0", "k7", "k1", "k8", "k3", "k6", "k4", "z"];
    let mut tree: Vec<(&str, Value)> = names.iter().map(|name| (*name, Value::Null)).collect();
    let mut editor = open(to_vec(&object(&tree), &Options::COMPACT).unwrap());
    let edit = set(&mut editor, "k9", "by the map");
    tree[2].1 = text("by the map");
    // The version and the opcode 0x75; a map of one entry of 8 bytes.
    assert_eq!(edit, Edit::Appended { written: 2, appended: 16 + 8 + 11 });
    assert_eq!(held(editor.buffer()), object(&tree));
    let edit = set(&mut editor, "k7", "by a copy");
    tree[4].1 = text("by a copy");
    // The root becomes a forwarding, and the extended tree grows; the copy has 11 ids and 11 offsets.
    assert_eq!(edit, Edit::Appended { written: 5 + 4, appended: 10 + 2 + 11 * 3 });
    assert_eq!(held(editor.buffer()), object(&tree));
    editor.remove(&"k0".parse().unwrap()).unwrap();
    tree.remove(3);
    assert_eq!(held(editor.buffer()), object(&tree));
}

/// One field less makes ten, of which the ids tell the order: they are written in the order that the places told.
#[test]
fn fields_stay_in_their_order_when_ten_are_left() {
    let names = ["k2", "k5", "k9", "k0", "k7", "k1", "k8", "k3", "k6", "k4", "z"];
    let mut tree: Vec<(&str, Value)> = names.iter().map(|name| (*name, text(name))).collect();
    let mut editor = open(to_vec(&object(&tree), &Options::COMPACT).unwrap());
    let edit = editor.remove(&"k9".parse().unwrap()).unwrap();
    tree.remove(2);
    assert!(matches!(edit, Edit::Appended { .. }), "{edit}");
    assert_eq!(held(editor.buffer()), object(&tree));
}

/// An editor that trusts an image with a container inside itself comes to an end.
#[test]
fn a_container_inside_itself_is_let_go() {
    let mut editor = Editor::trusting(image("84 02 01 02 0008 0008 c0 02 0008 0008")).unwrap();
    let edit = editor.remove(&"a".parse().unwrap()).unwrap();
    assert_eq!(edit, Edit::InPlace { written: 1 + 1 + 2 });
    // Counting finds it: the array is where three offsets lead.
    let mut editor = open(image("84 02 01 02 0008 0008 c0 02 0008 0008"));
    editor.remove(&"a".parse().unwrap()).unwrap();
    assert_eq!(editor.document().root().unwrap().len(), 1);
}

#[test]
fn containers_lose_children_where_they_stand() {
    let mut editor = open(image("84 02 01 02 0008 0010 c0 03 0012 0013 0014 84 00 31 32 30"));
    // `b` begins at 16 in an object of no fields; `a` holds true, false and null.
    let edit = editor.remove(&"a[0]".parse().unwrap()).unwrap();
    assert_eq!(edit, Edit::InPlace { written: 1 + 4 });
    let edit = editor.remove(&"a[1]".parse().unwrap()).unwrap();
    assert_eq!(edit, Edit::InPlace { written: 1 });
    assert_eq!(held(editor.buffer()).get("a"), Some(&Value::Array(vec![Value::Bool(false)])));
    let edit = editor.remove(&"a".parse().unwrap()).unwrap();
    // The count, the id of `b` and its offset.
    assert_eq!(edit, Edit::InPlace { written: 1 + 1 + 2 });
    assert_eq!(held(editor.buffer()), object(&[("b", object(&[]))]));
    assert_eq!(editor.document().header().version(), 1);
}

/// A container that is copied a second time gets room behind it, and takes more children there until it is full.
#[test]
fn containers_grow_where_they_stand() {
    let mut tree = object(&[("a", Value::Array(Vec::new())), ("b", Value::Null)]);
    let mut editor = open(to_vec(&tree, &Options::COMPACT).unwrap());
    let (array, mut written, mut copies) = ("a".parse().unwrap(), 0, 0);
    for n in 0..20_000 {
        let edit = editor.push(&array, n).unwrap();
        let Edit::Appended { written: over, appended } = edit else { panic!("{edit}") };
        written += over + appended;
        copies += usize::from(appended > 20);
        tree.change(&array, &Change::Push(New::from(n))).unwrap();
    }
    assert_eq!(held(editor.buffer()), tree);
    // Each element takes 4 bytes of value, 4 of offset, and 8 for the count and the size of the extended tree; copies with
    // half as much room again come to three times the last one.
    assert!(copies < 30 && written < 20_000 * 32, "{copies} copies, {written} bytes");

    // What was taken out of a container leaves room in it.
    let edit = editor.remove(&"a[10]".parse().unwrap()).unwrap();
    assert!(matches!(edit, Edit::InPlace { .. }), "{edit}");
    let edit = editor.insert(&"a[3]".parse().unwrap(), true).unwrap();
    assert!(matches!(edit, Edit::Appended { appended: 1, .. }), "{edit}");
    let Value::Array(elements) = &mut tree.get("a").unwrap().clone() else { panic!() };
    elements.remove(10);
    elements.insert(3, Value::Bool(true));
    assert_eq!(held(editor.buffer()).get("a"), Some(&Value::Array(elements.clone())));
}

/// The same of objects, those that are sorted and those that are not.
#[test]
fn objects_grow_where_they_stand() {
    for count in [40, 400] {
        let names: Vec<String> = (0..count).map(|n| format!("field {n}")).collect();
        let all = |n: usize| Value::Object(names.iter().take(n).map(|name| (name.clone(), Value::Null)).collect());
        for start in [1, 10, 11, 30] {
            let before = object(&[("all", all(count)), ("o", all(start))]);
            let mut editor = open(to_vec(&before, &Options::COMPACT).unwrap());
            let (mut tree, mut copies) = (before, 0);
            for name in names.iter().skip(start) {
                let path = ["o", name].into_iter().map(|name| Segment::Field(name.to_owned())).collect();
                let change = Change::Set(New::from(name.as_str()));
                let Edit::Appended { appended, .. } = editor.change(&path, &change).unwrap() else { panic!() };
                copies += usize::from(appended > 12);
                tree.change(&path, &change).unwrap();
            }
            assert_eq!(held(editor.buffer()), tree);
            assert!(copies < 12, "{copies} copies");
        }
    }
}

#[test]
fn what_has_no_room_is_rebuilt_and_the_reason_told() {
    let small = || open(image("84 02 01 02 0008 000e 05 68656c6c6f 31"));
    let rebuilt = |edit: Edit| if let Edit::Rebuilt { reason, .. } = edit { Some(reason) } else { None };
    assert_eq!(rebuilt(set(&mut small(), "c", 1)), Some(Reason::NewName));
    assert_eq!(rebuilt(set(&mut small(), "a", &object(&[("c", Value::Null)]))), Some(Reason::NewName));
    assert_eq!(rebuilt(set(&mut small(), "$", 1)), Some(Reason::ScalarRoot));
    assert_eq!(rebuilt(small().compact().unwrap()), Some(Reason::Compact));
    let mut scalar = open(to_vec(&text("ab"), &Options::COMPACT).unwrap());
    assert_eq!(set(&mut scalar, "$", "cd"), Edit::InPlace { written: 3 });
    assert_eq!(rebuilt(set(&mut scalar, "$", "e")), Some(Reason::ScalarRoot));
    assert_eq!(rebuilt(set(&mut scalar, "$", &object(&[]))), Some(Reason::ScalarRoot));
    // Two values on top of each other: the text `bb` is inside the other one.
    let mut overlapping = open(image("84 02 01 02 0008 0009 03 026262"));
    assert_eq!(rebuilt(set(&mut overlapping, "a", "xxx")), Some(Reason::Overlap));
    assert_eq!(held(overlapping.buffer()), object(&[("a", text("xxx")), ("b", text("bb"))]));
}

#[test]
fn a_failed_edit_leaves_the_bytes_as_they_were() {
    let before = image("84 02 01 02 0008 000e 05 68656c6c6f 31");
    let twice = object(&[("a", Value::Null), ("b", Value::Null), ("a", Value::Null)]);
    let many: Vec<_> = (0..40).map(|n| (["a", "b"][n % 2], Value::Null)).collect();
    let deep = (0..1024).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    for (path, new, expected) in [
        ("a", Value::MinKey, EncodeErrorKind::UnsupportedKind(boson_document::Kind::MinKey)),
        ("a", Value::Array(vec![text("appended and cut off"), Value::DateTime(i64::MAX)]), EncodeErrorKind::DateRange),
        ("a", Value::Array(vec![twice]), EncodeErrorKind::DuplicateName),
        ("a", object(&many), EncodeErrorKind::DuplicateName),
        ("a", deep, EncodeErrorKind::LimitExceeded(boson_document::Limit::Depth(1024))),
    ] {
        let mut editor = open(before.clone());
        let error = editor.set(&path.parse().unwrap(), &new).unwrap_err();
        let EditError::Encode(error) = error else { panic!("{error}") };
        assert_eq!(error.kind(), expected);
        assert!(error.path().to_string().starts_with("$.a"), "{error}");
        assert_eq!(hex(editor.document().as_bytes()), hex(&before));
        assert_eq!(set(&mut editor, path, "fine!"), Edit::InPlace { written: 6 });
    }
    let mut editor = open(before.clone());
    let error = editor.set(&"b.x".parse().unwrap(), 1).unwrap_err();
    let EditError::Path(error) = error else { panic!("{error}") };
    let fault = PathFault::NotContainer { expected: boson_document::Kind::Object, found: boson_document::Kind::Bool };
    assert_eq!((error.path.to_string().as_str(), error.fault), ("$.b.x", fault));
    assert_eq!(editor.buffer().as_bytes(), before);
}

/// In a tree of nearly 64 KiB offsets have two bytes, which do not reach the extended tree.
#[test]
fn offsets_that_do_not_reach_are_widened_in_a_copy() {
    let long = text(&"x".repeat(65_000));
    let before = object(&[("long", long.clone()), ("o", object(&[("n", Value::Null), ("m", Value::Int32(1))]))]);
    let mut editor = open(to_vec(&before, &Options::COMPACT).unwrap());
    assert_eq!(editor.document().header().tree_len() / 100, 650);
    let path = "o.n".parse().unwrap();
    let new = "y".repeat(1000);
    // The extended tree begins beyond 65,000; once it is longer than 500 bytes nothing else reaches its end.
    set(&mut editor, "o.m", new.as_str());
    let edit = editor.set(&path, "behind").unwrap();
    assert!(matches!(edit, Edit::Appended { .. }), "{edit}");
    let inner = object(&[("n", text("behind")), ("m", text(&new))]);
    assert_eq!(held(editor.buffer()), object(&[("long", long), ("o", inner)]));
}
