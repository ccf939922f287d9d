"""Random values of every type, made from a seed: the same ones on every machine."""

from __future__ import annotations

import array
import datetime
import decimal
import random
import re
import struct
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from boson import bson, oson

#: How many documents are made of each type.
PER_TYPE = 200

LETTERS = "abcXYZ019_-. $é߀漢😀\t\n\"\\"
INTEGERS = [0, 1, -1, 127, 128, 255, 256, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**53 + 1, 2**63 - 1, -(2**63)]
DOUBLES = [0.0, -0.0, 1.5, -0.1, 1e-7, 1e22, 123456789.125, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf")]
ZONES = [None, datetime.timezone.utc, datetime.timezone(datetime.timedelta(hours=5, minutes=45))]


def text(rng: random.Random, longest: int = 40) -> str:
    return "".join(rng.choice(LETTERS) for _ in range(rng.choice([0, 1, 5, rng.randrange(longest)])))


def name(rng: random.Random) -> str:
    return text(rng, 20).replace("$", "d") or "n"


def data(rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 12, 16, rng.randrange(300)]))


def integer(rng: random.Random) -> int:
    return rng.choice([rng.choice(INTEGERS), rng.randrange(-(10**6), 10**6), rng.randrange(-(2**63), 2**63)])


def double(rng: random.Random) -> float:
    bits = rng.choice([None, None, rng.getrandbits(64)])
    if bits is None:
        return rng.choice([rng.choice(DOUBLES), rng.uniform(-1e6, 1e6)])
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value if value == value else 2.5


def moment(rng: random.Random) -> datetime.datetime:
    day = datetime.date.fromordinal(rng.randrange(366, 3652059 - 366))
    clock = datetime.time(rng.randrange(24), rng.randrange(60), rng.randrange(60), rng.choice([0, 1000, 999999, 123456]))
    return datetime.datetime.combine(day, clock, rng.choice(ZONES))


def decimal128(rng: random.Random) -> Any:
    if rng.random() < 0.2:
        return bson.Decimal128(rng.choice(["NaN", "Infinity", "-Infinity", "0E-6176", "-0", "9.99E+6144", "1.50"]))
    digits = rng.getrandbits(rng.choice([3, 20, 60, 110]))
    return bson.Decimal128(f"{rng.choice(['', '-'])}{digits}E{rng.randrange(-6176, 6077)}")


def regex(rng: random.Random) -> Any:
    if rng.random() < 0.3:
        return re.compile(rng.choice(["a.b", "^x$", "[é]"]), rng.choice([0, re.I, re.M | re.S]))
    return bson.Regex(text(rng), "".join(rng.sample("ilmsux", rng.randrange(7))))


def scope(rng: random.Random) -> dict[str, Any]:
    return {name(rng): rng.choice([1, "x", None, {"y": [2.5]}]) for _ in range(rng.randrange(3))}


def code(rng: random.Random) -> Any:
    return bson.Code(text(rng)) if rng.random() < 0.5 else bson.Code(text(rng), scope(rng))


def dbref(rng: random.Random) -> Any:
    return bson.DBRef(text(rng), integer(rng), rng.choice([None, "db"]), rng.choice([None, {"x": 1}]))


BSON: dict[str, Callable[[random.Random], Any]] = {
    "str": text,
    "int": integer,
    "Int64": lambda rng: bson.Int64(integer(rng)),
    "float": double,
    "bool": lambda rng: rng.random() < 0.5,
    "None": lambda rng: None,
    "bytes": data,
    "Binary": lambda rng: bson.Binary(data(rng), rng.choice([1, 2, 5, 6, 7, 8, 9, 128, 255])),
    "Binary of UUID": lambda rng: bson.Binary(rng.randbytes(16), rng.choice([3, 4])),
    "UUID": lambda rng: uuid.UUID(bytes=rng.randbytes(16)),
    "ObjectId": lambda rng: bson.ObjectId(rng.randbytes(12)),
    "datetime": moment,
    "DatetimeMS": lambda rng: bson.DatetimeMS(integer(rng)),
    "Decimal128": decimal128,
    "Timestamp": lambda rng: bson.Timestamp(rng.randrange(2**32), rng.randrange(2**32)),
    "Regex": regex,
    "Code": code,
    "DBRef": dbref,
    "MinKey": lambda rng: bson.MinKey(),
    "MaxKey": lambda rng: bson.MaxKey(),
}


def number(rng: random.Random) -> decimal.Decimal:
    digits = str(rng.getrandbits(rng.choice([3, 20, 60, 110])))
    point = rng.randrange(-60, 30)
    return decimal.Decimal(f"{rng.choice(['', '-'])}{digits}E{point}")


def float_of_number(rng: random.Random) -> float:
    return rng.choice([0.0, -0.0, 0.1, 1e-7, 1e22, 2.5e100, 123456789.125, rng.uniform(-1e9, 1e9), rng.random()])


def vector(rng: random.Random) -> Any:
    code_ = rng.choice("fdbB")
    length = rng.randrange(1, 20)
    if code_ in "fd":
        return array.array(code_, [rng.uniform(-100, 100) for _ in range(length)])
    low = -128 if code_ == "b" else 0
    return array.array(code_, [rng.randrange(low, low + 256) for _ in range(length)])


def interval(rng: random.Random) -> datetime.timedelta:
    return datetime.timedelta(rng.randrange(-9999, 9999), rng.randrange(-86400, 86400), rng.randrange(10**6))


OSON: dict[str, Callable[[random.Random], Any]] = {
    "str": lambda rng: text(rng, rng.choice([40, 40, 300])) * rng.choice([1, 1, 1, 70]),
    "int": lambda rng: rng.choice([integer(rng), integer(rng) ** 2 % 10**38]),
    "float": float_of_number,
    "Decimal": number,
    "bool": lambda rng: rng.random() < 0.5,
    "None": lambda rng: None,
    "bytes": data,
    "datetime": moment,
    "date": lambda rng: moment(rng).date(),
    "timedelta": interval,
    "JsonId": lambda rng: oson.JsonId(rng.randbytes(rng.choice([12, 12, 1, 127]))),
    "array": vector,
}


def nested(rng: random.Random, kinds: list[Callable[[random.Random], Any]], depth: int, key: Any) -> Any:
    """A value that is a dict, a list, or of one of ``kinds``."""
    if depth and rng.random() < 0.3:
        if rng.random() < 0.5:
            return [nested(rng, kinds, depth - 1, key) for _ in range(rng.randrange(5))]
        return {key(rng): nested(rng, kinds, depth - 1, key) for _ in range(rng.randrange(5))}
    return rng.choice(kinds)(rng)


def documents(kinds: dict[str, Callable[[random.Random], Any]], seed: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name of a type and a document that has values of it, for each type; then some that have all types."""
    for label, kind in [*kinds.items(), ("dict", None), ("list", None), ("all types together", None)]:
        rng = random.Random(f"{seed} {label}")
        chosen = [kind] if kind else list(kinds.values())
        for index in range(PER_TYPE if label != "all types together" else 5 * PER_TYPE):
            document = {name(rng): nested(rng, chosen, 3, name) for _ in range(rng.choice([1, 3, 12, 30]))}
            if label == "dict":
                document["_id"] = {"b": 1, "_id": {"c": document.copy()}}
            elif label == "list":
                document["list"] = list(document.values()) + [tuple(document.values()), [[]]]
            elif index % 3 == 0:
                document["_id"] = chosen[0](rng)
            yield label, document
