"""From one format to another, and profiles."""

from __future__ import annotations

import pickle
import threading

import pytest

import boson
from boson import bson, oson


def test_every_direction() -> None:
    document = {"n": 1, "t": "x", "l": [None, True]}
    encoded = bson.encode(document)
    text = '{"n":1,"t":"x","l":[null,true]}'
    assert boson.convert(encoded, "json") == text
    assert boson.convert(text, "bson") == encoded
    assert boson.convert(text.encode(), "bson", source="json") == encoded
    image = boson.convert(encoded, "oson")
    assert oson.decode(image, numbers="native") == document
    assert boson.convert(image, "bson") == encoded
    assert boson.convert(encoded, "json", json_style="canonical").startswith('{"n":{"$numberInt":"1"}')


def test_losses_are_reported() -> None:
    report: list[dict[str, object]] = []
    boson.convert(bson.encode({"price": bson.Decimal128("1.50")}), "oson", report=report)
    assert [(loss["loss"], loss["path"], loss["count"]) for loss in report] == [("decimal-scale", "$.price", 1)]


def test_faults() -> None:
    with pytest.raises(boson.DecodeError) as caught:
        boson.convert('{"a": tru}', "bson")
    assert caught.value.path == "$.a"
    with pytest.raises(ValueError, match="format"):
        boson.convert("{}", "xml")
    with pytest.raises(boson.ConvertError):
        boson.convert(bson.encode({"d": bson.DatetimeMS(2**62)}), "oson")


DOCUMENTS = [{"born": f"200{n % 10}-02-03", "n": str(n)} for n in range(100)]


def test_profiles_of_parts_are_the_profile_of_the_whole() -> None:
    whole = boson.Profile(DOCUMENTS)
    parts = [boson.Profile(DOCUMENTS[start : start + 25]) for start in range(0, 100, 25)]
    merged = pickle.loads(pickle.dumps(parts[0]))
    for part in parts[1:]:
        merged.merge(pickle.loads(pickle.dumps(part)))
    assert merged == whole
    assert merged.to_bytes() == whole.to_bytes()
    assert (parts[0] + parts[1]).documents == 50
    assert boson.Profile.from_bytes(whole.to_bytes()) == whole
    with pytest.raises(boson.BosonError):
        boson.Profile.from_bytes(b"nonsense")


def test_findings() -> None:
    profile = boson.Profile()
    for document in DOCUMENTS:
        profile.update(bson.encode(document))
    # 100 documents: 4 + type, name, NUL, 4 + 10 + 1 for born; the same and one or two digits for n; 1.
    assert profile.total_bytes == sum(5 + 2 + len("born") + 15 + 2 + len("n") + 5 + len(d["n"]) for d in DOCUMENTS)
    findings = {finding["path"]: finding for finding in profile.findings()}
    assert findings["$.born"]["stored"] == "string"
    # A string of 10 characters takes 15 bytes, a date 8.
    assert findings["$.born"]["proposal"]["saved_bytes"] == 700
    paths = {path["path"]: path for path in profile.paths()}
    assert paths["$.n"]["types"] == {"string": 100}
    # An estimate.
    assert 90 <= paths["$.n"]["distinct"] <= 100


def test_files(tmp_path: object) -> None:
    path = tmp_path / "documents.bson"  # type: ignore[operator]
    path.write_bytes(b"".join(map(bson.encode, DOCUMENTS)))
    profile = boson.Profile()
    assert profile.update_file(path) == 100
    assert profile == boson.Profile(DOCUMENTS)
    lines = path.with_name("documents.ndjson")
    lines.write_text("\n".join(bson.dumps(document) for document in DOCUMENTS))
    assert boson.Profile().update_file(lines) == 100
    assert list(bson.iter_file(lines)) == DOCUMENTS
    with pytest.raises(FileNotFoundError):
        profile.update_file(path.with_name("absent"))


def test_from_many_threads() -> None:
    profile = boson.Profile()
    threads = [threading.Thread(target=lambda n=n: profile.update(DOCUMENTS[n::4])) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert profile == boson.Profile(DOCUMENTS)


def test_explanations() -> None:
    data = bson.encode({"a": {"b": 1}, "c": "x"})
    regions = boson.explain(data, as_dict=True)["regions"]
    # Every byte is in exactly one region.
    covered = sorted((region["offset"], region["length"]) for region in regions)
    assert [at for at, _ in covered] == [0, *(at + length for at, length in covered)][:-1]
    assert sum(length for _, length in covered) == len(data)
    assert "int 1" in boson.explain(data, "$.a.b")
    assert '"x"' not in boson.explain(data, "$.a.b")
    broken = boson.explain(data[:-3], source="bson", as_dict=True)
    assert broken["fault"] is not None
    with pytest.raises(KeyError):
        boson.explain(data, "$.absent")
    with pytest.raises(ValueError, match="speaks for itself"):
        boson.explain(b"{}", source="json")
