"""OSON, Oracle's binary JSON, with no database, no connection and no software of Oracle.

>>> from boson import oson
>>> image = oson.encode({"name": "Ada", "born": 1815, "tags": ["a", "b"]})
>>> oson.decode(image)
{'name': 'Ada', 'born': Decimal('1815'), 'tags': ['a', 'b']}

The bytes are those that python-oracledb writes, and so are the values that come back. Numbers can be had as int and float:

>>> oson.decode(image, numbers="native")
{'name': 'Ada', 'born': 1815, 'tags': ['a', 'b']}

A :class:`RawDocument` stays bytes; a field is found through the dictionary of names, and nothing else is decoded:

>>> oson.RawDocument(image)["tags"]
['a', 'b']

A value is changed where it stands:

>>> editor = oson.Editor(image)
>>> editor.set("$.name", "Bob")["how"]
'in-place'
>>> oson.decode(bytes(editor))["name"]
'Bob'

A program that was written for a connection of python-oracledb runs without one:

>>> connection = oson.Connectionless()
>>> connection.decode_oson(connection.encode_oson([1, None]))
[Decimal('1'), None]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from boson._boson import Editor
from boson._boson import RawOsonDocument as RawDocument
from boson._boson import oson_decode as decode
from boson._boson import oson_encode as encode
from boson._types import IntervalYM, JsonId, SparseVector

__all__ = [
    "Connectionless",
    "Editor",
    "IntervalYM",
    "JsonId",
    "RawDocument",
    "SparseVector",
    "decode",
    "encode",
    "set",
]

Mapping.register(RawDocument)


def set(image: bytes | bytearray, path: str, value: Any, *, style: Literal["driver", "compact"] = "driver") -> bytes:
    """The image in which the value at ``path`` is ``value``; a ``bytearray`` is changed as well.

    >>> image = encode({"a": [1, 2]})
    >>> decode(set(image, "$.a[1]", "two"), numbers="native")
    {'a': [1, 'two']}
    """
    editor = Editor(image, style=style)
    editor.set(path, value)
    changed = bytes(editor)
    if isinstance(image, bytearray):
        image[:] = changed
    return changed


class Connectionless:
    """What a connection of python-oracledb does with OSON, without a connection."""

    def encode_oson(self, value: Any) -> bytes:
        """``value`` as OSON.

        >>> Connectionless().encode_oson("a").hex()
        'ff4a5a0100160003330161'
        """
        return encode(value)

    def decode_oson(self, data: bytes) -> Any:
        """The value of OSON."""
        return decode(data)
