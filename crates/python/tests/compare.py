"""Generated documents of every type, compared with pymongo and python-oracledb; prints the table of docs/python-peers.md.

    python crates/python/tests/compare.py [--record]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bson as pymongo_bson
import oracledb
import pymongo
from bson.codec_options import CodecOptions, DatetimeConversion
from bson.raw_bson import RawBSONDocument
from oracledb import base_impl

import boson
import generated

PEER = base_impl.BaseConnImpl("peer", base_impl.ConnectParamsImpl())
OPTIONS = CodecOptions(uuid_representation=4, datetime_conversion=DatetimeConversion.DATETIME_AUTO, tz_aware=True)
RAW = OPTIONS.with_options(document_class=RawBSONDocument)

#: One way to compare: whether it agrees, `None` where the peer has nothing to compare with.
Check = Callable[[Any], bool | None]


def same(left: Any, right: Any) -> bool:
    """Equal, of the same types, in the same order, to the last bit."""
    return type(left) is type(right) and repr(left) == repr(right)


def bson_bytes(document: Any) -> bool:
    return boson.bson.encode(document, codec_options=OPTIONS) == pymongo_bson.encode(document, codec_options=OPTIONS)


def bson_values(document: Any) -> bool:
    data = pymongo_bson.encode(document, codec_options=OPTIONS)
    return same(boson.bson.decode(data, OPTIONS), pymongo_bson.decode(data, OPTIONS))


def bson_raw(document: Any) -> bool:
    data = pymongo_bson.encode(document, codec_options=OPTIONS)
    ours, theirs = boson.bson.RawDocument(data, OPTIONS), RawBSONDocument(data, RAW)
    return list(ours) == list(theirs) and all(raw_same(ours[key], theirs[key]) for key in theirs)


def raw_same(left: Any, right: Any) -> bool:
    if isinstance(right, RawBSONDocument):
        return isinstance(left, boson.bson.RawDocument) and left.raw == right.raw
    if isinstance(right, list):
        return len(left) == len(right) and all(map(raw_same, left, right))
    if isinstance(right, pymongo_bson.code.Code) and right.scope is not None:
        return str(left) == str(right) and raw_same(left.scope, right.scope)
    return same(left, right)


def extended_json(document: Any) -> bool:
    data = pymongo_bson.encode(document, codec_options=OPTIONS)
    plain = pymongo_bson.decode(data, OPTIONS)
    text = boson.bson.dumps(plain, mode="canonical", codec_options=OPTIONS)
    return pymongo_bson.encode(boson.bson.loads(text, OPTIONS), codec_options=OPTIONS) == data


def oson_bytes(document: Any) -> bool | None:
    try:
        expected = PEER.encode_oson(document)
    except oracledb.Error:
        return None
    return boson.oson.encode(document) == expected


def oson_values(document: Any) -> bool | None:
    try:
        image = PEER.encode_oson(document)
        expected = PEER.decode_oson(image)
    except oracledb.Error:
        return None
    return same(boson.oson.decode(image), expected)


def oson_compact(document: Any) -> bool | None:
    image = boson.oson.encode(document, style="compact")
    try:
        expected = PEER.decode_oson(image)
    except oracledb.Error:
        return None
    # The driver has the order of the field ids.
    return bool(boson.oson.decode(image) == expected)


def oson_raw(document: Any) -> bool | None:
    image = boson.oson.encode(document)
    raw = boson.oson.RawDocument(image)
    whole = boson.oson.decode(image)
    return list(raw) == list(whole) and all(raw[key] == whole[key] for key in whole)


BSON: dict[str, Check] = {
    "encodes: bytes": bson_bytes,
    "decodes: values": bson_values,
    "RawDocument: values": bson_raw,
    "Extended JSON and back: bytes": extended_json,
}
OSON: dict[str, Check] = {
    "encodes: bytes": oson_bytes,
    "decodes: values": oson_values,
    "compact, read by the peer: values": oson_compact,
    "RawDocument: values": oson_raw,
}


class Table:
    """How often each way to compare agreed, by type."""

    def __init__(self, kinds: dict[str, Any], checks: dict[str, Check]) -> None:
        self.checks = checks
        self.rows: dict[str, dict[str, Counter[str]]] = {}
        self.documents = 0
        self.differ: list[tuple[str, str, Any]] = []
        for label, document in generated.documents(kinds):
            self.documents += 1
            row = self.rows.setdefault(label, {name: Counter() for name in checks})
            for name, check in checks.items():
                agrees = check(document)
                word = {True: "equal", False: "DIFFERENT", None: "refused by the peer"}[agrees]
                row[name][word] += 1
                if agrees is False:
                    self.differ.append((label, name, document))

    def lines(self) -> Iterator[str]:
        yield "| type | " + " | ".join(self.checks) + " |"
        yield "|---|" + "---|" * len(self.checks)
        for label, row in self.rows.items():
            cells = (", ".join(f"{count} {word}" for word, count in sorted(row[name].items())) for name in self.checks)
            yield f"| {label} | " + " | ".join(cells) + " |"


def page(bson: Table, oson: Table) -> str:
    head = f"""# The Python package beside pymongo and python-oracledb

Random documents of every type, made from a seed ({bson.documents} of BSON's types, {oson.documents} of OSON's), compared with pymongo
{pymongo.version} and python-oracledb {oracledb.__version__}: bytes with bytes, and values with values, which must be of the same class
and print the same. `python crates/python/tests/compare.py --record` writes this page; the tests of the package fail when a cell holds
anything but what stands here.

*refused by the peer*: python-oracledb cannot write the value, or cannot read it (a number of more digits or another range than it
handles).
"""
    return "\n".join([head, "## pymongo", "", *bson.lines(), "", "## python-oracledb", "", *oson.lines(), ""])


PAGE = Path(__file__).parents[3] / "docs" / "python-peers.md"


def main() -> None:
    bson, oson = Table(generated.BSON, BSON), Table(generated.OSON, OSON)
    text = page(bson, oson)
    if "--record" in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    if bson.differ or oson.differ:
        sys.exit(f"{len(bson.differ) + len(oson.differ)} differ, first: {(bson.differ + oson.differ)[0]!r:.1000}")


if __name__ == "__main__":
    main()
