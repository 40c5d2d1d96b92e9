"""A remote access that fits linear models with columns of the user's making: the server that the regression attacks were told of.

It has the records, so it stands with the judge. Its limits are those that the paper and the field propose; without any it answers
everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.regression.question import ColumnKind, MadeColumn, ModelQuestion
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError

__all__ = ["ModelServer", "RemoteLimits"]

_ZERO = 1e-9
"""Residuals below this share of the response's spread are rounding."""


@dataclass(frozen=True, kw_only=True)
class RemoteLimits:
    """What a remote access refuses.

    Parameters
    ----------
    ones
        Fewest records in which a dummy, or a class, is 1, and in which it is 0.
    leverage
        Largest leverage of a record; 1 allows all.
    columns
        Kinds of column that a user may make; None allows all.
    apart
        Fewest records that the sets of two models of one response differ by.
    figures
        Significant figures of what is printed; 0 prints all.
    tells
        What may be told beside coefficients.
    """

    ones: int = 0
    leverage: float = 1.0
    columns: tuple[ColumnKind, ...] | None = None
    apart: int = 0
    figures: int = 0
    tells: tuple[str, ...] = ("moments", "covariance", "maximum", "zeros")


@dataclass(eq=False)
class ModelServer:
    """Fits models to records; a question goes in, what it prints comes out.

    One regressor is fitted by its closed form in O(n), others by a QR decomposition of the centred columns.

    Parameters
    ----------
    columns
        The records: one array a variable, numbers or classes.
    limits
        What is refused.
    """

    columns: Mapping[str, NDArray[np.generic]]
    limits: RemoteLimits = RemoteLimits()
    _sets: dict[str, list[BoolArray]] = field(default_factory=dict, repr=False)
    _coded: dict[str, tuple[dict[str, int], IntArray]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name, values in self.columns.items():
            if values.dtype.kind not in "if":  # numbers are compared faster than words
                words, codes = np.unique(values.astype(str), return_inverse=True)
                self._coded[name] = {str(word): i for i, word in enumerate(words)}, codes.reshape(-1)

    def __call__(self, question: ModelQuestion) -> Mapping[str, Any]:
        rule = self._form(question)
        if rule:
            return {"refused": rule}
        keep = None if question.without is None else self._made(question.without) == 0
        if self.limits.apart and self._is_close(question.response, keep):
            return {"refused": "close_universes"}
        y = self._number(question.response, keep)
        classes = [c for c in question.regressors if c.kind == "classes"]
        x = [self._made(c, keep) for c in question.regressors if c.kind != "classes"]
        if len(y) <= len(x) + 1:
            return {"refused": "too_few_records"}
        if self.limits.ones and any(_few(c, v, self.limits.ones) for c, v in zip(question.regressors, x, strict=False)):
            return {"refused": "few_ones"}
        if classes:
            return self._saturated(question, classes[0], y, keep)
        is_dummy = len(x) == 1 and question.regressors[0].is_dummy
        fit = _RemoteFit.of_dummy(y, x[0].astype(bool)) if is_dummy else _RemoteFit.of(y, np.array(x))
        return self._printed(question, fit, x[0])

    # --- columns -------------------------------------------------------------------------------------------------------

    def _number(self, name: str, keep: BoolArray | None = None) -> FloatArray:
        values = self._column(name)
        if values.dtype.kind not in "if":
            raise AttackError(f"The remote access: '{name}' must be a number.")
        values = values.astype(np.float64, copy=False)
        return values if keep is None else values[keep]

    def _column(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise AttackError(f"The remote access has no variable '{name}'.")
        return self.columns[name]

    def _made(self, column: MadeColumn, keep: BoolArray | None = None) -> NDArray[Any]:
        """Return a column of the user's making, of all records or of those that are kept."""
        made = self._of_all(column)
        made = made if keep is None else made[keep]
        return made if column.is_dummy else np.asarray(made, np.float64)

    def _of_all(self, column: MadeColumn) -> NDArray[Any]:
        if column.kind in ("all", "either"):
            join = np.logical_and if column.kind == "all" else np.logical_or
            return np.asarray(join.reduce([self._of_all(part) for part in column.parts]))
        return np.asarray(self._of_one(column))

    def _of_one(self, column: MadeColumn) -> Any:
        """Return a column that is made of one variable."""
        if column.of[0] in self._coded:
            if column.kind != "equal":
                raise AttackError(f"The remote access: '{column.of[0]}' has classes, which can only be equal to one.")
            places, codes = self._coded[column.of[0]]
            return codes == places.get(str(column.value), -1)
        x: NDArray[Any] = self._column(column.of[0])
        value: Any = column.value
        if column.kind == "equal":
            return x == value
        if column.kind in ("above", "below"):
            return x > value if column.kind == "above" else x < value
        if column.kind == "within":
            return np.abs(x - value) < column.width
        if column.kind == "ratio":
            return (((1 - column.width) * x < value) & (value < (1 + column.width) * x)) | (x == value)
        if column.kind == "outlier":
            away = np.abs(x - value) + column.width
            for part in column.parts:
                away += ~self._of_all(part)
            return 1 / away
        return x**2 if column.kind == "square" else x

    # --- rules ---------------------------------------------------------------------------------------------------------

    def _form(self, question: ModelQuestion) -> str:
        """Return the rule on the form that a question breaks, or nothing."""
        used = [*question.regressors, *([] if question.without is None else [question.without])]
        allowed = self.limits.columns
        if allowed is not None and any(column.kind not in allowed for column in used):
            return "column_not_approved"
        if any(told not in self.limits.tells for told in question.tells):
            return "not_told"
        return ""

    def _is_close(self, response: str, keep: BoolArray | None) -> bool:
        asked = np.ones(len(self._column(response)), bool) if keep is None else keep
        known = self._sets.setdefault(response, [])
        apart = [int((asked != old).sum()) for old in known]
        if any(0 < number < self.limits.apart for number in apart):
            return True
        if 0 not in apart:
            known.append(asked)
        return False

    # --- answers -------------------------------------------------------------------------------------------------------

    def _printed(self, question: ModelQuestion, fit: _RemoteFit, first: FloatArray) -> Mapping[str, Any]:
        """Return what is printed of a fit, or that its leverage is too large."""
        if fit.is_dependent:
            return {"refused": "dependent_columns"}
        if self.limits.leverage < 1 and fit.leverage > self.limits.leverage:
            return {"refused": "leverage"}
        covariance = fit.covariance
        answer: dict[str, Any] = {
            "coefficients": self._rounded(fit.coefficients),
            "errors": self._rounded(np.sqrt(np.diag(covariance))),
            "n": fit.n,
            "variance": float(self._rounded(np.array([fit.variance]))[0]),
        }
        if question.at:
            answer["fitted"] = float(self._rounded(np.array([fit.coefficients @ np.array([1.0, *question.at])]))[0])
        if "covariance" in question.tells:
            answer["covariance"] = self._rounded(covariance)
        if "moments" in question.tells:
            answer["means"] = self._rounded(fit.means)
            answer["variances"] = self._rounded(fit.spreads)
        if "maximum" in question.tells:
            answer["maximum"] = int((first >= first.max() * (1 - 1e-12)).sum())
        if "zeros" in question.tells:
            answer["zeros"] = int((np.abs(fit.residuals) <= _ZERO * (np.ptp(fit.y) or 1.0)).sum())
        return answer

    def _saturated(
        self, question: ModelQuestion, column: MadeColumn, y: FloatArray, keep: BoolArray | None
    ) -> Mapping[str, Any]:
        """Fit a dummy for every combination that occurs: its coefficient is the mean of the combination. O(n log n)."""
        if len(question.regressors) > 1:
            raise AttackError("The remote access: 'classes' must be the only regressor.")
        parts = [self._column(name) if keep is None else self._column(name)[keep] for name in column.of]
        listed, place = _combinations(parts)
        counts = np.bincount(place).astype(np.float64)
        if self.limits.ones and counts.min() < self.limits.ones:
            return {"refused": "few_ones"}
        if self.limits.leverage < 1 and (1 / counts).max() > self.limits.leverage:
            return {"refused": "leverage"}
        means = np.bincount(place, y) / counts
        freedom = len(y) - len(counts)
        variance = float(((y - means[place]) ** 2).sum() / freedom) if freedom > 0 else float("nan")
        return {
            "coefficients": self._rounded(means),
            "errors": self._rounded(np.sqrt(variance / counts)),
            "n": len(y),
            "variance": float(self._rounded(np.array([variance]))[0]),
            "classes": listed,
        }

    def _rounded(self, numbers: FloatArray) -> FloatArray:
        """Keep as many significant figures as are printed."""
        if not self.limits.figures:
            return numbers
        with np.errstate(divide="ignore", invalid="ignore"):
            place = 10.0 ** (self.limits.figures - 1 - np.floor(np.log10(np.abs(numbers))))
            return np.where((numbers == 0) | ~np.isfinite(numbers), numbers, np.rint(numbers * place) / place)


@dataclass(frozen=True, eq=False)
class _RemoteFit:
    """Least squares with an intercept."""

    y: FloatArray
    x: FloatArray
    coefficients: FloatArray
    covariance: FloatArray
    variance: float
    means: FloatArray
    spreads: FloatArray
    leverage: float
    is_dependent: bool = False

    @property
    def n(self) -> int:
        return len(self.y)

    @property
    def residuals(self) -> FloatArray:
        return np.asarray(self.y - self.coefficients[0] - self.coefficients[1:] @ self.x)

    @classmethod
    def of_none(cls, y: FloatArray, x: FloatArray) -> _RemoteFit:
        """Return that columns depend on each other, so that there is no fit."""
        size = len(x) + 1
        return cls(y, x, np.zeros(size), np.zeros((size, size)), 0.0, x.mean(axis=1), x.var(axis=1), 1.0, True)

    @classmethod
    def of_dummy(cls, y: FloatArray, ones: BoolArray) -> _RemoteFit:
        """Fit a response by one dummy: its means where the dummy is 0 and where it is 1. O(n), and O(q) for q ones."""
        n, q = len(y), int(np.count_nonzero(ones))
        if not 0 < q < n:
            return cls.of_none(y, ones[None, :].astype(np.float64))
        inside = y[ones]
        level = (float(y.sum()) - float(inside.sum())) / (n - q)
        step = float(inside.mean()) - level
        square = _product(y - level, y - level) - q * step**2 if q > n // 2 else _product(y - level, y - level)
        if q <= n // 2:  # what the ones leave is added up apart, so that a single one leaves nothing
            square += _product(inside - level - step, inside - level - step) - _product(inside - level, inside - level)
        variance = max(square, 0.0) / (n - 2)
        at_zero = 1 / (n - q)
        shape = np.array([[at_zero, -at_zero], [-at_zero, at_zero + 1 / q]])
        share = q / n
        return cls(
            y,
            ones[None, :].astype(np.float64),
            np.array([level, step]),
            variance * shape,
            variance,
            np.array([share]),
            np.array([share - share**2]),
            max(1 / q, at_zero),
        )

    @classmethod
    def of(cls, y: FloatArray, x: FloatArray) -> _RemoteFit:
        """Fit a response by rows of regressors, over centred columns."""
        n, means = len(y), x.mean(axis=1)
        centred = x - means[:, None]
        spreads = (centred * centred).mean(axis=1)
        if len(x) == 1:
            inverse = np.array([[1 / (n * spreads[0])]]) if spreads[0] > 0 else None
        else:
            r = np.asarray(np.linalg.qr(centred.T, mode="r"))
            is_full = bool((np.abs(np.diag(r)) > 1e-10 * np.sqrt(n * spreads)).all())
            inverse = np.linalg.inv(r.T @ r) if is_full else None
        if inverse is None:
            return cls.of_none(y, x)
        level = float(y.mean())
        around = y - level
        slopes = inverse @ (centred * around).sum(axis=1)
        residuals = around - _combined(slopes, centred)
        slopes = slopes + inverse @ (centred * residuals).sum(axis=1)  # once more, for the last figures
        residuals = around - _combined(slopes, centred)
        variance = _product(residuals, residuals) / (n - len(x) - 1)
        back = np.zeros((len(x) + 1,) * 2)
        back[1:, 1:] = inverse
        back[0, 1:] = back[1:, 0] = -inverse @ means
        back[0, 0] = 1 / n + means @ inverse @ means
        if len(x) == 1:
            leverage = 1 / n + float(np.abs(centred).max()) ** 2 * float(inverse[0, 0])
        else:
            leverage = float((1 / n + (centred * (inverse @ centred)).sum(axis=0)).max())
        coefficients = np.concatenate([[level - slopes @ means], slopes])
        return cls(y, x, coefficients, variance * back, variance, means, spreads, leverage)


def _product(one: FloatArray, other: FloatArray) -> float:
    """Return the inner product; in one thread, because a question is small and there are many."""
    return float((one * other).sum())


def _combined(weights: FloatArray, rows: FloatArray) -> FloatArray:
    return np.asarray((weights[:, None] * rows).sum(axis=0) if len(rows) > 1 else weights[0] * rows[0])


def _few(column: MadeColumn, values: NDArray[Any], least: int) -> bool:
    """Whether a dummy has too few ones or zeros."""
    ones = int(values.sum()) if column.is_dummy else len(values)
    return column.is_dummy and min(ones, len(values) - ones) < least


def _combinations(parts: list[NDArray[Any]]) -> tuple[list[tuple[Any, ...]], IntArray]:
    """Return the combinations of classes that occur, and the number of each record's."""
    found = [np.unique(part, return_inverse=True) for part in parts]
    codes = np.stack([inverse.reshape(-1) for _, inverse in found], axis=1)
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    listed = [tuple(values[code] for (values, _), code in zip(found, row, strict=True)) for row in rows]
    return listed, place.reshape(-1).astype(np.int64)
