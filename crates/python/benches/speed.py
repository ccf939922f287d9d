"""How fast the package is beside pymongo's C extension and python-oracledb.

    python crates/python/benches/speed.py [--boson target/release/boson] [--rounds 40]

The documents are made by `boson gen`. In each round both sides do the same work, one after the other in turns; a figure is the median of
the rounds, a ratio the median of the rounds' ratios (theirs divided by ours, so that more is better), with its quartiles. What is measured
is the processor time of the thread, which others on the machine disturb less than the clock on the wall.

python-oracledb needs long to encode some documents: what takes it more than a second is measured once, and what takes it more than
--patience seconds is given up. The ratio then is one that it is above, and is left out of the mean.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bson
import oracledb
import pymongo
from bson.int64 import Int64
from bson.objectid import ObjectId
from bson.raw_bson import RawBSONDocument
from oracledb import base_impl

import boson

PEER = base_impl.BaseConnImpl("peer", base_impl.ConnectParamsImpl())

#: How many documents, or rows of the one document, of each data set.
DATASETS = {"people": 1000, "telemetry-typed": 200, "flat": 100, "deep": 100, "tweets": 100}


def plain(value: Any) -> Any:
    """The same value with Python's own integers, as a program has it."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return int(value) if isinstance(value, Int64) else value


