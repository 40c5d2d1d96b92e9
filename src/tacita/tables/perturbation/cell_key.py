"""The cell key method: each cell gets noise that only the set of its respondents and a secret key decide."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.core.parameters import Interval
from tacita.core.traits import ProtectorTraits
from tacita.numeric.perturbation.magnitude_noise import contributor_noise, flexible_share
from tacita.numeric.perturbation.noise_table import noise_table
from tacita.numeric.perturbation.set_keys import check_members, set_uniforms
from tacita.numeric.perturbation.size_table import separation_point, stepwise_noise
from tacita.tables.model.table import Table
from tacita.tables.perturbation.key_cells import cell_name_uniforms
from tacita.tables.perturbation.key_form import KeyForm
from tacita.tables.perturbation.keyed_table import KeyedTable, checked_key, keyed_by_rows
from tacita.tables.perturbation.noise_reader import NoiseRead, possible_counts, read_noise
from tacita.tables.perturbation.transition_matrix import TransitionMatrix
from tacita.tables.protect.problem import Problem
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tacita.tables.rules.rule import counted
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["CellKey"]

Design = Literal["maximum_entropy", "normal_tails", "published"]
SumNoise = Literal["signs", "table"]
SumScale = Literal["largest", "mean", "sum"]


@dataclass(frozen=True, kw_only=True)
class CellKey(Protector):
    """Add keyed noise to every cell: the same set of respondents gets the same noise in every table.

    The sums of the record keys of a cell and their number make, under the secret key, a number u in [0, 1); a count i becomes the
    first j with ``P(j or less | i) > u`` in row i of a transition matrix. A sum X becomes ``X + sum_k e_k m(x_k) x_k d_k s_k``
    over its largest contributors x_k: d_k is a sign that belongs to the contributor, s_k a size that belongs to the cell, m a
    share that is larger for small contributions.

    Protects small counts, which are never shown, against differences of tables, and against repetition: the same cell is the same
    everywhere. Does not protect against averaging, the attack that it is weakest against: a set that is split in t ways, the
    counts of each split added up, is found with variance 2 V / t. Nor against readers who know D and the sums of a table where
    noise happens to be extreme (see ``exposed``), nor against whoever gets the exact mean beside the perturbed count.

    Parameters
    ----------
    key
        The secret key: the path of a key file, or a :class:`~tacita.core.keyed.Key`.
    D
        The most that a count is changed.
    V
        The variance of the noise of counts.
    forbidden
        Counts that are never shown.
    design
        How the transition matrix is made; see :class:`TransitionMatrix`.
    centre
        For ``normal_tails``: the probability of staying.
    zeros
        The probability that an empty cell shows the smallest count that may be shown, which is a bias upwards; 0 keeps zeros.
    small_share, large_share
        For sums: the mean size of the noise as a share of a contribution, small and large.
    flex_point
        For sums: contributions up to here count as small; without it all do.
    falloff
        For sums: what the largest, second largest, ... contributor counts.
    spread
        For sums: how much the size of the noise varies from cell to cell, below 1.
    sum_noise
        For sums: ``signs`` belong to contributors and sizes to cells; ``table`` looks up by how many steps a sum moves in a table
        of noise, as counts do, where a step is the share of a contribution.
    sum_scale
        For sums with a table: steps are shares of the ``largest`` contributions, one after the other, or of the ``mean`` or
        the ``sum`` of the cell, once.
    sum_bound, sum_variance, odd_variance
        For sums with a table: the most steps, their variance, and another one where the number of contributors is odd.
    separation
        For sums with a table: the variance of very small sums, which move like counts, by steps of 1; None for none.
    extra
        For sums: what is added to the size of the noise of the largest contribution in unsafe cells.
    programmes
        How many linear programmes may look for unsafe counts that all sums together give away; 0 takes one sum at a time.
        None for 60 in tables of up to 4000 cells, and none in larger ones.

    Returns
    -------
    Protected
        The table with its perturbed values; nothing is hidden. ``exposed`` has the unsafe cells that a reader who knows D and the
        sums still knows too well.

    Raises
    ------
    ParameterError
        When there is no such matrix, or the key is short or one of an example, or is not that of the table.
    DataError
        When the table does not know the records of its cells.

    Complexity
    ----------
    O(n D) for n cells, and O(n K) for sums with K contributors.

    Notes
    -----
    Tables should come from :func:`keyed_table`, which knows who the records are. A table without keys is taken by the row
    numbers of its contributors, and a note says so. Under other parameters all numbers are others. A weighted count moves by the
    noise of the count times the mean weight of the cell: the unweighted count must not be published beside it. Margins have noise
    of their own: sums do not hold until additivity is restored.

    Sums by ``table`` follow the R package cellKey: steps ``falloff_k m(x_k) x_k`` of the largest contributions, a table of noise
    for them, another variance where contributors are odd in number, a variance of its own for sums below the separation point
    ``sqrt(separation) / (small_share sqrt(sum of falloff^2))``, and ``extra`` for sensitive cells. Three things differ. The row
    of the table is the number of steps in the sum itself, so that noise has mean 0 and no sum changes its sign. Every
    contribution has a keyed number of its own, where the package turns the digits of the cell key. The range of the
    contributions is no scale: tables keep the largest ones only.

    References
    ----------
    Fraser, B. and Wooton, J. (2006), A proposed method for confidentialising tabular output to protect against differencing,
    Monographs of Official Statistics, Eurostat, 299-302; Giessing, S. and Hoehne, J. (2011), section 4; the R package
    cellKey of sdcTools, ``ck_params_nums``.

    Examples
    --------
    >>> CellKey(key=Key(bytes(range(3, 67, 2))), D=5, V=3).words()
    'cell_key(D=5, V=3.0)'
    """

    name = "cell_key"
    faces = ("bounded_noise", "fitted_counts")
    traits = ProtectorTraits()
    secret = frozenset({"key"})
    key: Annotated[Key | str, KeyForm()]
    D: Annotated[int, Interval(1, 100)] = 3
    V: Annotated[float, Interval(0, closed="neither")] = 2.0
    forbidden: tuple[int, ...] = (1, 2)
    design: Design = "maximum_entropy"
    centre: Annotated[float, Interval(0, 1, "left")] = 0.7
    zeros: Annotated[float, Interval(0, 1)] = 0.0
    small_share: Annotated[float, Interval(0, 1, "neither")] = 0.25
    large_share: Annotated[float, Interval(0, 1, "neither")] = 0.05
    flex_point: Annotated[float, Interval(0, closed="neither")] | None = None
    falloff: tuple[float, ...] = (1.0, 0.6, 0.3)
    spread: Annotated[float, Interval(0, 1, "left")] = 0.5
    sum_noise: SumNoise = "signs"
    sum_scale: SumScale = "largest"
    sum_bound: Annotated[int, Interval(1, 100)] = 5
    sum_variance: Annotated[float, Interval(0, closed="neither")] = 1.0
    odd_variance: Annotated[float, Interval(0, closed="neither")] | None = None
    separation: Annotated[float, Interval(0, closed="neither")] | None = None
    extra: Annotated[float, Interval(0)] = 0.0
    programmes: Annotated[int, Interval(0)] | None = None

    def check(self) -> None:
        """Read the key and make the matrix once, so that what is impossible is refused at once."""
        checked_key(self.key)
        self.matrix  # noqa: B018
        if not self.falloff or any(not 0 <= e <= 1 for e in self.falloff):
            raise ParameterError(f"CellKey: 'falloff' must be numbers from 0 to 1, got {list(self.falloff)}.")
        if self.sum_noise == "signs" and (self.sum_scale != "largest" or self.separation or self.odd_variance):
            raise ParameterError("CellKey: 'sum_scale', 'odd_variance' and 'separation' need sum_noise='table'.")
        if self.sum_noise == "table":
            for variance in {
                self.sum_variance,
                self.odd_variance or self.sum_variance,
                self.separation or self.sum_variance,
            }:
                noise_table(self.sum_bound, variance)

    @property
    def matrix(self) -> TransitionMatrix:
        """The transition matrix of counts."""
        return _matrix(self.design, self.D, self.V, self.forbidden, self.centre)

    # --- noise --------------------------------------------------------------------------------------------------------------

    def cell_uniforms(self, table: KeyedTable, *labels: str) -> FloatArray:
        """Return (n,): the number in [0, 1) of each cell, for the matrix of this protector."""
        if table.counts is None:
            raise DataError("CellKey: the table must know how many records are in each cell.")
        check_members(int(table.counts.max(initial=0)))
        parts = repr((self.design, self.D, self.V, self.forbidden, self.centre))
        return set_uniforms(self._key(table), table.sums, table.counts, "cell", parts, table.unit, *labels)

    def perturbed(self, table: KeyedTable, unsafe: BoolArray | None = None) -> FloatArray:
        """Return (n,): the values that are published; sums of unsafe cells move by ``extra`` more."""
        counts = table.counts
        if counts is None:
            raise DataError("CellKey: the table must know how many records are in each cell.")
        values = table.values.astype(np.float64)
        are_counts = counted(table)
        noise = self.matrix.draw(counts, self.cell_uniforms(table)).astype(np.float64)
        weight = np.divide(values, counts, out=np.ones(len(values)), where=counts > 0)
        whole = are_counts & (values == counts)
        made = values + np.where(whole, noise, noise * weight)
        if self.zeros:
            made = np.where(are_counts, self._with_zeros(table, made), made)
        if not are_counts.all():
            made = np.where(are_counts, made, values + self._sum_noise(table, unsafe))
        return np.asarray(np.where(table.is_structural, table.values, made))

    def _with_zeros(self, table: KeyedTable, made: FloatArray) -> FloatArray:
        """Let some empty cells show the smallest count: by what the cell is, since there is nobody in it."""
        key = self._key(table).derive("zeros", repr((self.zeros, self.forbidden)))
        shown = float(next(j for j in range(1, len(self.forbidden) + 2) if j not in self.forbidden))
        made, empty = made.copy(), np.flatnonzero(table.is_empty)
        made[empty[cell_name_uniforms(key, table, empty) < self.zeros]] = shown
        return made

    def _sum_noise(self, table: KeyedTable, unsafe: BoolArray | None) -> FloatArray:
        if table.units is None or table.contributors is None or table.counts is None:
            raise DataError("CellKey: a table of sums must know its largest contributors; make it with keyed_table.")
        depth = len(self.falloff)
        if table.units.depth < depth:
            raise DataError(
                f"CellKey: the table keeps {table.units.depth} contributors a cell, but 'falloff' has {depth}."
            )
        noise, numbers = np.zeros(len(table)), np.zeros(len(table), np.int64) if table.parts is None else table.parts
        extra = np.zeros(len(table)) if unsafe is None else np.where(unsafe, self.extra, 0.0)
        for number, name in enumerate(table.responses or (table.response,)):
            here = np.flatnonzero(numbers == number)
            noise[here] = (self._by_signs if self.sum_noise == "signs" else self._by_table)(
                table, here, name, extra[here]
            )
        return noise

    def _by_signs(self, table: KeyedTable, here: IntArray, name: str, extra: FloatArray) -> FloatArray:
        """Signs of contributors, sizes of cells."""
        size, share = self._sizes(table, here)
        parts = repr((self.small_share, self.large_share, self.flex_point, self.falloff, self.spread))
        return contributor_noise(
            size * share,
            table.contributors[here, : len(self.falloff)],  # type: ignore[index]
            table.sums[here],
            table.counts[here],  # type: ignore[index]
            key=self._key(table),
            labels=("sum", parts, table.unit, name),
            weights=np.asarray(self.falloff),
            spread=self.spread,
            extra=extra,
        )

    def _sizes(self, table: KeyedTable, here: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return (m, K): what noise is a share of, and the share."""
        counts, units = table.counts, table.units
        if self.sum_scale == "largest" and units is not None:
            size = np.abs(units.amounts * units.weights)[here, : len(self.falloff)]
        else:
            size = np.abs(table.values[here])[:, None]
            if self.sum_scale == "mean" and counts is not None:
                size = size / np.maximum(counts[here], 1)[:, None]
        return size, flexible_share(size, small=self.small_share, large=self.large_share, point=self.flex_point)

    def _by_table(self, table: KeyedTable, here: IntArray, name: str, extra: FloatArray) -> FloatArray:
        """Steps from a table of noise, by the number of the cell and of the contribution."""
        size, share = self._sizes(table, here)
        weights = np.asarray(self.falloff[: size.shape[1]])
        facts = (self.small_share, self.large_share, self.flex_point, self.falloff, self.sum_scale)
        labels = (
            "steps",
            repr((*facts, self.sum_bound, self.sum_variance, self.odd_variance, self.separation)),
            table.unit,
            name,
        )
        key, sums, counts = self._key(table), table.sums[here], table.counts[here]  # type: ignore[index]
        uniforms = [set_uniforms(key, sums, counts, str(k), *labels) for k in range(size.shape[1])]
        point = 0.0 if self.separation is None else separation_point(self.separation, weights, self.small_share)
        return stepwise_noise(
            table.values[here],
            size * share * weights,
            np.stack(uniforms, axis=1),
            counts,
            bound=self.sum_bound,
            variances=(self.sum_variance, self.odd_variance or self.sum_variance),
            extra=extra,
            small=np.abs(table.values[here]) < point,
            small_variance=self.separation or self.sum_variance,
        )

    def _key(self, table: KeyedTable) -> Key:
        key = checked_key(self.key)
        if table.fingerprint != key.fingerprint:
            raise ParameterError("CellKey: the table was made with another key; use the key that its records have.")
        return key.derive("cell key method")

    # --- as a protector -------------------------------------------------------------------------------------------------------

    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the table with its perturbed values."""
        begin = time.perf_counter()
        problem = make_problem(table, unsafe, seats="none")
        notes = ["Sums of perturbed cells do not hold: each cell has noise of its own."]
        keyed = table
        if not isinstance(keyed, KeyedTable):
            keyed = keyed_by_rows(table, checked_key(self.key))
            notes.append(
                "Records are known by their row numbers: in another order they get other noise, which averages out."
            )
        values = self.perturbed(keyed, unsafe.cells)
        found = self._read(table, problem, values)
        if len(found.exposed):
            notes.append(f"{len(found.exposed)} unsafe cells are known too well by D and the sums: raise D or V.")
        if len(found.open):
            notes.append(
                f"Of {len(found.open)} unsafe cells it was not found out whether all sums together give them away; one sum at a "
                "time does not. Allow more 'programmes'."
            )
        cost = float(np.abs(values - table.values).sum())
        return self.result(
            table,
            unsafe,
            problem,
            begin=begin,
            values=values,
            cost=cost,
            bound=0.0,
            has_proof=False,
            notes=tuple(notes),
            exposed=tuple(found.exposed.tolist()),
            reach=float(self.D) if table.is_frequency else None,
        )

    def _read(self, table: Table, problem: Problem, values: FloatArray) -> NoiseRead:
        """Return the unsafe cells that a reader who knows the matrix and that true sums hold knows closer than their levels."""
        if counted(table).all() and (values == np.rint(values)).all():
            low, high = possible_counts(self.matrix, values, zeros_move=self.zeros > 0)
            known = table.is_structural
            low, high = np.where(known, problem.lower, low), np.where(known, problem.upper, high)
            return read_noise(problem, low, high, programmes=self.programmes)
        slack = 1e-6 * np.maximum(1.0, np.abs(problem.values))
        moved = values - problem.values
        is_met = (moved >= problem.above - slack) & (problem.above > 0) | (-moved >= problem.below - slack) & (
            problem.below > 0
        )
        is_met &= moved != 0
        return NoiseRead(np.flatnonzero(problem.unsafe & ~is_met), np.empty(0, np.int64), 0)


@lru_cache(maxsize=64)
def _matrix(design: Design, D: int, V: float, forbidden: tuple[int, ...], centre: float) -> TransitionMatrix:
    if design == "maximum_entropy":
        return TransitionMatrix.maximum_entropy(D=D, V=V, forbidden=forbidden)
    if design == "normal_tails":
        return TransitionMatrix.normal_tails(D=D, V=V, forbidden=forbidden, centre=centre)
    if set(forbidden) != {1, 2}:
        raise ParameterError("CellKey: the published matrices forbid 1 and 2; leave 'forbidden' as it is.")
    return TransitionMatrix.published(D=D, V=V)
