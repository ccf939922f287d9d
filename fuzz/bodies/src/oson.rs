//! The laws of OSON's reader, views, dictionary and writer.

use std::ops::ControlFlow;

use boson_document::{
    Blocks, ByteSource, Container, DecodeError, DecodeErrorKind, Descend, Discard, Limits, Sink, Source, Value,
};
use boson_oson::write::{Options, Style, to_vec};
use boson_oson::{Document, FieldOrder, Image, Node, validate};
use boson_testkit::laws;
use boson_transcode::diff::{DiffOptions, Differ};

/// Values are shared, so a small image can have more of them than there is time for.
const LIMITS: Limits = Limits::OSON.with_nodes(20_000).with_depth(200);

/// Values that are asked everything in an image that may be faulty.
const TOUCHED_MAX: usize = 2000;

/// Objects, and fields of one object, that are searched.
const LOOKUPS_MAX: usize = 40;

pub(crate) fn run(data: &[u8]) {
    let verdict = validate(data, &LIMITS);
    let Ok(document) = Document::new(data) else {
        assert!(verdict.is_err(), "what is no image validates");
        return;
    };
    let walked = document.limited(LIMITS).drive(&mut Discard);
    touch(document);
    match verdict {
        Ok(()) => {
            assert_eq!(walked, Ok(()), "a valid image is walked");
            valid(document);
        }
        Err(error) => crate::is_well_placed(&error, data.len()),
    }
}

/// Of a valid image every way to read it tells the same, and what is written from it holds the same.
fn valid(document: Document<'_>) {
    let tree = laws::tree(&document.limited(LIMITS)).expect("a valid image");
    laws::assert_same(&tree, &laws::tree(&InOrder(document)).expect("the views of a valid image"));
    let stored = laws::tree(&Stored(document)).expect("the views of a valid image, as stored");
    let blocks = Blocks::new(document.as_bytes(), 7).expect("blocks in memory");
    let blockwise = Image::open(&blocks).expect("the header was checked");
    laws::assert_same(&stored, &laws::tree(&Stored(blockwise)).expect("the blocks of a valid image"));
    laws::layout_tiles(&document, document.as_bytes().len());
    searches(document);
    for keep_order in [true, false] {
        written(&tree, &Options { keep_order, limits: LIMITS, ..Options::default() });
    }
    if let Ok(image) = to_vec(&tree, &Options { style: Style::Driver, ..Options::default() }) {
        read(&image);
    }
}

/// What is written holds the same values, though numbers may get a smaller type, and is written once more as the same.
fn written(tree: &Value, options: &Options) {
    let image = to_vec(tree, options).expect("what was read can be written");
    let back = read(&image);
    let alike = DiffOptions { ignore_types: true, ignore_order: !options.keep_order };
    let differences = Differ::new(alike).compare(tree, &back, |difference| {
        eprintln!("{difference}");
        ControlFlow::Continue(())
    });
    assert_eq!(differences, Ok(0), "{}", boson_testkit::hex(&image));
    let again = to_vec(&back, options).expect("what was written can be written again");
    assert_eq!(boson_testkit::hex(&again), boson_testkit::hex(&image));
}

/// The tree of an image of our own, which is valid.
fn read(image: &[u8]) -> Value {
    let read = validate(image, &Limits::OSON).map_err(|located| located.error);
    let tree = read.and_then(|()| laws::tree(&Document::new(image)?));
    tree.unwrap_or_else(|error| panic!("{error} in {}", boson_testkit::hex(image)))
}

/// Asks every value everything, whether or not it is valid: nothing may panic.
fn touch(document: Document<'_>) {
    let _ = (document.names().count(), document.get("no such name"), document.root().map(|root| root.kind()));
    let mut open: Vec<_> = document.root().into_iter().collect();
    let mut order = FieldOrder::new();
    let mut left = TOUCHED_MAX;
    while let Some(value) = open.pop() {
        let _ = (value.scalar(), value.as_str(), value.kind(), value.span(), value.get("a"), value.get_index(1));
        let _ = value.held().map(|held| held.map(|held| held.scalar().is_ok()));
        let _ = value.fields_in_order(&mut order).map(|fields| fields.take(left).count());
        let children = value.items().chain(value.members().map(|member| member.map(|(_, value)| value)));
        for child in children.take(left).filter_map(Result::ok) {
            left -= 1;
            open.push(child);
        }
    }
}

