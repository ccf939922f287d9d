"""The classes that documents hold: pymongo's and python-oracledb's where they are installed, equal ones of ours where not."""

from __future__ import annotations

import re
from typing import Any

from boson._peers import ORACLEDB, PYMONGO

if PYMONGO:
    from bson.binary import Binary, UuidRepresentation
    from bson.code import Code
    from bson.codec_options import CodecOptions, TypeCodec, TypeDecoder, TypeEncoder, TypeRegistry
    from bson.datetime_ms import DatetimeMS
    from bson.codec_options import DatetimeConversion
    from bson.dbref import DBRef
    from bson.decimal128 import Decimal128
    from bson.int64 import Int64
    from bson.max_key import MaxKey
    from bson.min_key import MinKey
    from bson.objectid import ObjectId
    from bson.regex import Regex
    from bson.timestamp import Timestamp
    from bson.tz_util import utc
else:
    from boson._own_bson import (  # type: ignore[assignment]
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
        utc,
    )

if ORACLEDB:
    from oracledb import IntervalYM, JsonId, SparseVector
else:
    from boson._own_oracle import IntervalYM, JsonId, SparseVector  # type: ignore[assignment]

__all__ = [
    "Binary",
    "Code",
    "CodecOptions",
    "DBRef",
    "DatetimeConversion",
    "DatetimeMS",
    "Decimal128",
    "Int64",
    "IntervalYM",
    "JsonId",
    "MaxKey",
    "MinKey",
    "ObjectId",
    "Regex",
    "SparseVector",
    "Timestamp",
    "TypeCodec",
    "TypeDecoder",
    "TypeEncoder",
    "TypeRegistry",
    "UuidRepresentation",
    "made_by_slots",
    "utc",
]

# An object of each class whose constructor may be gone past, and what its slots then hold.
_SAMPLES: dict[type, tuple[Any, tuple[Any, ...]]] = {
    ObjectId: (lambda: ObjectId(b"0123456789ab"), (b"0123456789ab",)),
    Decimal128: (lambda: Decimal128("1.5"), (0x303E000000000000, 15)),
    Timestamp: (lambda: Timestamp(7, 9), (7, 9)),
}


def _slots_of(cls: type) -> set[str]:
    slots = cls.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return {re.sub("^__(?=.*[^_]$|.*[^_]_$)", f"_{cls.__name__}__", name) for name in names}


def made_by_slots(cls: type, slots: list[str]) -> bool:
    """Whether an object of ``cls`` that is made by setting ``slots`` equals one made by the constructor."""
    if cls not in _SAMPLES or getattr(cls, "__new__") is not object.__new__ or _slots_of(cls) != set(slots):
        return False
    construct, values = _SAMPLES[cls]
    made: Any = object.__new__(cls)
    try:
        for name, value in zip(slots, values):
            setattr(made, name, value)
        expected = construct()
        return bool(made == expected and repr(made) == repr(expected) and made.__getstate__() == expected.__getstate__())
    except Exception:
        return False
