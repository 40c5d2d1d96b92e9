"""From what was told about victims to claims: one person, his class or his amount, and whether that is certain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet, people_of
from tacita.attack.queries.words import ServerWords
from tacita.attack.targets import ServerTarget
from tacita.core.arrays import FloatArray
from tacita.core.errors import AttackError

__all__ = ["SetAttack", "claims_about", "claims_told", "victim_set", "without_insider"]

_WHOLE = 1e-6
"""How near a count must be to a whole number to be one."""


@dataclass(frozen=True, kw_only=True)
class SetAttack(Attacker):
    """An attack on a server by sets of published classes that a victim is in.

    Returns
    -------
    Claims
        The wanted value of each victim; sure where the set has one person.
    """

    def declined(self, target: Any) -> str:
        if not isinstance(target, ServerTarget):
            return "It is an attack on a server that answers questions."
        if any(len(known) < 2 for known in target.known):
            return "At least two variables of each victim must be known."
        return ""

    def cost(self, target: Any) -> float:
        return 0.2 + 0.02 * float(target.victims)


def victim_set(words: ServerWords, known: Mapping[str, str]) -> ClassSet:
    """Return the people with what is known of a victim.

    Servers limit how many variables a question names, so the ones are taken that most likely leave nobody else: those whose class
    is rarest, by the shares that the server tells. Variables that nobody may be named by are left out.
    """
    listed = {name: word for name, word in known.items() if word in words.domain.get(name, ())}
    if not listed:
        raise AttackError("The server publishes no class of what is known of a victim.")
    shares = {name: words.shares(name) for name in listed}
    rare = {name: found[listed[name]] for name, found in shares.items() if found is not None}
    most = words.width()
    most -= len(rare) > most  # a tracker may need one of its own
    chosen = sorted(rare, key=lambda name: (rare[name], name))[:most] or sorted(listed)[:most]
    return people_of(words.domain, {name: listed[name] for name in chosen})


def claims_about(
    target: ServerTarget,
    words: ServerWords,
    attack: Callable[[ClassSet], FloatArray | None],
    **more: Any,
) -> tuple[Claims, ...]:
    """Attack every victim by his set and return what is claimed.

    Parameters
    ----------
    target, words
        What the attacker has, and his conversation with the server.
    attack
        From a victim's set to what was found of it, as :meth:`ServerWords.look` tells it; None for nothing.
    more
        Further parts of the claims.
    """
    found = [attack(victim_set(words, known)) for known in target.known]
    if target.insiders:
        found = [without_insider(words, one, who) for one, who in zip(found, target.insiders, strict=True)]
    return claims_told(target, words, found, **more)


def without_insider(words: ServerWords, found: FloatArray | None, who: Mapping[str, Any]) -> FloatArray | None:
    """Take out somebody who tells what he has himself."""
    if found is None or words.target.wanted not in who:
        return found
    own = who[words.target.wanted]
    mine = [float(own)] if words.is_number else [float(word == own) for word in words.classes]
    return np.asarray(found - np.array([1.0, *mine]), np.float64)


def claims_told(
    target: ServerTarget,
    words: ServerWords,
    found: Sequence[FloatArray | None],
    *,
    sure: bool = True,
    learned: str = "",
    figures: Mapping[str, float] | None = None,
) -> tuple[Claims, ...]:
    """Return claims from what was found of each victim: how many people, then what they have.

    He is sure where there is one person, and where that one has one class. Of several people an amount is their mean.
    """
    said: list[Any] = []
    certain = []
    for one in found:
        value, is_certain = _amount(one) if words.is_number else _class(one, words.classes)
        said.append(_of(target.of, value) if target.of else value)
        certain.append(is_certain and sure and not words.is_vague)
    typed: NDArray[Any] = np.array(said, np.float64 if words.is_number else object)
    how_many = int(np.sum(certain))
    sentence = (
        learned or f"The {target.wanted} of {how_many} of {len(said)} people follows from answers about large sets."
    )
    return (
        Claims(
            about=target.wanted,
            said=typed,
            is_sure=np.array(certain, bool),
            queries=words.queries,
            refused=dict(words.refused),
            not_worded=tuple(words.not_worded),
            learned=sentence,
            figures=dict(figures or {}),
        ),
    )


def _of(wanted: str, said: Any) -> bool | None:
    """Whether somebody has the class that is asked for; None where nothing is known."""
    return None if said == "" else bool(said == wanted)


def _amount(found: FloatArray | None) -> tuple[float, bool]:
    if found is None or np.isnan(found[1]):
        return np.nan, False
    count = found[0]
    if np.isnan(count):
        return float(found[1]), False
    if count > 1.5:
        return float(found[1] / np.rint(count)), False
    return float(found[1]), abs(count - 1) < _WHOLE


def _class(found: FloatArray | None, classes: Sequence[str]) -> tuple[str, bool]:
    if found is None or np.isnan(found[1:]).any() or not found[1:].any():
        return "", False
    most = int(found[1:].argmax())
    alone = np.zeros(len(classes))
    alone[most] = 1.0
    return classes[most], bool(np.abs(found[1:] - alone).max() < _WHOLE)
