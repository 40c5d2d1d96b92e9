"""Questions to a remote access that fits linear models with columns of the user's own making, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tacita.core.errors import AttackError

__all__ = [
    "ColumnKind",
    "FitModel",
    "MadeColumn",
    "ModelQuestion",
    "all_of",
    "any_class",
    "beyond",
    "either_of",
    "equal_to",
    "far_out",
    "variable",
    "within_amount",
    "within_ratio",
]

ColumnKind = Literal[
    "variable", "square", "equal", "within", "ratio", "above", "below", "outlier", "all", "either", "classes"
]


@dataclass(frozen=True)
class MadeColumn:
    """A column that a user makes of variables.

    Parameters
    ----------
    kind
        ``variable`` and ``square``: a number as it is, or squared; ``equal``: 1 where x = value, else 0, (2); ``within``: 1 where
        x - width < value < x + width, (3); ``ratio``: 1 where (1 - width) x < value < (1 + width) x; ``above`` and ``below``: 1
        where x > value, and where x < value; ``outlier``: 1 / (distance + width), (1); ``all`` and ``either``: 1 where all parts
        are 1, (4), and where one of them is; ``classes``: a dummy for every combination of classes that occurs.
    of
        Names of variables.
    value
        What is known of the victim.
    width
        How far around it, or epsilon of an outlier.
    parts
        The columns of ``all`` and ``either``; of an outlier the further distances: 0 where such a column is 1, else 1.
    """

    kind: ColumnKind
    of: tuple[str, ...] = ()
    value: float | str = 0.0
    width: float = 0.0
    parts: tuple[MadeColumn, ...] = ()

    @property
    def is_dummy(self) -> bool:
        """Whether it is 0 or 1 only."""
        return self.kind in ("equal", "within", "ratio", "above", "below", "all", "either")


@dataclass(frozen=True)
class ModelQuestion:
    """A linear regression with an intercept.

    Parameters
    ----------
    response
        The variable to be explained.
    regressors
        Its columns. With one of kind ``classes`` there is no intercept, for its dummies add up to one.
    at
        A row of the regressors at which the fitted value is wanted; none where it is empty.
    without
        Leave out the records for which this column is 1; nobody where it is None.
    tells
        What is wanted beside coefficients, standard errors, n and residual variance: ``moments`` (mean and variance of each
        regressor), ``covariance`` (of the coefficients), ``maximum`` (how many records have the largest value of the first
        regressor), ``zeros`` (how many residuals are zero).
    """

    response: str
    regressors: tuple[MadeColumn, ...]
    at: tuple[float, ...] = ()
    without: MadeColumn | None = None
    tells: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.regressors:
            raise AttackError("A model question: there must be one regressor at least.")
        if self.at and len(self.at) != len(self.regressors):
            raise AttackError("A model question: 'at' must have one number for each regressor.")


FitModel: TypeAlias = Callable[[ModelQuestion], Mapping[str, Any]]
"""Remote access as a user sees it. An answer has ``coefficients`` and ``errors`` (the intercept first), ``n``, ``variance`` (of
the residuals), ``fitted`` and what else was wanted; for ``classes`` also ``classes``, the combinations. A refusal has
``refused``."""


def variable(name: str) -> MadeColumn:
    """Return a number as it is."""
    return MadeColumn("variable", (name,))


def equal_to(name: str, value: float | str) -> MadeColumn:
    """Return the strategic dummy (2): 1 where the variable has exactly that value."""
    return MadeColumn("equal", (name,), value)


def within_amount(name: str, value: float, width: float) -> MadeColumn:
    """Return the strategic dummy (3): 1 where the variable is nearer to the value than ``width``."""
    return MadeColumn("within", (name,), value, width)


def within_ratio(name: str, value: float, width: float) -> MadeColumn:
    """Return the multiplicative form of (3): 1 where the value is within the share ``width`` of the variable."""
    return MadeColumn("ratio", (name,), value, width)


def beyond(name: str, value: float, *, is_above: bool) -> MadeColumn:
    """Return a dummy for everybody above a value, or below it."""
    return MadeColumn("above" if is_above else "below", (name,), value)


def far_out(name: str, value: float, eps: float, *others: MadeColumn) -> MadeColumn:
    """Return the artificial outlier (1): 1 / (|x - value| + eps), where each of some dummies that is 0 adds 1 to the distance."""
    return MadeColumn("outlier", (name,), value, eps, others)


def all_of(*dummies: MadeColumn) -> MadeColumn:
    """Return the dummy (4): 1 where all of some dummies are 1.

    Examples
    --------
    >>> all_of(equal_to("state", "N"), within_ratio("size", 40.0, 0.025)).is_dummy
    True
    """
    return dummies[0] if len(dummies) == 1 else MadeColumn("all", parts=dummies)


def either_of(*dummies: MadeColumn) -> MadeColumn:
    """Return a dummy that is 1 where one of some dummies is 1."""
    return MadeColumn("either", parts=dummies)


def any_class(*names: str) -> MadeColumn:
    """Return a dummy for every combination of classes: the saturated model."""
    return MadeColumn("classes", names)