/// Searching an object through the dictionary finds what looking through it finds.
fn searches(document: Document<'_>) {
    let names: Vec<_> = document.names().take(LOOKUPS_MAX).map(|name| name.expect("a name of a valid image")).collect();
    let mut open = vec![document.root().expect("the root of a valid image")];
    let mut left = LOOKUPS_MAX;
    while let Some(value) = open.pop() {
        for name in names.iter().copied().chain(["no such name"]) {
            let found = value.get(name).expect("a search of a valid image");
            let mut fields = value.fields().map(|field| field.expect("a field of a valid image"));
            let expected = fields.find(|(field, _)| *field == name).map(|(_, value)| value.span());
            assert_eq!(found.map(|found| found.span()), expected, "{name}");
            let id = document.name_id(name).expect("a search of the dictionary");
            assert_eq!(id.is_some(), name != "no such name" || expected.is_some(), "{name}");
        }
        let children = value.items().chain(value.members().map(|member| member.map(|(_, value)| value)));
        let children: Vec<_> = children.take(left).map(|child| child.expect("a child in a valid image")).collect();
        left -= children.len();
        open.extend(children);
    }
}

/// An image as its views tell it, fields in the order of the input.
struct InOrder<'a>(Document<'a>);

/// An image as its views tell it, fields as they are stored.
struct Stored<S>(Image<S>);

impl Source for InOrder<'_> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        in_order(&self.0.root()?, sink)
    }
}

impl<B: ByteSource> Source for Stored<B> {
    fn drive<S: Sink>(&self, sink: &mut S) -> Result<(), S::Error> {
        stored(&self.0.root()?, sink)
    }
}

fn in_order<S: Sink>(value: &boson_oson::Value<'_>, sink: &mut S) -> Result<(), S::Error> {
    if let Some(scalar) = value.scalar()? {
        return sink.scalar(scalar, value.span());
    }
    let mut order = FieldOrder::new();
    container(value, sink, |sink| {
        value.fields_in_order(&mut order)?.try_for_each(|field| {
            let (name, value) = field?;
            sink.key(name, value.span())?;
            in_order(&value, sink)
        })?;
        value.items().try_for_each(|item| in_order(&item?, sink))
    })
}

fn stored<B: ByteSource, S: Sink>(value: &Node<B>, sink: &mut S) -> Result<(), S::Error> {
    if let Some(held) = value.held()? {
        return sink.scalar(held.scalar()?, value.span());
    }
    container(value, sink, |sink| {
        value.members().try_for_each(|member| {
            let (id, child) = member?;
            let name = value.image().name_bytes(id)?;
            let name = str::from_utf8(&name).map_err(|_| DecodeError::new(0, DecodeErrorKind::InvalidUtf8))?;
            sink.key(name, child.span())?;
            stored(&child, sink)
        })?;
        value.items().try_for_each(|item| stored(&item?, sink))
    })
}

/// Begins the container that `value` is, lets `members` deliver what is in it, and ends it.
fn container<B: ByteSource, S: Sink>(
    value: &Node<B>,
    sink: &mut S,
    members: impl FnOnce(&mut S) -> Result<(), S::Error>,
) -> Result<(), S::Error> {
    let is_array = value.kind() == boson_document::Kind::Array;
    let begun = Container { span: value.span(), len: Some(value.len()) };
    let descend = if is_array { sink.begin_array(begun)? } else { sink.begin_object(begun)? };
    if descend == Descend::Skip {
        return Ok(());
    }
    members(sink)?;
    if is_array { sink.end_array() } else { sink.end_object() }
}
