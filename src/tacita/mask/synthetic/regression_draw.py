"""The one mechanism around every mask that draws numbers anew around their regression on given columns."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.parameters import Columns
from tacita.data.microdata import Microdata
from tacita.mask.given_columns import given_numbers
from tacita.mask.numeric_mask import Draw, NumericMask
from tacita.numeric.synthesis.ipso import LinearFit, given_design

__all__ = ["RegressionDraw"]


@dataclass(frozen=True, kw_only=True)
class RegressionDraw(NumericMask):
    """Base of masks that draw chosen numbers anew around their regression on other columns.

    Parameters
    ----------
    given
        The columns that the values are regressed on; they stay as they are. By default none, so that only means, variances and
        covariances of the chosen columns themselves are kept.

    Returns
    -------
    Microdata
        With the chosen columns drawn anew.

    Raises
    ------
    ColumnError
        When a column is masked and given at once, or a nominal column in ``given`` has more than 50 values.
    DataError
        When there are too few records for the columns, so that values would follow from the fit.

    Complexity
    ----------
    O(n q^2 + n p (p + q)) time for p masked and q given columns, a few arrays of the size of the data.
    """

    given: Columns = ()

    @abstractmethod
    def records_needed(self, rank: int, columns: int) -> int:
        """Return how many records a fit needs: a rank of the given columns, and so many that are drawn."""

    @abstractmethod
    def around(self, fit: LinearFit, y: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Return values drawn anew around a fit that has the records it needs."""

    def loosely(self, centre: FloatArray, y: FloatArray, noise: FloatArray) -> FloatArray:
        """Return values for few records around fitted ones, given noise like the residuals of the fit."""
        del y
        return centre + noise

    def keeps(self, claim: str) -> bool:
        """Whether a claim holds with these parameters: nothing exact survives rounding."""
        return super().keeps(claim) and self.decimals == "any" and not self.keep_zeros

    def conditioning(self, data: Microdata, masked: tuple[str, ...]) -> FloatArray | None:
        """Return the given columns as numbers."""
        return given_numbers(data, self.given, masked, owner=type(self).__name__)

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Draw anew, block by block of records that have the same values."""
        if not len(x) or draw.given is None:
            return x
        masked, design = x.copy(), given_design(draw.given)
        patterns, block = np.unique(active, axis=0, return_inverse=True)
        rng = draw.joint(names)
        for number, pattern in enumerate(patterns):
            there = np.flatnonzero(pattern)
            if not there.size:
                continue
            rows = np.flatnonzero(block.ravel() == number)
            cells = np.ix_(rows, there)
            fit = LinearFit(design[rows], x[cells])
            if len(rows) >= self.records_needed(fit.rank, len(there)):
                masked[cells] = self.around(fit, x[cells], rng)
            else:
                masked[cells] = self._borrowed(x, active, design, rows, there, rng)
        return masked

    def _borrowed(
        self,
        x: FloatArray,
        active: BoolArray,
        design: FloatArray,
        rows: IntArray,
        there: IntArray,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Draw for few records around the fit of all that have the same columns."""
        every = np.flatnonzero(active[:, there].all(axis=1))
        fit = LinearFit(design[every], x[np.ix_(every, there)])
        needed = self.records_needed(fit.rank, len(there))
        if len(every) < needed:
            raise DataError(
                f"{type(self).__name__}: {len(every)} records are too few for {len(there)} columns given "
                f"{design.shape[1] - 1} others, whose values would follow from the fit; at least {needed} are needed. Take "
                "fewer columns, or larger strata."
            )
        noise = rng.standard_normal((len(rows), len(there))) @ (fit.root.T / np.sqrt(len(every)))
        centre = (fit.basis @ fit.inside)[np.searchsorted(every, rows)]
        return np.asarray(self.loosely(centre, x[np.ix_(rows, there)], noise))
