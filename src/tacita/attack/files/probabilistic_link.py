"""Probabilistic linkage with partial knowledge: a victim is taken for the record that agrees with him most convincingly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.random import Generator

from tacita.attack.files.compared import ClassPair, NumberPair, compare
from tacita.attack.files.links import LinkingAttack, Links
from tacita.attack.targets import FileTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray, PlaceArray
from tacita.core.parameters import Interval, Length
from tacita.core.traits import AttackTraits
from tacita.numeric.linkage.agreement import FINE_BITS, Positions

__all__ = ["ProbabilisticLink", "agreement_positions"]

_UNITS = 1000
"""Positions in one percent of the released ranks."""
_APART = 200_000
"""Positions between two classes: more than the widest agreement of ranks."""
_MOST_CLASSES = 10_000
_LEARNING = 2e7
"""Pairs times columns that weights are learned from, for at least 50 victims and at most 1000."""
_PER_LEARNED = 2e-8
_PER_PAIR = 1.2e-9
_SURE_BITS = 10.0
"""A link is sure where its weight is that much above the next: a thousand times as likely."""


@dataclass(frozen=True, kw_only=True)
class ProbabilisticLink(LinkingAttack):
    """Take for each victim the released record whose agreement with him is the most convincing.

    Numbers agree at levels, by how many percent of the released values lie between them; classes agree or do not, on every level
    of their hierarchy that the release shows. With m(l) and u(l) the probabilities of level l in a column for pairs that belong
    together and for others, a pair weighs ``sum log2(m(l) / u(l))``; the record that weighs most is taken. Nobody tells the
    attacker m and u: they are estimated from what he has by EM, with one match for each victim.

    Parameters
    ----------
    widths
        Differences up to which two numbers agree, one for each level, in percent of the released values.

    Returns
    -------
    Claims
        Of the identity, and of every wanted column.

    Complexity
    ----------
    O(v n d) integer operations for v victims and n records, many at a time, and O((v + n) d) memory; EM looks at no more than
    20 million comparisons in each round.

    Notes
    -----
    It needs no idea of how the file was masked: it learns which columns can be trusted and how far. A missing value on either
    side weighs nothing. Of records that weigh the same one is picked at random. The attacker is sure where the next record
    is a thousand times less likely. A class that the release shows at several levels counts once on each of them.

    References
    ----------
    Fellegi, I. P. and Sunter, A. B. (1969), A theory for record linkage; Jaro, M. A. (1989), Advances in record-linkage
    methodology.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.RankSwap(columns=["earnings", "tax", "savings"], p=3).apply(data, seed=7)
    >>> staged = stage_file(data, masked, scenario=tc.Scenario(keys=["age", "sex"], known=["earnings", "tax", "savings"]))
    >>> tc.attack.attack_once(ProbabilisticLink(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "probabilistic_link"
    title = "Probabilistic linkage with partial knowledge"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="some true values of each victim",
        breaks="noise or swapping over small distances",
        held_by="strong noise or coarse groups in all columns that are known",
    )
    widths: Annotated[tuple[Annotated[float, Interval(0, 100)], ...], Length(1)] = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes to learn the weights and to weigh all pairs."""
        pairs, d = target.victims * len(target.released), len(self.linked_by(target))
        learned = _learning(target.victims, len(target.released), d) * len(target.released) * d
        return 0.1 + learned * _PER_LEARNED + pairs * d * _PER_PAIR

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Learn the weights, then take the record that weighs most."""
        from tacita.numeric.linkage.fellegi_sunter import estimate_one_each, weights_of  # loads when used
        from tacita.numeric.linkage.weight_linkage import heaviest_records

        positions = agreement_positions(
            *compare(target.known, target.released, self.linked_by(target), target.steps), self.widths
        )
        v, n = target.victims, len(target.released)
        if not v:
            return Links(rows=np.zeros(0, np.int64), is_sure=np.zeros(0, bool))
        learned = _learning(v, n, len(positions.originals))
        rows = np.sort(rng.choice(v, learned, replace=False))
        weights = weights_of(estimate_one_each(positions, rows))
        found = heaviest_records(positions, weights, np.arange(v), rng.permutation(n))
        clear = found.weight - found.second >= int(_SURE_BITS * (1 << FINE_BITS))
        return Links(rows=found.rows, is_sure=clear & (found.ties == 1) & (found.weight > 0))


def _learning(victims: int, records: int, columns: int) -> int:
    """Return how many victims weights are learned from."""
    return min(victims, int(np.clip(_LEARNING / max(records * columns, 1), 50, 1000)))


def agreement_positions(
    numbers: Sequence[NumberPair], classes: Sequence[ClassPair], widths: Sequence[float]
) -> Positions:
    """Return both files as whole positions, so that values which agree are near each other. O((v + n) d log n).

    Released records play the part of the originals that are searched, victims that of the masked records.
    """
    columns = [_by_rank(pair) for pair in numbers]
    columns += [column for pair in classes for column in _by_class(pair)]
    released, known, released_gone, known_gone = zip(*columns, strict=True)
    limits = np.array([round(width * _UNITS) + 1 for width in sorted(set(widths))], np.int32)
    return Positions(np.stack(released), np.stack(known), np.stack(released_gone), np.stack(known_gone), limits)


_Column = tuple[PlaceArray, PlaceArray, BoolArray, BoolArray]


def _by_rank(pair: NumberPair) -> _Column:
    """Return numbers as the share of released values below them, in thousandths of a percent."""
    ordered = np.sort(pair.released[~np.isnan(pair.released)])

    def places(values: FloatArray) -> PlaceArray:
        below, upto = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
        return np.asarray(np.rint(50.0 * _UNITS * (below + upto) / max(len(ordered), 1)), np.int32)

    return places(pair.released), places(pair.known), np.isnan(pair.released), np.isnan(pair.known)


def _by_class(pair: ClassPair) -> Iterator[_Column]:
    """Give a column of classes once for each level that the release shows: there a known class fits at most one."""
    if pair.fits is None:
        yield _apart(pair.released % _MOST_CLASSES, pair.known % _MOST_CLASSES, pair.released < 0, pair.known < 0)
        return
    for level in _levels(pair.fits):
        shown = np.append(level, False)[pair.released]
        fitting = pair.fits & level
        image = np.append(np.where(fitting.any(axis=1), fitting.argmax(axis=1), fitting.shape[1]), 0)[pair.known]
        # A known class that nothing on the level stands for contradicts what is shown there.
        yield _apart(np.where(shown, pair.released, 0), image, ~shown, pair.known < 0)


def _apart(released: IntArray, known: IntArray, released_gone: BoolArray, known_gone: BoolArray) -> _Column:
    wrapped = [np.asarray((codes % _MOST_CLASSES) * _APART, np.int32) for codes in (released, known)]
    return wrapped[0], wrapped[1], released_gone, known_gone


def _levels(fits: BoolArray) -> list[BoolArray]:
    """Cut the released classes into levels on which no two of them stand for the same known class; the finest first.

    A class that stands for everything says nothing and is on no level.
    """
    size = fits.sum(axis=0)
    levels: list[tuple[BoolArray, BoolArray]] = []
    for j in np.argsort(size, kind="stable"):
        if size[j] == len(fits) and len(fits) > 1:
            continue
        level = next((one for one in levels if not (one[1] & fits[:, j]).any()), None)
        if level is None:
            level = (np.zeros(fits.shape[1], bool), np.zeros(len(fits), bool))
            levels.append(level)
        level[0][j] = True
        level[1][:] |= fits[:, j]
    return [chosen for chosen, _ in levels] or [np.zeros(fits.shape[1], bool)]
