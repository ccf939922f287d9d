"""BSON, OSON and JSON documents without a database: encode, decode, read one field, convert, explain, profile.

:mod:`boson.bson` stands in for pymongo's ``bson``, :mod:`boson.oson` for what python-oracledb does with OSON.

>>> import boson
>>> image = boson.convert(boson.bson.encode({"n": 1}), "oson")
>>> boson.convert(image, "json")
'{"n":1}'

A profile says what documents are made of, and what is stored as something else than it is:

>>> profile = boson.Profile([{"born": "2001-02-03"}, {"born": "1999-12-31"}])
>>> [(finding["path"], finding["stored"], finding["actual"]) for finding in profile.findings()]
[('$.born', 'string', 'dates without a time')]
"""

from __future__ import annotations

from boson import bson, oson
from boson._boson import Profile, convert
from boson._errors import BosonError, ConvertError, DecodeError, EncodeError, OutOfRangeError, UnsupportedTypeError

__all__ = [
    "BosonError",
    "ConvertError",
    "DecodeError",
    "EncodeError",
    "OutOfRangeError",
    "Profile",
    "UnsupportedTypeError",
    "bson",
    "convert",
    "oson",
]
