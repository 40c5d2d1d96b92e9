"""Rounding as a protector: every cell becomes a multiple of a base."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from tacita.core.parameters import Interval
from tacita.core.streams import Streams, check_seed, draw_seed
from tacita.core.traits import ProtectorTraits
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tacita.tables.rules.rule import whole_counts
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Round"]


@dataclass(frozen=True, kw_only=True)
class Round(Protector):
    """Publish every cell as a multiple of a base.

    ``controlled`` rounding keeps the sums: each cell goes to one of its two neighbouring multiples, chosen so that the
    table still adds up and moves as little as possible; where no such choice exists, some cells go further, and the result
    says so. ``conventional`` goes to the nearest multiple and ``random`` to one of the two neighbours without bias; both
    break sums.

    Protects small counts: a reader knows a cell to within the base and no better from one table. Does not protect against
    differences of many rounded tables of the same data. It is checked against readers: what contributors find who know their
    own amounts is not looked at.

    Parameters
    ----------
    base
        The base.
    kind_of
        ``controlled``, ``conventional`` or ``random``.
    time_limit
        For ``controlled``: seconds after which the best table found is taken.
    rounding_seed
        For ``random``: makes the result repeatable. Without it 128 bits are drawn from the system. Whoever has the seed can
        undo the rounding, so it is kept in :attr:`Protected.seed` and on the internal side of what is published.

    Returns
    -------
    Protected
        The table with its rounded values; nothing is hidden. ``exposed`` has the unsafe cells that a reader still knows too
        well, and the table is not safe where there are any.

    Raises
    ------
    ParameterError
        When the base is not positive.
    DataError
        When the table is not additive.

    Complexity
    ----------
    O(n) for ``conventional`` and ``random``. ``controlled`` is a linear programme in two dimensions and a whole one, hard in
    the worst case, in three and more.

    Notes
    -----
    The numbers that are drawn depend on the seed and the base, so that two roundings with one seed and different bases do not
    cancel each other out. Publishing a table rounded with a short seed warns.

    Unsafe cells play no part in the rounding: all cells are rounded. A cell that is a multiple already stays. Afterwards each
    unsafe cell is held against its protection levels: a reader who knows the base and the kind of rounding knows that the
    value is less than a base away (``controlled``, ``random``) or at most half a base (``conventional``), that the true
    values add up, and what everybody knows beforehand. A level beyond that is not met.

    References
    ----------
    Cox, L. H. (1987), A constructive procedure for unbiased controlled rounding, Journal of the American Statistical
    Association 82, 520-524; Salazar, J. J. (2005), Controlled rounding and cell perturbation, Mathematical Programming
    105, 583-603.

    Examples
    --------
    >>> Round(base=5).to_plain()
    {'base': 5.0}
    """

    name = "round"
    faces = ("rounded_cells", "bounded_noise")
    traits = ProtectorTraits(keeps_zeros=True)
    secret = frozenset({"rounding_seed"})
    base: Annotated[float, Interval(0, None, "neither")]
    kind_of: Literal["controlled", "conventional", "random"] = "controlled"
    time_limit: Annotated[float, Interval(0)] | None = 60.0
    rounding_seed: Annotated[int, Interval(0)] | None = None

    def protect(self, table: Table, unsafe: Unsafe) -> Protected:
        """Return the table with its rounded values."""
        from tacita.tables.rounding.controlled import controlled_rounding
        from tacita.tables.rounding.conventional import conventional_rounding, random_rounding
        from tacita.tables.rounding.reader import exposed_by_rounding

        begin, steps, seed = time.perf_counter(), 0, None
        problem = make_problem(table, unsafe, seats="none")
        broken = "Sums of rounded cells do not hold: each cell was rounded on its own."
        if self.kind_of == "controlled":
            low, high = table.bounds
            found = controlled_rounding(
                table.relations, table.values, base=self.base, lower=low, upper=high, time_limit=self.time_limit
            )
            values, cost, bound = found.values, found.distance, found.bound
            steps = int(np.abs(found.steps).max(initial=0))
            notes = (
                () if found.is_restricted else ("Some cells are further than one base away: no nearer table adds up.",)
            )
        else:
            if self.kind_of == "conventional":
                values = conventional_rounding(table.values, base=self.base)
            else:
                seed = draw_seed() if self.rounding_seed is None else check_seed(self.rounding_seed, owner="Round")
                rng = Streams(seed).stream("round", "table", f"base={self.base!r}")
                values = random_rounding(table.values, base=self.base, rng=rng)
            cost = bound = float(np.abs(values - table.values).sum())
            notes = (broken,)
        exposed = exposed_by_rounding(
            problem, values, whole_counts(table), base=self.base, is_nearest=self.kind_of == "conventional", steps=steps
        )
        if len(exposed):
            notes = (*notes, f"{len(exposed)} unsafe cells are known too well by their rounded values: widen the base.")
        return self.result(
            table,
            unsafe,
            problem,
            begin=begin,
            values=values,
            cost=cost,
            bound=bound,
            notes=notes,
            exposed=tuple(exposed.tolist()),
            base=self.base,
            reach=self.base / 2 if self.kind_of == "conventional" else self.base * (1 + steps),
            seed=seed,
        )
