"""A town whose keys everybody knows, and intruders who want to know who of it is ill.

The scenario: the intruder knows region, age and sex of everybody (a register), that the data hold everybody, and how
many of all are ill. He wants one person who is alone in the cell of his keys. All else comes from answers.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

import tacita as tc
from tacita.core.errors import TacitaWarning
from tests.query.attacks.linear_attacker import Observation, Rate, best_linear_guess

__all__ = [
    "CLASSES",
    "SHARE",
    "Town",
    "attacked",
    "by_class",
    "by_condition",
    "by_model",
    "direct",
    "mixed",
    "pairs",
    "universe_less_cell",
]

CLASSES = {"age": tuple("abcdef"), "region": ("e", "n", "s"), "sex": ("f", "m")}
SHAPE = tuple(len(classes) for classes in CLASSES.values())
SHARE = 0.4
"""Part of the town that is ill; guessing "not ill" is right for 60 %."""

Strategy = Callable[["Town", tuple[int, ...], np.random.Generator], Iterator[tuple[list[Any], tuple[str, ...]]]]
"""What an intruder asks: lists of universes that belong together, and the keys that he wants the tables by."""


Asking = Callable[["tc.query.Database", "Town", Any, tuple[str, ...], float], list[Observation] | None]
"""How he asks about a universe, and what he makes of the answer."""


class Town:
    """A town with some people who are alone in the cell of their keys.

    Parameters
    ----------
    seed
        Of the town, and of the secret key.
    people
        How many there are, about.
    targets
        How many targets there are; each in an age of a region where no other target is.
    alone
        How many people are in a target's cell: 1, or 2 with an intruder who knows his own record.
    weights
        Whether people stand for others.
    """

    def __init__(
        self, seed: int, *, people: int = 4500, targets: int = 3, alone: int = 1, weights: bool = False
    ) -> None:
        rng = np.random.default_rng(seed)
        code = np.stack([rng.integers(0, size, people) for size in SHAPE], axis=1)
        places = list(itertools.product(range(SHAPE[0]), range(SHAPE[1])))
        self.targets = [(*places[i], int(rng.integers(2))) for i in rng.permutation(len(places))[:targets]]
        for cell in self.targets:
            there = np.flatnonzero((code == cell).all(axis=1))
            code[there[alone:], 2] = 1 - cell[2]
        self.ill = rng.random(people) < SHARE
        self.counts = np.zeros(SHAPE, dtype=np.int64)
        np.add.at(self.counts, tuple(code.T), 1)
        self.code = code
        self.is_ill = {cell: bool(self.ill[(code == cell).all(axis=1)][0]) for cell in self.targets}
        self.known_ill = {cell: int(self.ill[(code == cell).all(axis=1)][1:].sum()) for cell in self.targets}
        names = {name: np.array(classes, dtype=object)[code[:, i]] for i, (name, classes) in enumerate(CLASSES.items())}
        self.columns: dict[str, Any] = {**names, "ill": np.where(self.ill, "yes", "no")}
        self.columns["income"] = np.round(rng.lognormal(10, 0.7, people))
        self.columns["year"] = np.round(rng.normal(1975, 12, people))  # a number that differs little between people
        if weights:
            self.columns["w"] = rng.uniform(50, 300, people)
        self.key = b"key of the town " + seed.to_bytes(16, "big")
        self.weights = weights

    def open(self, policy: Any) -> tc.query.Database:
        data = tc.Microdata.from_frame(
            pd.DataFrame(self.columns),
            keys=list(CLASSES),
            confidential=["ill", "income", "year"],
            weight="w" if self.weights else None,
        )
        with warnings.catch_warnings():  # that no stratum is named is what some of these attackers wait for
            warnings.simplefilter("ignore", TacitaWarning)
            return tc.query.open(data, policy=policy, key=self.key)

    @staticmethod
    def inside(where: tc.query.Universe) -> np.ndarray:
        """Which cells of the keys a universe has, from its words."""
        found = np.zeros(SHAPE, dtype=bool)
        for place in np.ndindex(*SHAPE):
            words = {name: classes[i] for (name, classes), i in zip(CLASSES.items(), place, strict=True)}
            found[place] = any(all(words[name] in listed for name, listed in piece) for piece in where.pieces)
        return found

    def rows(self, where: tc.query.Universe, by: Sequence[str]) -> Iterator[tuple[np.ndarray, tuple[int, ...]]]:
        """The cells of the keys that each row of a table has, with the row's place."""
        inside, axes = self.inside(where), [list(CLASSES).index(name) for name in by]
        for place in np.ndindex(*(SHAPE[axis] for axis in axes)):
            row = inside.copy()
            for axis, number in zip(axes, place, strict=True):
                row &= np.indices(SHAPE)[axis] == number
            yield row, place


