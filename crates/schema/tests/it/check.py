"""Compares what PyMongo reads from events.bson with the types in event.py."""

import types
import typing

import bson
from bson.binary import UuidRepresentation
from bson.codec_options import CodecOptions
from event import Event


def fits(value, kind):
    """Whether `value` is of the type `kind`."""
    origin = typing.get_origin(kind)
    if kind is typing.Any:
        return True
    if kind is None:
        return value is None
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, own) for own in typing.get_args(kind))
    if origin is list:
        return type(value) is list and all(fits(item, typing.get_args(kind)[0]) for item in value)
    if origin is dict:
        return type(value) is dict and all(fits(item, typing.get_args(kind)[1]) for item in value.values())
    if typing.is_typeddict(kind):
        return type(value) is dict and is_document(value, kind)
    return type(value) is kind


def is_document(document, kind):
    """Whether `document` has the members of `kind`, no others, and all that are required."""
    hints = typing.get_type_hints(kind)
    required = kind.__required_keys__
    known = document.keys() <= hints.keys() and required <= document.keys()
    return known and all(fits(value, hints[name]) for name, value in document.items())


options = CodecOptions(uuid_representation=UuidRepresentation.STANDARD)
documents = bson.decode_all(open("events.bson", "rb").read(), options)
for document in documents:
    assert is_document(document, Event), document
old = dict(documents[0], at="2024-01-15T10:30:00.007Z")
print(f"{len(documents)} documents, {int(not is_document(old, Event))} refused")
