"""What stands for pymongo's classes where it is not installed: the same names, constructors, attributes and order."""

from __future__ import annotations

import calendar
import datetime
import decimal
import enum
import functools
import itertools
import os
import re
import struct
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from boson import _boson

utc = datetime.timezone.utc
_EPOCH = datetime.datetime(1970, 1, 1)
_MILLISECOND = datetime.timedelta(milliseconds=1)


class ObjectId:
    """MongoDB's identifier: 4 bytes of seconds since 1970, 5 of this process, 3 of a counter."""

    __slots__ = ("__id",)
    _type_marker = 7
    _counter = itertools.count(int.from_bytes(os.urandom(3), "big"))
    _process = (0, b"")
    _lock = threading.Lock()

    def __init__(self, oid: str | ObjectId | bytes | None = None) -> None:
        if oid is None:
            self.__id = self._generate()
        elif isinstance(oid, ObjectId):
            self.__id = oid.binary
        elif isinstance(oid, bytes) and len(oid) == 12:
            self.__id = oid
        elif isinstance(oid, str):
            try:
                self.__id = bytes.fromhex(oid)
            except ValueError:
                self.__id = b""
            if len(oid) != 24 or len(self.__id) != 12:
                raise ValueError(f"{oid!r} is not an ObjectId: expected 12 bytes or 24 hexadecimal digits")
        elif isinstance(oid, bytes):
            raise ValueError(f"{oid!r} is not an ObjectId: expected 12 bytes or 24 hexadecimal digits")
        else:
            raise TypeError(f"id must be bytes, str or ObjectId, not {type(oid)}")

    @classmethod
    def _generate(cls) -> bytes:
        with cls._lock:
            if cls._process[0] != os.getpid():
                cls._process = (os.getpid(), os.urandom(5))
            count = next(cls._counter) & 0xFFFFFF
        return struct.pack(">I", int(time.time()) & 0xFFFFFFFF) + cls._process[1] + count.to_bytes(3, "big")

    @classmethod
    def from_datetime(cls, generation_time: datetime.datetime) -> ObjectId:
        """The smallest id of that second: for ranges, not to be stored."""
        offset = generation_time.utcoffset()
        if offset is not None:
            generation_time = generation_time - offset
        return cls(struct.pack(">I", calendar.timegm(generation_time.timetuple())) + bytes(8))

    @classmethod
    def is_valid(cls, oid: Any) -> bool:
        """Whether ``oid`` is an id or the bytes or digits of one."""
        if not oid:
            return False
        try:
            cls(oid)
        except (ValueError, TypeError):
            return False
        return True

    @property
    def binary(self) -> bytes:
        """The 12 bytes."""
        return self.__id

    @property
    def generation_time(self) -> datetime.datetime:
        """When it was made, as it says itself."""
        return datetime.datetime.fromtimestamp(struct.unpack(">I", self.__id[:4])[0], utc)

    def __getstate__(self) -> bytes:
        return self.__id

    def __setstate__(self, state: bytes) -> None:
        self.__id = state

    def __str__(self) -> str:
        return self.__id.hex()

    def __repr__(self) -> str:
        return f"ObjectId('{self}')"

    def __eq__(self, other: object) -> bool:
        return self.__id == other.binary if isinstance(other, ObjectId) else NotImplemented

    def __lt__(self, other: ObjectId) -> bool:
        return self.__id < other.binary if isinstance(other, ObjectId) else NotImplemented

    def __le__(self, other: ObjectId) -> bool:
        return self.__id <= other.binary if isinstance(other, ObjectId) else NotImplemented

    def __gt__(self, other: ObjectId) -> bool:
        return self.__id > other.binary if isinstance(other, ObjectId) else NotImplemented

    def __ge__(self, other: ObjectId) -> bool:
        return self.__id >= other.binary if isinstance(other, ObjectId) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.__id)


