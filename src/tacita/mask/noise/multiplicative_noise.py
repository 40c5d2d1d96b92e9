"""Multiplicative noise: values times log-normal noise, shrunk so that means, covariances and constraints stay."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import DataError, ParameterError, TacitaWarning
from tacita.core.parameters import ColumnName, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.bounds import bounds_of
from tacita.data.microdata import Microdata
from tacita.mask.identities import Identity
from tacita.mask.inequalities import (
    Grid,
    Link,
    check_chains,
    from_differences,
    hold_order,
    labels,
    linked_patterns,
    positions,
    to_differences,
    verify_chains,
)
from tacita.mask.masked_values import value_type, within
from tacita.mask.numeric_mask import BoolArray, Draw, NumericMask
from tacita.numeric.perturbation.multiplicative import (
    NoisePlan,
    Scheme,
    adjust_moments,
    lag_bounds,
    plan_noise,
    zones_by_range,
)
from tacita.numeric.statistics.moments import covariance

__all__ = ["MultiplicativeNoise", "adjust_moments"]


@dataclass(frozen=True, kw_only=True)
class MultiplicativeNoise(NumericMask):
    """Multiply the values by log-normal noise and shrink, so that means, covariances, signs and inequalities stay.

    With k the ``inflation`` and ``s = sqrt(1 + k)``, the scheme ``safe`` makes ``X_m = (X + (s - 1) E[X]) exp(E) / s``,
    equation (21); ``plain`` makes ``X_m = ((s - 1) E[X] + X exp(E)) / s``, equation (7); ``z-score`` makes
    ``X_m = E[X] + (W exp(E) - E[W]) / s`` with ``W = X - E[X] + lag sigma``, equation (15). E is normal with covariance
    ``log(1 + k Sigma_ij / E[W_i W_j])`` and mean minus half its variance, (8), (13) and (23), so that ``E[exp E] = 1``
    and the covariance matrix grows by 1 + k, which s takes back. A column with negative values is first raised by
    ``|min X|`` and lowered again at the end. For a chain of inequalities ``x1 >= x2 >= ... >= xl`` the smallest column
    and the differences of neighbours are masked and added up, equation (27). Zones of records get noise of their own,
    each with its own k.

    Protects against exact matching of continuous values, and large values more than small ones: noise is in proportion
    to the value. Does not protect against an intruder who knows k and is content with an interval: masked over original
    lies mostly within a few ``sqrt(k)`` of 1. With ``plain`` all zeros become one and the same number and stay
    recognisable, as do zeros under ``keep_zeros``. Zones with a small k hide outliers little.

    Parameters
    ----------
    inflation
        k, the share by which the noise inflates variances before shrinking; 0.15 in the paper. 0 changes nothing.
    scheme
        ``safe`` never meets the logarithm of a negative number; ``plain`` and ``z-score`` may, and then refuse.
    lag
        For ``z-score``: what is added to the z-scores of every column, or one number for each column. It must be at least
        ``|min Z|`` and, for non-negative columns, at most ``s E[X] / sigma``, (19); without it, it is ``|min Z|``.
    chains
        Lists of columns, largest first, such as ``[["income", "tax"]]``: in every record no value is smaller than the next.
    zone_bounds
        Zones by range: a record is in zone 1 when its largest value is at most the first bound, and so on.
    zone_column
        Zones by another column: by its range where ``zone_bounds`` is given, otherwise one zone for each of its values.
    zone_inflation
        The k of each zone, lowest range or first value first; without it ``inflation`` in every zone. Records whose zone is
        unknown, because the value that tells it is missing, form one more zone with ``inflation``.

    Returns
    -------
    Microdata
        With noise in the chosen columns.

    Raises
    ------
    ParameterError
        When ``inflation`` is negative, a chain names fewer than two columns, or ``lag`` and the zones do not fit together.
    ColumnError
        When a chosen column is not there or not numeric, or a chain names a column that is not masked.
    DataError
        When the original breaks a chain, ``lag`` is out of its bounds, or the covariance of the noise does not exist:
        two columns lie along the axes (``plain``, ``z-score``), or are never both above their minimum (any scheme).

    Preserves
    ---------
    Nothing exactly in numbers. Means and covariance matrix are kept in expectation, in every stratum and zone; after a
    repair the covariances only nearly. Columns that are non-negative stay so, and chains hold in every record.

    Complexity
    ----------
    O(n d^2 + d^3) time, a few arrays of the size of the data. With chains, once for each pattern of missing values in
    them.

    Notes
    -----
    The covariance of the noise is an element-wise logarithm and need not be positive semidefinite; it is then repaired
    (negative eigenvalues set to zero, old variances restored) with a warning that says by how much covariances will be
    off. Moments have denominator n and use, for each pair of columns, the records that have both values; with missing
    values the covariance is kept to the extent that they are missing at random. A constant column stays as it is, and
    so does a record that is alone in its stratum or zone. Equal values are allowed in a chain, since rounding can make
    them; where a whole number stands above a fraction, rounding that would break the order goes up instead. Where the
    smallest column of a chain has negative values, the chain is added up and down from its smallest non-negative column
    instead, so that this one stays non-negative; a member that is missing is passed over. With an indicator as
    ``zone_column``, a variable that is zero all through a zone stays zero there. Outside chains, ``safe`` and ``plain``
    give no value below the smallest original one of a column with negative values. ``lag`` counts standard deviations
    with denominator n - 1. A value beyond a declared bound is reflected there, in a chain cut off, so that means and
    covariances near a bound are not kept.

    References
    ----------
    Oganian, A. (2011), Multiplicative noise for masking numerical microdata with constraints, sections 2 to 5; Oganian,
    A. and Karr, A. F. (2011), Masking methods that preserve positivity constraints in microdata. :func:`adjust_moments`
    lets users who know k recover third and fourth moments, equation (26) corrected.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = MultiplicativeNoise(columns=["income", "savings"], inflation=0.15).apply(data, seed=7)
    >>> bool((masked.float("savings")[~masked.is_missing("savings")] >= 0).all())
    True
    """

    name = "multiplicative_noise"
    attacks = (
        Attack(
            measure="ratio_linkage",
            knows="values were multiplied by noise of inflation {inflation:g}, scheme {scheme}",
            takes=("inflation", "scheme", "lag", "by", "keep_zeros"),
        ),
    )
    faces = ("distance_link", "probabilistic_link", "two_release_average")
    traits = Traits(scales={"numeric"}, stochastic=True)
    inflation: Annotated[float, Interval(0)] = 0.15
    scheme: Scheme = "safe"
    lag: float | tuple[float, ...] | None = None
    chains: tuple[tuple[ColumnName, ...], ...] = ()
    zone_bounds: tuple[float, ...] = ()
    zone_column: ColumnName | None = None
    zone_inflation: tuple[Annotated[float, Interval(0)], ...] = ()

    def check(self) -> None:
        """Check chains, lag and zones."""
        super().check()
        check_chains(self.chains, "MultiplicativeNoise")
        if self.lag is not None and self.scheme != "z-score":
            raise ParameterError(
                f"MultiplicativeNoise: 'lag' belongs to the scheme 'z-score', got the scheme '{self.scheme}'."
            )
        if self.lag is not None and not np.isfinite(self.lag).all():
            raise ParameterError("MultiplicativeNoise: 'lag' must be finite.")
        if list(self.zone_bounds) != sorted(set(self.zone_bounds)):
            raise ParameterError("MultiplicativeNoise: 'zone_bounds' must be increasing numbers.")
        if self.zone_inflation and not self.zone_bounds and self.zone_column is None:
            raise ParameterError("MultiplicativeNoise: 'zone_inflation' needs 'zone_bounds' or 'zone_column'.")
        if self.zone_inflation and self.zone_bounds and len(self.zone_inflation) != len(self.zone_bounds) + 1:
            raise ParameterError(
                f"MultiplicativeNoise: {len(self.zone_bounds)} bounds make {len(self.zone_bounds) + 1} zones, "
                f"but 'zone_inflation' has {len(self.zone_inflation)} entries."
            )

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Mask the chosen columns and verify the chains, before and after."""
        owner = type(self).__name__
        linked = [name for chain in self.chains for name in chain]
        if linked:
            data.schema.resolve(tuple(linked), owner=owner, scales=self.traits.scales)
            before = {name: data.float(name) for name in linked}
            verify_chains(before, self.chains, owner, "original")
            negative = [name for name in linked if (before[name] < 0).any()]
            if self.keep_zeros and negative:
                raise DataError(
                    f"{owner}: '{negative[0]}' is in a chain and has negative values; 'keep_zeros' cannot hold there, "
                    "because a value next to a fixed zero could pass it."
                )
        masked = super().transform(data, streams)
        verify_chains({name: masked.float(name) for name in linked}, self.chains, owner, "masked")
        return masked

    def conditioning(self, data: Microdata, masked: tuple[str, ...]) -> FloatArray | None:
        """Return the zone of every record."""
        if not self.zone_bounds and self.zone_column is None:
            return None
        zones = self._zones(data, masked)
        if self.unit:
            units = data.groups([self.unit])
            first = np.unique(units, return_index=True)[1]
            if not np.array_equal(zones, zones[first][units]):
                raise DataError(
                    "MultiplicativeNoise: members of one unit are in different zones; zone by what they share."
                )
        return zones[:, None].astype(np.float64)

    def _zones(self, data: Microdata, masked: tuple[str, ...]) -> IntArray:
        """Number the zones 0, 1, ...; -1 for records that have no value to tell by."""
        if self.zone_bounds:
            names = masked if self.zone_column is None else (self.zone_column,)
            return zones_by_range(data.floats(names), self.zone_bounds)
        assert self.zone_column is not None  # noqa: S101 - for the type checker: conditioning() has looked
        codes = data.codes(self.zone_column)
        if self.zone_inflation and len(self.zone_inflation) != len(codes.categories):
            raise DataError(
                f"MultiplicativeNoise: '{self.zone_column}' has {len(codes.categories)} different values, "
                f"but 'zone_inflation' has {len(self.zone_inflation)} entries; give one for each value, in their order."
            )
        return codes.values.astype(np.int64)

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Mask zone by zone; the warning about repaired covariances is given once for all of them."""
        chains = positions(self.chains, names, type(self).__name__)
        if not len(x):
            return x.copy()
        normals = np.stack([draw.column(name).standard_normal(len(x)) for name in names], axis=-1)
        seen = np.where(active, x, np.nan)
        masked, repairs = x.copy(), []
        for rows, k in self._rows_of_zones(draw.given, len(x)):
            zone = seen[rows]
            for part, links in linked_patterns(zone, chains):
                differences = to_differences(zone, links)
                plan = self._plan(differences, k, labels(names, links))
                made = from_differences(plan.apply(differences[part], normals[rows[part]]), links)
                masked[rows[part]] = np.where(active[rows[part]], made, x[rows[part]])
                if plan.noise.changed:
                    repairs.append(_Repair.of(plan, zone, links, names))
        if repairs:
            warnings.warn(_repair_words(repairs), TacitaWarning, stacklevel=2)
        return masked

    def _finish(
        self,
        before: dict[str, FloatArray],
        masked: dict[str, FloatArray],
        data: Microdata,
        identities: tuple[Identity, ...],
    ) -> dict[str, FloatArray]:
        """Keep the order of chains whose columns are stored differently, such as whole above fractional numbers."""
        names, held = tuple(masked), np.stack(list(masked.values())).T
        grids = [self._grid(before[name], data, name) for name in names]
        for name in (name for chain in self.chains for name in chain):
            if data.schema[name].bounds is not None:  # cut, not reflected: that keeps the order
                j = names.index(name)
                held[:, j] = within(held[:, j], *bounds_of(data, name), _decimals(grids[j]))
        for chain in positions(self.chains, names, type(self).__name__):
            held = hold_order(held, chain, grids)
        return super()._finish(before, {name: held[:, j] for j, name in enumerate(names)}, data, identities)

    def _grid(self, values: FloatArray, data: Microdata, name: str) -> Grid:
        places = self.places(values, data, name)
        if places is not None:
            return places
        return "single" if pa.types.is_float32(value_type(data, name)) else "double"

    def _rows_of_zones(self, given: FloatArray | None, n: int) -> Iterator[tuple[IntArray, float]]:
        """Give the records of each zone and its k."""
        if given is None:
            yield np.arange(n), self.inflation
            return
        labels_there, counts = np.unique(given[:, 0].astype(np.int64), return_counts=True)
        alone = int((counts == 1).sum())
        if alone and n > 1:
            warnings.warn(
                f"MultiplicativeNoise: {alone} zone(s) have a single record, which gets no noise; choose wider zones.",
                TacitaWarning,
                stacklevel=2,
            )
        for zone in labels_there:
            yield np.flatnonzero(given[:, 0] == zone), self._k_of(int(zone))

    def _k_of(self, zone: int) -> float:
        return self.zone_inflation[zone] if self.zone_inflation and zone >= 0 else self.inflation

    def _plan(self, x: FloatArray, k: float, shown: Sequence[str]) -> NoisePlan:
        """Find the noise, or say which columns allow none."""
        if self.lag is not None:
            self._check_lag(x, k, shown)
        plan = plan_noise(x, k=k, scheme=self.scheme, lag=self.lag)
        undefined = np.argwhere(np.isnan(plan.formula))
        if len(undefined):
            first, second = (shown[j] for j in undefined[0])
            if self.scheme == "safe":
                raise DataError(
                    f"MultiplicativeNoise: {first} and {second} are never both above their minimum, so their noise "
                    "has no covariance. Mask them in zones by an indicator ('zone_column'), keep their zeros "
                    "('keep_zeros'), or mask them in separate steps."
                )
            raise DataError(
                f"MultiplicativeNoise: the noise of {first} and {second} has no covariance, because their values lie "
                "along the axes; use scheme='safe'."
            )
        return plan

    def _check_lag(self, x: FloatArray, k: float, shown: Sequence[str]) -> None:
        lag = np.asarray(self.lag, dtype=np.float64)
        if lag.ndim and len(lag) != len(shown):
            raise ParameterError(
                f"MultiplicativeNoise: 'lag' must be one number or one for each column ({len(shown)}), got {len(lag)}."
            )
        low, high = lag_bounds(x, k=k)
        for words, bad in (
            ("at least |min Z|", lag < low * (1 - 1e-9)),
            ("at most sqrt(1 + k) E[X] / sigma", lag > high * (1 + 1e-9)),
        ):
            if bad.any():
                j = int(np.argmax(bad))
                raise DataError(
                    f"MultiplicativeNoise: 'lag' must be {words} for {shown[j]}; leave it out, or use scheme='safe'.",
                    details={"column": shown[j], "smallest": float(low[j]), "largest": float(high[j])},
                )


def _decimals(grid: Grid) -> int | None:
    return grid if isinstance(grid, int) else None


@dataclass(frozen=True)
class _Repair:
    """What the repair of one covariance of noise does to the covariances of the columns."""

    smallest: float
    lowest: float
    highest: float
    correlation: float
    pair: tuple[str, str]

    @classmethod
    def of(cls, plan: NoisePlan, x: FloatArray, links: Sequence[Link], names: Sequence[str]) -> _Repair:
        """Carry the change from the differences of chains over to the columns themselves."""
        back = from_differences(np.diag(plan.unit), links)
        change = back.T @ plan.change @ back
        there = covariance(x)
        sd = np.sqrt(np.diag(there))
        sizes = np.outer(sd, sd)
        share = change / np.where(there == 0, np.inf, there)
        moved = np.triu(np.abs(change / np.where(sizes == 0, np.inf, sizes)))
        i, j = np.unravel_index(int(np.argmax(moved)), moved.shape)
        pair = (names[int(i)], names[int(j)])
        return cls(plan.noise.smallest, float(share.min()), float(share.max()), float(moved.max()), pair)


def _repair_words(repairs: Sequence[_Repair]) -> str:
    worst = max(repairs, key=lambda repair: repair.correlation)
    return (
        "MultiplicativeNoise: the covariance of the noise is not positive semidefinite (smallest eigenvalue "
        f"{min(r.smallest for r in repairs):.2g}) and was repaired. Expected covariances of the masked columns are off by "
        f"{100 * min(r.lowest for r in repairs):+.1f} % to {100 * max(r.highest for r in repairs):+.1f} %, correlations by "
        f"at most {worst.correlation:.2g} ('{worst.pair[0]}' and '{worst.pair[1]}')."
    )
