"""Universes: which records an output is about, as conditions on columns or as one truth value for each record."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.data.microdata import Microdata

__all__ = ["COMPARISONS", "check_universe", "universe_rows"]

COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "at_least": np.greater_equal,
    "above": np.greater,
    "at_most": np.less_equal,
    "below": np.less,
}
"""Conditions on numbers, dates and the order of ordinal categories."""

WORDS = (*COMPARISONS, "in", "not", "missing")


def check_universe(universe: object, owner: str) -> None:
    """Raise when a universe has a form that no data could have."""
    if universe is None or not isinstance(universe, Mapping):
        return
    for name, condition in universe.items():
        if not isinstance(name, str):
            raise ParameterError(f"{owner}: 'universe' must name columns, got a {type(name).__name__}.")
        if isinstance(condition, Mapping):
            for word in condition:
                if word not in WORDS:
                    raise ParameterError(
                        f"{owner}: the universe of '{name}' has no condition '{word}'.{did_you_mean(str(word), WORDS)} "
                        f"It has: {', '.join(WORDS)}."
                    )


def universe_rows(data: Microdata, universe: Any, owner: str) -> BoolArray:
    """Return (n,): the records of a universe.

    Parameters
    ----------
    data
        The records.
    universe
        None for all; conditions by column, all of which must hold: a value, a list of values, or a table with some of
        ``at_least``, ``above``, ``at_most``, ``below``, ``in``, ``not`` and ``missing``; or a truth value for each record.
    owner
        Who speaks in errors.

    Raises
    ------
    ColumnError
        When a column is not there.
    DataError
        When there are more or fewer truth values than records.

    Notes
    -----
    A record without a value is in no condition but ``missing = true`` and ``not``, as in pandas.

    Examples
    --------
    >>> import pyarrow as pa
    >>> data = Microdata.from_frame(pa.table({"age": [17, 18, 70], "sex": ["f", "m", "f"]}))
    >>> universe_rows(data, {"age": {"at_least": 18}, "sex": "f"}, "Output").tolist()
    [False, False, True]
    """
    if universe is None:
        return np.ones(len(data), bool)
    if not isinstance(universe, Mapping):
        rows = np.asarray(universe)
        if rows.shape != (len(data),) or rows.dtype.kind not in "b":
            raise DataError(
                f"{owner}: 'universe' must be conditions, or {len(data)} truth values, one for each record."
            )
        return rows.copy()
    check_universe(universe, owner)
    inside = np.ones(len(data), bool)
    for name, condition in universe.items():
        asked = condition if isinstance(condition, Mapping) else {"in": condition}
        for word, value in asked.items():
            inside &= _holds(data, name, word, value, owner)
    return inside


def _holds(data: Microdata, name: str, word: str, value: Any, owner: str) -> BoolArray:
    if word == "missing":
        return np.asarray(data.is_missing(name) == bool(value), bool)
    column = data.schema[name]
    if word in ("in", "not"):
        chosen = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        found = _among(data, name, chosen)
        return ~found if word == "not" else found
    if column.scale == "nominal":
        raise ParameterError(f"{owner}: '{word}' needs an order, but column '{name}' is nominal.")
    compare = COMPARISONS[word]
    if column.scale == "numeric":
        with np.errstate(invalid="ignore"):
            return np.asarray(compare(data.float(name), float(_number(value, name, word, owner))), bool)
    codes = data.codes(name)
    if column.scale == "ordinal":
        if value not in codes.categories:
            raise ParameterError(f"{owner}: '{word}' of the universe must name a category of '{name}'.")
        return np.asarray(compare(codes.values, codes.categories.index(value)) & (codes.values >= 0), bool)
    kept = np.array([bool(compare(_plain_date(one), _plain_date(value))) for one in codes.categories] + [False], bool)
    return kept[codes.values]


def _among(data: Microdata, name: str, chosen: list[Any]) -> BoolArray:
    codes = data.codes(name)
    wanted = {_comparable(one) for one in chosen}
    kept = np.array([_comparable(one) in wanted for one in codes.categories] + [False], bool)
    return kept[codes.values]


def _comparable(value: Any) -> Any:
    """Values of files and of conditions meet: a date is its text, a whole float its integer."""
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if hasattr(value, "item"):
        value = value.item()
    return value


def _plain_date(value: Any) -> str:
    return str(_comparable(value))


def _number(value: Any, name: str, word: str, owner: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ParameterError(f"{owner}: '{word}' of '{name}' must be a number, got {type(value).__name__}.")
    return float(value)