class Decimal128:
    """A decimal of 34 digits."""

    __slots__ = ("__high", "__low")
    _type_marker = 19

    def __init__(self, value: decimal.Decimal | float | str | tuple[int, Any]) -> None:
        if isinstance(value, (list, tuple)) and len(value) == 2:
            self.__high, self.__low = value
            return
        if not isinstance(value, (decimal.Decimal, float, int, str, list, tuple)):
            raise TypeError(f"cannot make a Decimal128 of {value!r}")
        with decimal.localcontext(_decimal128_context()) as context:
            number = context.create_decimal(value)
        self.__low, self.__high = struct.unpack("<QQ", _boson.decimal128_of_text(str(number)))

    def to_decimal(self) -> decimal.Decimal:
        """The same number as a ``decimal.Decimal``."""
        return decimal.Decimal(str(self))

    @classmethod
    def from_bid(cls, value: bytes) -> Decimal128:
        """The number of these 16 bytes, which BSON has."""
        if not isinstance(value, bytes):
            raise TypeError(f"value must be bytes, not {type(value)}")
        if len(value) != 16:
            raise ValueError("value must be exactly 16 bytes")
        low, high = struct.unpack("<QQ", value)
        return cls((high, low))

    @property
    def bid(self) -> bytes:
        """The 16 bytes that BSON has."""
        return struct.pack("<QQ", self.__low, self.__high)

    def __str__(self) -> str:
        return _boson.decimal128_to_text(self.bid)

    def __repr__(self) -> str:
        return f"Decimal128('{self}')"

    def __getstate__(self) -> tuple[int, int]:
        return self.__high, self.__low

    def __setstate__(self, state: tuple[int, int]) -> None:
        self.__high, self.__low = state

    def __eq__(self, other: object) -> bool:
        return self.bid == other.bid if isinstance(other, Decimal128) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _decimal128_context() -> decimal.Context:
    traps = [decimal.Inexact, decimal.Overflow, decimal.InvalidOperation]
    return decimal.Context(
        prec=34, rounding=decimal.ROUND_HALF_EVEN, Emin=-6143, Emax=6144, capitals=1, flags=[], traps=traps, clamp=1
    )


class Int64(int):
    """An integer that is to be stored with 64 bits."""

    __slots__ = ()
    _type_marker = 18

    def __getstate__(self) -> Any:
        return {}

    def __setstate__(self, state: Any) -> None:
        pass


class UuidRepresentation:
    """How a UUID lies in binary data."""

    UNSPECIFIED = 0
    STANDARD = 4
    PYTHON_LEGACY = 3
    JAVA_LEGACY = 5
    CSHARP_LEGACY = 6


_UUIDS = {0: "UNSPECIFIED", 3: "PYTHON_LEGACY", 4: "STANDARD", 5: "JAVA_LEGACY", 6: "CSHARP_LEGACY"}


def _java(payload: bytes) -> bytes:
    return payload[7::-1] + payload[:7:-1]


class Binary(bytes):
    """Bytes with a subtype."""

    _type_marker = 5
    __subtype: int

    def __new__(cls, data: Any, subtype: int = 0) -> Binary:
        if not isinstance(subtype, int):
            raise TypeError(f"subtype must be an int, not {type(subtype)}")
        if not 0 <= subtype < 256:
            raise ValueError("subtype must be 0 to 255")
        self = bytes.__new__(cls, memoryview(data).tobytes())
        self.__subtype = subtype
        return self

    @classmethod
    def from_uuid(cls, uuid: uuid.UUID, uuid_representation: int = UuidRepresentation.STANDARD) -> Binary:
        """A UUID, laid out as ``uuid_representation`` says."""
        if uuid_representation == UuidRepresentation.UNSPECIFIED:
            raise ValueError(
                "cannot encode a UUID while uuid_representation is UNSPECIFIED: choose one in CodecOptions, or make a "
                "Binary with Binary.from_uuid"
            )
        if uuid_representation not in _UUIDS:
            raise ValueError(f"uuid_representation {uuid_representation} is not known")
        if uuid_representation == UuidRepresentation.JAVA_LEGACY:
            return cls(_java(uuid.bytes), 3)
        if uuid_representation == UuidRepresentation.CSHARP_LEGACY:
            return cls(uuid.bytes_le, 3)
        return cls(uuid.bytes, 4 if uuid_representation == UuidRepresentation.STANDARD else 3)

    def as_uuid(self, uuid_representation: int = UuidRepresentation.STANDARD) -> uuid.UUID:
        """The UUID that these bytes are, laid out as ``uuid_representation`` says."""
        wanted = 4 if uuid_representation == UuidRepresentation.STANDARD else 3
        if uuid_representation == UuidRepresentation.UNSPECIFIED or uuid_representation not in _UUIDS:
            raise ValueError("uuid_representation must be one that says how a UUID lies in the bytes")
        if self.subtype != wanted:
            name = _UUIDS[uuid_representation]
            raise ValueError(f"binary of subtype {self.subtype} is no UUID of the representation {name}")
        if uuid_representation == UuidRepresentation.JAVA_LEGACY:
            return uuid.UUID(bytes=_java(bytes(self)))
        if uuid_representation == UuidRepresentation.CSHARP_LEGACY:
            return uuid.UUID(bytes_le=bytes(self))
        return uuid.UUID(bytes=bytes(self))

    @property
    def subtype(self) -> int:
        """What the bytes are, by the BSON specification."""
        return self.__subtype

    def __getnewargs__(self) -> tuple[bytes, int]:  # type: ignore[override]
        return bytes(self), self.__subtype

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Binary):
            return (self.subtype, bytes(self)) == (other.subtype, bytes(other))
        # Bytes of subtype 0 are decoded as bytes, and a Binary is not equal to those.
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return super().__hash__() ^ hash(self.__subtype)

    def __repr__(self) -> str:
        if self.__subtype == 8:
            return "<Binary(REDACTED, 8)>"
        return f"Binary({bytes.__repr__(self)}, {self.__subtype})"


