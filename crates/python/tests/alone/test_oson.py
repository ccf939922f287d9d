"""OSON, with images from elsewhere."""

from __future__ import annotations

import array
import datetime
import pickle
from decimal import Decimal

import pytest

import boson
from boson import oson

# Written by an Oracle Database: {"name":"Alice","role":"Developer","active":true}.
SERVER = bytes.fromhex(
    "ff4a5a01210603001100 1c0000192fe600 05000a0000 046e616d6504726f6c6506616374697665".replace(" ", "")
    + "8403030102000b0011001b05416c69636509446576656c6f70657231"
)
# {"a":"hello"}, of version 2: the value was moved by an update, which the drivers for Python and Node.js do not read.
UPDATED = bytes.fromhex(
    "ff4a5a022106010002000a00002c0000016184010100057600000000010000000000000000000000000000060568656c6c6f"
)

# Scalars as the format lays them out, and their values.
SCALARS = [
    ("3402c102", Decimal(1)),
    ("34033e6466", Decimal(-1)),
    ("3402c00b", Decimal("0.1")),
    ("3403c20338", Decimal(255)),
    ("340180", Decimal(0)),
    ("330161", "a"),
    ("3a00026162", b"ab"),
    ("30", None),
    ("31", True),
    ("32", False),
    ("7d78780102040506", datetime.datetime(2020, 1, 2, 3, 4, 5)),
    ("3978780102040506075bca00", datetime.datetime(2020, 1, 2, 3, 4, 5, 123456)),
    ("3e8000000a415a3e8754d4c0", datetime.timedelta(days=10, hours=5, minutes=30, seconds=2, milliseconds=123)),
    ("7e03010203", oson.JsonId(b"\1\2\3")),
]


def image(node: str) -> bytes:
    payload = bytes.fromhex(node)
    return bytes.fromhex("ff4a5a010016") + len(payload).to_bytes(2, "big") + payload


@pytest.mark.parametrize(("node", "value"), SCALARS)
def test_scalars(node: str, value: object) -> None:
    decoded = oson.decode(image(node))
    assert (decoded, type(decoded)) == (value, type(value))
    assert oson.encode(value) == image(node)


def test_types_that_the_driver_for_python_does_not_write() -> None:
    assert oson.decode(image("3d80000001" + "3e")) == oson.IntervalYM(1, 2)
    assert oson.decode(image("36bff8000000000000")) == 1.5
    assert oson.decode(image("7fbfc00000")) == 1.5
    assert oson.decode(image("3505" + b"1e-99".hex())) == Decimal("1E-99")
    zoned = image("7c78780102040506000000001 75a".replace(" ", ""))
    assert oson.decode(zoned) == datetime.datetime(2020, 1, 2, 6, 34, 5)
    aware = oson.decode(zoned, tz_aware=True)
    assert aware == datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    assert aware.utcoffset() == datetime.timedelta(hours=3, minutes=30)


def test_images_of_a_server() -> None:
    document = {"name": "Alice", "role": "Developer", "active": True}
    assert oson.decode(SERVER) == document
    raw = oson.RawDocument(SERVER)
    assert (raw["role"], dict(raw), len(raw)) == ("Developer", document, 3)
    assert oson.decode(UPDATED) == {"a": "hello"}
    assert oson.RawDocument(UPDATED)["a"] == "hello"


def test_native_numbers() -> None:
    document = {"i": 7, "big": 10**30, "f": 0.25, "neg": -(2**63), "huge": -(10**38)}
    decoded = oson.decode(oson.encode(document), numbers="native")
    assert decoded == document
    assert [type(value) for value in decoded.values()] == [int, int, float, int, int]
    compact = oson.decode(oson.encode(document, style="compact"), numbers="native")
    assert [type(value) for value in compact.values()] == [int, int, float, int, int]
    with pytest.raises(ValueError, match="numbers"):
        oson.decode(b"", numbers="other")


def test_vectors() -> None:
    # array.array("b", [1, -2, 3]), written by python-oracledb.
    assert oson.encode(array.array("b", [1, -2, 3])) == image("7b0100000014" + "db0000120400000003000000000000000001fe03")
    for value in (
        array.array("f", [1.5, -2.25]),
        array.array("d", [1e300, -0.5]),
        array.array("b", [-128, 127]),
        array.array("B", [0, 255]),
    ):
        decoded = oson.decode(oson.encode(value))
        assert (decoded, decoded.typecode) == (value, value.typecode)
    sparse = oson.SparseVector(10, array.array("I", [1, 9]), array.array("f", [1.5, 2.5]))
    assert oson.decode(oson.encode(sparse)) == sparse
    with pytest.raises(boson.UnsupportedTypeError):
        oson.encode(array.array("i", [1]))


