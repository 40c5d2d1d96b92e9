"""A trial: one attacker is let loose on one target within a time, and what he claims is graded."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import MARGIN, Grade
from tacita.attack.judge.graded import grade, strongest_grade
from tacita.attack.targets import AttackTarget
from tacita.core.errors import AttackError
from tacita.core.streams import Seed, Streams

__all__ = ["FEWEST_VICTIMS", "attack_each", "attack_once"]

FEWEST_VICTIMS = 200
"""Victims that a sample has at least: the interval of a share is then at most 14 points wide."""


def attack_each(
    attacker: Attacker,
    target: Any,
    answers: Answers,
    *,
    seed: Seed,
    seconds: float = 60.0,
    name: str = "",
    control: tuple[AttackTarget, Answers] | None = None,
    margin: float = MARGIN,
) -> tuple[Grade, ...]:
    """Run one attack and grade everything that it claims.

    Parameters
    ----------
    attacker
        The attack with its parameters.
    target
        What the attacker gets.
    answers
        The truth about the victims of that target.
    seed
        Of the attacker's random numbers and of the sample of victims.
    seconds
        About how long the attack may take: where its cost says more, a sample of the victims is attacked.
    name
        What the target is called.
    control
        A target whose victims are not in what left, and the truth about them: what the attack tells of these it tells without
        anything that they gave. Their share is what a guess gets right, where it is larger.
    margin
        By how much an attack may beat guessing.

    Returns
    -------
    tuple of Grade
        One for each thing that was claimed; a single one that says why where the attack was not run.
    """
    why = attacker.declined(target)
    if not why and not target.victims:
        why = "There is no victim."
    empty = Grade(attack=attacker.name, target=name, knows=attacker.traits.knows, reason=why, margin=margin)
    if why:
        return (empty,)
    streams = Streams(seed).within("tacita-attack-1", attacker.name)
    of = target.victims
    target, answers = _sampled(attacker, target, answers, streams, seconds)
    started = time.perf_counter()
    try:
        claimed = attacker.run(target, streams.stream("run"))
    except AttackError as error:
        return (replace(empty, reason=str(error)),)
    took = time.perf_counter() - started
    if attacker.traits.against == "server" and not any(c.queries or c.not_worded for c in claimed):
        claimed = tuple(replace(c, not_worded=("it found nothing to ask",)) for c in claimed)
    if control is not None:
        answers = _held_against(attacker, control, answers, claimed, streams, seconds)
    found = [grade(c, answers, attack=attacker.name, target=name, of=of, margin=margin) for c in claimed]
    found = _with_beside(found, answers.beside)
    return tuple(replace(one, seconds=took, knows=attacker.traits.knows) for one in found)


def attack_once(attacker: Attacker, target: Any, answers: Answers, **options: Any) -> Grade:
    """Run one attack and return the grade of what hurts most; see :func:`attack_each`."""
    return strongest_grade(attack_each(attacker, target, answers, **options))


def _with_beside(grades: list[Grade], beside: Collection[str]) -> list[Grade]:
    """Put how often something was told that is no disclosure by itself among the figures of what else was claimed."""
    told = {f"{one.about} told rightly": one.success for one in grades if one.about in beside}
    rest = [replace(one, figures={**one.figures, **told}) for one in grades if one.about not in beside]
    return rest or grades


def _sampled(
    attacker: Attacker, target: Any, answers: Answers, streams: Streams, seconds: float
) -> tuple[Any, Answers]:
    """Take as many victims as the time allows."""
    n, cost = target.victims, attacker.cost(target)
    if cost <= seconds or n <= FEWEST_VICTIMS:
        return target, answers
    keep = max(FEWEST_VICTIMS, int(n * seconds / cost))
    if keep >= n:
        return target, answers
    chosen = np.sort(streams.stream("victims").choice(n, keep, replace=False))
    return target.among(chosen), answers.among(chosen)


def _held_against(
    attacker: Attacker,
    control: tuple[AttackTarget, Answers],
    answers: Answers,
    claimed: Sequence[Any],
    streams: Streams,
    seconds: float,
) -> Answers:
    """Return the answers with what the same attack tells of people who are not in what left."""
    if not any(control[1].knows(c.about) for c in claimed):
        return answers
    target, truth = _sampled(attacker, *control, streams.within("control"), seconds)
    try:
        told = attacker.run(target, streams.stream("control"))
    except AttackError:
        return answers
    shares = {c.about: grade(c, truth, attack=attacker.name, target="").success for c in told if truth.knows(c.about)}
    guesses = {c.about: max(answers.guess(c.about, c.said), shares.get(c.about, 0.0)) for c in claimed}
    return replace(answers, baseline={**answers.baseline, **guesses})