def universe_less_cell(chosen: Sequence[Sequence[str]], cell: tuple[int, ...]) -> tuple[Any, Any]:
    """The people of some classes, and the same without one cell: as simple and as complex universe."""
    names = list(CLASSES)
    whole = tc.query.Universe(dict(zip(names, map(list, chosen), strict=True)))
    less = None
    for axis, name in enumerate(names):
        rest = [c for c in chosen[axis] if c != CLASSES[name][cell[axis]]]
        if rest:
            piece = tc.query.Universe({**dict(zip(names, map(list, chosen), strict=True)), name: rest})
            less = piece if less is None else less | piece
    return whole, less


def _some(name: str, own: int, rng: np.random.Generator) -> list[str]:
    """Some classes of a variable, the target's among them."""
    return [c for i, c in enumerate(CLASSES[name]) if i == own or rng.random() < 0.6]


def direct(town: Town, cell: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[list[Any], tuple[str, ...]]]:
    """Ask for the table by all keys, and read the cell."""
    del town, cell, rng
    yield [tc.query.Universe()], ("age", "region", "sex")


def pairs(by: tuple[str, ...] = ("region",), *, padded: bool = False) -> Strategy:
    """Universes with and without the target, over and over with other classes around him.

    ``padded`` joins both with a whole region of others.
    """

    def ask(town: Town, cell: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[list[Any], tuple[str, ...]]]:
        del town
        while True:
            chosen = [_some(name, own, rng) for name, own in zip(CLASSES, cell, strict=True)]
            free = int(rng.integers(3))  # with a condition on all three keys his own cell would be a piece
            chosen[free] = list(CLASSES[list(CLASSES)[free]])
            whole, less = universe_less_cell(chosen, cell)
            if padded:
                away = [c for i, c in enumerate(CLASSES["region"]) if i != cell[1]]
                pad = tc.query.Universe({"region": [away[int(rng.integers(len(away)))]]})
                whole, less = whole | pad, less | pad
            yield [whole, less], by

    return ask


def mixed(by: tuple[str, ...] = ("region",)) -> Strategy:
    """One universe at a time, never two that are close: with the target, without him, or of other ages.

    Sums and differences of many of them are the target: U(own, a) + T(b) - V(own, a, b), and so on. The best linear
    guess finds them.
    """

    def ask(town: Town, cell: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[list[Any], tuple[str, ...]]]:
        del town
        while True:
            chosen = [_some(name, own, rng) for name, own in zip(CLASSES, cell, strict=True)]
            chosen[2] = list(CLASSES["sex"])
            whole, less = universe_less_cell(chosen, cell)
            ages = [c for c in chosen[0] if c != CLASSES["age"][cell[0]]]
            others = [tc.query.Universe({"age": ages, "region": chosen[1]})] if ages else []
            listed = [whole, less, *others]
            yield [listed[int(rng.integers(len(listed)))]], by

    return ask


def by_class(
    db: tc.query.Database, town: Town, where: Any, by: tuple[str, ...], noise: float
) -> list[Observation] | None:
    """Ask for a table of who is ill, and make estimates of it; None where it is refused."""
    answer = db.ask(tc.query.Tabulate(by=[*by, "ill"], where=where))
    if answer.status != "answered":
        return None
    found = []
    for row, place in town.rows(where, by):
        known = int(town.counts[row].sum())
        if not known:
            continue
        no, yes = answer.table.values[place]
        if noise:  # keyed noise: counts of both classes are estimates, zeros are not changed
            found.append(Observation(row.ravel(), yes, noise if yes else 0.3))
            found.append(Observation(row.ravel(), known - no, noise if no else 0.3))
        elif no + yes > 0:  # dropped records: how many is seen, of which class is not
            gone = known - (no + yes)
            share = (yes + SHARE) / (no + yes + 1)
            found.append(Observation(row.ravel(), yes + gone * share, gone * share * (1 - share)))
    return found


