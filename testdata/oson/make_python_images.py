"""Writes python_images.json: values of every type that python-oracledb encodes, and their images.

    python -m venv venv && venv/bin/pip install oracledb==26.1.0
    venv/bin/python make_python_images.py > python_images.json

No database is asked. Names of more than 255 bytes need what `xtask/peers/peer.py` explains; without it they are left out.
"""

import array
import ctypes
import datetime
import decimal
import json
import sys

import oracledb
from oracledb import base_impl

ABOUT = (
    f"Images that python-oracledb {oracledb.__version__} writes; make_python_images.py made this file. Numbers stand as the "
    "text of the NUMBER. $bytes is hexadecimal, $interval is days, hours, minutes, seconds, nanoseconds, $vector is format "
    "and elements."
)


def make_codec():
    codec = base_impl.BaseConnImpl("x", base_impl.ConnectParamsImpl())
    size = base_impl.BaseConnImpl.__basicsize__
    if (oracledb.__version__, size, sys.maxsize) == ("26.1.0", 120, 2**63 - 1):
        (ctypes.c_int32 * (size // 4)).from_address(id(codec))[28] = 1
    return codec


# The low byte of the hash of each is 0x17.
ONE_HASH = {"xj": 1, "ß": 2, "ft": 3, "os": 4, "so": 5}


def same(value):
    return value, value


def number(text):
    return decimal.Decimal(text), text


def integers(values):
    return values, {name: str(value) for name, value in values.items()}


def binary(value):
    return value, {"$bytes": value.hex()}


def vector(name, code, elements):
    return array.array(code, elements), {"$vector": [name, elements]}


CASES = {
    "null": same(None),
    "true": same(True),
    "false": same(False),
    "empty object": same({}),
    "empty array": same([]),
    "empty string": same(""),
    "zero": (0, "0"),
    "minus one": (-1, "-1"),
    "int64 max": (2**63 - 1, "9223372036854775807"),
    "int64 min": (-(2**63), "-9223372036854775808"),
    "beyond 2^53": (9007199254740993, "9007199254740993"),
    "38 digits": number("12345678901234567890123456789012345678"),
    "small fraction": number("1E-7"),
    "fraction": number("-12345.625"),
    "largest power": number("1E+125"),
    "smallest power": number("1E-130"),
    "float": (2.5, "2.5"),
    "float 0.1": (0.1, "0.1"),
    "string of 31 bytes": same("x" * 31),
    "string of 32 bytes": same("x" * 32),
    "string of 256 bytes": same("x" * 256),
    "string beyond ASCII": same("größe 😀"),
    "string with NUL": same("a\0b"),
    "bytes": binary(b"\x01\x02\xff"),
    "no bytes": binary(b""),
    "300 bytes": binary(bytes(range(256)) + b"x" * 44),
    "date": (datetime.date(2024, 2, 29), {"$date": "2024-02-29"}),
    "timestamp": (datetime.datetime(2024, 2, 29, 23, 59, 58), {"$timestamp": "2024-02-29T23:59:58"}),
    "first timestamp": (datetime.datetime(1, 1, 1, 0, 0, 0, 1), {"$timestamp": "0001-01-01T00:00:00.000001000"}),
    "last timestamp": (datetime.datetime.max, {"$timestamp": "9999-12-31T23:59:59.999999000"}),
    "interval": (
        datetime.timedelta(days=10, hours=5, minutes=30, seconds=2, microseconds=123000),
        {"$interval": [10, 5, 30, 2, 123000000]},
    ),
    "negative interval": (datetime.timedelta(seconds=-5), {"$interval": [-1, 23, 59, 55, 0]}),
    "vector of float32": vector("float32", "f", [1.5, -2.0, 0.0]),
    "vector of float64": vector("float64", "d", [1.1, -2.0]),
    "vector of int8": vector("int8", "b", [1, -2, 127, -128]),
    "vector of bits": (array.array("B", [0xA5, 1]), {"$vector": ["binary", [1, 0, 1, 0, 0, 1, 0, 1] + [0] * 7 + [1]]}),
    "nested": ({"a": {"b": [1, {"c": None}]}, "d": []}, {"a": {"b": ["1", {"c": None}]}, "d": []}),
    "array of many types": ([None, True, False, 1, "x", {}, []], [None, True, False, "1", "x", {}, []]),
    "names beyond ASCII": integers({"😀": 1, "é": 2}),
    "names of one hash": integers(ONE_HASH),
    "empty name": integers({"": 1, "a": 2}),
    "11 fields": integers({f"k{i}": i for i in (2, 5, 9, 0, 1, 3, 4, 6, 7, 8, 10)}),
    "300 names": integers({f"field_{i}": i for i in range(300)}),
    "name of 255 bytes": integers({"n" * 255: 1}),
    "name of 256 bytes": integers({"a" * 256: 1}),
    "two long names and a short one": integers({"a" * 256: 1, "s": 2, "b" * 300: 3, "c" * 256: 4}),
    "objects of one shape": ([{"id": i, "v": "x"} for i in range(3)], [{"id": str(i), "v": "x"} for i in range(3)]),
}


def main():
    codec = make_codec()
    images = []
    for name, (value, expected) in CASES.items():
        try:
            image = codec.encode_oson(value)
        except oracledb.Error as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        images.append({"name": name, "value": expected, "oson": image.hex()})
    json.dump({"about": ABOUT, "images": images}, sys.stdout, ensure_ascii=False, indent=1)
    print()


main()
