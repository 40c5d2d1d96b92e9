"""A scene: an attack, what it meets, and what is known about how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import Grade
from tacita.attack.judge.trial import attack_once

__all__ = ["Scene", "Staged", "act"]

Staged: TypeAlias = "tuple[Any, Answers] | tuple[Any, Answers, tuple[Any, Answers] | None]"
"""A target, the truth about its victims, and perhaps a control of victims who are not in what left."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One cell of the matrix.

    Parameters
    ----------
    attack
        The attack with its parameters.
    defence
        What it meets, in a few words: ``none``, ``size control, k = 10``, ``policy audited``.
    weak
        Whether the defence is known to be broken by the attack; otherwise it is known to hold.
    make
        Sets the scene from a seed: the target, the truth about its victims, and a control or None.
    why
        What is known of it, in a sentence: why it breaks, what holds it, or what our own default leaves open.
    is_default
        Whether the defence is a default of this package.
    """

    attack: Attacker
    defence: str
    weak: bool
    make: Callable[[int], Staged]
    why: str = ""
    is_default: bool = False


def act(scene: Scene, *, seed: int = 1, seconds: float = 60.0) -> Grade:
    """Set a scene, let the attacker loose, and grade him."""
    target, answers, *rest = scene.make(seed)
    control = rest[0] if rest else None
    found = attack_once(scene.attack, target, answers, seed=seed, seconds=seconds, control=control)
    return replace(found, target=scene.attack.traits.against, defence=scene.defence)