_FLAGS = {"i": re.I, "l": re.L, "m": re.M, "s": re.S, "u": re.U, "x": re.X}


class Regex:
    """A regular expression, which Python's ``re`` may or may not be able to compile."""

    __slots__ = ("flags", "pattern")
    _type_marker = 11

    def __init__(self, pattern: str | bytes, flags: str | int = 0) -> None:
        if not isinstance(pattern, (str, bytes)):
            raise TypeError(f"pattern must be a string, not {type(pattern)}")
        if not isinstance(flags, (str, int)):
            raise TypeError(f"flags must be a string or int, not {type(flags)}")
        self.pattern = pattern
        if isinstance(flags, str):
            self.flags = functools.reduce(lambda known, letter: known | _FLAGS.get(letter, 0), flags, 0)
        else:
            self.flags = flags

    @classmethod
    def from_native(cls, regex: re.Pattern[Any]) -> Regex:
        """The same expression as a ``Regex``."""
        if not isinstance(regex, re.Pattern):
            raise TypeError(f"regex must be a compiled regular expression, not {type(regex)}")
        return cls(regex.pattern, regex.flags)

    def try_compile(self) -> re.Pattern[Any]:
        """The expression as Python compiles it."""
        return re.compile(self.pattern, self.flags)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Regex):
            return NotImplemented
        return (self.pattern, self.flags) == (other.pattern, other.flags)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Regex({self.pattern!r}, {self.flags!r})"


@functools.total_ordering
class Timestamp:
    """The time of an operation in MongoDB's replication: seconds since 1970 and a count within the second."""

    __slots__ = ("__inc", "__time")
    _type_marker = 17

    def __init__(self, time: datetime.datetime | int, inc: int) -> None:
        if isinstance(time, datetime.datetime):
            offset = time.utcoffset()
            if offset is not None:
                time = time - offset
            time = calendar.timegm(time.timetuple())
        if not isinstance(time, int) or not isinstance(inc, int):
            raise TypeError("time must be a datetime or an int, and inc an int")
        if not 0 <= time < 2**32 or not 0 <= inc < 2**32:
            raise ValueError("time and inc must be 0 to 2**32 - 1")
        self.__time = time
        self.__inc = inc

    @property
    def time(self) -> int:
        """Seconds since 1970."""
        return self.__time

    @property
    def inc(self) -> int:
        """Which operation of that second."""
        return self.__inc

    def as_datetime(self) -> datetime.datetime:
        """The second as an aware datetime."""
        return datetime.datetime.fromtimestamp(self.__time, utc)

    def __getstate__(self) -> tuple[int, int]:
        return self.__time, self.__inc

    def __setstate__(self, state: tuple[int, int]) -> None:
        self.__time, self.__inc = state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Timestamp):
            return NotImplemented
        return (self.time, self.inc) == (other.time, other.inc)

    def __lt__(self, other: Timestamp) -> bool:
        if not isinstance(other, Timestamp):
            return NotImplemented
        return (self.time, self.inc) < (other.time, other.inc)

    def __hash__(self) -> int:
        return hash(self.__time) ^ hash(self.__inc)

    def __repr__(self) -> str:
        return f"Timestamp({self.__time}, {self.__inc})"


