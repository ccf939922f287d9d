"""BSON, by the specification: bytes are written out, not made."""

from __future__ import annotations

import datetime
import io
import pickle
import re
import uuid

import pytest

import boson
from boson import bson

# Each is the whole document, from the BSON specification's layout, and the value of its field `a`.
DOCUMENTS = [
    ("0c0000001061000100000000", 1),
    ("10000000126100ffffffffffffff7f00", bson.Int64(2**63 - 1)),
    ("10000000016100000000000000f83f00", 1.5),
    ("0e00000002610002000000780000", "x"),
    ("0d000000036100050000000000", {}),
    ("14000000046100" + "0c0000001030000700000000" + "00", [7]),
    ("0f00000005610002000000006162" + "00", b"ab"),
    ("0f00000005610002000000056162" + "00", bson.Binary(b"ab", 5)),
    ("13000000056100060000000202000000616200", bson.Binary(b"ab", 2)),
    ("14000000076100" + "0102030405060708090a0b0c" + "00", bson.ObjectId(bytes(range(1, 13)))),
    ("090000000861000100", True),
    ("090000000861000000", False),
    ("10000000096100" + "ffffffffffffffff" + "00", datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)),
    ("080000000a610000", None),
    ("0d0000000b610078006978" + "00" + "00", bson.Regex("x", "ix")),
    ("0e0000000d61000200000078" + "0000", bson.Code("x")),
    ("1e0000000f610016000000" + "0200000078" + "00" + "0c0000001062000100000000" + "00", bson.Code("x", {"b": 1})),
    ("10000000116100" + "0200000001000000" + "00", bson.Timestamp(1, 2)),
    ("18000000136100" + "0f000000000000000000000000003e30" + "00", bson.Decimal128("1.5")),
    ("08000000ff610000", bson.MinKey()),
    ("080000007f610000", bson.MaxKey()),
]


@pytest.mark.parametrize(("hexadecimal", "value"), DOCUMENTS)
def test_bytes_and_values(hexadecimal: str, value: object) -> None:
    data = bytes.fromhex(hexadecimal)
    decoded = bson.decode(data)
    assert list(decoded) == ["a"]
    assert decoded["a"] == value
    assert type(decoded["a"]) is type(value)
    assert bson.encode({"a": value}) == data
    assert bson.encode(decoded) == data
    raw = bson.RawDocument(data)["a"]
    assert raw == value
    assert bson.loads(bson.dumps(decoded, mode="canonical")) == decoded


def test_deprecated_types_become_what_pymongo_makes_of_them() -> None:
    assert bson.decode(bytes.fromhex("08000000066100" + "00")) == {"a": None}
    assert bson.decode(bytes.fromhex("0e0000000e61000200000078" + "0000")) == {"a": "x"}
    pointer = bytes.fromhex("1a0000000c6100" + "0200000063" + "00" + "0102030405060708090a0b0c" + "00")
    assert bson.decode(pointer) == {"a": bson.DBRef("c", bson.ObjectId(bytes(range(1, 13))))}


def test_id_comes_first_in_the_root_only() -> None:
    data = bson.encode({"a": {"b": 1, "_id": 2}, "_id": 3})
    assert list(bson.decode(data)) == ["_id", "a"]
    assert list(bson.decode(data)["a"]) == ["b", "_id"]


def test_uuids() -> None:
    value = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    layouts = {
        bson.UuidRepresentation.STANDARD: (4, "00112233445566778899aabbccddeeff"),
        bson.UuidRepresentation.PYTHON_LEGACY: (3, "00112233445566778899aabbccddeeff"),
        bson.UuidRepresentation.JAVA_LEGACY: (3, "7766554433221100ffeeddccbbaa9988"),
        bson.UuidRepresentation.CSHARP_LEGACY: (3, "33221100554477668899aabbccddeeff"),
    }
    for representation, (subtype, payload) in layouts.items():
        options = bson.CodecOptions(uuid_representation=representation)
        data = bson.encode({"u": value}, codec_options=options)
        assert bson.decode(data, options) == {"u": value}
        assert bson.decode(data)["u"] == bson.Binary(bytes.fromhex(payload), subtype)
    with pytest.raises(ValueError, match="UNSPECIFIED"):
        bson.encode({"u": value})


def test_dates() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=2))
    aware = datetime.datetime(2020, 1, 1, 1, 30, tzinfo=zone)
    data = bson.encode({"d": aware})
    assert bson.decode(data)["d"] == datetime.datetime(2019, 12, 31, 23, 30)
    assert bson.decode(data, bson.CodecOptions(tz_aware=True))["d"] == aware
    local = bson.decode(data, bson.CodecOptions(tz_aware=True, tzinfo=zone))["d"]
    assert (local, local.utcoffset()) == (aware, zone.utcoffset(None))


