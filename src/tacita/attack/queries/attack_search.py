"""A search for attacks: programs of queries that evolve against any server, and find what no rule had foreseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.queries.query_programs import (
    Program,
    bred,
    differencing_pairs,
    drawn_program,
    program_words,
    repeats,
)
from tacita.attack.queries.shadow_servers import Shadows, answers_of
from tacita.attack.queries.words import ServerWords
from tacita.attack.targets import OracleTarget
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.constraints import Interval
from tacita.core.traits import AttackTraits
from tacita.numeric.statistics.regression import logistic

__all__ = ["AnswerRule", "AttackSearch", "FoundProgram", "fitted_rule", "search_programs"]

_STEPS = 25
_ENOUGH = 0.995
"""Accuracy on validation shadows at which the search ends."""
_WORTH = 0.7
"""Accuracy on test shadows below which he says nothing of anybody."""


@dataclass(frozen=True, eq=False)
class AnswerRule:
    """How answers to a program are put together: a logistic regression on standardised answers.

    Parameters
    ----------
    centre, scale
        Mean and standard deviation of each answer; a scale of 0 leaves an answer out.
    weights
        Intercept and weights.
    """

    centre: FloatArray
    scale: FloatArray
    weights: FloatArray

    def scores(self, answers: FloatArray) -> FloatArray:
        """Return a score for each row of answers; above 0 the class is there."""
        unit = np.divide(answers - self.centre, self.scale, out=np.zeros_like(answers), where=self.scale > 0)
        return np.asarray(self.weights[0] + unit @ self.weights[1:], np.float64)


@dataclass(frozen=True, eq=False)
class FoundProgram:
    """What the search found.

    Parameters
    ----------
    program
        The queries.
    rule
        How their answers are put together.
    fitness
        Accuracy on validation shadows, which chose it.
    """

    program: Program
    rule: AnswerRule
    fitness: float

    @property
    def influence(self) -> FloatArray:
        """Weight of each query for one person more or less in its answer."""
        weights = self.rule.weights[1:]
        return np.divide(weights, self.rule.scale, out=np.zeros_like(weights), where=self.rule.scale > 0)


@dataclass(frozen=True, kw_only=True)
class AttackSearch(Attacker):
    """Evolve programs of counts about victims on shadow data, and turn the best one on the server.

    A program is a list of counts; each says of every known variable of the victim "equal", "not equal" or nothing, and may ask
    for the wanted class. Differences are not in the grammar. Its answers are put together by a logistic regression that is
    fitted on shadow servers, which run the server's program on samples of the reference; fitness is accuracy on others. The
    better half of the programs has children, by crossing and mutation.

    Parameters
    ----------
    questions
        Queries of a program.
    programs
        Programs that live at a time.
    generations
        How often they have children.
    shadows
        Shadow servers to fit rules on; as many again choose programs, and as many test the last one.
    mutation
        Chance that a condition changes.
    remembers
        Whether a server may remember what it was asked, as an auditor does: then every program is run on fresh servers. Otherwise
        each query is asked once for each shadow, which is much faster.

    Returns
    -------
    Claims
        Whether each victim has the class; nothing of anybody where the program was no good on test shadows. Figures:
        ``accuracy`` on these, ``generations``, ``differencing_pairs`` and ``repeats`` in the program that was found.

    Raises
    ------
    AttackError
        When the reference lacks a class of a victim.

    Complexity
    ----------
    O(programs generations questions shadows) questions to shadow servers at most; ``questions`` a victim to the server.

    Notes
    -----
    One program serves all victims, since conditions are relative to what is known of each. The published search ran 100
    queries a program, a population of 100 and 200 generations; smaller ones find the same against policies of this size. Answers
    that are refused count as -1, so refusals are part of what is learned from.

    References
    ----------
    Cretu, A.-M., Houssiau, F., Cully, A. and de Montjoye, Y.-A. (2022), QuerySnout: automating the discovery of attribute
    inference attacks against query-based systems, CCS, 623-637.

    Examples
    --------
    >>> AttackSearch(programs=100, generations=200, questions=100).shadows
    80
    """

    name = "attack_search"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="classes that nobody else has together; the server's program, and other people of the population",
        breaks="exact answers; noise that is drawn anew",
        held_by="an auditor of rows; noise that belongs to the set of people",
    )

    questions: Annotated[int, Interval(1, 500)] = 10
    programs: Annotated[int, Interval(2)] = 40
    generations: Annotated[int, Interval(0)] = 30
    shadows: Annotated[int, Interval(4)] = 80
    mutation: Annotated[float, Interval(0, 1)] = 0.1
    remembers: bool = False

    def declined(self, target: Any) -> str:
        if not isinstance(target, OracleTarget):
            return "The attacker does not have the server's program and other people of the population."
        return "" if target.of else "A class must be asked for."

    def cost(self, target: Any) -> float:
        asked = self.questions * self.shadows * (2 * self.programs * self.generations if self.remembers else 60)
        return 3e-4 * asked + 0.001 * self.questions * float(target.victims)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)
        train, choose, test = (
            Shadows.drawn(target, words.domain, self.shadows, rng, remembers=self.remembers) for _ in range(3)
        )
        found, generations = search_programs(self, words, train, choose, rng)
        accuracy = _accuracy(found.rule, test.answers(found.program), test.has)
        asked = np.array([answers_of(words, found.program, known) for known in target.known])
        scores = found.rule.scores(asked.reshape(len(target.known), -1))
        tells = accuracy >= _WORTH
        names = [*sorted(set(target.known[0]) & set(words.domain)), target.wanted]
        weights = found.influence.tolist()
        figures = {
            "accuracy": accuracy,
            "fitness": found.fitness,
            "generations": float(generations),
            "differencing_pairs": float(differencing_pairs(found.program, weights)),
            "repeats": float(repeats(found.program, weights)),
            "shadow_questions": float(train.queries + choose.queries + test.queries),
        }
        return (
            Claims(
                about=target.wanted,
                said=np.array([bool(score > 0) if tells else None for score in scores], dtype=object),
                is_sure=np.full(len(scores), accuracy >= 0.95),
                queries=words.queries,
                refused=dict(words.refused),
                not_worded=tuple(words.not_worded),
                learned=f"Found: {program_words(found.program, weights, names)}.",
                figures=figures,
            ),
        )


def search_programs(
    settings: AttackSearch, words: ServerWords, train: Shadows, choose: Shadows, rng: Generator
) -> tuple[FoundProgram, int]:
    """Evolve programs and return the best one, and after how many generations.

    Parameters
    ----------
    settings
        Sizes of the search.
    words
        What can be said to the server.
    train, choose
        Shadow servers to fit rules on, and to choose programs by.
    rng
        Random numbers.
    """
    variables = len(set(words.target.known[0]) & set(words.domain))
    living = [drawn_program(variables, settings.questions, rng) for _ in range(settings.programs)]
    rule = fitted_rule(train.answers(living[0]), train.has)
    best = FoundProgram(living[0], rule, -1.0)
    known: dict[Program, float] = {}
    for generation in range(settings.generations + 1):
        for program in living:
            if program not in known:
                rule = fitted_rule(train.answers(program), train.has)
                known[program] = _accuracy(rule, choose.answers(program), choose.has)
                if known[program] > best.fitness:
                    best = FoundProgram(program, rule, known[program])
        if best.fitness >= _ENOUGH:
            return best, generation
        living = _next(sorted(living, key=lambda one: -known[one]), settings, rng)
    return best, settings.generations


def _next(ranked: Sequence[Program], settings: AttackSearch, rng: Generator) -> list[Program]:
    """The better half, and children of it; the better a parent the more."""
    parents = ranked[: max(2, len(ranked) // 2)]
    children = []
    for _ in range(len(ranked) - len(parents)):
        first, second = (parents[int(min(rng.integers(len(parents), size=2)))] for _ in range(2))
        children.append(bred(first, second, rng, mutation=settings.mutation))
    return [*parents, *children]


def fitted_rule(answers: FloatArray, has: BoolArray) -> AnswerRule:
    """Fit a logistic regression of who has the class on standardised answers; answers that never change are left out.

    Examples
    --------
    >>> rule = fitted_rule(np.array([[5.0], [6.0], [5.0], [6.0]]), np.array([False, True, False, True]))
    >>> (rule.scores(np.array([[5.0], [6.0]])) > 0).tolist()
    [False, True]
    """
    centre, scale = answers.mean(axis=0), answers.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 0.0)
    weights = np.zeros(answers.shape[1] + 1)
    used = np.flatnonzero(scale)
    if len(used):
        unit = (answers[:, used] - centre[used]) / scale[used]
        weights[[0, *(used + 1)]] = logistic(unit, has.astype(np.float64), steps=_STEPS).coefficients
    return AnswerRule(centre, scale, weights)


def _accuracy(rule: AnswerRule, answers: FloatArray, has: BoolArray) -> float:
    return float(((rule.scores(answers) > 0) == has).mean())
