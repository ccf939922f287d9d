"""What stands for python-oracledb's classes where it is not installed."""

from __future__ import annotations

import array
from collections.abc import Iterable
from typing import NamedTuple


class JsonId(bytes):
    """The ID that OSON keeps under ``_id``."""


class IntervalYM(NamedTuple):
    """An interval of years and months; both have the same sign."""

    years: int
    months: int


class SparseVector:
    """A vector of which only the elements that are not 0 are kept."""

    def __init__(self, num_dimensions: int, indices: Iterable[int], values: Iterable[float]) -> None:
        self.num_dimensions = num_dimensions
        self.indices = indices if isinstance(indices, array.array) else array.array("I", indices)
        self.values = values if isinstance(values, array.array) else array.array("d", values)
        if len(self.indices) != len(self.values):
            raise TypeError("there must be as many indices as values")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparseVector):
            return NotImplemented
        mine = (self.num_dimensions, self.indices, self.values)
        return mine == (other.num_dimensions, other.indices, other.values)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SparseVector({self.num_dimensions}, {self.indices}, {self.values})"
