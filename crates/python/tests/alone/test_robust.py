"""Bad bytes end in an exception, never in a crash; and nothing is leaked."""

from __future__ import annotations

import gc
import random
import resource
import sys
from collections.abc import Callable

import pytest

import boson
import generated
from boson import bson, oson

OPTIONS = bson.CodecOptions(
    uuid_representation=bson.UuidRepresentation.STANDARD, datetime_conversion=bson.DatetimeConversion.DATETIME_AUTO
)


def damaged(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(changed))
        how = rng.randrange(4)
        if how == 0:
            changed[at] = rng.randrange(256)
        elif how == 1:
            changed[at] ^= 1 << rng.randrange(8)
        elif how == 2:
            del changed[at:]
        else:
            changed[at:at] = rng.randbytes(rng.randrange(5))
        if not changed:
            break
    return bytes(changed)


def look_through(raw: object) -> None:
    for key in raw:  # type: ignore[attr-defined]
        value = raw[key]  # type: ignore[index]
        if hasattr(value, "raw") and hasattr(value, "keys"):
            list(value)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_documents(seed: int) -> None:
    rng = random.Random(seed)
    made = [document for _, document in generated.documents(generated.BSON, seed)][::97]
    images = [document for _, document in generated.documents(generated.OSON, seed)][::97]
    good = [bson.encode(document, codec_options=OPTIONS) for document in made]
    good_images = [oson.encode(document, style=rng.choice(["driver", "compact"])) for document in images]
    refused = 0
    for _ in range(5000):
        data, image = damaged(rng, rng.choice(good)), damaged(rng, rng.choice(good_images))
        for attempt in (
            lambda: bson.decode(data, OPTIONS),
            lambda: look_through(bson.RawDocument(data, OPTIONS)),
            lambda: oson.decode(image),
            lambda: look_through(oson.RawDocument(image)),
            lambda: boson.convert(image, "bson", source="oson"),
        ):
            try:
                attempt()
            # A damaged dictionary has names that a walk delivers and a search does not find.
            except (boson.BosonError, TypeError, KeyError):
                refused += 1
    assert refused > 5000


def busy() -> list[Callable[[], object]]:
    document = {"a": [1, "é" * 50, {"b": bson.ObjectId()}], "d": {"x": 1.5}, "n": bson.Int64(7), "big": "x" * 1000}
    plain = {"a": [1, "é" * 50, {"b": b"x"}], "d": {"x": 1.5, "big": 10**20}}
    data, image = bson.encode(document), oson.encode(plain)
    bad = data[:-9] + b"\xff" * 8 + b"\0"

    def fails(call: Callable[..., object], *arguments: object) -> Callable[[], object]:
        def attempt() -> None:
            with pytest.raises(boson.BosonError):
                call(*arguments)

        return attempt

    return [
        lambda: bson.encode(document),
        lambda: bson.decode(data),
        lambda: bson.decode_all(data * 3),
        lambda: bson.RawDocument(data)["a"][2]["b"],
        lambda: dict(bson.RawDocument(data)),
        lambda: bson.loads(bson.dumps(document)),
        lambda: oson.encode(plain),
        lambda: oson.encode(plain, style="compact"),
        lambda: oson.decode(image),
        lambda: oson.RawDocument(image)["a"][2]["b"],
        lambda: oson.set(image, "$.d.x", "longer than before"),
        lambda: boson.convert(data, "oson"),
        lambda: boson.Profile([document]).findings(),
        fails(bson.decode, bad),
        fails(bson.encode, {"a": [1, {2}]}),
        fails(oson.decode, image[:-3]),
        fails(oson.encode, {"a": [1, {2}]}),
    ]


def test_references_are_counted() -> None:
    value = ["shared"]
    key = "k" * 40
    document = {key: value, "again": value}
    before = sys.getrefcount(value), sys.getrefcount(key), sys.getrefcount(document)
    for _ in range(100):
        bson.encode(document)
        oson.encode(document)
        with pytest.raises(boson.BosonError):
            bson.encode({key: value, "bad": {1}})
    assert (sys.getrefcount(value), sys.getrefcount(key), sys.getrefcount(document)) == before


def test_nothing_is_leaked() -> None:
    calls = busy()

    def run(times: int) -> None:
        for _ in range(times):
            for call in calls:
                call()

    run(200)
    gc.collect()
    objects, peak = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run(2000)
    gc.collect()
    assert len(gc.get_objects()) - objects < 200
    # 2000 rounds: one leaked object of 50 bytes in each would be 100 KB, a leaked document several megabytes.
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak
    assert grown < 2000, f"{grown} KB more at the peak"
