"""Measures pymongo, python-oracledb and orjson: one JSON question per line in, one JSON answer per line out.

A question holds `format`, `documents` (each in hexadecimal digits), `path` (names that lead to one value), and the plan:
`warmup`, `rounds`, and `iterations`, or `round_ns` that a round takes at least. The answer holds `name`, `size` and for each
operation its `iterations` and the nanoseconds of each round for one operation, `round_ns`; or `refused`. Where a round would
take longer than ROUND_NS_MAX it has fewer operations, and `iterations` stays what was asked for.

Who measures by turns asks otherwise: a question with `load` true keeps the documents and is answered by `name`; then each
question with `turn`, the name of an operation, and `iterations` is answered by the nanoseconds that the thread ran for all of
them, `turn_ns`.
"""

import json
import sys
import time

import bson
import oracledb
import orjson
import pymongo
from bson.raw_bson import RawBSONDocument
from oracledb import base_impl

# python-oracledb takes a minute and a half to write 100 MB once.
ROUND_NS_MAX = 10_000_000_000

OSON = base_impl.BaseConnImpl("measure", base_impl.ConnectParamsImpl())

# name, decode, encode, view
PEERS = {
    "bson": (f"pymongo {pymongo.version}", bson.decode, bson.encode, RawBSONDocument),
    "oson": (f"oracledb {oracledb.__version__}", OSON.decode_oson, OSON.encode_oson, None),
    "json": (f"orjson {orjson.__version__}", orjson.loads, orjson.dumps, None),
}


def run(operation, arguments, iterations, clock=time.perf_counter_ns):
    start = clock()
    for _ in range(iterations):
        for argument in arguments:
            operation(argument)
    return clock() - start


def measure(operation, arguments, plan):
    once_ns = run(operation, arguments, 1)
    iterations = plan["iterations"]
    if iterations is not None and once_ns * iterations > ROUND_NS_MAX:
        few = max(1, ROUND_NS_MAX // once_ns)
        rounds = [run(operation, arguments, few) / few for _ in range(plan["rounds"])]
        return {"iterations": iterations, "round_ns": rounds}
    if iterations is None:
        iterations = 1
        while run(operation, arguments, iterations) < plan["round_ns"]:
            iterations *= 2
    for _ in range(plan["warmup"]):
        run(operation, arguments, iterations)
    rounds = [run(operation, arguments, iterations) / iterations for _ in range(plan["rounds"])]
    return {"iterations": iterations, "round_ns": rounds}


def find(value, path):
    for name in path:
        value = value[name]
    return value


def operations(question):
    """The name of the question's peer, and each operation with what it is run on."""
    name, decode, encode, view = PEERS[question["format"]]
    documents = [bytes.fromhex(text) for text in question["documents"]]
    trees = [decode(document) for document in documents]
    path = question["path"]
    named = {"encode": (encode, trees), "decode": (decode, documents)}
    if path:
        named["access"] = (lambda tree: find(tree, path), trees)
    if view:
        named["view"] = (view, documents)
    if path:
        # Without a view one value costs the whole document.
        raw = view or decode
        named["get"] = (lambda document: find(raw(document), path), documents)
    return name, named


LOADED = {}


def answer(question):
    if "turn" in question:
        operation, arguments = LOADED[question["turn"]]
        return {"turn_ns": run(operation, arguments, question["iterations"], time.thread_time_ns)}
    LOADED.clear()
    name, named = operations(question)
    if question.get("load"):
        LOADED.update(named)
        return {"name": name}
    encode, trees = named["encode"]
    answered = {"name": name, "size": sum(len(encode(tree)) for tree in trees)}
    return answered | {name: measure(*named[name], question) for name in named}


for line in sys.stdin:
    try:
        result = answer(json.loads(line))
    except Exception as error:  # What a peer refuses is an answer.
        result = {"refused": f"{type(error).__name__}: {error}"}
    print(json.dumps(result), flush=True)
