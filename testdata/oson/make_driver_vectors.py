"""Writes driver_vectors.json: values, and the OSON images that python-oracledb makes of them with no database.

    .peers/venv/bin/python testdata/oson/make_driver_vectors.py > testdata/oson/driver_vectors.json

`value` is in the neutral rendering of xtask/peers/README.md. Instead of it, a large document has `made`, the words by which
tests/it/write_driver.rs makes the same one; instead of `hex` it has the length and the FNV-1a hash (64 bits) of the image.
`refused` says what the driver raised.
"""

import json
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "xtask" / "peers"))

import oracledb  # noqa: E402
import peer  # noqa: E402

assert peer.LONG_NAMES, "the build whose memory layout is known is needed for names over 255 bytes"


def null():
    return {"t": "null"}


def integer(value):
    return {"t": "int", "v": str(value)}


def number(text):
    return {"t": "number", "v": text}


def double(value):
    return {"t": "double", "bits": peer.double_bits(value)}


def string(text):
    return {"t": "string", "v": text}


def binary(hexadecimal):
    return {"t": "binary", "v": hexadecimal}


def array(*values):
    return {"t": "array", "v": list(values)}


def document(*pairs):
    return {"t": "object", "v": [list(pair) for pair in pairs]}


def timestamp(text):
    return {"t": "timestamp", "v": text}


def vector(form, *values):
    return {"t": "vector", "format": form, "v": [peer.element(peer.VECTOR_CODES[form], v) for v in values]}


def scalars():
    yield "null", null()
    yield "true", {"t": "bool", "v": True}
    yield "false", {"t": "bool", "v": False}
    integers = [0, 1, -1, 9, 10, 99, 100, -100, 255, 2**31 - 1, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 10**18]
    for value in integers:
        yield f"integer {value}", integer(value)
    for value in [0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 1.5e-7, 1e22, 123456.789, 5e-130, 1e125, -9.87654321e-100, 2.0**53]:
        yield f"double {value!r}", double(value)
    yield "double NaN", double(float("nan"))
    yield "double infinity", double(float("inf"))
    yield "double 1e126", double(1e126)
    yield "double 1e-131", double(1e-131)
    texts = ["1.50", "-0", "0E-129", "0E-130", "0E+126", "0E+127", "9.99E+125", "1E+126", "1E-130", "1E-131", "NaN"]
    digits_34 = "1234567890123456789012345678901234"
    for text in texts + [digits_34, f"-{digits_34[:3]}.{digits_34[3:]}", "-12345.625"]:
        yield f"decimal {text}", number(text)
    yield "decimal of 40 digits on pairs", number("12" * 20)
    for length in [0, 1, 31, 32, 255, 256]:
        yield f"string of {length} bytes", string("a" * length)
    yield "string, not ASCII", string("é中😀\x00\n")
    for length in [0, 1, 300]:
        yield f"binary of {length} bytes", binary("ab" * length)
    yield "ObjectId", {"t": "id", "v": "00112233445566778899aabb"}
    yield "ID of 1 byte", {"t": "id", "v": "ff"}
    yield "ID of 127 bytes", {"t": "id", "v": "cd" * 127}
    yield "date", {"t": "date", "v": "2024-02-29"}
    yield "date of year 1", {"t": "date", "v": "0001-01-01"}
    for text in ["2024-01-02T03:04:05", "2024-01-02T03:04:05.678901", "9999-12-31T23:59:59.999999", "1969-12-31T23:59:59.5"]:
        yield f"timestamp {text}", timestamp(text)
    for offset in [0, 120, -570, 1439]:
        yield f"timestamp with offset {offset}", {"t": "timestamptz", "v": "2024-03-01T00:30:00.25", "offset": offset}
    for nanoseconds in [0, 5_000_000_000, -5_000_000_000, -1000, 937_845_678_912_345_000, -86_400_000_000_000]:
        yield f"interval of {nanoseconds} ns", {"t": "intervalds", "v": str(nanoseconds)}
    yield "vector float32", vector("float32", 1.5, -2.25, 0.0)
    yield "vector float64", vector("float64", 1e300, -1.0)
    yield "vector int8", vector("int8", -128, 0, 127)
    yield "vector binary", vector("binary", 0xA5, 0xFF)