def by_condition(
    db: tc.query.Database, town: Town, where: Any, by: tuple[str, ...], noise: float
) -> list[Observation] | None:
    """Ask for a table of those of a universe who are ill: what is confidential is a condition, not a column."""
    ill = [
        tc.query.Universe({**{name: list(words) for name, words in piece}, "ill": ["yes"]}) for piece in where.pieces
    ]
    asked = ill[0]
    for piece in ill[1:]:
        asked = asked | piece
    answer = db.ask(tc.query.Tabulate(by=by, where=asked))
    if answer.status != "answered":
        return None
    rows = [(row, answer.table.values[place]) for row, place in town.rows(where, by) if town.counts[row].sum()]
    # of those who are dropped, 2 to 6 in each region, all are ill
    return [Observation(row.ravel(), yes if noise else yes + 4, noise or 2.0) for row, yes in rows]


def by_model(
    db: tc.query.Database, town: Town, where: Any, by: tuple[str, ...], noise: float
) -> list[Observation] | None:
    """Ask for a logistic regression: in each class of a main effect the fitted probabilities add up to the number of ill.

    Complex universes get two further predictors, so that their models are not closely related to those of simple ones.
    """
    more = [name for name in CLASSES if name not in by] if len(where.pieces) > 1 else []
    answer = db.ask(tc.query.Regress(response="ill", family="logistic", predictors=[*by, *more], where=where))
    if answer.status != "answered":
        return None
    estimates = {c.label: c.estimate for c in answer.model.coefficients}
    total = np.zeros(SHAPE)
    for place in np.ndindex(*SHAPE):
        labels = [f"{name}[{classes[i]}]" for (name, classes), i in zip(CLASSES.items(), place, strict=True)]
        score = sum(estimates.get(label, 0.0) for label in ("(intercept)", *labels))
        total[place] = town.counts[place] / (1 + np.exp(-score))
    rows = [row for row, _ in town.rows(where, by) if town.counts[row].sum()]
    return [Observation(row.ravel(), float(total[row].sum()), noise or 1.3) for row in rows]


def attacked(
    policy: Any,
    strategy: Strategy,
    *,
    towns: Sequence[int],
    ask: Asking = by_class,
    universes: int = 1,
    noise: float = 0.0,
    tries: int = 60,
    insider: bool = False,
    **settings: Any,
) -> Rate:
    """Let an intruder ask until he has so many sets of universes, and guess; count his successes.

    Parameters
    ----------
    policy
        What he is up against; he knows it.
    strategy
        What he asks.
    towns
        Seeds.
    ask
        In which kind of question.
    universes
        How many sets of universes around the target he asks for.
    noise
        Variance of the noise on a count; 0 where records are dropped instead.
    tries
        How often he asks, refusals included.
    insider
        Whether all others in the target's cell work with him.
    """
    rate = Rate(0, 0, 0, 0)
    for seed in towns:
        town = Town(seed, **settings)
        db = town.open(policy)
        for number, cell in enumerate(town.targets):
            rng = np.random.default_rng([seed, number])
            observations: list[Observation] = []
            place = int(np.ravel_multi_index(cell, SHAPE))
            answered = 0
            for wheres, by in itertools.islice(strategy(town, cell, rng), tries):
                found = [ask(db, town, where, by, noise) for where in wheres]
                observations += [o for one in found if one is not None for o in one]
                answered += all(one is not None for one in found)
                if answered >= universes:
                    break
            counts = town.counts.copy()
            if insider:  # what he knows of his own record he takes out
                observations = [_less(o, place, town.known_ill[cell]) for o in observations]
                counts[cell] = 1
            guess, _ = best_linear_guess(counts.ravel(), SHARE, _merged(observations), place)
            guess /= counts[cell]
            truth = town.is_ill[cell]
            rate += Rate.of(right=(guess > 0.5) == truth, guess_right=not truth)
    return rate


def _less(observation: Observation, place: int, known: int) -> Observation:
    """The same without people whose class is known."""
    return replace(observation, estimate=observation.estimate - known) if observation.inside[place] else observation


def _merged(observations: list[Observation]) -> list[Observation]:
    """The same set of people has the same noise: once is enough."""
    seen: dict[tuple[bytes, float], Observation] = {}
    for o in observations:
        seen.setdefault((o.inside.tobytes(), round(o.estimate, 9)), o)
    return list(seen.values())