class Code(str):
    """JavaScript, with the variables it was written against if it has any."""

    _type_marker = 13
    __scope: Mapping[str, Any] | None

    def __new__(cls, code: str | Code, scope: Mapping[str, Any] | None = None, **kwargs: Any) -> Code:
        if not isinstance(code, str):
            raise TypeError(f"code must be a str, not {type(code)}")
        self = str.__new__(cls, code)
        inner = code.scope if isinstance(code, Code) else None
        if scope is not None and not isinstance(scope, Mapping):
            raise TypeError(f"scope must be a mapping, not {type(scope)}")
        if scope is None and inner is None and not kwargs:
            self.__scope = None
        else:
            self.__scope = {**(inner or {}), **(scope or {}), **kwargs}
        return self

    @property
    def scope(self) -> Mapping[str, Any] | None:
        """The variables."""
        return self.__scope

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Code):
            return (self.__scope, str(self)) == (other.scope, str(other))
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Code({str.__repr__(self)}, {self.__scope!r})"


class DBRef:
    """A reference to a document of another collection."""

    __slots__ = "__collection", "__database", "__id", "__kwargs"
    _type_marker = 100

    def __init__(
        self,
        collection: str,
        id: Any,
        database: str | None = None,
        _extra: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(collection, str):
            raise TypeError(f"collection must be a str, not {type(collection)}")
        if database is not None and not isinstance(database, str):
            raise TypeError(f"database must be a str, not {type(database)}")
        self.__collection = collection
        self.__id = id
        self.__database = database
        self.__kwargs = {**kwargs, **(_extra or {})}

    @property
    def collection(self) -> str:
        """The collection."""
        return self.__collection

    @property
    def id(self) -> Any:
        """The ``_id`` of the document."""
        return self.__id

    @property
    def database(self) -> str | None:
        """The database, if it is another one."""
        return self.__database

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_DBRef__"):
            raise AttributeError(key)
        try:
            return self.__kwargs[key]
        except KeyError:
            raise AttributeError(key) from None

    def as_doc(self) -> dict[str, Any]:
        """The document that stands for it."""
        document = {"$ref": self.collection, "$id": self.id}
        if self.database is not None:
            document["$db"] = self.database
        return {**document, **self.__kwargs}

    def __getstate__(self) -> tuple[Any, ...]:
        return self.__collection, self.__id, self.__database, self.__kwargs

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__collection, self.__id, self.__database, self.__kwargs = state

    def __eq__(self, other: object) -> bool:
        return self.__getstate__() == other.__getstate__() if isinstance(other, DBRef) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.__collection, self.__id, self.__database, tuple(sorted(self.__kwargs.items()))))

    def __repr__(self) -> str:
        database = "" if self.database is None else f", {self.database!r}"
        extra = "".join(f", {name}={value!r}" for name, value in self.__kwargs.items())
        return f"DBRef({self.collection!r}, {self.id!r}{database}{extra})"


class MinKey:
    """Sorts below everything."""

    __slots__ = ()
    _type_marker = 255

    def __getstate__(self) -> Any:
        return {}

    def __setstate__(self, state: Any) -> None:
        pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MinKey)

    def __lt__(self, other: object) -> bool:
        return not isinstance(other, MinKey)

    def __le__(self, other: object) -> bool:
        return True

    def __gt__(self, other: object) -> bool:
        return False

    def __ge__(self, other: object) -> bool:
        return isinstance(other, MinKey)

    def __hash__(self) -> int:
        return hash(self._type_marker)

    def __repr__(self) -> str:
        return "MinKey()"


class MaxKey:
    """Sorts above everything."""

    __slots__ = ()
    _type_marker = 127

    def __getstate__(self) -> Any:
        return {}

    def __setstate__(self, state: Any) -> None:
        pass

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaxKey)

    def __lt__(self, other: object) -> bool:
        return False

    def __le__(self, other: object) -> bool:
        return isinstance(other, MaxKey)

    def __gt__(self, other: object) -> bool:
        return not isinstance(other, MaxKey)

    def __ge__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self._type_marker)

    def __repr__(self) -> str:
        return "MaxKey()"


