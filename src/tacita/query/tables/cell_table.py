"""A table as it leaves: classes, values, and how far each value can be relied on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError, did_you_mean
from tacita.query.plain_form import PlainForm
from tacita.query.requests.tabulate import TableStatistic
from tacita.query.universe.universe import class_word

__all__ = ["FLAGS", "CellTable", "reliability_flags"]

FLAGS = ((0.25, ""), (0.50, "*"), (np.inf, "**"))
"""Marks of a value by its relative standard error: below 25 % none, below 50 % one star, above two; as TableBuilder has them."""

_MOST_AXES = 32


def reliability_flags(values: FloatArray, errors: FloatArray) -> list[str]:
    """Return the mark of each value by its relative standard error.

    There are two stars where the value is 0 and its error is not, and where nothing is known about the error of a value; a cell
    without a value has no mark.

    Parameters
    ----------
    values, errors
        Of the same shape.

    Examples
    --------
    >>> reliability_flags(np.array([100.0, 10.0, 1.0]), np.array([5.0, 4.0, 0.9]))
    ['', '*', '**']
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(errors == 0, 0.0, np.abs(errors / values))
    relative = np.where(np.isnan(errors), np.inf, relative)
    relative = np.where(np.isnan(values), 0.0, relative)
    limits = np.array([limit for limit, _ in FLAGS])
    places = np.searchsorted(limits, relative, side="right")
    return [FLAGS[min(int(place), len(FLAGS) - 1)][1] for place in places.ravel()]


@dataclass(frozen=True, eq=False)
class CellTable:
    """A table of answers.

    Parameters
    ----------
    by
        Its variables, in the order of the axes.
    classes
        The classes of each variable.
    statistic
        What the values are.
    values
        One value for each combination of classes; NaN where there is none.
    errors
        Standard errors of the values, where they are shown.
    """

    by: tuple[str, ...]
    classes: Mapping[str, tuple[str, ...]] = field(repr=False)
    statistic: str
    values: FloatArray = field(repr=False)
    errors: FloatArray | None = field(default=None, repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of classes on each axis."""
        return tuple(len(self.classes[name]) for name in self.by)

    @property
    def flags(self) -> list[str] | None:
        """Marks of reliability, cell by cell; None where there are no standard errors."""
        return None if self.errors is None else reliability_flags(self.values, self.errors)

    def __getitem__(self, classes: Mapping[str, str]) -> float:
        """Return the value of one cell, named by its class of each variable.

        Raises
        ------
        ParameterError
            When a variable is lacking, or one of them has no such class.
        """
        if set(classes) != set(self.by):
            raise ParameterError(f"A cell must be named by a class of each of {', '.join(self.by)}.")
        place = []
        for name in self.by:
            word = class_word(classes[name])
            if word not in self.classes[name]:
                near = did_you_mean(word[:60], self.classes[name])
                raise ParameterError(f"Variable '{name}' has no class {word[:60]!r}.{near}")
            place.append(self.classes[name].index(word))
        return float(self.values[tuple(place)])

    def to_plain(self) -> dict[str, Any]:
        """Return the table ready for JSON; values row by row, None where there is none."""
        found: dict[str, Any] = {
            "by": list(self.by),
            "classes": {name: list(self.classes[name]) for name in self.by},
            "statistic": self.statistic,
            "values": _plain(self.values, whole=self.statistic == "count"),
        }
        if self.errors is not None:
            found["standard_errors"] = _plain(self.errors)
            found["flags"] = self.flags
        return found

    @classmethod
    def from_plain(cls, given: Any) -> CellTable:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no table: parts are lacking or unknown, there are more or fewer values than cells, a count is no whole
            number, or marks are not those of the standard errors.

        Examples
        --------
        >>> plain = {"by": ["sex"], "classes": {"sex": ["f", "m"]}, "statistic": "count", "values": [7, None]}
        >>> CellTable.from_plain(plain)[{"sex": "f"}]
        7.0
        """
        form = PlainForm.of(
            "A table", given, ("by", "classes", "statistic", "values"), optional=("standard_errors", "flags")
        )
        by = form.texts("by")
        if not 1 <= len(by) <= _MOST_AXES or len(set(by)) < len(by):
            form.misfit("by", f"a list of 1 to {_MOST_AXES} variables, each once")
        listed = PlainForm.of("The classes of a table", form.part("classes"), by)
        classes = {name: listed.texts(name) for name in by}
        if any(len(set(words)) < len(words) for words in classes.values()):
            form.misfit("classes", "an object of lists that have each class once")
        shape = tuple(len(classes[name]) for name in by)
        statistic = form.choice("statistic", get_args(TableStatistic))
        values = form.numbers("values", math.prod(shape), has_gaps=True).reshape(shape)
        if statistic == "count" and not (np.isnan(values) | (values == np.rint(values))).all():
            form.misfit("values", "whole numbers where they are counts")
        if ("flags" in form) != ("standard_errors" in form):
            form.misfit("flags", "there where standard errors are, and only there")
        if "flags" not in form:
            return cls(by, classes, statistic, values)
        made = cls(
            by, classes, statistic, values, form.numbers("standard_errors", values.size, has_gaps=True).reshape(shape)
        )
        if made.flags != form.listed("flags"):
            form.misfit("flags", "the marks of the standard errors")
        return made

    def to_rows(self) -> dict[str, list[Any]]:
        """Return the table as columns, one row for each cell: the form that every frame is made from.

        Columns of values are called by the statistic, ``standard_error`` and ``flag``; with an underscore behind where a variable
        has that name.
        """
        places = np.indices(self.shape).reshape(len(self.by), -1)
        rows: dict[str, list[Any]] = {
            name: [self.classes[name][int(i)] for i in places[axis]] for axis, name in enumerate(self.by)
        }
        names = self.value_columns
        rows[names[0]] = _plain(self.values, whole=self.statistic == "count")
        if self.errors is not None:
            rows[names[1]] = _plain(self.errors)
            rows[names[2]] = list(self.flags or ())
        return rows

    @property
    def value_columns(self) -> tuple[str, ...]:
        """What the columns of values are called where the table is rows: the values, and their errors and marks where shown."""
        words = (self.statistic,) if self.errors is None else (self.statistic, "standard_error", "flag")
        return tuple(map(self._free, words))

    def _free(self, word: str) -> str:
        """A name of a column that no variable has."""
        while word in self.by:
            word += "_"
        return word


def _plain(values: FloatArray, *, whole: bool = False) -> list[Any]:
    listed = values.ravel().tolist()
    return [None if math.isnan(v) else int(v) if whole else v for v in listed]