def test_dates_that_datetime_does_not_have() -> None:
    far = bson.encode({"a": [bson.DatetimeMS(2**62)]})
    with pytest.raises(boson.DecodeError, match=r"\$\.a\[0\]") as caught:
        bson.decode(far)
    assert caught.value.path == "$.a[0]"
    convert = bson.DatetimeConversion
    decode = lambda how: bson.decode(far, bson.CodecOptions(datetime_conversion=how))["a"][0]  # noqa: E731
    assert decode(convert.DATETIME_AUTO) == bson.DatetimeMS(2**62)
    assert decode(convert.DATETIME_MS) == bson.DatetimeMS(2**62)
    assert decode(convert.DATETIME_CLAMP) == datetime.datetime(9999, 12, 31, 23, 59, 59, 999000)


def test_unicode_errors() -> None:
    bad = bytes.fromhex("0f00000002610003000000ff78" + "0000")
    with pytest.raises(boson.DecodeError, match="UTF-8") as caught:
        bson.decode(bad)
    assert (caught.value.offset, caught.value.path) == (11, "$.a")
    lossy = bson.CodecOptions(unicode_decode_error_handler="replace")
    assert bson.decode(bad, lossy) == {"a": "�x"}


@pytest.mark.parametrize(
    ("document", "exception", "path"),
    [
        ({"a": [1, {"b": {1}}]}, boson.UnsupportedTypeError, "$.a[1].b"),
        ({"a": 2**63}, boson.OutOfRangeError, "$.a"),
        ({"a": {"x\0y": 1}}, boson.EncodeError, None),
        ({1: 2}, boson.UnsupportedTypeError, "$"),
        ([1], boson.UnsupportedTypeError, "$"),
    ],
)
def test_what_cannot_be_encoded(document: object, exception: type[boson.EncodeError], path: str | None) -> None:
    with pytest.raises(exception) as caught:
        bson.encode(document)  # type: ignore[arg-type]
    assert isinstance(caught.value, boson.BosonError)
    if path:
        assert caught.value.path == path


def test_the_type_that_is_not_supported_is_named() -> None:
    with pytest.raises(boson.UnsupportedTypeError) as caught:
        bson.encode({"a": {1, 2}})
    assert caught.value.type is set


def test_too_deep_is_an_error_and_no_crash() -> None:
    deep: dict[str, object] = {}
    for _ in range(5000):
        deep = {"a": deep}
    with pytest.raises(boson.EncodeError, match="nested deeper"):
        bson.encode(deep)
    loop: dict[str, object] = {}
    loop["loop"] = loop
    with pytest.raises(boson.EncodeError, match="nested deeper"):
        bson.encode(loop)
    data = b"\0"
    for _ in range(5000):
        data = b"\x03a\0" + (len(data) + 4).to_bytes(4, "little") + data + b"\0"
    with pytest.raises(boson.DecodeError, match="nested deeper"):
        bson.decode((len(data) + 4).to_bytes(4, "little") + data)


def test_a_dict_that_changes_meanwhile_is_an_error_and_no_crash() -> None:
    document: dict[str, object] = {}

    class Zone(datetime.tzinfo):
        def utcoffset(self, moment: datetime.datetime | None) -> datetime.timedelta:
            document[f"new{len(document)}"] = 1
            return datetime.timedelta(0)

    document.update({"d": datetime.datetime(2020, 1, 1, tzinfo=Zone()), "e": 1})
    with pytest.raises(RuntimeError, match="changed"):
        bson.encode(document)


def test_raw_documents() -> None:
    document = {"a": 1, "d": {"x": {"y": [1, {"z": 2}]}}, "l": [{"q": 1}, [{"r": 2}]], "n": None}
    raw = bson.RawDocument(bson.encode(document))
    assert isinstance(raw["d"], bson.RawDocument)
    assert isinstance(raw["l"][0], bson.RawDocument)
    assert isinstance(raw["l"][1][0], bson.RawDocument)
    assert raw["d"]["x"]["y"][1]["z"] == 2
    assert (list(raw), len(raw), "a" in raw, "b" in raw, 1 in raw) == (["a", "d", "l", "n"], 4, True, False, False)
    assert (raw.get("a"), raw.get("b"), raw.get("b", 7)) == (1, None, 7)
    assert raw == document
    assert raw["d"].raw == bson.encode(document["d"])  # type: ignore[arg-type]
    assert bson.encode(raw) == raw.raw
    assert bson.encode({"in": raw["d"]}) == bson.encode({"in": document["d"]})
    assert raw.to_dict() == document
    assert pickle.loads(pickle.dumps(raw)) == raw
    with pytest.raises(KeyError):
        raw["b"]
    many = {f"f{i}": i for i in range(100)}
    raw = bson.RawDocument(bson.encode(many))
    assert {key: raw[key] for key in many} == many
    first = bson.RawDocument(bytes.fromhex("130000001061000100000010610002000000" + "00"))
    assert (first["a"], len(first), dict(first)) == (1, 1, {"a": 1})


