"""The published comparison of BSON and OSON as a Python program: documents of 10, 100 and 1000 fields of 1000, 10,000 and 100,000 letters.

    python crates/python/benches/published.py                 # with boson alone; no software of Oracle or MongoDB
    python crates/python/benches/published.py --peers         # beside pymongo and python-oracledb, with the ratios

For each document and format it measures, each time apart: Encode, a whole document; Decode, a document made readable in the format's
own way (BSON: a raw document made; OSON: decoded, which is all that the driver offers); Access, the middle field read from that; DecRaw
and AccRaw, the same in the other way (BSON: decoded wholly; OSON: a raw document, which only boson has). Times are medians in seconds of
the thread's processor time, which others on the machine disturb less than the clock on the wall.
EncRatio, DecRatio and SizeRatio are OSON's divided by BSON's, of whole decodings.

python-oracledb takes half a minute to encode the largest document. An operation is not begun again when its times on a document have come to
more than --budget seconds; the output ends with how often it was timed then.
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
#: What a time of ours divided by the drivers' should not be above.
GOAL = 1.10
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


class Cell:
    """The times in seconds of each operation on one document, and what it made last."""

    def __init__(self, codec: Any, document: dict[str, str], name: str, budget: float) -> None:
        self.codec, self.document, self.name, self.budget = codec, document, name, budget
        self.times: dict[str, list[float]] = {}
        self.made: dict[str, Any] = {}

    def time(self, operation: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Times it, unless that was done for long enough."""
        times = self.times.setdefault(operation, [])
        if sum(times) <= self.budget:
            seconds, self.made[operation] = timed(call, *arguments)
            times.append(seconds)
        return self.made[operation]

    def once(self) -> None:
        """One time of each operation. Only what takes long and is small is kept."""
        codec, name = self.codec, self.name
        data = self.time("bson encode", codec.bson_encode, self.document)
        raw = self.time("bson raw", codec.bson_raw, data)
        fields = [self.time("bson raw access", read, raw, name)]
        whole = self.time("bson decode", codec.bson_decode, data)
        fields.append(self.time("bson access", read, whole, name))
        image = self.time("oson encode", codec.oson_encode, self.document)
        whole = self.time("oson decode", codec.oson_decode, image)
        fields.append(self.time("oson access", read, whole, name))
        if codec.oson_raw:
            raw = self.time("oson raw", codec.oson_raw, image)
            fields.append(self.time("oson raw access", read, raw, name))
        assert all(field == self.document[name] for field in fields)
        self.sizes = {"bson size": len(data), "oson size": len(image)}
        self.made = {operation: self.made[operation] for operation, times in self.times.items() if sum(times) > self.budget}

    def medians(self) -> dict[str, float]:
        return {operation: statistics.median(times) for operation, times in self.times.items()} | self.sizes

    def fewer(self, iterations: int) -> str:
        """Which operations were timed how often, of those that were not each time."""
        few = [(operation, len(times)) for operation, times in self.times.items() if len(times) < iterations]
        return ", ".join(f"{operation} {count}" for operation, count in few)


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
    parser.add_argument("--budget", type=float, default=10, help="seconds in all for one operation on one document")
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--fields", type=int, nargs="+", default=FIELDS)
    arguments = parser.parse_args()
    codecs: list[Any] = [Boson(), Drivers()] if arguments.peers else [Boson()]
    lines: dict[str, list[list[str]]] = {codec.name: [] for codec in codecs}
    ratios: list[list[str]] = []
    notes: list[str] = []
    misses: list[str] = []
    for length in arguments.lengths:
        for fields in arguments.fields:
            document = {f"field_{number}": "a" * length for number in range(1, fields + 1)}
            middle = f"field_{fields // 2}"
            cells = [Cell(codec, document, middle, arguments.budget) for codec in codecs]
            for iteration in range(arguments.iterations):
                # Whoever comes second finds the caches as the first one left them.
                for cell in cells if iteration % 2 else reversed(cells):
                    cell.once()
            of = {cell.codec.name: cell.medians() for cell in cells}
            for name, times in of.items():
                lines[name] += rows(times, fields, length)
            few = [f"{cell.codec.name}: {fewer}" for cell in cells if (fewer := cell.fewer(arguments.iterations))]
            notes += [f"{fields} fields of {length}: timed less than {arguments.iterations} times: {', '.join(few)}"] if few else []
            if arguments.peers:
                shared = [name for name in of["drivers"] if "size" not in name]
                quotients = [of["boson"][name] / of["drivers"][name] for name in shared]
                ratios.append([str(fields), str(length), *(f"{quotient:.2f}" for quotient in quotients)])
                misses += [f"{name}, {fields} fields of {length}: {q:.2f}" for name, q in zip(shared, quotients) if q > GOAL]
    for name, body in lines.items():
        print(f"\n{name}\n\n{table(COLUMNS, body)}")
    if arguments.peers:
        print(f"\nboson's time divided by the drivers'\n\n{table(['Fields', 'FieldLen', *shared], ratios)}")
        cells_all = sum(len(line) - 2 for line in ratios)
        print(f"\n{cells_all - len(misses)} of {cells_all} are at most {GOAL:.2f}; above: {'; '.join(misses) or 'none'}")
    for note in notes:
        print(f"\n{note}")


if __name__ == "__main__":
    main()