def with_ids(value: Any) -> Any:
    """The same value with the IDs that python-oracledb knows."""
    if isinstance(value, dict):
        return {key: with_ids(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_ids(inner) for inner in value]
    return oracledb.JsonId(value.binary) if isinstance(value, ObjectId) else value


def load(program: str, dataset: str, count: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "documents.bson")
        subprocess.run([program, "gen", dataset, "-n", str(count), "-o", str(file)], check=True, capture_output=True)
        return [plain(document) for document in bson.decode_all(file.read_bytes())]


def seconds(work: Callable[[], Any]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def repeats(work: Callable[[], Any]) -> int:
    """How often a short piece of work is repeated to be timed: about two milliseconds' worth."""
    return max(1, round(0.002 / max(seconds(work), 1e-7)))


def once(work: Callable[[], Any], patience: float) -> float | None:
    """The time of doing it once, in a process of its own, which is ended when it takes too long."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(seconds(work)), daemon=True)
    process.start()
    taken = receiver.recv() if receiver.poll(patience) else None
    process.kill()
    process.join()
    return taken


def compare(
    ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int, patience: float
) -> tuple[float, float | None, list[float]]:
    """The medians of both in seconds, and the quartiles of the ratios."""
    mine: list[float] = []
    others: list[float] = []
    taken = once(theirs, patience)
    if taken is None or taken > 1:
        own = statistics.median(seconds(ours) for _ in range(5))
        return own, taken, [(taken or patience) / own] * 3
    sides = [(work, times, repeats(work)) for work, times in ((ours, mine), (theirs, others))]
    for round_ in range(rounds + 2):
        for work, times, count in sides if round_ % 2 else sides[::-1]:
            times.append(seconds(lambda: [work() for _ in range(count)]) / count)
    # The first rounds warm up.
    ratios = [other / own for own, other in zip(mine[2:], others[2:])]
    return statistics.median(mine[2:]), statistics.median(others[2:]), statistics.quantiles(ratios, n=4)


def every(call: Callable[[Any], Any], values: list[Any]) -> Callable[[], Any]:
    return lambda: [call(value) for value in values]


def native(image: bytes) -> Any:
    return boson.oson.decode(image, numbers="native")


def raw_field(field: tuple[bytes, str]) -> Any:
    return boson.bson.RawDocument(field[0])[field[1]]


def raw_field_of_driver(field: tuple[bytes, str]) -> Any:
    return RawBSONDocument(field[0])[field[1]]


def operations(documents: list[dict[str, Any]]) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    data = [bson.encode(document) for document in documents]
    oracle = [with_ids(document) for document in documents]
    images = [boson.oson.encode(document) for document in oracle]
    middle = [list(document)[len(document) // 2] for document in documents]
    fields = list(zip(data, middle))
    return {
        "BSON encode": (every(boson.bson.encode, documents), every(bson.encode, documents)),
        "BSON decode": (every(boson.bson.decode, data), every(bson.decode, data)),
        "BSON one field of RawDocument": (every(raw_field, fields), every(raw_field_of_driver, fields)),
        "OSON encode": (every(boson.oson.encode, oracle), every(PEER.encode_oson, oracle)),
        "OSON decode": (every(boson.oson.decode, images), every(PEER.decode_oson, images)),
        "OSON decode, native numbers": (every(native, images), every(PEER.decode_oson, images)),
    }


def one_of_1000() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """One field of 1000 in OSON, against decoding the document, with boson and with the driver, which can do nothing else."""
    images = {
        "numbers": boson.oson.encode({f"field_{number}": number for number in range(1000)}),
        "strings of 1000 letters": boson.oson.encode({f"field_{number}": "a" * 1000 for number in range(1000)}),
    }
    comparisons: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {}
    for name, image in images.items():
        raw = boson.oson.RawDocument(image)
        read = lambda image=image: boson.oson.RawDocument(image)["field_500"]  # noqa: E731
        read_again = lambda raw=raw: raw["field_500"]  # noqa: E731
        decode = lambda image=image: boson.oson.decode(image)["field_500"]  # noqa: E731
        decode_peer = lambda image=image: PEER.decode_oson(image)["field_500"]  # noqa: E731
        assert read() == read_again() == decode() == decode_peer()
        comparisons[f"{name}, boson decoding"] = (read, decode)
        comparisons[f"{name}, the driver decoding"] = (read, decode_peer)
        comparisons[f"{name}, raw document at hand, boson decoding"] = (read_again, decode)
    return comparisons


def machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.processor()
    return f"{cpu}, Python {platform.python_version()}, pymongo {pymongo.version}, python-oracledb {oracledb.__version__}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boson", default="target/release/boson", help="the command line, which makes the documents")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--patience", type=float, default=60, help="seconds after which the drivers are given up")
    arguments = parser.parse_args()
    assert bson.has_c(), "pymongo without its C extension is no measure"
    print(machine(), end="\n\n")
    print("| operation | documents | boson, µs | drivers, µs | ratio | quartiles |\n|---|---|---|---|---|---|")
    ratios: dict[str, list[float]] = {}
    for dataset, count in DATASETS.items():
        documents = load(arguments.boson, dataset, count)
        for name, (ours, theirs) in operations(documents).items():
            own, other, (low, middle, high) = compare(ours, theirs, arguments.rounds, arguments.patience)
            each = 1e6 / len(documents)
            if other is None:
                print(f"| {name} | {dataset} | {own * each:.2f} | not after {arguments.patience:.0f} s | > {middle:.0f} | |", flush=True)
                continue
            ratios.setdefault(name, []).append(middle)
            print(
                f"| {name} | {dataset} | {own * each:.2f} | {other * each:.2f} | {middle:.2f} | {low:.2f} to {high:.2f} |",
                flush=True,
            )
    print("\n| one field of 1000 in OSON, against | field, µs | decoding, µs | ratio | quartiles |\n|---|---|---|---|---|")
    for name, (ours, theirs) in one_of_1000().items():
        own, other, (low, middle, high) = compare(ours, theirs, arguments.rounds, arguments.patience)
        print(f"| {name} | {own * 1e6:.2f} | {(other or 0) * 1e6:.1f} | {middle:.0f} | {low:.0f} to {high:.0f} |", flush=True)
    print("\n| operation | geometric mean | worst |\n|---|---|---|")
    for name, values in ratios.items():
        mean = math.exp(statistics.fmean(map(math.log, values)))
        print(f"| {name} | {mean:.2f} | {min(values):.2f} |")


if __name__ == "__main__":
    main()
