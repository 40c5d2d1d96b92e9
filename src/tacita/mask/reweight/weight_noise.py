"""Weight noise: weights are multiplied by random factors and then calibrated, so that chosen totals stay."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.errors import ParameterError, TacitaWarning
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.reweight.calibrating import EXACT, CalibratingMask, weight_column
from tacita.mask.reweight.weight_units import weight_units

__all__ = ["WeightNoise", "noise_factors"]


def noise_factors(n: int, *, variation: float, rng: np.random.Generator) -> FloatArray:
    """Draw log-normal factors with mean 1 and a coefficient of variation. O(n) time and memory."""
    spread = np.sqrt(np.log1p(variation**2))
    return np.asarray(np.exp(spread * rng.standard_normal(n) - spread**2 / 2))


@dataclass(frozen=True, kw_only=True)
class WeightNoise(CalibratingMask):
    """Multiply the weights by random factors and calibrate them, so that chosen totals stay.

    ``w' = w f g`` with a log-normal factor f of mean 1 and coefficient of variation ``variation``, the same for all members
    of a household with equal weights, and a factor g from calibration that brings the weighted totals back.

    Protects against linking two releases of one file, or a release and a sampling frame, by equal weights. Does not
    protect against linking by nearness: a weight that stands far apart from all others stays recognisable, and a record
    alone in a cell of a kept margin gets its weight back, because the total of the cell is its weight.

    Parameters
    ----------
    variation
        Standard deviation of the factor, relative to its mean of 1.

    Raises
    ------
    ParameterError
        When ``initial`` is not ``design`` or ``rescaled``: other start weights would drop the noise.
    DataError
        When the data have no weight, weights are negative or missing, or the totals cannot be met within the bounds.

    Warns
    -----
    TacitaWarning
        When records come out with the weight they had.

    Preserves
    ---------
    Every value except the weight, weights of 0, and the chosen totals (by default the sum of the weights) to 1e-9.

    Complexity
    ----------
    O(n) for the noise and that of calibration; see ``calibrate``.

    Notes
    -----
    ``margins=[["region"]]`` keeps the population of each region. Where ``unit`` is not given, the household counts if
    all its members have equal weights. Estimates get more variable: the factor raises the relative variance of a weighted
    total by about ``variation`` squared over n.

    References
    ----------
    Deville, J.-C. and Särndal, C.-E. (1992), Calibration estimators in survey sampling, for the calibration; the noise is
    that of multiplicative masking, Kim, J. J. and Winkler, W. E. (2003), Multiplicative noise for masking continuous data.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(400, seed=1)
    >>> masked = WeightNoise(variation=0.1, margins=[["region"]]).apply(data, seed=7)
    >>> bool(abs(masked.weights().sum() / data.weights().sum() - 1) < 1e-9)
    True
    """

    name = "weight_noise"
    title = "Noise on weights"
    attacks = (Attack(measure="dld", knows="the weights of another release of the same file"),)
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, reweights=True)
    variation: Annotated[float, Interval(0)] = 0.1

    def check(self) -> None:
        """Check that calibration starts from the disturbed weights."""
        super().check()
        if self.initial not in ("design", "rescaled"):
            raise ParameterError(
                f"WeightNoise: 'initial' must be 'design' or 'rescaled', got '{self.initial}'; other start weights would "
                "drop the noise."
            )

    def attacked_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the weights: another release of the file may have them as they were."""
        return (weight_column(data, "WeightNoise"),)

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Disturb the weights and calibrate them."""
        weight_column(data, "WeightNoise")
        before = data.weights()
        if not before.any():
            return data
        units, shared = weight_units(data, self.unit)
        factors = noise_factors(int(units.max()) + 1, variation=self.variation, rng=streams.stream(self.name))
        whole = shared is not None and not data.is_missing(shared).any()
        calibrating = replace(self, unit=shared) if whole else self
        targets = self.wanted(data, before)
        masked = calibrating.reweighted(data, targets, design=before * factors[units], size=float(before.sum()))
        self._say_what_stayed(before, masked.weights())
        return masked

    def _say_what_stayed(self, before: FloatArray, after: FloatArray) -> None:
        there = before > 0
        same = int((np.abs(after[there] / before[there] - 1) <= EXACT).sum())
        if same and self.variation > 0 and self.asks_for_totals:
            warnings.warn(
                f"WeightNoise: {same} record(s) have the weight that they had, because they are alone in a cell of a kept "
                "margin; take coarser margins.",
                TacitaWarning,
                stacklevel=4,
            )
