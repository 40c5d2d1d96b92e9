"""Subsampling and calibration: risky records are left out, the weights of the others make up for them."""

from __future__ import annotations

from dataclasses import dataclass

from tacita.core.attacks import Attack
from tacita.core.errors import DataError
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.reweight.calibrating import CalibratingMask, weight_column
from tacita.mask.risk_ruled import RiskRuledMask

__all__ = ["Subsample"]


@dataclass(frozen=True, kw_only=True)
class Subsample(RiskRuledMask, CalibratingMask):
    """Leave out every record whose risk is too high and calibrate the weights of those that stay.

    From the records S the risky ones are taken out; the others, S', get weights ``w_k`` with ``sum_S' w_k x_k =
    sum_S d_k x_k`` for the indicators of the chosen margins and for the chosen numeric columns, as near as possible to
    their start weights.

    Protects against re-identification as far as the rule goes: no risky record is left, because the rule is
    applied again until that holds. Does not protect what the kept records of a group share, and tells by raised weights
    where records were taken out.

    Returns
    -------
    Microdata
        The safe records in the order of the file, linked inside to the original.

    Raises
    ------
    ParameterError
        When the rule is not a risk of single records, or bounds and distance do not fit.
    DataError
        When no record is safe, weights are negative or missing, a cell of a margin is left without records, or the
        margins cannot be met.

    Preserves
    ---------
    Every value except the weight, and the chosen totals of the original to 1e-9.

    Complexity
    ----------
    That of the rule for each round (two or three are usual), then O(n m + g m^2 + p^3) for the calibration as in
    ``Calibrate``.

    Notes
    -----
    The risk is that of the original weights; calibrated weights are larger, so risks that depend on them get smaller. With
    ``unit`` a household is left out when one of its members is risky. Without margins and totals the sum of the weights is
    kept; without a weight column records are left out and nothing else.

    References
    ----------
    Bergeat, M. (2015), Microdata protection: a method that combines subsampling and calibration, UNECE work session on
    statistical data confidentiality; Deville, J.-C. and Särndal, C.-E. (1992), Calibration estimators in survey sampling.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(2000, seed=1)
    >>> safe = Subsample(keys=["sex", "region", "education"], k=3, margins=[["sex"], ["region"]]).apply(data)
    >>> len(safe) <= len(data)
    True
    """

    name = "subsample"
    title = "Subsampling with calibration"
    attacks = (
        Attack(measure="dld", knows="the values of each record are unchanged"),
        Attack(measure="individual_risk", knows="the keys of each record are unchanged"),
    )
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, keeps_rows=False, reweights=True)

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Leave out risky records and calibrate the rest."""
        if len(data) == 0:
            return data
        if self.asks_for_totals:
            weight_column(data, "Subsample")
        before = data.weights()
        kept = self.safe_rows(data, data.groups([self._unit(data)]) if self.unit else None)
        if not len(kept):
            raise DataError(
                f"Subsample: every record is risky by the rule '{self.rule_name}'; recode the keys first, or name fewer."
            )
        left = data.take(kept)
        if data.schema.weight is None:
            return left
        return self.reweighted(left, self.wanted(data, before), design=before[kept], size=float(before.sum()))
