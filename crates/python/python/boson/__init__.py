"""BSON, OSON and JSON documents without a database: encode, decode, read one field, convert, explain, profile.

:mod:`boson.bson` stands in for pymongo's ``bson``, :mod:`boson.oson` for what python-oracledb does with OSON.

>>> import boson
>>> image = boson.convert(boson.bson.encode({"n": 1}), "oson")
>>> boson.convert(image, "json")
'{"n":1}'

Every byte is explained:

>>> print(boson.explain(boson.bson.encode({"n": 7})), end="")
   0  0c 00 00 00              document of 12 bytes
   4  10                         type int
   5  6e                         name "n"
   6  00                         end of name
   7  07 00 00 00                int 7
  11  00                       end of document

A profile says what documents are made of, and what is stored as something else than it is:

>>> profile = boson.Profile([{"born": "2001-02-03"}, {"born": "1999-12-31"}])
>>> [(finding["path"], finding["stored"], finding["actual"]) for finding in profile.findings()]
[('$.born', 'string', 'dates without a time')]
"""

from __future__ import annotations

from boson import bson, oson
from boson._boson import Profile, convert, explain
from boson._errors import BosonError, ConvertError, DecodeError, EncodeError, OutOfRangeError, TooDeepError, UnsupportedTypeError

__all__ = [
    "BosonError",
    "ConvertError",
    "DecodeError",
    "EncodeError",
    "OutOfRangeError",
    "Profile",
    "TooDeepError",
    "UnsupportedTypeError",
    "bson",
    "convert",
    "explain",
    "oson",
]