def test_raw_documents_read_what_is_asked_for() -> None:
    # Field `a` is an int of two bytes short; what stands before it is answered.
    data = bytes.fromhex("13000000" + "107a0005000000" + "10610001000000")[:-2] + b"\0\0"
    raw = bson.RawDocument(len(data).to_bytes(4, "little") + data[4:])
    assert raw["z"] == 5


def test_many_documents(tmp_path: object) -> None:
    documents = [{"n": n} for n in range(5)]
    data = b"".join(map(bson.encode, documents))
    assert bson.decode_all(data) == documents
    assert list(bson.decode_iter(data)) == documents
    assert list(bson.iter_file(io.BytesIO(data))) == documents
    path = tmp_path / "a.bson"  # type: ignore[operator]
    path.write_bytes(data)
    assert list(bson.iter_file(path)) == documents
    path.write_bytes(data[:-1])
    with pytest.raises(boson.BosonError):
        list(bson.iter_file(path))
    with pytest.raises(boson.DecodeError) as caught:
        bson.decode_all(data[:-1])
    assert caught.value.offset == 48
    with pytest.raises(FileNotFoundError):
        list(bson.iter_file(path.with_name("absent")))


def test_bytes_of_any_kind() -> None:
    data = bson.encode({"a": 1})
    for kind in (bytes, bytearray, memoryview):
        assert bson.decode(kind(data)) == {"a": 1}
        assert bson.decode_all(kind(data)) == [{"a": 1}]
        assert bson.RawDocument(kind(data))["a"] == 1
    with pytest.raises(TypeError, match="expected bytes"):
        bson.decode("text")  # type: ignore[arg-type]


def test_check_keys() -> None:
    assert bson.decode(bson.encode({"$a": 1, "a.b": 2})) == {"$a": 1, "a.b": 2}
    for key in ("$a", "a.b"):
        with pytest.raises(boson.EncodeError, match="must not"):
            bson.encode({key: 1}, True)


def test_own_types() -> None:
    class Money:
        def __init__(self, cents: int) -> None:
            self.cents = cents

    class MoneyCodec(bson.TypeEncoder):
        python_type = Money

        def transform_python(self, value: Money) -> str:
            return f"{value.cents} cents"

    class TextCodec(bson.TypeDecoder):
        bson_type = str

        def transform_bson(self, value: str) -> str:
            return value.upper()

    registry = bson.TypeRegistry([MoneyCodec(), TextCodec()], fallback_encoder=lambda value: sorted(value))
    options = bson.CodecOptions(type_registry=registry)
    data = bson.encode({"m": Money(7), "s": {3, 1}, "l": [Money(8)]}, codec_options=options)
    assert bson.decode(data) == {"m": "7 cents", "s": [1, 3], "l": ["8 cents"]}
    assert bson.decode(data, options) == {"m": "7 CENTS", "s": [1, 3], "l": ["8 CENTS"]}


def test_encoders_that_hand_on_to_each_other_end() -> None:
    class A:
        pass

    class B:
        pass

    class ACodec(bson.TypeEncoder):
        python_type = A

        def transform_python(self, value: A) -> B:
            return B()

    registry = bson.TypeRegistry([ACodec()], fallback_encoder=lambda value: A())
    with pytest.raises(RecursionError):
        bson.encode({"a": A()}, codec_options=bson.CodecOptions(type_registry=registry))


def test_extended_json() -> None:
    # Examples of the Extended JSON specification.
    document = {"a": bson.ObjectId("5d505646cf6d4fe581014ab2"), "n": bson.Int64(1), "r": re.compile("x", re.I)}
    canonical = bson.dumps({"a": document["a"], "n": document["n"]}, mode="canonical")
    assert canonical == '{"a":{"$oid":"5d505646cf6d4fe581014ab2"},"n":{"$numberLong":"1"}}'
    assert bson.loads(canonical) == {"a": document["a"], "n": 1}
    with pytest.raises(boson.DecodeError) as caught:
        bson.loads('{"a": [1, }')
    assert caught.value.offset == 10
    with pytest.raises(ValueError, match="mode"):
        bson.dumps({}, mode="other")


def test_validity() -> None:
    assert bson.is_valid(bson.encode({"a": [1, 2]}))
    assert not bson.is_valid(bson.encode({"a": [1, 2]})[:-1])
    assert not bson.is_valid(b"")
