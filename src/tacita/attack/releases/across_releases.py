"""Across releases: cells that no release tells and several tell together, and the releases that hurt each other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeAlias

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.releases.joint_bounds import joint_table, solved, sure_of
from tacita.attack.tables.seat_view import SeatView
from tacita.attack.targets import ReleasesTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.parameters import Interval
from tacita.core.progress import task
from tacita.core.traits import AttackTraits
from tacita.solve.cell_intervals import CellSystem

__all__ = ["AcrossReleases", "HurtingReleases", "hurting_releases"]


@dataclass(frozen=True, eq=False)
class HurtingReleases:
    """Releases that tell cells together which fewer of them do not tell.

    Parameters
    ----------
    releases
        Their names, two at least.
    victims
        The victims, by number, that become known.
    seat
        What sits where this is seen from, such as ``a holding``; empty for everybody outside.
    people
        How many of the victims are persons, whose counts say that nobody else is in their group.
    """

    releases: tuple[str, ...]
    victims: IntArray = field(repr=False)
    seat: str = ""
    people: int = 0

    def words(self) -> str:
        """Return a sentence for the data steward."""
        together = f"{' and '.join(self.releases)} together"
        if self.seat:
            of = (
                "the largest contributor of 1 cell"
                if len(self.victims) == 1
                else (f"the largest contributors of {len(self.victims)} cells")
            )
            return f"{together} tell {self.seat} too much of {of}, which they do not do alone."
        cells = len(self.victims) - self.people
        said = [f"{cells} cell{'s' if cells > 1 else ''}"] if cells else []
        said += [f"what {self.people} {'people have' if self.people > 1 else 'person has'}"] if self.people else []
        return f"{together} tell {' and '.join(said)} that they do not tell alone."


@dataclass(frozen=True, kw_only=True)
class AcrossReleases(Attacker):
    """Solve for hidden cells with everything that was released, and say which releases are needed for each.

    All tables, counts of files and answers make one system over the smallest groups of people that they speak of. A cell that
    every table hides may follow from two of them. Counts and totals are held against each other: where nobody is there is no
    total, a mean times a count is a total, and the total of a group of one is what a person has. A contributor uses what he has
    in every table at once; of him it is claimed what :class:`HiddenCells` claims for one table.

    Parameters
    ----------
    tolerance
        Share of its lower end that half of the interval of a cell may be for the cell to count as known; of counts one whole
        number must be left.
    most_tried
        Linear programmes for one victim from the seats.

    Complexity
    ----------
    O(v) linear programmes for v victims with all releases, and O(w r^2) for the w that become known and r releases; with seats at
    most ``most_tried`` more for each victim.

    Notes
    -----
    Linear programmes take broken counts for possible, so that a cell may be known which they leave open.

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear constraints,
    Management Science 47(7), 1008-1027: the attacker's programmes, for one table.

    Examples
    --------
    The total less the women is in one table, the total less the men in the other.

    >>> import numpy as np
    >>> from tacita.attack.releases.plain_table import PlainDimension, PlainTable
    >>> from tacita.attack.releases.joint_system import joint_system
    >>> sex, codes = PlainDimension.flat("sex", ["f", "m"]), np.array([[0], [1], [2]])
    >>> one = PlainTable(release="one", dimensions=(sex,), codes=codes, values=np.array([9.0, np.nan, np.nan]))
    >>> two = PlainTable(release="two", dimensions=(sex,), codes=codes[1:2], values=np.array([2.0]))
    >>> target = joint_system([one, two]).target
    >>> AcrossReleases().run(target, np.random.default_rng(1))[0].learned
    'two alone tells 1 of the cells that are to be protected. one and two together tell 1 cell that they do not tell alone.'
    """

    name = "across_releases"
    traits = AttackTraits(
        against="releases",
        learns="value",
        knows="all tables, files and answers that were released, that they are of one population, and from each seat what that "
        "contributor has himself",
        breaks="two tables that are each safe, and share cells of which each hides others",
        held_by="protection of all tables together, as linked tables",
    )

    tolerance: Annotated[float, Interval(0, 1)] = 0.001
    most_tried: Annotated[int, Interval(1)] = 64

    def declined(self, target: Any) -> str:
        several = len(target.names) if isinstance(target, ReleasesTarget) else 0
        return ("There are not several releases.", "There is one release only.", "")[min(several, 2)]

    def cost(self, target: Any) -> float:
        entries = float(target.tables.relations.nnz)
        from_seats = 25.0 if target.tables.sought is not None and target.tables.seats else 0.0
        return float(target.victims) * (1e-3 + 1e-6 * entries) * (1 + len(target.names) + from_seats)

    def run(self, target: ReleasesTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        every = range(len(target.names))
        claims = solved(target, every, self.tolerance)
        known = sure_of(claims)
        alone, said = np.zeros(target.victims, bool), []
        for release in every:
            told = sure_of(solved(target.among(np.flatnonzero(known)), [release], self.tolerance))
            alone[known] |= told
            if told.any():
                said.append(
                    f"{target.names[release]} alone tells {int(told.sum())} of the cells that are to be protected."
                )
        hurting = _needed(target, known & ~alone, _outside(target, self.tolerance))
        figures = {
            "known": float(known.sum()),
            "known_alone": float(alone.sum()),
            "known_together": float((known & ~alone).sum()),
            "pairs": float(sum(len(one.releases) == 2 for one in hurting)),
        }
        learned = " ".join([*said, *(one.words() for one in hurting)])
        found = (replace(claims, learned=learned, figures=figures),)
        return found if target.tables.sought is None else (*found, self._of_contributors(target))

    def _of_contributors(self, target: ReleasesTarget) -> Claims:
        """Claim the most that each sought contributor can have, as the seat sees it that learns most from all releases."""
        most, who = _seen(target, range(len(target.names)), self.most_tried)
        inside = int((who >= 0).sum())
        return Claims(
            about="contributor",
            said=np.where(np.isfinite(most), most, np.nan),
            learned=f"Of {inside} cells a contributor inside the tables says more than an outsider." if inside else "",
            figures={"from_seats": float(inside)},
        )


def hurting_releases(
    target: ReleasesTarget,
    *,
    tolerance: float = 0.001,
    next_release: str | None = None,
    guards: FloatArray | None = None,
    most_tried: int = 64,
) -> tuple[HurtingReleases, ...]:
    """Return the smallest groups of releases that tell cells together, pairs first, and then what contributors see.

    Parameters
    ----------
    target
        Everything that was released, and what is to leave next.
    tolerance, most_tried
        As in :class:`AcrossReleases`.
    next_release
        The name of the release that has not left yet: groups without it did their harm already, and are not returned.
    guards
        For each victim the least that its largest contributor must seem to be able to have, from every other seat: of the p %
        rule ``1 + p / 100`` times what he has. NaN where nothing is asked; None for a look from outside only.

    Raises
    ------
    AttackError
        When releases contradict each other, so that they are not of one population.
    """
    if next_release is not None and next_release not in target.names:
        raise AttackError(f"There is no release '{next_release}'.")
    found = _hurting(target, _outside(target, tolerance))
    if guards is not None and target.tables.sought is not None:
        found += _by_seat(target, guards, most_tried)
    return tuple(one for one in found if next_release is None or next_release in one.releases)


# --- which releases are needed --------------------------------------------------------------------------------------------

Tells: TypeAlias = Callable[[IntArray, Sequence[int]], BoolArray]
"""Which of some victims are told by some releases."""


def _outside(target: ReleasesTarget, tolerance: float) -> Tells:
    return lambda among, releases: sure_of(solved(target.among(among), releases, tolerance))


def _hurting(target: ReleasesTarget, tells: Tells) -> tuple[HurtingReleases, ...]:
    """Return the groups of releases that are needed for what all of them tell and none alone."""
    every = range(len(target.names))
    known = tells(np.arange(target.victims), every)
    for release in every:
        among = np.flatnonzero(known)
        known[among] &= ~tells(among, [release])
    return _needed(target, known, tells)


def _needed(target: ReleasesTarget, known: BoolArray, tells: Tells) -> tuple[HurtingReleases, ...]:
    """Return for the cells that become known the releases that are needed: every pair that does it, else a smallest group."""
    left, found = known.copy(), []

    def named(group: Sequence[int], victims: IntArray) -> HurtingReleases:
        people = 0 if target.single is None else int((target.single[victims] >= 0).sum())
        return HurtingReleases(tuple(target.names[i] for i in group), victims, people=people)

    pairs = list(itertools.combinations(range(len(target.names)), 2))
    with task("Pairs of releases", len(pairs)) as running:
        for pair in pairs:
            running.advance()
            among = np.flatnonzero(known)
            if not len(among):
                break
            told = among[tells(among, pair)]
            if len(told):
                left[told] = False
                found.append(named(pair, told))
    while left.any():
        victim = np.flatnonzero(left)[:1]
        group = list(range(len(target.names)))
        for release in tuple(group):
            fewer = [i for i in group if i != release]
            if tells(victim, fewer)[0]:
                group = fewer
        among = np.flatnonzero(left)
        told = among[tells(among, group)]
        left[told] = False
        found.append(named(group, told))
    return tuple(found)


# --- from the seats -------------------------------------------------------------------------------------------------------


def _seen(target: ReleasesTarget, releases: Sequence[int], most_tried: int) -> tuple[FloatArray, IntArray]:
    """Return the most that the contributor of each victim can have, by the best seat, and that seat; NaN for nobody."""
    most, who = np.full(target.victims, np.nan), np.full(target.victims, -1, np.int64)
    table, sought = joint_table(target, releases), target.tables.sought
    if table is None or sought is None:
        return most, who
    view = SeatView(CellSystem(table.relations, table.lower, table.upper), target.tables.seats, most_tried=most_tried)
    with task("Attacking from the seats", target.victims) as running:
        for i in np.flatnonzero(sought > -2).tolist():
            most[i], who[i] = view.nearest(int(target.tables.wanted[i]), without=int(sought[i]))
            running.advance()
    return most, who


def _by_seat(target: ReleasesTarget, guards: FloatArray, most_tried: int) -> tuple[HurtingReleases, ...]:
    """Return the releases that let a contributor come too near to another, by what sits there."""

    def near(among: IntArray, releases: Sequence[int]) -> BoolArray:
        most, who = _seen(target.among(among), releases, most_tried)
        return np.asarray((who >= 0) & (most < guards[among] * (1 - 1e-9)), bool)

    found = []
    for one in _hurting(target, near):
        releases = [target.names.index(name) for name in one.releases]
        _, who = _seen(target.among(one.victims), releases, most_tried)
        kinds = [target.tables.seats[seat].words() if seat >= 0 else "" for seat in who.tolist()]
        for kind in dict.fromkeys(kinds):
            victims = one.victims[np.array([word == kind for word in kinds])]
            found.append(replace(one, victims=victims, seat=kind, people=0))
    return tuple(one for one in found if one.seat)
