"""Across releases: cells that no release tells and several tell together, and the releases that hurt each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import claimed_cells, known_bounds
from tacita.attack.targets import ReleasesTarget
from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.parameters import Interval
from tacita.core.progress import task
from tacita.core.traits import AttackTraits
from tacita.solve.cell_intervals import cell_intervals

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
    """

    releases: tuple[str, ...]
    victims: IntArray = field(repr=False)

    def words(self) -> str:
        """Return a sentence for the data steward."""
        cells = "1 cell" if len(self.victims) == 1 else f"{len(self.victims)} cells"
        return f"{' and '.join(self.releases)} together tell {cells} that they do not tell alone."


@dataclass(frozen=True, kw_only=True)
class AcrossReleases(Attacker):
    """Solve for hidden cells with everything that was released, and say which releases are needed for each.

    All tables, counts of files and answers make one system over the smallest groups of people that they speak of. A cell that
    every table hides may follow from two of them.

    Parameters
    ----------
    tolerance
        Share of its lower end that half of the interval of a cell may be for the cell to count as known; of counts one whole
        number must be left.

    Complexity
    ----------
    O(v) linear programmes for v victims with all releases, and O(w r^2) for the w that become known and r releases.

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
        knows="all tables, files and answers that were released, and that they are of one population",
        breaks="two tables that are each safe, and share cells of which each hides others",
        held_by="protection of all tables together, as linked tables",
    )

    tolerance: Annotated[float, Interval(0, 1)] = 0.001

    def declined(self, target: Any) -> str:
        several = len(target.names) if isinstance(target, ReleasesTarget) else 0
        return ("There are not several releases.", "There is one release only.", "")[min(several, 2)]

    def cost(self, target: Any) -> float:
        entries = float(target.tables.relations.nnz)
        return float(target.victims) * (1e-3 + 1e-6 * entries) * (1 + len(target.names))

    def run(self, target: ReleasesTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        every = range(len(target.names))
        claims = _solved(target, every, self.tolerance)
        known = _sure(claims)
        alone, said = np.zeros(target.victims, bool), []
        for release in every:
            told = _sure(_solved(target.among(np.flatnonzero(known)), [release], self.tolerance))
            alone[known] |= told
            if told.any():
                said.append(
                    f"{target.names[release]} alone tells {int(told.sum())} of the cells that are to be protected."
                )
        hurting = _needed(target, known & ~alone, self.tolerance)
        figures = {
            "known": float(known.sum()),
            "known_alone": float(alone.sum()),
            "known_together": float((known & ~alone).sum()),
            "pairs": float(sum(len(one.releases) == 2 for one in hurting)),
        }
        learned = " ".join([*said, *(one.words() for one in hurting)])
        return (replace(claims, learned=learned, figures=figures),)


def hurting_releases(
    target: ReleasesTarget, *, tolerance: float = 0.001, next_release: str | None = None
) -> tuple[HurtingReleases, ...]:
    """Return the smallest groups of releases that tell cells together, pairs first.

    Parameters
    ----------
    target
        Everything that was released, and what is to leave next.
    tolerance
        As in :class:`AcrossReleases`.
    next_release
        The name of the release that has not left yet: groups without it did their harm already, and are not returned.

    Raises
    ------
    AttackError
        When releases contradict each other, so that they are not of one population.
    """
    if next_release is not None and next_release not in target.names:
        raise AttackError(f"There is no release '{next_release}'.")
    every = range(len(target.names))
    known = _sure(_solved(target, every, tolerance))
    for release in every:
        among = np.flatnonzero(known)
        known[among] &= ~_sure(_solved(target.among(among), [release], tolerance))
    found = _needed(target, known, tolerance)
    return tuple(one for one in found if next_release is None or next_release in one.releases)


def _solved(target: ReleasesTarget, releases: Iterable[int], tolerance: float) -> Claims:
    """Return claims of the victims from some of the releases."""
    chosen = tuple(releases)
    table = target.together(chosen)
    ends = cell_intervals(table.relations, *known_bounds(table), table.wanted)
    told = " and ".join(target.names[i] for i in _contradiction(target, chosen)) if ends is None else ""
    return claimed_cells(
        table,
        ends,
        tolerance=0.0 if table.is_count else tolerance,
        guesses=False,
        impossible=f"{told} contradict each other: they are not of one population, or values were changed.",
    )[0]


def _contradiction(target: ReleasesTarget, releases: Sequence[int]) -> tuple[int, ...]:
    """Return releases that contradict each other: one, two, or all of them."""
    nothing = np.zeros(0, np.int64)
    for size in (1, 2):
        for some in itertools.combinations(releases, size):
            table = target.together(some)
            if cell_intervals(table.relations, *known_bounds(table), nothing) is None or _is_impossible(target, some):
                return some
    return tuple(releases)


def _is_impossible(target: ReleasesTarget, releases: Sequence[int]) -> bool:
    table = target.together(releases)
    cells = np.unique(np.concatenate([target.shows[i].cells for i in releases]))[:1]
    return cell_intervals(table.relations, *known_bounds(table), cells) is None


def _sure(claims: Claims) -> BoolArray:
    return np.zeros(len(claims), bool) if claims.is_sure is None else claims.is_sure.copy()


def _needed(target: ReleasesTarget, known: BoolArray, tolerance: float) -> tuple[HurtingReleases, ...]:
    """Return for the cells that become known the releases that are needed: every pair that does it, else a smallest group."""
    left, found = known.copy(), []
    pairs = list(itertools.combinations(range(len(target.names)), 2))
    with task("Pairs of releases", len(pairs)) as running:
        for pair in pairs:
            running.advance()
            among = np.flatnonzero(known)
            if not len(among):
                break
            told = among[_sure(_solved(target.among(among), pair, tolerance))]
            if len(told):
                left[told] = False
                found.append(HurtingReleases(tuple(target.names[i] for i in pair), told))
    while left.any():
        victim = np.flatnonzero(left)[:1]
        group = list(range(len(target.names)))
        for release in tuple(group):
            fewer = [i for i in group if i != release]
            if _sure(_solved(target.among(victim), fewer, tolerance))[0]:
                group = fewer
        among = np.flatnonzero(left)
        told = among[_sure(_solved(target.among(among), group, tolerance))]
        left[told] = False
        found.append(HurtingReleases(tuple(target.names[i] for i in group), told))
    return tuple(found)
