"""Subset sums: noisy answers about enough random sets give the whole column back, unless the noise is large."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import people_of
from tacita.attack.queries.told import claims_told
from tacita.attack.queries.words import ServerWords
from tacita.attack.reconstruction.sums_target import SumsTarget
from tacita.attack.targets import ServerTarget
from tacita.core.arrays import FloatArray
from tacita.core.errors import AttackError
from tacita.core.parameters import Interval
from tacita.core.traits import AttackTraits
from tacita.solve.least_absolute import least_absolute

__all__ = ["SubsetSums"]

_MOST_CELLS = 600
"""Cells of a server's classes that are solved for at once."""


@dataclass(frozen=True, kw_only=True)
class SubsetSums(Attacker):
    """Reconstruct a column of zeros and ones from noisy sums over random subsets, by linear decoding.

    Ask for the sums of many random sets, find the x between 0 and 1 whose sums deviate least from the answers, and round it.
    Noise that is small beside the square root of the number of people is undone for nearly everybody.

    Parameters
    ----------
    factor
        Questions for each person, or for each cell of classes on a server.

    Complexity
    ----------
    O(factor n) questions and one linear programme of O(factor n^2) entries, about n^3 steps; for n people or cells.

    Notes
    -----
    On a server a set is what published classes say: people are told apart up to their cell of known classes, and a random set is
    a box with a random half of the classes of each variable. Answers that are refused are left out. The decoding takes the sum of
    absolute deviations, which a few answers that are far off hardly disturb.

    References
    ----------
    Dinur, I. and Nissim, K. (2003), Revealing information while preserving privacy, PODS 2003, 202-210. Dwork, C., McSherry, F.
    and Talwar, K. (2007), The price of privacy and the limits of LP decoding, STOC 2007, 85-94.

    Examples
    --------
    >>> secret = np.random.default_rng(1).integers(0, 2, 40)
    >>> target = SumsTarget(answer=lambda sets: sets @ secret + 0.4, people=40, chosen=np.arange(40))
    >>> said = SubsetSums().run(target, np.random.default_rng(2))[0].said
    >>> bool((said == secret).all())
    True
    """

    name = "subset_sums"
    title = "Reconstruction from subset sums"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="who is in each set that is asked about; on a server the classes of the victims",
        breaks="noise that is small beside the square root of the number of people",
        held_by="noise of the size of the square root, budgets, and an auditor of sums",
    )

    factor: Annotated[float, Interval(1, 50)] = 4.0

    def declined(self, target: Any) -> str:
        if isinstance(target, SumsTarget):
            return ""
        if not isinstance(target, ServerTarget):
            return "Nobody answers questions."
        return "" if target.known and all(target.known) else "Nothing is known of who the victims are."

    def cost(self, target: Any) -> float:
        if isinstance(target, SumsTarget):
            return 0.02 + 2e-8 * self.factor * float(target.people) ** 3 + 1e-6 * target.victims
        return 1.0 + 0.01 * self.factor * min(10.0 * float(target.victims), _MOST_CELLS)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        return self._sums(target, rng) if isinstance(target, SumsTarget) else self._server(target, rng)

    def _sums(self, target: SumsTarget, rng: Generator) -> tuple[Claims, ...]:
        n = target.people
        asked = min(int(np.ceil(self.factor * n)), target.most_queries)
        sets = rng.random((asked, n)) < 0.5
        answers = np.asarray(target.answer(sets), np.float64)
        told = ~np.isnan(answers)
        if not told.any():
            refused = {"refused": asked}
            return (Claims(about="property", said=np.full(target.victims, -1), queries=asked, refused=refused),)
        found = least_absolute(sets[told].astype(np.float64), answers[told], np.zeros(n), np.ones(n))
        residual = sets[told] @ found - answers[told]
        said = (found[target.chosen] >= 0.5).astype(np.int64)
        clear = float((np.abs(found - 0.5) > 0.25).mean())
        return (
            Claims(
                about="property",
                said=said,
                queries=asked,
                refused={"refused": int((~told).sum())} if not told.all() else {},
                learned=f"{asked} answers about random sets were decoded.",
                figures={"mean_deviation": float(np.abs(residual).mean()), "clear": clear},
            ),
        )

    def _server(self, target: ServerTarget, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)
        names = _told_apart_by(words, target)
        grid = list(itertools.product(*(words.domain[name] for name in names)))
        place = {cell: i for i, cell in enumerate(grid)}
        answers, rows = [], []
        for _ in range(int(np.ceil(self.factor * len(grid)))):
            kept = [_half(words.domain[name], rng) for name in names]
            told = words.look(people_of(words.domain, dict(zip(names, kept, strict=True))))
            if words.queries >= target.most_queries:
                break
            if told is not None and not np.isnan(told).any():
                row = np.zeros(len(grid))
                row[[place[cell] for cell in itertools.product(*kept)]] = 1.0
                rows.append(row)
                answers.append(told)
        found: list[FloatArray | None] = [None] * target.victims
        if rows:
            sums, matrix = np.array(answers), np.array(rows)
            top = np.full(len(grid), max(float(sums.max()), 0.0))
            solved = [least_absolute(matrix, sums[:, j], np.zeros(len(grid)), top) for j in range(sums.shape[1])]
            cells = [place.get(tuple(known.get(name, "") for name in names)) for known in target.known]
            found = [None if i is None else np.array([column[i] for column in solved]) for i in cells]
            found = [None if one is None else np.concatenate([np.rint(one[:1]), one[1:]]) for one in found]
        return claims_told(
            target,
            words,
            found,
            sure=False,
            learned=f"{len(rows)} answers about random boxes of classes were decoded.",
            figures={"cells": float(len(grid)), "answered": float(len(rows))},
        )


def _told_apart_by(words: ServerWords, target: ServerTarget) -> tuple[str, ...]:
    """Return the variables that victims are told apart by: known of all, published, and of few cells together."""
    shared = set.intersection(*(set(known) for known in target.known)) - {target.wanted}
    usable = sorted(name for name in shared if len(words.domain.get(name, ())) > 1)
    chosen: list[str] = []
    for name in sorted(usable, key=lambda one: (-len(words.domain[one]), one)):
        if len(chosen) < words.width() and np.prod([len(words.domain[n]) for n in (*chosen, name)]) <= _MOST_CELLS:
            chosen.append(name)
    if not chosen:
        raise AttackError("No published variable is known of all victims.")
    return tuple(sorted(chosen))


def _half(classes: Sequence[str], rng: Generator) -> tuple[str, ...]:
    """Return a random half of some classes, at least one."""
    kept = tuple(word for word in classes if rng.random() < 0.5)
    return kept or (classes[int(rng.integers(len(classes)))],)
