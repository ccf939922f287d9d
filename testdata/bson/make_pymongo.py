"""Writes pymongo.txt: a document for each case, as PyMongo encodes it, `name hex` per line.

    python -m venv venv && venv/bin/pip install pymongo==4.20.1
    venv/bin/python make_pymongo.py > pymongo.txt

The values of the same names are built in crates/bson/tests/it/pymongo.rs.
"""

import datetime
import uuid

import bson
from bson import Binary, Code, DBRef, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
from bson.binary import BinaryVectorDtype, UuidRepresentation
from bson.datetime_ms import DatetimeMS

ID = ObjectId("0123456789abcdef01234567")
UUID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")


def legacy(representation):
    return Binary.from_uuid(UUID, representation)


CASES = {
    "empty": {},
    "double": {"v": 1.5},
    "double_negative_zero": {"v": -0.0},
    "double_nan": {"v": float("nan")},
    "double_infinity": {"v": float("-inf")},
    "double_smallest": {"v": 5e-324},
    "string": {"v": "größe"},
    "string_empty": {"v": ""},
    "string_nul": {"v": "x\0y"},
    "string_emoji": {"v": "😀"},
    "document": {"v": {"w": 1}},
    "document_empty": {"v": {}},
    "array": {"v": [True, None, "a"]},
    "array_empty": {"v": []},
    "array_of_arrays": {"v": [[1], [], [[2]]]},
    "array_of_twelve": {"v": list(range(12))},
    "array_of_hundred_and_one": {"v": [None] * 101},
    "binary": {"v": Binary(b"abc", 0)},
    "binary_empty": {"v": Binary(b"", 0)},
    "binary_function": {"v": Binary(b"f", 1)},
    "binary_old": {"v": Binary(b"abc", 2)},
    "binary_old_empty": {"v": Binary(b"", 2)},
    "binary_md5": {"v": Binary(bytes(range(16)), 5)},
    "binary_encrypted": {"v": Binary(b"e", 6)},
    "binary_column": {"v": Binary(b"c", 7)},
    "binary_sensitive": {"v": Binary(b"s", 8)},
    "binary_user": {"v": Binary(b"u", 0x80)},
    "uuid_standard": {"v": legacy(UuidRepresentation.STANDARD)},
    "uuid_python": {"v": legacy(UuidRepresentation.PYTHON_LEGACY)},
    "uuid_java": {"v": legacy(UuidRepresentation.JAVA_LEGACY)},
    "uuid_csharp": {"v": legacy(UuidRepresentation.CSHARP_LEGACY)},
    "vector_int8": {"v": Binary.from_vector([-128, 0, 127], BinaryVectorDtype.INT8)},
    "vector_float32": {"v": Binary.from_vector([1.5, -0.0], BinaryVectorDtype.FLOAT32)},
    "vector_packed_bit": {"v": Binary.from_vector([0b1010_0000], BinaryVectorDtype.PACKED_BIT, padding=5)},
    "object_id": {"v": ID},
    "bool_false": {"v": False},
    "bool_true": {"v": True},
    "date": {"v": datetime.datetime(2020, 2, 29, 12, 34, 56, 789000, datetime.UTC)},
    "date_before_1970": {"v": DatetimeMS(-1)},
    "date_least": {"v": DatetimeMS(-(2**63))},
    "null": {"v": None},
    "regex": {"v": Regex("(?i)ab", "mix")},
    "regex_empty": {"v": Regex("", "")},
    "code": {"v": Code("f()")},
    "code_with_scope": {"v": Code("f(x)", {"x": 1, "y": {"z": []}})},
    "code_with_empty_scope": {"v": Code("", {})},
    "int32": {"v": -2},
    "int32_least": {"v": -(2**31)},
    "int64": {"v": 2**31},
    "int64_small": {"v": Int64(7)},
    "int64_least": {"v": -(2**63)},
    "timestamp": {"v": Timestamp(4294967293, 4294967294)},
    "decimal128": {"v": Decimal128("19.90")},
    "decimal128_most": {"v": Decimal128("-9.999999999999999999999999999999999E+6144")},
    "decimal128_infinity": {"v": Decimal128("Infinity")},
    "decimal128_nan": {"v": Decimal128("NaN")},
    "min_key": {"v": MinKey()},
    "max_key": {"v": MaxKey()},
    "db_ref": {"v": DBRef("c", ID, "d")},
    "names": {"": 1, "$x": 2, "a.b": 3, "__proto__": 4, "größe": 5},
    "id_first": {"a": 1, "_id": ID, "b": {"c": 2, "_id": 3}},
    "id_last": {"a": "x", "b": [1], "_id": 5},
    "id_at_the_front": {"_id": 1, "a": 2},
}

for name, document in CASES.items():
    print(name, bson.encode(document).hex())
