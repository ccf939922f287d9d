"""pymongo and python-oracledb as a co-process: one JSON request per line in, one JSON answer per line out.

The protocol and the neutral rendering of OSON values are described in README.md beside this file.
"""

import array
import ctypes
import datetime
import json
import struct
import sys
from decimal import Decimal

import bson
import oracledb
import orjson
import pymongo
from bson import json_util
from bson.binary import UuidRepresentation
from bson.codec_options import CodecOptions, DatetimeConversion
from bson.son import SON
from oracledb import base_impl

# Text of a number of 40 digits must not become an error of ours.
sys.set_int_max_str_digits(0)
# Neutral JSON of a deep document is deep as well.
sys.setrecursionlimit(20_000)

EPOCH = datetime.datetime(1, 1, 1)
VECTOR_CODES = {"float32": "f", "float64": "d", "int8": "b", "binary": "B"}
VECTOR_FORMATS = {code: name for name, code in VECTOR_CODES.items()}


class Inexpressible(Exception):
    """The driver has no value that could stand for the one asked for."""


# ---- BSON ----------------------------------------------------------------------------------------

BSON_OPTIONS = CodecOptions(
    document_class=SON,
    tz_aware=True,
    uuid_representation=UuidRepresentation.UNSPECIFIED,
    datetime_conversion=DatetimeConversion.DATETIME_MS,
)
JSON_OPTIONS = json_util.JSONOptions(
    json_mode=json_util.JSONMode.CANONICAL,
    document_class=SON,
    tz_aware=True,
    uuid_representation=UuidRepresentation.UNSPECIFIED,
    datetime_conversion=DatetimeConversion.DATETIME_MS,
)


def bson_decode(request):
    document = bson.decode(bytes.fromhex(request["hex"]), BSON_OPTIONS)
    return {"json": json_util.dumps(document, json_options=JSON_OPTIONS)}


def bson_encode(request):
    document = json_util.loads(request["json"], json_options=JSON_OPTIONS)
    return {"hex": bson.encode(document, codec_options=BSON_OPTIONS).hex()}


def bson_roundtrip(request):
    document = bson.decode(bytes.fromhex(request["hex"]), BSON_OPTIONS)
    return {"hex": bson.encode(document, codec_options=BSON_OPTIONS).hex()}


# ---- OSON ----------------------------------------------------------------------------------------


