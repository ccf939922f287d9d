"""The published comparison of BSON and OSON as a Python program: documents of 10, 100 and 1000 fields of 1000, 10,000 and 100,000 letters.

    python crates/python/benches/published.py                 # with boson alone; no software of Oracle or MongoDB
    python crates/python/benches/published.py --peers         # beside pymongo and python-oracledb, with the ratios

For each document and format it measures, each time apart: Encode, a whole document; Decode, a document made readable in the format's
own way (BSON: a raw document made; OSON: decoded, which is all that the driver offers); Access, the middle field read from that; DecRaw
and AccRaw, the same in the other way (BSON: decoded wholly; OSON: a raw document, which only boson has). Times are medians in seconds of
the thread's processor time, which others on the machine disturb less than the clock on the wall.
EncRatio, DecRatio and SizeRatio are OSON's divided by BSON's, of whole decodings.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import boson

LENGTHS = [1000, 10_000, 100_000]
FIELDS = [10, 100, 1000]
COLUMNS = (
    "Format Fields FieldLen Encode(s) Decode(s) Access(s) Size(bytes) DecRaw(s) AccRaw(s) EncRatio DecRatio SizeRatio"
).split()


class Boson:
    """This package."""

    name = "boson"

    def __init__(self) -> None:
        connection = boson.oson.Connectionless()
        self.oson_encode: Callable[[Any], bytes] = connection.encode_oson
        self.oson_decode: Callable[[bytes], Any] = connection.decode_oson
        self.oson_raw: Callable[[bytes], Any] | None = boson.oson.RawDocument
        self.bson_encode: Callable[[Any], bytes] = boson.bson.encode
        self.bson_decode: Callable[[bytes], Any] = boson.bson.decode
        self.bson_raw: Callable[[bytes], Any] = boson.bson.RawDocument


class Drivers:
    """pymongo and python-oracledb."""

    name = "drivers"

    def __init__(self) -> None:
        import bson
        from bson.raw_bson import RawBSONDocument
        from oracledb import base_impl

        connection = base_impl.BaseConnImpl("peer", base_impl.ConnectParamsImpl())
        self.oson_encode: Callable[[Any], bytes] = connection.encode_oson
        self.oson_decode: Callable[[bytes], Any] = connection.decode_oson
        self.oson_raw: Callable[[bytes], Any] | None = None
        self.bson_encode: Callable[[Any], bytes] = bson.encode
        self.bson_decode: Callable[[bytes], Any] = bson.decode
        self.bson_raw: Callable[[bytes], Any] = RawBSONDocument


def timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    start = time.thread_time()
    result = call(*arguments)
    return time.thread_time() - start, result


def read(document: Any, name: str) -> Any:
    return document[name]


def once(codec: Any, document: dict[str, str], name: str) -> dict[str, float]:
    """One time of each operation, in seconds, and the sizes."""
    times: dict[str, float] = {}
    times["bson encode"], data = timed(codec.bson_encode, document)
    times["bson raw"], raw = timed(codec.bson_raw, data)
    times["bson raw access"], first = timed(read, raw, name)
    times["bson decode"], whole = timed(codec.bson_decode, data)
    times["bson access"], second = timed(read, whole, name)
    times["oson encode"], image = timed(codec.oson_encode, document)
    times["oson decode"], whole_oson = timed(codec.oson_decode, image)
    times["oson access"], third = timed(read, whole_oson, name)
    assert first == second == third == document[name]
    if codec.oson_raw:
        times["oson raw"], raw = timed(codec.oson_raw, image)
        times["oson raw access"], fourth = timed(read, raw, name)
        assert fourth == document[name]
    times["bson size"], times["oson size"] = len(data), len(image)
    return times


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def rows(times: dict[str, float], fields: int, length: int) -> Iterator[list[str]]:
    seconds = lambda name: f"{times[name]:.2e}" if name in times else "-"  # noqa: E731
    ratio = lambda what: f"{times['oson ' + what] / times['bson ' + what]:.2f}"  # noqa: E731
    shape = [str(fields), str(length)]
    bson = [seconds("bson encode"), seconds("bson raw"), seconds("bson raw access"), str(int(times["bson size"]))]
    yield ["BSON", *shape, *bson, seconds("bson decode"), seconds("bson access"), "", "", ""]
    oson = [seconds("oson encode"), seconds("oson decode"), seconds("oson access"), str(int(times["oson size"]))]
    ratios = [ratio("encode"), ratio("decode"), ratio("size")]
    yield ["OSON", *shape, *oson, seconds("oson raw"), seconds("oson raw access"), *ratios]


def table(head: list[str], lines: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *lines])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="beside pymongo and python-oracledb, with the ratios")
    parser.add_argument("--iterations", type=int, default=100)
    arguments = parser.parse_args()
    codecs: list[Any] = [Boson(), Drivers()] if arguments.peers else [Boson()]
    lines: dict[str, list[list[str]]] = {codec.name: [] for codec in codecs}
    ratios: list[list[str]] = []
    for length in LENGTHS:
        for fields in FIELDS:
            document = {f"field_{number}": "a" * length for number in range(1, fields + 1)}
            middle = f"field_{fields // 2}"
            runs: dict[str, list[dict[str, float]]] = {codec.name: [] for codec in codecs}
            for iteration in range(arguments.iterations):
                # Whoever comes second finds the caches as the first one left them.
                for codec in codecs if iteration % 2 else reversed(codecs):
                    runs[codec.name].append(once(codec, document, middle))
            of = {name: medians(run) for name, run in runs.items()}
            for name, times in of.items():
                lines[name] += rows(times, fields, length)
            if arguments.peers:
                shared = [name for name in of["drivers"] if "size" not in name]
                ratios.append([str(fields), str(length), *(f"{of['boson'][n] / of['drivers'][n]:.2f}" for n in shared)])
    for name, body in lines.items():
        print(f"\n{name}\n\n{table(COLUMNS, body)}")
    if arguments.peers:
        print(f"\nboson's time divided by the drivers'\n\n{table(['Fields', 'FieldLen', *shared], ratios)}")


if __name__ == "__main__":
    main()