@functools.total_ordering
class DatetimeMS:
    """A date as the milliseconds since 1970 that BSON has, whether a datetime can say it or not."""

    __slots__ = ("_value",)
    _type_marker = 9

    def __init__(self, value: int | datetime.datetime) -> None:
        if isinstance(value, datetime.datetime):
            offset = value.utcoffset()
            naive = value.replace(tzinfo=None) - (offset or datetime.timedelta())
            self._value = (naive - _EPOCH) // _MILLISECOND
        elif isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise OverflowError("a date has at most 8 bytes")
            self._value = value
        else:
            raise TypeError(f"{type(value)} is not a valid type for DatetimeMS")

    def as_datetime(self, codec_options: CodecOptions | None = None) -> datetime.datetime:
        """The datetime, as ``codec_options`` would have it decoded."""
        options = codec_options or CodecOptions(tz_aware=True)
        naive = _EPOCH + self._value * _MILLISECOND
        if not options.tz_aware:
            return naive
        aware = naive.replace(tzinfo=utc)
        return aware.astimezone(options.tzinfo) if options.tzinfo else aware

    def __int__(self) -> int:
        return self._value

    def __eq__(self, other: object) -> bool:
        return self._value == other._value if isinstance(other, DatetimeMS) else False

    def __lt__(self, other: DatetimeMS | int) -> bool:
        return self._value < int(other)

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"DatetimeMS({self._value!r})"


class DatetimeConversion(int, enum.Enum):
    """What becomes of a date that is decoded."""

    DATETIME = 1
    DATETIME_CLAMP = 2
    DATETIME_MS = 3
    DATETIME_AUTO = 4


class TypeEncoder:
    """Says what BSON is to hold for a type of the user's own: has ``python_type`` and ``transform_python``."""


class TypeDecoder:
    """Says what a decoded value is to become: has ``bson_type`` and ``transform_bson``."""


class TypeCodec(TypeEncoder, TypeDecoder):
    """Both."""


class TypeRegistry:
    """The user's own encoders and decoders, and what to do with a value that nothing else can encode."""

    def __init__(
        self,
        type_codecs: Iterable[TypeEncoder | TypeDecoder] | None = None,
        fallback_encoder: Callable[[Any], Any] | None = None,
    ) -> None:
        if fallback_encoder is not None and not callable(fallback_encoder):
            raise TypeError(f"fallback_encoder {fallback_encoder!r} is not a callable")
        self._fallback_encoder = fallback_encoder
        self._encoder_map: dict[Any, Any] = {}
        self._decoder_map: dict[Any, Any] = {}
        for codec in type_codecs or ():
            if not isinstance(codec, (TypeEncoder, TypeDecoder)):
                raise TypeError(f"expected a TypeEncoder, TypeDecoder or TypeCodec, got {codec!r}")
            if isinstance(codec, TypeEncoder):
                self._encoder_map[codec.python_type] = codec.transform_python  # type: ignore[attr-defined]
            if isinstance(codec, TypeDecoder):
                self._decoder_map[codec.bson_type] = codec.transform_bson  # type: ignore[attr-defined]


class _Fields(NamedTuple):
    document_class: Any
    tz_aware: bool
    uuid_representation: int
    unicode_decode_error_handler: str
    tzinfo: datetime.tzinfo | None
    type_registry: TypeRegistry
    datetime_conversion: DatetimeConversion


class CodecOptions(_Fields):
    """How documents are encoded and decoded; does not change."""

    def __new__(
        cls,
        document_class: Any = None,
        tz_aware: bool = False,
        uuid_representation: int = UuidRepresentation.UNSPECIFIED,
        unicode_decode_error_handler: str = "strict",
        tzinfo: datetime.tzinfo | None = None,
        type_registry: TypeRegistry | None = None,
        datetime_conversion: DatetimeConversion | None = DatetimeConversion.DATETIME,
    ) -> CodecOptions:
        if uuid_representation not in _UUIDS:
            raise ValueError("uuid_representation must be a value of UuidRepresentation")
        if tzinfo is not None and not tz_aware:
            raise ValueError("cannot specify tzinfo without also setting tz_aware=True")
        conversion = DatetimeConversion(datetime_conversion or DatetimeConversion.DATETIME)
        registry = type_registry or TypeRegistry()
        fields = (document_class or dict, tz_aware, uuid_representation, unicode_decode_error_handler, tzinfo)
        return super().__new__(cls, *fields, registry, conversion)

    def with_options(self, **kwargs: Any) -> CodecOptions:
        """The same options but for these."""
        return CodecOptions(**{**self._asdict(), **kwargs})
