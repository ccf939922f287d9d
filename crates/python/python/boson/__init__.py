"""BSON, OSON and JSON documents without a database: encode, decode, read one field, convert, explain, profile.

:mod:`boson.bson` stands in for pymongo's ``bson``, :mod:`boson.oson` for what python-oracledb does with OSON.
"""

from __future__ import annotations

from boson import bson
from boson._errors import BosonError, ConvertError, DecodeError, EncodeError, OutOfRangeError, UnsupportedTypeError

__all__ = [
    "BosonError",
    "ConvertError",
    "DecodeError",
    "EncodeError",
    "OutOfRangeError",
    "UnsupportedTypeError",
    "bson",
]