def test_raw_documents() -> None:
    document = {"a": "x", "d": {"x": {"y": ["1", {"z": "2"}]}}, "l": [{"q": "1"}, [{"r": "2"}]], "n": None}
    for style in ("driver", "compact"):
        raw = oson.RawDocument(oson.encode(document, style=style))
        assert isinstance(raw["d"], oson.RawDocument)
        assert isinstance(raw["l"][1][0], oson.RawDocument)
        assert raw["d"]["x"]["y"][1]["z"] == "2"
        assert (list(raw), len(raw), "a" in raw, "b" in raw) == (["a", "d", "l", "n"], 4, True, False)
        assert (raw.get("b", 7), raw == document, raw["d"] == document["d"]) == (7, True, True)
        assert pickle.loads(pickle.dumps(raw["d"])) == document["d"]
        assert oson.decode(oson.encode({"in": raw["d"]})) == {"in": document["d"]}
        assert raw.to_dict() == document
    with pytest.raises(KeyError):
        raw["b"]
    with pytest.raises(TypeError, match="array"):
        oson.RawDocument(oson.encode([1]))


def test_set_in_place() -> None:
    document = {"name": "Ada", "tags": ["a", "b"], "n": 1}
    editor = oson.Editor(oson.encode(document))
    assert editor.set("$.name", "Bob")["how"] == "in-place"
    assert editor.set("$.name", "Grace Hopper")["how"] == "appended"
    editor.push("$.tags", {"c": [1]})
    editor.insert("$.tags[0]", None)
    editor.remove("$.n")
    expected = {"name": "Grace Hopper", "tags": [None, "a", "b", {"c": [Decimal(1)]}]}
    assert oson.decode(bytes(editor)) == expected
    with pytest.raises(KeyError, match="no such"):
        editor.remove("$.absent")
    assert oson.decode(bytes(editor)) == expected
    buffer = bytearray(oson.encode({"a": 1}))
    assert oson.set(buffer, "$.a", "long text")[:3] == b"\xffJZ"
    assert oson.decode(buffer) == {"a": "long text"}


def test_connectionless() -> None:
    connection = oson.Connectionless()
    assert connection.decode_oson(connection.encode_oson({"a": [1, "x"]})) == {"a": [Decimal(1), "x"]}


@pytest.mark.parametrize(
    ("value", "exception", "path"),
    [
        ({"a": [1, {"b": {1}}]}, boson.UnsupportedTypeError, "$.a[1].b"),
        ({"a": 10**200}, boson.OutOfRangeError, "$.a"),
        ({"a": float("nan")}, boson.EncodeError, "$.a"),
        ({"a": {"b": 1, 2: 3}}, boson.UnsupportedTypeError, "$.a"),
    ],
)
def test_what_cannot_be_encoded(value: object, exception: type[boson.EncodeError], path: str) -> None:
    with pytest.raises(exception) as caught:
        oson.encode(value)
    assert caught.value.path == path
    assert oson.decode(oson.encode({"after": "it"})) == {"after": "it"}


def test_bad_images() -> None:
    good = oson.encode({"a": ["x", "y"]})
    with pytest.raises(boson.DecodeError) as caught:
        oson.decode(b"\xffJZ\x09" + good[4:])
    assert "version 9" in str(caught.value)
    deep: object = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(boson.EncodeError, match="nested deeper"):
        oson.encode(deep)
    # An array that is inside itself: its only child is at offset 0.
    cycle = bytes.fromhex("ff4a5a01000200000000000004000 0c0010000".replace(" ", ""))
    with pytest.raises(boson.DecodeError):
        oson.decode(cycle)


def test_bombs_are_refused() -> None:
    # 30 arrays of two references each to the next one reach 2**30 leaves.
    nodes = b"".join(b"\xc0\x02" + ((index + 1) * 6).to_bytes(2, "big") * 2 for index in range(30)) + b"\x30"
    bomb = bytes.fromhex("ff4a5a0100020000 00".replace(" ", "")) + b"\0" + len(nodes).to_bytes(2, "big") + b"\0\0" + nodes
    with pytest.raises(boson.DecodeError):
        oson.decode(bomb)
