"""Outputs: what a researcher wants to take out, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from tacita.compare.output_check.universe import check_universe
from tacita.core.errors import ParameterError, did_you_mean

__all__ = ["AMOUNTS", "COUNTS", "KINDS", "SHAPES", "STATISTICS", "Output"]

KINDS = {
    "crosstab": "a table of counts, percentages or figures of a column, by rows and columns",
    "quantiles": "percentiles of a column, by rows and columns",
    "histogram": "counts of a column in bins, by rows",
    "boxplot": "quartiles and whiskers of a column, by rows",
    "survival": "a survival curve or life table, by rows",
    "regression": "a linear, logit, probit or other regression",
    "correlation": "correlations of columns",
    "test": "a test statistic",
    "points": "a scatter plot, residuals, or any other list of single records",
}
"""Kinds of output, by their names."""

COUNTS = ("count", "percent", "percent_rows", "percent_columns")
AMOUNTS = ("sum", "mean", "ratio", "hhi")
POSITIONS = ("median", "mode", "min", "max")
SHAPES = ("std", "variance", "gini")
STATISTICS = (*COUNTS, *AMOUNTS, *POSITIONS, *SHAPES)
"""What the cells of a crosstab can be. Dominance is looked for in those of ``AMOUNTS``."""

_NEEDS = {
    "quantiles": ("values", "probabilities"),
    "histogram": ("values", "bins"),
    "boxplot": ("values",),
    "survival": ("time", "event"),
    "points": (),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Output:
    """An output that is to leave: a table, a curve, a model, and how it was made of the data.

    Parameters
    ----------
    kind
        ``crosstab``, ``quantiles``, ``histogram``, ``boxplot``, ``survival``, ``regression``, ``correlation``, ``test`` or
        ``points`` (single records).
    name
        How reasons, exceptions and the ledger call it.
    rows, columns
        The columns of the data that classify.
    values
        The column that figures are about.
    statistic
        For a crosstab one or several of ``count``, ``percent`` (of all), ``percent_rows``, ``percent_columns``, ``sum``,
        ``mean``, ``ratio`` (of sums, with ``denominator``), ``hhi``, ``median``, ``mode``, ``min``, ``max``, ``std``,
        ``variance``, ``gini``.
    denominator
        For ratios the column below the line.
    universe
        The records that it is about: conditions by column, or a truth value for each record; None for all.
    margins
        Whether totals of rows and columns are shown.
    keep_missing
        Whether a missing value of a classifying column is a category of its own; otherwise its record is left out.
    weight
        The column of weights that the shown figures use; checks count contributors, unweighted.
    probabilities
        For quantiles: between 0 and 1.
    bins
        For histograms: the edges, smallest first; bins have their left edge, the last one both.
    outliers
        For box plots: whether points beyond the whiskers are drawn.
    time, event
        For survival curves: the column of times, and the one that is not 0 where the event happened.
    times
        For survival curves the times that are shown; without it, every time of an event.
    dependent, variables
        For regressions the dependent column and the others; for correlations and tests ``variables`` only.
    records, parameters, degrees_of_freedom, fit
        What is known of a model or test that is not recomputed: its number of records, of parameters, its residual degrees of
        freedom, and the explained share of variance in percent.
    rounding
        Base that shown figures are rounded to; 0 where they are not.
    shown
        The figures themselves: a frame with labels, or None.
    note
        What the researcher wants to say, such as why a small cell is harmless; it is shown and never decides.

    Examples
    --------
    >>> Output(kind="crosstab", rows=["region"], columns=["sex"], values="income", statistic="mean").title
    'mean of income by region and sex'
    """

    kind: str = "crosstab"
    name: str = ""
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    values: str | None = None
    statistic: str | Sequence[str] = "count"
    denominator: str | None = None
    universe: Any = field(default=None, repr=False)
    margins: bool = False
    keep_missing: bool = False
    weight: str | None = None
    probabilities: Sequence[float] = ()
    bins: Sequence[float] = field(default=(), repr=False)
    outliers: bool = True
    time: str | None = None
    event: str | None = None
    times: Sequence[float] | None = field(default=None, repr=False)
    dependent: str | None = None
    variables: Sequence[str] = ()
    records: int | None = None
    parameters: int | None = None
    degrees_of_freedom: float | None = None
    fit: float | None = None
    rounding: float = 0.0
    shown: Any = field(default=None, repr=False)
    note: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ParameterError(
                f"Output: 'kind' must be one of {', '.join(KINDS)}, got '{self.kind}'.{did_you_mean(str(self.kind), KINDS)}"
            )
        for word in ("rows", "columns", "variables", "statistic"):
            object.__setattr__(self, word, _names(getattr(self, word), word))
        for word in ("probabilities", "bins", "times"):
            object.__setattr__(self, word, _numbers(getattr(self, word), word))
        self._check_words()
        self._check_kind()
        check_universe(self.universe, self.owner)

    def _check_words(self) -> None:
        for word in ("name", "values", "denominator", "weight", "time", "event", "dependent", "note"):
            value = getattr(self, word)
            if value is not None and not isinstance(value, str):
                raise ParameterError(f"Output: '{word}' must be text, got {type(value).__name__}.")
        for word in ("name", "note"):
            if not getattr(self, word).isprintable():
                raise ParameterError(f"Output: '{word}' must be one line of text without control characters.")
        for word, lowest in (
            ("records", 0),
            ("parameters", 0),
            ("degrees_of_freedom", None),
            ("fit", 0),
            ("rounding", 0),
        ):
            value = getattr(self, word)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
                raise ParameterError(f"Output: '{word}' must be a number, got {type(value).__name__}.")
            if lowest is not None and value < lowest:
                raise ParameterError(f"Output: '{word}' must be at least {lowest}, got {value:g}.")
        used = (*self.rows, *self.columns)
        if len(set(used)) < len(used):
            raise ParameterError(f"{self.owner}: a column classifies twice.")

    def _check_kind(self) -> None:
        for word in _NEEDS.get(self.kind, ()):
            if not getattr(self, word):
                raise ParameterError(f"{self.owner}: kind '{self.kind}' needs '{word}'.")
        if self.kind == "crosstab":
            for one in self.statistic:
                if one not in STATISTICS:
                    raise ParameterError(
                        f"{self.owner}: 'statistic' must be among {', '.join(STATISTICS)}, got '{one}'."
                        f"{did_you_mean(one, STATISTICS)}"
                    )
            if self.values is None and any(one not in COUNTS for one in self.statistic):
                raise ParameterError(f"{self.owner}: the statistic needs 'values', the column that it is about.")
            if "ratio" in self.statistic and self.denominator is None:
                raise ParameterError(f"{self.owner}: a ratio needs 'denominator'.")
        if any(not 0 <= one <= 1 for one in self.probabilities):
            raise ParameterError(
                f"{self.owner}: 'probabilities' must be between 0 and 1 (0.9 for the 90th percentile)."
            )
        if self.kind == "histogram" and (len(self.bins) < 2 or np.any(np.diff(self.bins) <= 0)):
            raise ParameterError(f"{self.owner}: 'bins' must be two edges or more, each above the one before.")
        if self.kind == "correlation" and len(self.variables) < 2 and self.records is None:
            raise ParameterError(f"{self.owner}: a correlation needs two or more 'variables', or 'records'.")

    @property
    def owner(self) -> str:
        """Who speaks in errors."""
        return f"Output '{self.name}'" if self.name else "Output"

    @property
    def by(self) -> tuple[str, ...]:
        """All columns that classify."""
        return (*self.rows, *self.columns)

    @property
    def title(self) -> str:
        """The output in words."""
        by = f" by {' and '.join(self.by)}" if self.by else ""
        if self.kind == "crosstab":
            what = ", ".join(one.replace("_", " of ") for one in self.statistic)
            return f"{what}{f' of {self.values}' if self.values else ''}{by}"
        about = self.values or self.dependent or self.time or " and ".join(self.variables)
        return f"{self.kind}{f' of {about}' if about else ''}{by}"

    def to_plain(self) -> dict[str, Any]:
        """Return what differs from the defaults, ready for JSON and TOML; neither the figures nor single records."""
        found: dict[str, Any] = {"kind": self.kind}
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in ("kind", "shown") or value is None or _is_default(value, one.default):
                continue
            if one.name == "universe" and not isinstance(value, Mapping):
                continue
            found[one.name] = list(value) if isinstance(value, tuple) else value
        return found

    @classmethod
    def from_plain(cls, values: Mapping[str, Any], *, shown: Any = None) -> Output:
        """Build an output from a table of a file; unknown names are errors."""
        names = [one.name for one in fields(cls) if one.name != "shown"]
        for given in values:
            if given not in names:
                raise ParameterError(f"Output: there is no setting '{given}'.{did_you_mean(str(given), names)}")
        return cls(**values, shown=shown)


def _is_default(value: Any, default: Any) -> bool:
    if isinstance(value, (Mapping, np.ndarray)):
        return False
    return value == () or (isinstance(value, type(default)) and bool(value == default))


def _names(value: object, word: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Sequence) else None
    if names is None or any(not isinstance(name, str) for name in names):
        raise ParameterError(f"Output: '{word}' must be a name or a list of names.")
    return names


def _numbers(value: Any, word: str) -> tuple[float, ...] | None:
    if value is None:
        return None
    try:
        numbers = tuple(float(one) for one in value)
    except (TypeError, ValueError):
        raise ParameterError(f"Output: '{word}' must be a list of numbers.") from None
    if not all(np.isfinite(numbers)):
        raise ParameterError(f"Output: '{word}' must be finite numbers.")
    return numbers