def documents():
    yield "empty object", document()
    yield "empty array", array()
    yield "empty containers", document(("a", document()), ("b", array()), ("c", array(document(), array())))
    yield "one field", document(("a", integer(1)))
    yield "empty name", document(("", integer(1)))
    person = document(("name", string("Ann")), ("age", integer(30)), ("tags", array(string("x"), string("x"))))
    yield "nested array of equal objects", document(("people", array(person, person, array(person))), ("n", null()))
    yield "12 fields, not sorted", document(*((f"f{i}", integer(i % 3)) for i in range(12)))
    yield "names with equal hashes", document(("😀", integer(1)), ("é", integer(2)), ("", integer(3)), ("b", integer(4)))
    yield "same name at many levels", document(("a", document(("b", document(("a", array(document(("b", null())))))))))
    for length in [255, 256]:
        yield f"name of {length} bytes", document(("n" * length, integer(1)), ("short", integer(2)))
    longs = ["x" * 300, "y" * 256, "é" * 200, "x" * 299 + "y", "z" * 400, "x" * 256]
    yield "long names", document(*((name, integer(i)) for i, name in enumerate(["b", *longs, "a"])))
    yield "long names only", document(*((name, document((name, null()))) for name in longs[:2]))
    every = [value for name, value in scalars() if name.split()[0] in ("integer", "timestamp", "vector", "interval", "string")]
    yield "all kinds in an array", array(*every)
    yield "all kinds in an object", document(*((f"k{i}", value) for i, value in enumerate(every)))
    deep = array()
    for level in range(24):
        deep = document((f"l{level % 7}", deep)) if level % 2 else array(deep, integer(level))
    yield "24 levels", deep


def made(words):
    """A large document, as the test makes it."""
    kind, *parameters = words.split()
    first, second = (int(p) for p in (parameters + ["0", "0"])[:2])
    if kind == "fields":
        return {f"field_{i}": "a" * second for i in range(1, first + 1)}
    if kind == "names":
        return {f"n{i}": None for i in range(first)}
    if kind == "long_name":
        return {"n" * first: 1, "short": 2}
    if kind == "255_and_long":
        return {**{f"n{i}": None for i in range(255)}, "n" * 256: 1}
    if kind == "string":
        return "a" * first
    if kind == "string_field":
        return {"s": "a" * first}
    if kind == "bytes":
        return b"\x5a" * first
    if kind == "elements":
        return [None] * first
    raise ValueError(words)


MADE = [
    "fields 10 1000", "fields 100 1000", "fields 1000 1000", "fields 10 10000", "fields 100 10000", "fields 10 100000",
    "names 255", "names 256", "names 300", "names 65535", "names 65536", "names 65537", "long_name 65535", "long_name 65536",
    "255_and_long", "string 65531", "string 65532", "string 65533", "string 65535", "string 65536", "string_field 65519",
    "string_field 65520", "string_field 65521", "bytes 65535", "bytes 65536", "elements 255", "elements 256",
    "elements 65535", "elements 65536",
]


def fnv1a_64(data):
    result = 0xCBF29CE484222325
    for byte in data:
        result = ((result ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{result:016x}"


def answer(value):
    try:
        return {"image": peer.CODEC.encode_oson(value)}
    except Exception as error:  # noqa: BLE001 - whatever the driver raises is the answer
        return {"refused": peer.describe(error)}


def main():
    vectors = []
    for name, value in [*scalars(), *documents()]:
        reply = answer(peer.build(value))
        image = reply.pop("image", None)
        vectors.append({"name": name, "value": value, **({"hex": image.hex()} if image else reply)})
    for words in MADE:
        reply = answer(made(words))
        image = reply.pop("image", None)
        size = {"length": len(image), "fnv1a": fnv1a_64(image)} if image else reply
        vectors.append({"name": words, "made": words, **size})
    head = {"made_by": f"python-oracledb {oracledb.__version__}, testdata/oson/make_driver_vectors.py"}
    lines = ",\n".join("  " + json.dumps(vector, separators=(",", ":")) for vector in vectors)
    print(json.dumps(head)[:-1] + ', "vectors": [\n' + lines + "\n]}")


main()
