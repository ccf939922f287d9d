//! B41: documents nested deeper than a stack is.

use boson_bson::{Document, ReadOptions, Tag, Utf8, path_at, validate};
use boson_document::{Discard, Layout, Limits, Segment, Source};

use crate::support::unhex;

/// `levels` containers of type `tag` in each other, within the root; each is called `0`.
fn nested(tag: Tag, levels: usize) -> Vec<u8> {
    let (mut head, mut tail) = (Vec::new(), vec![0]);
    let overhead = if tag == Tag::CodeWithScope { 9 } else { 0 };
    for level in (0..levels).rev() {
        head.extend_from_slice(&[tag.byte(), b'0', 0]);
        let document = level * (8 + overhead) + 5;
        if tag == Tag::CodeWithScope {
            head.extend_from_slice(&i32::try_from(document + overhead).unwrap().to_le_bytes());
            head.extend_from_slice(&unhex("01000000 00"));
        }
        head.extend_from_slice(&i32::try_from(document).unwrap().to_le_bytes());
        tail.push(0);
    }
    let len = i32::try_from(4 + head.len() + tail.len()).unwrap();
    [len.to_le_bytes().as_slice(), &head, &tail].concat()
}

const TAGS: [Tag; 3] = [Tag::Document, Tag::Array, Tag::CodeWithScope];

#[test]
fn the_limit_of_depth_is_kept_to() {
    for tag in TAGS {
        // The root is a level.
        validate(&nested(tag, 199), &Limits::BSON).unwrap();
        for levels in [200, 201, 10_000, 100_000] {
            let bytes = nested(tag, levels);
            let error = validate(&bytes, &Limits::BSON).unwrap_err();
            assert!(error.to_string().contains("nested deeper than 200 levels"), "{tag:?} {levels}: {}", error.error);
            assert_eq!(error.path.segments().len(), 200);
        }
    }
    assert_eq!(nested(Tag::Document, 10_000).len(), 80_005);
}

#[test]
fn a_deeper_limit_is_not_bounded_by_the_stack() {
    for tag in TAGS {
        let bytes = nested(tag, 50_000);
        let options = ReadOptions { limits: Limits::BSON.with_depth(50_001), utf8: Utf8::Strict };
        let document = Document::new(&bytes).unwrap();
        document.with(options).drive(&mut Discard).unwrap();
        assert!(document.regions().is_err());
        assert!(format!("{document:?}").contains('…'));
        let steps = path_at(&bytes, bytes.len() / 2);
        assert!(steps.segments().len() > 1000);
    }
}

#[test]
fn depth_zero_reads_nothing() {
    let error = validate(&unhex("0500000000"), &Limits::BSON.with_depth(0)).unwrap_err();
    assert!(error.to_string().contains("nested deeper than 0 levels"));
    validate(&unhex("0500000000"), &Limits::BSON.with_depth(1)).unwrap();
}

#[test]
fn the_other_limits_are_kept_to() {
    let bytes = nested(Tag::Document, 9);
    validate(&bytes, &Limits::BSON.with_nodes(10)).unwrap();
    let error = validate(&bytes, &Limits::BSON.with_nodes(9)).unwrap_err();
    assert!(error.to_string().contains("more values than the limit of nodes"));
    validate(&bytes, &Limits::BSON.with_bytes(bytes.len())).unwrap();
    let error = validate(&bytes, &Limits::BSON.with_bytes(bytes.len() - 1)).unwrap_err();
    assert!(error.to_string().contains("larger than the limit of bytes"));
}

#[test]
fn a_path_leads_through_every_kind_of_container() {
    for tag in TAGS {
        let bytes = nested(tag, 3);
        let step = if tag == Tag::Array { Segment::Index(0) } else { Segment::Field("0".into()) };
        let first = Segment::Field("0".into());
        let path = [first, step.clone(), step].into_iter().collect();
        let value = Document::new(&bytes).unwrap().get_path(&path).unwrap().unwrap();
        assert_eq!(value.tag(), tag);
        assert_eq!(path_at(&bytes, value.span().end() - 1), path);
    }
}
