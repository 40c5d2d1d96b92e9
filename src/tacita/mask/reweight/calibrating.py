"""The one mechanism around every mask that gives records new weights so that chosen totals are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import ColumnName, Columns
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.reweight.clashes import find_clash
from tacita.mask.reweight.margins import AuxiliaryMatrix, Target, contributions, described, margin_targets
from tacita.numeric.statistics.calibration import Calibrated, Distance, calibrate, deviations

__all__ = ["CalibratingMask", "weight_column"]


EXACT = 1e-9
"""Largest relative deviation of a kept total."""
_BOUNDED = ("logit", "truncated")


@dataclass(frozen=True, kw_only=True)
class CalibratingMask(Mask):
    """Base of masks that calibrate weights.

    Parameters
    ----------
    margins
        Cross-classified margins to keep, each a list of columns: ``[["sex", "age"], ["region"]]``. Where neither
        margins nor totals are given, the sum of the weights is kept.
    totals
        Numeric columns whose weighted sums are kept; a missing value adds nothing to its sum.
    distance
        How the distance from the start weights is measured: ``linear``, ``raking`` (weights stay above 0), ``logit`` or
        ``truncated`` (weights stay within bounds).
    bounds
        For ``logit`` and ``truncated``: the smallest and the largest factor by which a start weight may change.
    initial
        The start weights: ``design`` for the weights of the file, ``rescaled`` for these times a common factor that gives
        them the right sum, ``equal`` for the same weight for all, or the name of a column.
    q
        Scale factors: ``equal`` for 1, ``inverse`` for 1 / start weight (then ``linear`` shifts all weights of a cell by
        the same amount), or the name of a column. A record with a larger factor may change more.
    unit
        The household column: all members of a household get the same weight.

    Returns
    -------
    Microdata
        With other weights.
    """

    margins: tuple[tuple[str, ...], ...] = ()
    totals: Columns = ()
    distance: Distance = "raking"
    bounds: tuple[float, float] | None = None
    initial: str = "design"
    q: str = "equal"
    unit: ColumnName | None = None

    def check(self) -> None:
        """Check that bounds are there where they have a meaning."""
        super().check()
        owner = type(self).__name__
        if (self.bounds is not None) != (self.distance in _BOUNDED):
            raise ParameterError(
                f"{owner}: 'bounds' must be given for the distances 'logit' and 'truncated', and for these only, "
                f"got {'none' if self.bounds is None else 'some'} with '{self.distance}'."
            )
        if self.bounds is not None:
            low, high = self.bounds
            if not 0 <= low < high or (self.distance == "logit" and not low < 1 < high):
                raise ParameterError(
                    f"{owner}: 'bounds' must be two numbers, 0 <= L < U, and for 'logit' L < 1 < U, got {low} and {high}."
                )

    # --- totals ------------------------------------------------------------------------------------------------------

    def wanted(self, data: Microdata, weights: FloatArray) -> tuple[Target, ...]:
        """Return the chosen totals of a file."""
        margins = self.margins if self.margins or self.totals != () else ((),)
        return margin_targets(data, margins, self.totals, weights=weights, owner=type(self).__name__)

    @property
    def asks_for_totals(self) -> bool:
        """Whether margins or totals were named."""
        return bool(self.margins) or self.totals != ()

    # --- weights -----------------------------------------------------------------------------------------------------

    def reweighted(
        self, data: Microdata, targets: Sequence[Target], *, design: FloatArray, size: float | None
    ) -> Microdata:
        """Return the data with calibrated weights.

        Parameters
        ----------
        data
            The records that get new weights.
        targets
            The totals.
        design
            Their weights so far.
        size
            What the weights should add up to, for ``rescaled`` and ``equal``; None where that is not known.
        """
        owner = type(self).__name__
        name = weight_column(data, owner)
        start = self._start(data, design, size)
        found = contributions(
            data, targets, start, owner=owner, apart=self.q != "equal", unit=self._unit(data) if self.unit else None
        )
        weights = self._solve(data, found, start)
        return data.with_column(name, pa.array(weights))

    def _start(self, data: Microdata, design: FloatArray, size: float | None) -> FloatArray:
        """Return the start weights."""
        owner = type(self).__name__
        if self.initial == "design":
            return design
        if self.initial not in ("rescaled", "equal"):
            return _positive(data, self.initial, owner, "initial")
        base = design if self.initial == "rescaled" else np.ones(len(data))
        if size is None:
            raise ParameterError(
                f"{owner}: 'initial' must be 'design' or a column here, got '{self.initial}': no margin says what the "
                "weights should add up to."
            )
        if not base.sum() > 0:
            raise DataError(f"{owner}: all weights are 0, so there is nothing to calibrate.")
        return np.asarray(base * (size / base.sum()))

    def _unit(self, data: Microdata) -> str:
        unit = str(self.unit)
        alone = int(data.is_missing(unit).sum())
        if alone:
            raise DataError(
                f"{type(self).__name__}: the unit '{unit}' is missing in {alone} records; give each its own number."
            )
        return unit

    def _factors(self, data: Microdata, start: FloatArray) -> FloatArray | None:
        if self.q == "equal":
            return None
        if self.q == "inverse":
            return np.asarray(1 / np.where(start > 0, start, 1.0))
        given = _positive(data, self.q, type(self).__name__, "q")
        if not (given > 0).all():
            raise DataError(
                f"{type(self).__name__}: the scale factors '{self.q}' must be above 0, got some that are not."
            )
        return given

    def _solve(self, data: Microdata, found: AuxiliaryMatrix, start: FloatArray) -> FloatArray:
        """Return the calibrated weight of each record."""
        rows, q = found.x.shape[0], self._factors(data, start)
        together: FloatArray = np.asarray(np.bincount(found.row, weights=start, minlength=rows), dtype=np.float64)
        if self.unit is not None:  # a household's weight is that of its members
            size = np.bincount(found.row, minlength=rows)
            together = together / size
            q = None if q is None else np.bincount(found.row, weights=q, minlength=rows) / size
        if self.distance != "linear":
            self._refuse_clash(found, together)
        done = calibrate(found.x, found.totals, together, q=q, distance=self.distance, bounds=self.bounds)
        if done.worst > EXACT:
            if self.distance == "linear":
                self._refuse_clash(found, together)
            raise self._missed(found, together, done)
        factors = done.factors[found.row]
        weights = start * factors if self.unit is None else together[found.row] * factors
        negative = int((weights < 0).sum())
        if negative:
            raise DataError(
                f"{type(self).__name__}: the linear distance gives {negative} record(s) a weight below 0; "
                "take distance='raking', or 'truncated' with bounds."
            )
        return np.asarray(weights)

    # --- what went wrong -----------------------------------------------------------------------------------------------

    def _refuse_clash(self, found: AuxiliaryMatrix, start: FloatArray) -> None:
        """Say before iterating which totals cannot be met together."""
        limits = {"linear": (-np.inf, np.inf), "raking": (0.0, np.inf)}.get(self.distance, self.bounds)
        clash = find_clash(found.x, found.totals, start, limits or (0.0, np.inf))
        if clash is None:
            return
        involved = [found.targets[j] for j in clash.totals]
        within = {
            "linear": "any weights",
            "raking": "weights of 0 or more",
        }.get(self.distance, f"factors within {list(self.bounds or ())} of the start weights")
        if clash.bounds is not None:
            advice = (
                f"bounds of [{clash.bounds[0]:.4g}, {clash.bounds[1]:.4g}] would do, or leave out one of these margins."
            )
        else:
            advice = "leave out or coarsen one of these margins, or correct the totals."
        raise DataError(
            f"{type(self).__name__}: the margins cannot be met by {within}; these clash: {described(involved)}. "
            f"What to do: {advice}",
            details={"cells": [(target.columns, target.labels) for target in involved], "bounds": clash.bounds},
        )

    def _missed(self, found: AuxiliaryMatrix, start: FloatArray, done: Calibrated) -> DataError:
        off = deviations(found.x, found.totals, start * done.factors, start)
        missed = [target for target, share in zip(found.targets, off.tolist(), strict=True) if share > EXACT]
        return DataError(
            f"{type(self).__name__}: after {done.steps} steps the margins {described(missed)} are not met to {EXACT:g}. "
            "They contradict each other a little, or only weights at the very limit would meet them; "
            "widen the bounds, coarsen a margin, or correct the totals.",
            details={"cells": [(target.columns, target.labels) for target in missed]},
        )


def weight_column(data: Microdata, owner: str) -> str:
    """Return the name of the weight column, or say that one is needed."""
    name = data.schema.weight
    if name is None:
        raise DataError(
            f"{owner}: the data must have a weight column to calibrate; give one the role 'weight' "
            "(a column of ones will do)."
        )
    return name


def _positive(data: Microdata, name: str, owner: str, parameter: str) -> FloatArray:
    """Return a column of numbers that must all be there and be 0 or more."""
    values = data.float(data.schema.resolve((name,), owner=owner, scales={"numeric"}, parameter=parameter)[0])
    bad = int((~(values >= 0)).sum())
    if bad:
        raise DataError(
            f"{owner}: '{parameter}' must be 0 or more, but '{name}' is negative or missing in {bad} records."
        )
    return values
