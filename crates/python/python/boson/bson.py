"""BSON: a drop-in for the functions of pymongo's ``bson`` package.

>>> from boson import bson
>>> data = bson.encode({"name": "Ada", "born": 1815, "tags": ["a", "b"]})
>>> bson.decode(data)
{'name': 'Ada', 'born': 1815, 'tags': ['a', 'b']}

The bytes are those that pymongo writes, and so are the values that come back: objects of pymongo's own classes where it is
installed, of equal ones where it is not.

>>> bson.decode(bson.encode({"n": bson.Int64(7), "d": bson.Decimal128("1.50")}))
{'n': 7, 'd': Decimal128('1.50')}

A :class:`RawDocument` stays bytes, and reads what is asked for:

>>> raw = bson.RawDocument(data)
>>> raw["tags"]
['a', 'b']
>>> raw.raw == data
True

What is wrong is said with its place:

>>> bson.decode(data[:-1])
Traceback (most recent call last):
    ...
boson._errors.InvalidBSON: offset 0, $: the length says 58 bytes, the content takes 57
>>> bson.encode({"a": [1, {2, 3}]})
Traceback (most recent call last):
    ...
boson._errors.UnsupportedBsonTypeError: $.a[1]: expected a type that BSON has, found set
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import IO, Any

from boson import _boson
from boson._boson import RawDocument
from boson._boson import bson_decode as decode
from boson._boson import bson_decode_all as decode_all
from boson._boson import bson_encode as encode
from boson._errors import InvalidBSON, InvalidDocument
from boson._types import (
    Binary,
    Code,
    CodecOptions,
    DatetimeConversion,
    DatetimeMS,
    DBRef,
    Decimal128,
    Int64,
    MaxKey,
    MinKey,
    ObjectId,
    Regex,
    Timestamp,
    TypeCodec,
    TypeDecoder,
    TypeEncoder,
    TypeRegistry,
    UuidRepresentation,
)

__all__ = [
    "Binary",
    "Code",
    "CodecOptions",
    "DBRef",
    "DatetimeConversion",
    "DatetimeMS",
    "Decimal128",
    "Int64",
    "InvalidBSON",
    "InvalidDocument",
    "MaxKey",
    "MinKey",
    "ObjectId",
    "RawDocument",
    "Regex",
    "Timestamp",
    "TypeCodec",
    "TypeDecoder",
    "TypeEncoder",
    "TypeRegistry",
    "UuidRepresentation",
    "decode",
    "decode_all",
    "decode_file_iter",
    "decode_iter",
    "dumps",
    "encode",
    "is_valid",
    "iter_file",
    "loads",
]

Mapping.register(RawDocument)


def decode_iter(data: bytes, codec_options: Any = None) -> Iterator[Any]:
    """The documents of ``data``, which has them one after another, each decoded when it is asked for.

    >>> list(decode_iter(encode({"a": 1}) + encode({"a": 2})))
    [{'a': 1}, {'a': 2}]
    """
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "little", signed=True)
        end = at + max(length, 5)
        yield decode(data[at:end], codec_options)
        at = end


def decode_file_iter(file_obj: IO[bytes], codec_options: Any = None) -> Iterator[Any]:
    """The documents of an open file, each read and decoded when it is asked for."""
    while True:
        head = file_obj.read(4)
        if not head:
            return
        length = int.from_bytes(head, "little", signed=True)
        yield decode(head + file_obj.read(max(length - 4, 0)), codec_options)


def iter_file(file: str | os.PathLike[str] | IO[bytes], codec_options: Any = None) -> Iterator[Any]:
    """The documents of a file, each read and decoded when it is asked for.

    By its path a file may be compressed with gzip or zstd, and hold BSON as mongodump writes it, OSON images or JSON, which
    is told by its content. An open file must hold BSON.
    """
    if isinstance(file, (str, os.PathLike)):
        return _boson.bson_iter_path(os.fspath(file), codec_options)
    return decode_file_iter(file, codec_options)


def is_valid(data: bytes) -> bool:
    """Whether ``data`` is a BSON document.

    >>> is_valid(encode({})), is_valid(b"nonsense")
    (True, False)
    """
    return _boson.bson_is_valid(data)


def dumps(document: Mapping[str, Any], mode: str = "relaxed", codec_options: Any = None) -> str:
    """``document`` as Extended JSON, ``relaxed`` or ``canonical``.

    >>> dumps({"n": 1, "d": Decimal128("1.50")})
    '{"n":1,"d":{"$numberDecimal":"1.50"}}'
    >>> dumps({"n": 1}, mode="canonical")
    '{"n":{"$numberInt":"1"}}'
    """
    return _boson.bson_dumps(document, mode, codec_options)


def loads(text: str | bytes, codec_options: Any = None) -> Any:
    """The document that a text of Extended JSON says.

    >>> loads('{"d": {"$numberDecimal": "1.50"}}')
    {'d': Decimal128('1.50')}
    """
    return _boson.bson_loads(text, codec_options)
