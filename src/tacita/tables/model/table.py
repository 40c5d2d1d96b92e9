"""The table: a vector of cells, what is known of their contributors, and the relations between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.members import Members, Source, listed
from tacita.tables.model.relations import Relations
from tacita.tables.model.seats import Seats

__all__ = ["Table"]


@dataclass(frozen=True, eq=False)
class Table:
    """A frequency or magnitude table of any number of dimensions, or several linked ones.

    Parameters
    ----------
    dimensions
        The classifying variables.
    codes
        (n, d): code of each cell in each dimension, as a position in its codes. In linked tables, a cell of a table
        that does not use a dimension has its total there.
    values
        (n,): what is to be published; weighted sums where the data have weights, weighted counts in a frequency table.
    relations
        Which cells add up to which.
    response
        Name of the variable that is summed; empty for a frequency table.
    parts
        (n,): in linked tables of several responses the number of the response in ``responses``; None for one response.
    responses
        Names of the responses; ``(response,)`` for one.
    counts
        (n,): number of records in a cell, unweighted; None where it is not known.
    units, holdings
        The largest contributors of each cell, and the largest groups of contributors under one control; None where
        they are not known.
    structural
        (n,): cells that are empty by structure, which everybody knows; None for none.
    lower, upper
        (n,): what everybody knows about a cell before it is published; None for 0 (or minus infinity where a
        contribution is negative) and infinity.
    shadow
        (n,): value of another variable that stands for size in the rules; None for the values themselves.
    cost
        (n,): what hiding a cell costs, from a variable of the user's own; None for the costs of a method.
    sources
        What every contributor has in the inner cells, of each table that this one was made of; none where only the largest
        contributors of each cell are known.
    """

    dimensions: tuple[Dimension, ...]
    codes: IntArray = field(repr=False)
    values: FloatArray = field(repr=False)
    relations: Relations = field(repr=False)
    response: str = ""
    parts: IntArray | None = field(default=None, repr=False)
    responses: tuple[str, ...] = ()
    counts: IntArray | None = field(default=None, repr=False)
    units: Contributions | None = field(default=None, repr=False)
    holdings: Contributions | None = field(default=None, repr=False)
    structural: BoolArray | None = field(default=None, repr=False)
    lower: FloatArray | None = field(default=None, repr=False)
    upper: FloatArray | None = field(default=None, repr=False)
    shadow: FloatArray | None = field(default=None, repr=False)
    cost: FloatArray | None = field(default=None, repr=False)
    sources: tuple[Source, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_frequency(self) -> bool:
        """Whether the cells are counts."""
        return not self.response

    # --- states of a cell ----------------------------------------------------------------------------------------------

    @property
    def is_structural(self) -> BoolArray:
        """(n,): empty by structure: nobody can be there, and everybody knows."""
        return np.zeros(len(self), bool) if self.structural is None else self.structural

    @property
    def is_empty(self) -> BoolArray:
        """(n,): somebody could be there, but nobody is."""
        nobody = self.counts == 0 if self.counts is not None else self.values == 0
        return np.asarray(nobody & ~self.is_structural, bool)

    @property
    def is_zero(self) -> BoolArray:
        """(n,): there are contributors, and their sum is zero."""
        return np.asarray((self.values == 0) & ~self.is_empty & ~self.is_structural, bool)

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """What everybody knows about the cells beforehand; a cell that is empty by structure is known."""
        negative = bool((self.values < 0).any()) or any(
            bool((found.amounts < 0).any()) for found in (self.units, self.holdings) if found is not None
        )
        low = np.full(len(self), -np.inf if negative else 0.0) if self.lower is None else self.lower.copy()
        high = np.full(len(self), np.inf) if self.upper is None else self.upper.copy()
        low[self.is_structural] = high[self.is_structural] = 0.0
        return low, high

    def bounds_published(self, hidden: BoolArray) -> tuple[FloatArray, FloatArray]:
        """What everybody knows beforehand, judged by the published cells alone: the values of hidden ones may be missing."""
        shown = replace(self, values=np.where(hidden, 0.0, self.values))
        low, high = shown.bounds
        return np.where(hidden, low, self.values), np.where(hidden, high, self.values)

    @cached_property
    def members(self) -> Members | None:
        """Contributors and holdings who could attack from inside, with what each has in its cells; None where unknown."""
        return listed(self.sources, self.units, self.holdings)

    @cached_property
    def seats(self) -> Seats:
        """The places of contributors and holdings: cells that one is alone in, and floors of those that it shares.

        Notes
        -----
        A seat has the number of its member (:attr:`members`). Where an amount is negative, of whomever, a cell may be
        smaller than what somebody has in it, and there are no floors; neither are there for amounts of a shadow variable,
        which are not those of the cells. A sampled contributor is taken to know its weight: its floor is its amount times
        that. With a weight above 1 it stands for others and does not know whether it is alone.
        """
        members = self.members
        if members is None:
            return Seats.nobody()
        bounds_nothing = (
            self.shadow is not None or bool((self.bounds[0] < 0).any()) or bool((members.amounts < 0).any())
        )
        alone = [
            (cells, members.find(found.sole[cells], holdings=which))
            for found, which in ((self.units, False), (self.holdings, True))
            if found is not None
            for cells in (np.flatnonzero(found.sole >= 0),)
        ]
        cells = np.concatenate([cells for cells, _ in alone])
        seats = np.concatenate([seats for _, seats in alone])
        return Seats.among(
            len(members),
            (cells[seats >= 0], seats[seats >= 0]),
            (members.cells, members.of_entry, members.weighted),
            floors=not bounds_nothing,
            holdings=members.is_holding,
            is_whole=members.is_whole,
        )

    # --- finding cells -------------------------------------------------------------------------------------------------

    def labels(self, cell: int) -> tuple[str, ...]:
        """Return the codes of one cell, a dimension each."""
        return tuple(d.codes[place] for d, place in zip(self.dimensions, self.codes[cell].tolist(), strict=True))

    def title(self, cell: int) -> str:
        """Return the name of a cell for messages: codes only, never a value."""
        named = [f"{d.name}={label}" for d, label in zip(self.dimensions, self.labels(cell), strict=True)]
        if self.parts is not None:
            named.append(self.responses[int(self.parts[cell])] or "count")
        return ", ".join(named)

    def column(self, name: str) -> list[str]:
        """Return the code of every cell in one dimension."""
        place = self.place(name)
        codes = np.array(self.dimensions[place].codes, dtype=object)
        return list(codes[self.codes[:, place]])

    def find(self, where: Mapping[str, str | Sequence[str]]) -> IntArray:
        """Return the cells with the given codes: ``{"region": "North", "size": ["small", "large"]}``."""
        chosen = np.ones(len(self), bool)
        for name, labels in where.items():
            place = self.place(name)
            dimension = self.dimensions[place]
            wanted = [labels] if isinstance(labels, str) else list(labels)
            for label in wanted:
                if label not in dimension.places:
                    raise ParameterError(
                        f"Dimension '{name}' has no code '{label}'.{did_you_mean(label, dimension.codes)}"
                    )
            chosen &= np.isin(self.codes[:, place], [dimension.places[label] for label in wanted])
        return np.flatnonzero(chosen).astype(np.int64)

    def place(self, name: str) -> int:
        """Return the position of a dimension."""
        names = [dimension.name for dimension in self.dimensions]
        if name not in names:
            raise ParameterError(f"The table has no dimension '{name}'.{did_you_mean(name, names)}")
        return names.index(name)

    # --- checks --------------------------------------------------------------------------------------------------------

    def relation_title(self, relation: int) -> str:
        """Return the name of a relation: its total, then its parts."""
        cells, signs = self.relations.row(relation)
        totals = [self.title(c) for c in cells[signs < 0].tolist()]
        parts = [self.title(c) for c in cells[signs > 0].tolist()]
        shown = parts if len(parts) <= 4 else [*parts[:3], f"and {len(parts) - 3} more"]
        return f"{' + '.join(totals)} is the sum of {'; '.join(shown)}"

    def check_additive(self, *, tolerance: float = 1e-6) -> None:
        """Raise an error that names the relations that do not hold."""
        off = self.relations.violated(self.values, tolerance=tolerance)
        if len(off):
            named = "\n  - ".join(self.relation_title(r) for r in off[:10].tolist())
            more = f"\n  and {len(off) - 10} more" if len(off) > 10 else ""
            raise DataError(
                f"The table is not additive: {len(off)} of {len(self.relations)} relations are off:\n  - {named}{more}",
                details={
                    "relations": off.tolist(),
                    "residuals": self.relations.residuals(self.values)[off].tolist(),
                },
            )

    def with_values(self, values: FloatArray) -> Table:
        """The same table with other values."""
        return replace(self, values=np.asarray(values, np.float64))
