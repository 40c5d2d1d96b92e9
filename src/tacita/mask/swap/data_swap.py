"""Data swapping: values exchanged between records that agree on the columns whose tables must stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.data.units import Unit, Units, find_units, say_units
from tacita.mask.base import Mask
from tacita.mask.swap.record_swap import number_compositions

__all__ = ["DataSwap", "swap_within_groups"]


def swap_within_groups(groups: IntArray, *, p: float, rng: np.random.Generator) -> IntArray:
    """Return for each record the record whose values it gets: itself, or its partner in the same group.

    In every group about p percent of the records are drawn and paired at random. O(n log n) time, O(n) memory.
    """
    n = len(groups)
    source = np.arange(n, dtype=np.int64)
    drawn = np.flatnonzero(rng.random(n) < p / 100)
    # In random order within groups, neighbours are random pairs.
    order = drawn[np.lexsort((rng.random(len(drawn)), groups[drawn]))]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(groups[order]) != 0])) if order.size else order
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    first = np.flatnonzero(place % 2 == 0)
    first = first[first + 1 < len(order)]
    first = first[groups[order[first]] == groups[order[first + 1]]]
    a, b = order[first], order[first + 1]
    source[a], source[b] = b, a
    return source


@dataclass(frozen=True, kw_only=True)
class DataSwap(Mask):
    """Exchange the values of some columns between pairs of records that agree on others.

    About p percent of the records are drawn and paired at random with records that have the same values in ``match``; the
    two exchange their values in ``columns``, all of them together.

    Protects by uncertainty: nobody knows whose values a record carries, provided p is not small. Does not protect a
    value that all records of a group share: swapping does not change it.

    Parameters
    ----------
    columns
        The columns whose values are exchanged, together.
    match
        Partners agree on these columns, so that every table of ``columns`` by ``match`` stays exactly as it was.
    p
        Percentage of records that are drawn for swapping.
    unit
        The household column. Columns that belong to the household (one value for all its members) are exchanged between
        households of equal size whose members agree in ``match`` as a whole, the others between records. By default the
        column with that role; ``False`` for none.

    Returns
    -------
    Microdata
        With the chosen columns swapped.

    Raises
    ------
    ParameterError
        When ``p`` is outside [0, 100].
    ColumnError
        When a column is both swapped and matched.

    Preserves
    ---------
    marginals: the values of every column. means follow from that. All tables made of ``columns`` and ``match`` stay exactly;
    tables of swapped with other columns change.

    Complexity
    ----------
    O(n log n) time, O(n) memory.

    Notes
    -----
    This keeps chosen marginals of any order by construction, where the original proposal looks for swaps that happen to
    keep all tables up to an order. A drawn record without a partner left in its group keeps its values. A missing value
    is swapped and matched like any other value. Were a column of the household swapped record by record, the other members would
    still show its value.

    References
    ----------
    Dalenius, T. and Reiss, S. P. (1982), Data-swapping: a technique for disclosure control; Domingo-Ferrer, J. (2007),
    Statistical databases, section "Data swapping and rank swapping".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = DataSwap(columns=["region"], match=["sex"], p=50).apply(data, seed=7)
    """

    name = "data_swap"
    title = "Data swapping"
    attacks = (Attack(measure="agreement_linkage", knows="{p:g} % of the records were drawn for swapping"),)
    faces = ("key_match", "probabilistic_link")
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, preserves=("marginals", "means"))
    columns: Columns = Selector("categorical keys")
    match: Columns = ()
    p: Annotated[float, Interval(0, 100)] = 10.0
    unit: Unit = None

    @property
    def keeps_at_most(self) -> float | None:
        """All but a third of the records drawn: the others may have met a partner with the same value."""
        return 1 - self.p / 300

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Swap the chosen columns."""
        names = data.schema.resolve(self.columns, owner="DataSwap")
        match = data.schema.resolve(self.match, owner="DataSwap", parameter="match") if self.match != () else ()
        both = [name for name in names if name in match]
        if both:
            raise ColumnError(f"DataSwap: column '{both[0]}' cannot be swapped and matched at once.")
        units = find_units(data, self.unit, owner="DataSwap")
        shared = () if units is None else units.shared(data, names)
        labels, masked = data.groups(match), data
        own = tuple(name for name in names if name not in shared)
        if own:
            source = swap_within_groups(labels, p=self.p, rng=streams.stream(self.name, *own))
            masked = masked.with_values_of(own, source)
        if shared and units is not None and len(data):
            source = _swap_units(units, labels, p=self.p, rng=streams.stream(self.name, *shared))
            masked = masked.with_values_of(shared, source)
            say_units(units, shared, owner="DataSwap", done="values are exchanged between households")
        return masked

    def attacked_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the swapped columns and those that partners agree on, which leave as they were."""
        match = data.schema.resolve(self.match, owner="DataSwap", parameter="match") if self.match != () else ()
        return (*data.schema.resolve(self.columns, owner="DataSwap"), *match)


def _swap_units(units: Units, labels: IntArray, *, p: float, rng: np.random.Generator) -> IntArray:
    """Return for each record the record whose values it gets: the member in its place in the partner of its unit."""
    partner = swap_within_groups(number_compositions(labels, units.labels, units.sizes), p=p, rng=rng)
    order = np.lexsort((labels, units.labels))
    start = np.cumsum(units.sizes) - units.sizes
    place = np.arange(len(labels)) - start[units.labels[order]]
    source = np.empty(len(labels), dtype=np.int64)
    source[order] = order[start[partner[units.labels[order]]] + place]
    return source
