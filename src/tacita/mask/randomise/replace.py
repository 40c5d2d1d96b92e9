"""Replacement of risky records: by the values of a close safe record, or by synthetic ones."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.core.parameters import Columns
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.core.vocabulary import DESIGN_ROLES
from tacita.data.keys.patterns import key_patterns
from tacita.data.microdata import Microdata
from tacita.mask.risk_ruled import RiskRuledMask

__all__ = ["Replace"]


@dataclass(frozen=True, kw_only=True)
class Replace(RiskRuledMask):
    """Give risky records the values of a close safe record, or values drawn from the distribution of safe records.

    A risky record gets other key values. With the scheme ``donor`` these are the keys of the safe
    record that is nearest by Gower's distance ``sum_j v_j min(|a_j - b_j| / range_j, 1)``, drawn at random among equally
    near ones. With ``synthetic`` they are drawn from the conditional distribution of the keys of safe records given the
    columns in ``given``.

    Protects against re-identification as far as the rule goes: no risky combination of keys is left, and every record
    stays in the file with its weight. Does not protect what the safe records of a group share; with ``what="keys"`` the
    confidential values of a replaced person stay in the file beside the keys of others.

    Parameters
    ----------
    scheme
        ``donor`` for the nearest safe record, ``synthetic`` for a draw.
    what
        ``keys`` replaces the keys and the columns linked to them. ``records`` replaces every column that describes the
        respondent: by the donor's values, or for ``synthetic`` each by the value of another random safe record with the
        drawn keys.
    given
        Coarse keys on which the source should agree with the record, most important first; where no safe record agrees on
        all of them the last ones are let go.
    costs
        For ``donor``: cost of a changed value of each of the keys, in the order in which ``keys`` names them; distances are
        multiplied by it. By default 1 for all.

    Returns
    -------
    Microdata
        With risky records replaced.

    Raises
    ------
    ParameterError
        When the rule is not a risk of single records, or a cost is negative or missing.
    DataError
        When no record is safe.

    Preserves
    ---------
    The number of records and all weights. Margins change a little; ``Calibrate`` can put them right.

    Complexity
    ----------
    That of the rule, and O(r m d) for the distances of r risky records from m safe combinations of d keys; ``synthetic``
    O(n log n).

    Notes
    -----
    Safe are the records that stay when risky ones are left out as in ``Subsample``, so copies of their keys are safe as
    well. The file is looked at once more at the end: for rules other than k-anonymity a warning says how many records are
    still risky. A missing key is a value of its own at distance 1, and may be replaced by a value. Members of one
    household are replaced each for itself: columns that are equal in households may differ afterwards.

    References
    ----------
    Bergeat, M. (2015), Microdata protection: a method that combines subsampling and calibration, further questions; Gower,
    J. C. (1971), A general coefficient of similarity and some of its properties.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> keys = ["sex", "region", "education"]
    >>> masked = Replace(keys=keys, k=3, given=["sex"]).apply(data, seed=7)
    >>> float(tc.risk.KAnonymity(columns=keys, k=3).assess(masked))
    0.0
    """

    name = "replace"
    title = "Replacement of risky records"
    attacks = (Attack(measure="agreement_linkage", knows="how often each column keeps its value"),)
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True)
    scheme: Literal["donor", "synthetic"] = "donor"
    what: Literal["keys", "records"] = "keys"
    given: Columns = ()
    costs: Sequence[float] | None = None

    def check(self) -> None:
        """Check the costs."""
        super().check()
        if any(cost < 0 for cost in self.costs or ()):
            raise ParameterError("Replace: 'costs' must be 0 or more for every key, got a negative number.")
        if self.costs is not None and self.scheme == "synthetic":
            raise ParameterError(
                "Replace: 'costs' must be left out with the scheme 'synthetic', which has no distance."
            )

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Replace risky records."""
        if len(data) == 0:
            return data
        chosen = data.schema.resolve(self.keys, owner="Replace", parameter="keys")
        if self.costs is not None and len(self.costs) != len(chosen):
            raise ParameterError(
                f"Replace: 'costs' must have one number for each of the {len(chosen)} keys, got {len(self.costs)}."
            )
        factors = dict(zip(chosen, self.costs or (1.0,) * len(chosen), strict=True))
        names = tuple(sorted(chosen))  # the order of columns in the file must not decide between equally near donors
        safe = self.safe_rows(data)
        risky = np.setdiff1d(np.arange(len(data)), safe)
        if not len(safe):
            raise DataError(f"Replace: every record is risky by the rule '{self.rule_name}'; recode the keys first.")
        if not len(risky):
            return data
        rng = streams.stream(self.name, "keys")
        source = np.arange(len(data), dtype=np.int64)
        for some, donors in self._matched(data, risky, safe):
            chance = rng.random(len(some))
            source[some] = (
                donors[(chance * len(donors)).astype(np.int64)]
                if self.scheme == "synthetic"
                else donors[_nearest(data, names, factors, some, donors, chance)]
            )
        masked = self._replaced(data, names, source, risky, safe, streams)
        left = int(self.risky(masked).sum())
        if left:
            warnings.warn(
                f"Replace: {left} record(s) are still risky by the rule '{self.rule_name}', whose risks depend on more "
                "than the keys.",
                TacitaWarning,
                stacklevel=3,
            )
        return masked

    def _matched(self, data: Microdata, risky: IntArray, safe: IntArray) -> list[tuple[IntArray, IntArray]]:
        """Return risky records with the safe ones that agree with them on as many of the given columns as possible."""
        given = data.schema.resolve(self.given, owner="Replace", parameter="given") if self.given != () else ()
        found: list[tuple[IntArray, IntArray]] = []
        for size in range(len(given), -1, -1):
            labels = data.groups(given[:size])
            there = np.isin(labels[risky], labels[safe])
            some, risky = risky[there], risky[~there]
            order = np.argsort(labels[safe], kind="stable")
            home = labels[safe][order]
            for label in np.unique(labels[some]).tolist():
                low, high = np.searchsorted(home, label, "left"), np.searchsorted(home, label, "right")
                found.append((some[labels[some] == label], safe[order[low:high]]))
        return found

    def _replaced(
        self,
        data: Microdata,
        names: tuple[str, ...],
        source: IntArray,
        risky: IntArray,
        safe: IntArray,
        streams: Streams,
    ) -> Microdata:
        """Put the values of the sources into the risky records."""
        from tacita.numeric.nearest.donors import draw_from_groups  # loads when used

        linked = tuple(c.name for c in data.schema if c.linked_to in names and c.name not in names)
        masked = data.with_values_of([*names, *linked], source)
        if self.what == "keys":
            return masked
        others = [c.name for c in data.schema if not DESIGN_ROLES & {*c.roles} and c.name not in {*names, *linked}]
        if self.scheme == "donor":
            return masked.with_values_of(others, source)
        groups = data.groups(names)
        for name in others:
            drawn = source.copy()
            chance = streams.stream(self.name, name).random(len(risky))
            drawn[risky] = safe[draw_from_groups(groups[source[risky]], groups[safe], chance)]
            masked = masked.with_values_of([name], drawn)
        return masked


