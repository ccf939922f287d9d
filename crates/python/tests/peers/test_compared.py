"""The same bytes and the same values as pymongo and python-oracledb, on generated documents of every type."""

from __future__ import annotations

import compare
import generated


def test_the_recorded_table() -> None:
    bson, oson = compare.Table(generated.BSON, compare.BSON), compare.Table(generated.OSON, compare.OSON)
    assert not bson.differ, f"{bson.differ[0]!r:.2000}"
    assert not oson.differ, f"{oson.differ[0]!r:.2000}"
    assert bson.documents + oson.documents >= 5000
    assert compare.page(bson, oson) == compare.PAGE.read_text(encoding="utf-8"), "compare.py --record writes it anew"
