"""Top and bottom coding: values beyond a limit become one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, ParameterError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.masked_values import decimals_for, written
from tacita.mask.microaggregation.dominance import DOMINANCE, warn_of_dominance

__all__ = ["TopBottomCode", "code_beyond"]

Code = Literal["limit", "mean", "median"]


def code_beyond(x: FloatArray, *, low: float = -np.inf, high: float = np.inf, code: Code = "limit") -> FloatArray:
    """Give all values above ``high`` one value, and all below ``low`` another. O(n) time and memory.

    Examples
    --------
    >>> import numpy as np
    >>> code_beyond(np.array([1.0, 5.0, 8.0, 12.0]), high=6.0).tolist()
    [1.0, 5.0, 6.0, 6.0]
    >>> code_beyond(np.array([1.0, 5.0, 8.0, 12.0]), high=6.0, code="mean").tolist()
    [1.0, 5.0, 10.0, 10.0]
    """
    made = x.copy()
    for beyond, limit in ((x > high, high), (x < low, low)):
        if beyond.any():
            coded = x[beyond]
            made[beyond] = limit if code == "limit" else coded.mean() if code == "mean" else np.median(coded)
    return made


@dataclass(frozen=True, kw_only=True)
class TopBottomCode(Mask):
    """Replace all values above a limit, and all below another, by one value each.

    ``x' = code(values above the limit)`` for ``x > top`` and the same for ``x < bottom``; all others stay.

    Protects the largest and smallest values, which are the easiest to recognise. Does not protect anybody between the limits,
    nor a limit that only one record exceeds when its code is the mean or the median.

    Parameters
    ----------
    columns
        The numeric or ordinal columns to code.
    top
        Upper limit: a number, or a category of an ordinal column; without it ``top_p`` sets the limit.
    bottom
        Lower limit: a number, or a category of an ordinal column; without it ``bottom_p`` sets the limit.
    top_p
        Percentage of the records with a value that are top-coded at most; 0 codes none.
    bottom_p
        Percentage of the records with a value that are bottom-coded at most; 0 codes none.
    code
        What coded values become: the ``limit``, or the ``mean`` or ``median`` of the coded values.

    Returns
    -------
    Microdata
        With the chosen columns coded.

    Raises
    ------
    ParameterError
        When ``bottom`` is above ``top``.
    ColumnError
        When a column is not there, is nominal, or has no such category.

    Preserves
    ---------
    ranks: a larger value never becomes smaller than another. With ``code="mean"`` the mean of a numeric column stays as well.

    Complexity
    ----------
    O(n log n) time for limits by percentage, else O(n); O(n) memory.

    Notes
    -----
    The limit by percentage is the smallest value of the data that at most so many records exceed; ties with it are not coded.
    Ordinal columns are coded by the position of their categories, a mean or median between two of them to the lower. Means
    and medians get as many decimals as the column has; one that a single value makes up by more than 90 percent is warned
    of. Missing values stay missing. Weights do not enter.

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control; Domingo-Ferrer, J. (2007), Statistical
    databases, section "Methods for microdata" (top and bottom coding).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = TopBottomCode(columns=["age"], top=80).apply(data)
    >>> float(masked.float("age").max())
    80.0
    """

    name = "top_bottom_code"
    title = "Top and bottom coding"
    attacks = (Attack(measure="rank_order_linkage", knows="the order of the values in each column was kept"),)
    faces = ("distance_link", "key_match")
    traits = Traits(scales={"numeric", "ordinal"}, preserves=("ranks",))
    columns: Columns = Selector("numeric keys else ordinal keys")
    top: float | str | None = None
    bottom: float | str | None = None
    top_p: Annotated[float, Interval(0, 100)] = 5.0
    bottom_p: Annotated[float, Interval(0, 100)] = 0.0
    code: Code = "limit"

    def check(self) -> None:
        """Check that something lies between the limits."""
        numbers = [limit for limit in (self.bottom, self.top) if isinstance(limit, (int, float))]
        if len(numbers) == 2 and numbers[0] > numbers[1]:
            raise ParameterError("TopBottomCode: 'bottom' must not be above 'top'.")

    @property
    def keeps_at_most(self) -> float | None:
        """Any share but all: only values beyond the limits change."""
        return 1.0

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Code the chosen columns."""
        names = data.schema.resolve(self.columns, owner="TopBottomCode", scales=self.traits.scales)
        made: dict[str, FloatArray] = {}
        dominated: dict[str, tuple[int, int]] = {}
        for name in names:
            made[name], dominated[name] = self._coded(data, name)
        warn_of_dominance("TopBottomCode", dominated, DOMINANCE)
        return data.with_numbers(made)

    def _coded(self, data: Microdata, name: str) -> tuple[FloatArray, tuple[int, int]]:
        """Return the coded column, and how many of its codes tell a single value."""
        x = data.numbers(name)
        high = self._limit(data, name, self.top, x, self.top_p)
        low = -self._limit(data, name, self.bottom, -x, self.bottom_p, sign=-1)
        if low > high:
            raise ParameterError(f"TopBottomCode: the lower limit of column '{name}' is above its upper limit.")
        made = code_beyond(x, low=low, high=high, code=self.code)
        if data.schema[name].scale == "ordinal":
            return np.asarray(np.floor(made)), (0, 0)
        # A limit is written as it was given; a rounded code could fall between the others only if the limit had more decimals.
        if self.code != "limit":
            made = written(made, data, name, decimals_for("keep", x, data, name))
        return made, self._dominated(x, low, high)

    def _dominated(self, x: FloatArray, low: float, high: float) -> tuple[int, int]:
        """Return how many of the codes are means that one value makes up, and how many codes there are."""
        coded = [part for part in (x[x > high], x[x < low]) if part.size]
        alone = [part.size == 1 or (self.code == "mean" and _is_dominated(part)) for part in coded]
        return (sum(alone), len(coded)) if self.code != "limit" else (0, 0)

    def _limit(
        self, data: Microdata, name: str, given: float | str | None, x: FloatArray, p: float, sign: int = 1
    ) -> float:
        """Return the upper limit of ``sign`` times a column."""
        if given is None:
            return _limit_of(x, p)
        if data.schema[name].scale == "ordinal":
            places = {str(value): i for i, value in enumerate(data.codes(name).categories)}
            if str(given) not in places:
                raise ColumnError(f"TopBottomCode: ordinal column '{name}' has no category '{given}' to code at.")
            return float(sign * places[str(given)])
        if isinstance(given, str):
            raise ColumnError(f"TopBottomCode: the limit of numeric column '{name}' must be a number, got '{given}'.")
        return sign * float(given)


def _is_dominated(values: FloatArray) -> bool:
    sizes = np.abs(values)
    return bool(sizes.max() > DOMINANCE / 100 * sizes.sum())


def _limit_of(x: FloatArray, p: float) -> float:
    """Return the smallest value that at most p percent of the values exceed."""
    known = np.sort(x[~np.isnan(x)])
    if p == 0 or not len(known):
        return float(np.inf)
    above = int(np.floor(len(known) * p / 100 + 1e-9))
    return float(known[max(len(known) - 1 - above, 0)])