def _nearest(
    data: Microdata,
    names: tuple[str, ...],
    factors: dict[str, float],
    some: IntArray,
    donors: IntArray,
    chance: FloatArray,
) -> IntArray:
    """Return for each record the place of a nearest donor in the list of donors."""
    from tacita.numeric.nearest.donors import nearest_donors  # loads when used

    both = data.take(np.concatenate([some, donors]))
    patterns = key_patterns(both, names)
    first = np.full(len(patterns.counts), -1, dtype=np.int64)
    first[patterns.labels[len(some) :][::-1]] = np.arange(len(donors))[::-1]
    distinct = np.flatnonzero(first >= 0)
    counts = np.bincount(patterns.labels[len(some) :], minlength=len(first))[distinct]
    points = np.stack([_points(data, both, name) for name in names], axis=-1)
    importance = np.array([factors[name] for name in names])
    found = nearest_donors(
        points[: len(some)], points[len(some) + first[distinct]], importance, counts.astype(np.int64), chance
    )
    return np.asarray(first[distinct[found]], dtype=np.int64)


def _points(data: Microdata, some: Microdata, name: str) -> FloatArray:
    """Return a column of some records as points of Gower's distance, scaled by the range in the whole file."""
    from tacita.numeric.microaggregation.gower import ABSENT

    scale = data.schema[name].scale
    if scale == "nominal":
        return some.codes(name).values.astype(np.float64)  # -1 for missing is one apart from every category
    values, every = _ordered(some, name), _ordered(data, name)
    there = every[~np.isnan(every)]
    low, width = (float(there.min()), float(there.max() - there.min())) if there.size else (0.0, 0.0)
    return np.where(np.isnan(values), ABSENT, (values - low) / (width if width > 0 else 1.0))


def _ordered(data: Microdata, name: str) -> FloatArray:
    """Return numbers, positions of ordered categories, or days; NaN where missing."""
    if data.schema[name].scale != "date":
        return data.numbers(name)
    column = data.column(name)
    if not pa.types.is_temporal(column.type):
        raise ColumnError(
            f"Replace: the date '{name}' must be stored as a date to have distances, got texts; convert it."
        )
    wide = column.cast(pa.int32() if column.type.bit_width == 32 else pa.int64()).cast(pa.float64())
    return np.asarray(wide.to_numpy(), dtype=np.float64)
