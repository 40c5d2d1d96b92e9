"""Noise on the confidential column itself, fixed for every record by a key: whatever is asked, the same false values answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray
from tacita.core.constraints import Interval
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.query.noise.output_noise import normal_deviates
from tacita.query.noise.set_numbers import keyed_uniforms

__all__ = ["AddedInput", "InputNoise", "MultipliedInput"]

WordsOfRecords = npt.NDArray[np.uint64]


@dataclass(frozen=True, kw_only=True)
class InputNoise(Parameterised, ABC):
    """Noise on a column of a data version, before anything is computed from it.

    The number of a record is keyed by its id, by the variable and by the value itself, never by the query: all answers are
    made from one false column, so they agree with each other and no repetition averages them. A record whose value did not
    change keeps its noise in the next data version; one whose value changed gets other noise, so that the difference of two
    versions is not exact. Other parameters give other noise: the same numbers at two sizes would give the values back.
    """

    name: ClassVar[str] = ""

    def apply(
        self, values: FloatArray, ids: WordsOfRecords, *, key: Key, variable: str, units: WordsOfRecords | None = None
    ) -> FloatArray:
        """Return the column with noise; missing values stay missing.

        Parameters
        ----------
        values
            (n,): the confidential column.
        ids
            (n,): what identifies each record, the same in every data version.
        key
            The secret key of the noise.
        variable
            The name of the column; each column has noise of its own.
        units
            (n,): what identifies the unit of each record, such as its firm, where all records of a unit must move the same way.

        Raises
        ------
        DataError
            When values are infinite.
        ParameterError
            When lengths differ.
        """
        if ids.shape != values.shape or (units is not None and units.shape != values.shape):
            raise ParameterError(f"{type(self).__name__}: there must be an id for each of {len(values)} values.")
        if np.isinf(values).any():
            raise DataError(f"{type(self).__name__}: values must be finite or missing.")
        own = key.derive("input noise", self.name, repr(sorted(self.to_plain().items())), variable)
        # -0.0 and 0.0 are one value and must have one noise.
        words = np.stack([ids.astype(np.uint64), (values + 0.0).astype(np.float64).view(np.uint64)], axis=1)
        side = keyed_uniforms(own.derive("direction"), words[:, 0] if units is None else units)
        return self._moved(values, keyed_uniforms(own, words), np.where(side < 0.5, -1.0, 1.0))

    @abstractmethod
    def _moved(self, values: FloatArray, uniforms: FloatArray, directions: FloatArray) -> FloatArray:
        """Return the values moved by their numbers in [0, 1) and their directions."""


@dataclass(frozen=True, kw_only=True)
class AddedInput(InputNoise):
    """Add normal noise: the value x becomes ``x + sd z``.

    Protects against exact disclosure by whatever queries. Does not protect outliers: noise of one size is small for a large
    value.

    Parameters
    ----------
    sd
        Standard deviation of the noise in units of the column, chosen once: a share of the first version's standard
        deviation, say.

    Notes
    -----
    Means stay right on average, variances grow by sd^2. The sign is part of the normal number; ``units`` makes it the same
    for all records of a unit. A size taken anew from every version would scale one number by two sizes, and two answers
    would give the value back. Complexity: O(n).

    References
    ----------
    Adam, N. R. and Wortmann, J. C. (1989), Security-control methods for statistical databases, ACM Computing Surveys 21,
    515-556, section on data perturbation.

    Examples
    --------
    >>> ids, key = np.arange(3, dtype=np.uint64), Key(b"0123456789abcdef")
    >>> bool((AddedInput(sd=0.1).apply(np.array([1.0, 2.0, 3.0]), ids, key=key, variable="income") != [1, 2, 3]).all())
    True
    """

    name: ClassVar[str] = "added"
    sd: Annotated[float, Interval(0, closed="neither")]

    def _moved(self, values: FloatArray, uniforms: FloatArray, directions: FloatArray) -> FloatArray:
        return values + self.sd * directions * np.abs(normal_deviates(uniforms))


@dataclass(frozen=True, kw_only=True)
class MultipliedInput(InputNoise):
    """Multiply each value by 1 - f or 1 + f, with f from a falling triangle between ``least`` and ``most``.

    With u in [0, 1) ``f = least + (most - least) (1 - sqrt(1 - u))``: values near ``least`` are most frequent, none is below
    it, so every value is off by at least that share.

    Protects every non-zero value in proportion to its size, large ones too. Does not protect zeros, which stay zero.

    Parameters
    ----------
    least, most
        Smallest and largest share by which a value moves, 0 < least < most < 1.

    Notes
    -----
    The direction is drawn for the record, or for its unit: all establishments of a firm move the same way, so that the
    firm's total is protected as well. Means stay right on average. Complexity: O(n).

    References
    ----------
    Evans, T., Zayatz, L. and Slanta, J. (1998), Using noise for disclosure limitation of establishment tabular data, Journal
    of Official Statistics 14, 537-551.

    Examples
    --------
    >>> ids, key = np.arange(2, dtype=np.uint64), Key(b"0123456789abcdef")
    >>> moved = MultipliedInput(least=0.1, most=0.2).apply(np.array([100.0, 0.0]), ids, key=key, variable="turnover")
    >>> bool(10 <= abs(moved[0] - 100) <= 20), moved[1] == 0
    (True, np.True_)
    """

    name: ClassVar[str] = "multiplied"
    least: Annotated[float, Interval(0, 1, "neither")] = 0.05
    most: Annotated[float, Interval(0, 1, "neither")] = 0.15

    def check(self) -> None:
        """Compare the two ends."""
        if self.least >= self.most:
            raise ParameterError(
                f"MultipliedInput: 'least' must be below 'most', got least={self.least:g} and most={self.most:g}."
            )

    def _moved(self, values: FloatArray, uniforms: FloatArray, directions: FloatArray) -> FloatArray:
        share = self.least + (self.most - self.least) * (1 - np.sqrt(1 - uniforms))
        return values * (1 + directions * share)