def make_codec():
    """Makes a connection object that was never connected: it encodes and decodes without a database.

    Only a server's answer at login allows names of more than 255 bytes, and the switch is not visible from Python.
    So it is set in the object's memory, for the one build whose layout is known, and only if that then shows.
    """
    codec = base_impl.BaseConnImpl("peer", base_impl.ConnectParamsImpl())
    size = base_impl.BaseConnImpl.__basicsize__
    if (oracledb.__version__, size, sys.maxsize) != ("26.1.0", 120, 2**63 - 1):
        return codec, False
    words = (ctypes.c_int32 * (size // 4)).from_address(id(codec))
    words[28] = 1
    try:
        codec.encode_oson({"n" * 256: None})
    except oracledb.Error:
        words[28] = 0
        return codec, False
    return codec, True


CODEC, LONG_NAMES = make_codec()


def oson_decode(request):
    return {"value": render(CODEC.decode_oson(bytes.fromhex(request["hex"])))}


def oson_encode(request):
    return {"hex": CODEC.encode_oson(build(request["value"])).hex()}


def oson_roundtrip(request):
    return {"hex": CODEC.encode_oson(CODEC.decode_oson(bytes.fromhex(request["hex"]))).hex()}


def number_text(number):
    """The one text of a number: coefficient without trailing zeros, `e`, exponent; `0` for every zero."""
    if not number.is_finite():
        return str(number)
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    stripped = text.rstrip("0")
    if not stripped:
        return "0"
    return f"{'-' if sign else ''}{stripped}e{exponent + len(text) - len(stripped)}"


def double_bits(number):
    return struct.pack(">d", number).hex()


def element(code, number):
    if code == "f":
        return struct.pack(">f", number).hex()
    return double_bits(number) if code == "d" else number


def render_vector(values):
    return {"t": "vector", "format": VECTOR_FORMATS[values.typecode], "v": [element(values.typecode, v) for v in values]}


def render(value):
    """What the driver returned, in the neutral rendering."""
    if value is None:
        return {"t": "null"}
    if isinstance(value, bool):
        return {"t": "bool", "v": value}
    if isinstance(value, Decimal):
        return {"t": "number", "v": number_text(value)}
    if isinstance(value, float):
        return {"t": "double", "bits": double_bits(value)}
    if isinstance(value, str):
        return {"t": "string", "v": value}
    if isinstance(value, oracledb.JsonId):
        return {"t": "id", "v": bytes(value).hex()}
    if isinstance(value, bytes):
        return {"t": "binary", "v": value.hex()}
    if isinstance(value, datetime.datetime):
        return {"t": "timestamp", "v": f"{value.replace(microsecond=0).isoformat()}.{value.microsecond * 1000:09d}"}
    if isinstance(value, datetime.timedelta):
        seconds = value.days * 86_400 + value.seconds
        return {"t": "intervalds", "v": str((seconds * 1_000_000 + value.microseconds) * 1000)}
    if isinstance(value, array.array):
        return render_vector(value)
    if isinstance(value, oracledb.SparseVector):
        sparse = {"dims": value.num_dimensions, "indices": list(value.indices)}
        return {**render_vector(value.values), "sparse": sparse}
    if isinstance(value, list):
        return {"t": "array", "v": [render(v) for v in value]}
    if isinstance(value, dict):
        return {"t": "object", "v": [[k, render(v)] for k, v in value.items()]}
    raise Inexpressible(f"no rendering for {type(value).__name__}")


def build_timestamp(text):
    moment, _, fraction = text.partition(".")
    fraction = fraction.ljust(9, "0")
    if fraction[6:] != "000":
        raise Inexpressible("a datetime has microseconds, not nanoseconds")
    try:
        return datetime.datetime.fromisoformat(moment).replace(microsecond=int(fraction[:6]))
    except ValueError as error:
        raise Inexpressible(f"datetime: {error}") from error


def build_timestamptz(node):
    offset = datetime.timezone(datetime.timedelta(minutes=node["offset"]))
    return build_timestamp(node["v"]).replace(tzinfo=offset)


def build_date(text):
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise Inexpressible(f"date: {error}") from error


def build_interval(text):
    nanoseconds = int(text)
    if nanoseconds % 1000:
        raise Inexpressible("a timedelta has microseconds, not nanoseconds")
    try:
        return datetime.timedelta(microseconds=nanoseconds // 1000)
    except OverflowError as error:
        raise Inexpressible(f"timedelta: {error}") from error


def build_vector(node):
    code = VECTOR_CODES[node["format"]]
    layout = {"f": ">f", "d": ">d"}.get(code)
    values = array.array(code, [struct.unpack(layout, bytes.fromhex(v))[0] if layout else v for v in node["v"]])
    if "sparse" not in node:
        return values
    return oracledb.SparseVector(node["sparse"]["dims"], node["sparse"]["indices"], values)


def build_object(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise Inexpressible("a dict has every key once")
    return {name: build(value) for name, value in pairs}


def build_interval_ym(text):
    months = int(text)
    sign = -1 if months < 0 else 1
    return oracledb.IntervalYM(sign * (abs(months) // 12), sign * (abs(months) % 12))


BUILDERS = {
    "null": lambda node: None,
    "bool": lambda node: node["v"],
    "int": lambda node: int(node["v"]),
    "number": lambda node: Decimal(node["v"]),
    "double": lambda node: struct.unpack(">d", bytes.fromhex(node["bits"]))[0],
    # Python has one float: a BINARY_FLOAT is given to the driver as the double of the same value.
    "float": lambda node: struct.unpack(">f", bytes.fromhex(node["bits"]))[0],
    "string": lambda node: node["v"],
    "binary": lambda node: bytes.fromhex(node["v"]),
    "id": lambda node: oracledb.JsonId(bytes.fromhex(node["v"])),
    "date": lambda node: build_date(node["v"]),
    "timestamp": lambda node: build_timestamp(node["v"]),
    "timestamptz": build_timestamptz,
    "intervalds": lambda node: build_interval(node["v"]),
    "intervalym": lambda node: build_interval_ym(node["v"]),
    "vector": build_vector,
    "array": lambda node: [build(v) for v in node["v"]],
    "object": lambda node: build_object(node["v"]),
}


def build(node):
    """The Python value that a user of the driver would pass for a neutral value."""
    return BUILDERS[node["t"]](node)


# ---- the co-process ------------------------------------------------------------------------------


def versions(_request):
    return {
        "python": sys.version.split()[0],
        "pymongo": pymongo.version,
        "bson_c": bson.has_c(),
        "oracledb": oracledb.__version__,
        "oracledb_long_names": LONG_NAMES,
        "orjson": orjson.__version__,
    }


OPERATIONS = {
    "versions": versions,
    "bson_decode": bson_decode,
    "bson_encode": bson_encode,
    "bson_roundtrip": bson_roundtrip,
    "oson_decode": oson_decode,
    "oson_encode": oson_encode,
    "oson_roundtrip": oson_roundtrip,
}


def describe(error):
    text = str(error).splitlines()[0] if str(error) else ""
    return f"{type(error).__name__}: {text}"


def answer(request):
    try:
        return OPERATIONS[request["op"]](request)
    except Inexpressible as error:
        return {"inexpressible": str(error)}
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is the answer
        return {"refused": describe(error)}


def main():
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reply = {**answer(request), "id": request.get("id")}
        # ASCII, so that a lone surrogate that a driver let through is seen and not lost.
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
