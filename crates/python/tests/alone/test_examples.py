"""The examples in the documentation."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

import boson
import boson.bson
import boson.oson

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("module", [boson, boson.bson, boson.oson])
def test_modules(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module, optionflags=FLAGS)
    assert attempted > 0
    assert failed == 0


def test_readme() -> None:
    readme = Path(__file__).parents[2] / "README.md"
    failed, attempted = doctest.testfile(str(readme), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert attempted > 0
    assert failed == 0
