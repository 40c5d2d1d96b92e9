"""What all regression attacks share: whom they decline, what they cost, and how what was told becomes claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tacita.attack.claims import Claims
from tacita.attack.regression.knowledge import AskedModels, RegressionTarget
from tacita.attack.regression.wording import AskedServer, VictimWords, told_either_way, victim_words
from tacita.attack.targets import ServerTarget
from tacita.core.arrays import BoolArray, FloatArray

__all__ = ["declined_models", "model_claims", "seconds_for", "worded_claims"]

_SECONDS = 4e-4
"""About what a question to a remote access of ten thousand records takes."""
_SECONDS_IN_WORDS = 0.05
"""About what a regression takes that a server judges, fits and writes down."""


def declined_models(target: Any) -> str:
    """Return why regressions cannot be asked of a target; empty where they can."""
    if isinstance(target, RegressionTarget):
        return ""
    if not isinstance(target, ServerTarget):
        return "It needs a server that fits regressions."
    if target.of:
        return "It learns numbers, and the wanted variable has classes."
    listed = {entry["name"]: entry for entry in target.catalogue.get("variables", ())}
    if target.wanted not in listed:
        return "The catalogue does not have the wanted variable."
    return "" if listed[target.wanted].get("is_numeric") else "It learns numbers, and the wanted variable has classes."


def seconds_for(target: Any, *, questions: float) -> float:
    """Return about how many seconds so many questions for each victim take."""
    each = _SECONDS if isinstance(target, RegressionTarget) else _SECONDS_IN_WORDS
    return each * questions * float(target.victims)


def worded_claims(
    target: ServerTarget,
    tell: Callable[[AskedServer, str, VictimWords], tuple[float, bool]],
    learned: str,
    not_worded: tuple[str, ...] = (),
) -> Claims:
    """Ask a server about one victim after the other, with and without the bins of his numbers, and return the claims."""
    asked = AskedServer(target.ask, target.most_queries)
    every = [victim_words(target, victim) for victim in range(target.victims)]
    told = [told_either_way(words, lambda w: tell(asked, target.wanted, w)) for words in every]
    said = np.array([value for value, _ in told], np.float64)
    return model_claims(target, asked, said, np.array([sure for _, sure in told], bool), learned, not_worded)


def model_claims(
    target: RegressionTarget | ServerTarget,
    asked: AskedModels | AskedServer,
    said: FloatArray,
    sure: BoolArray | None,
    learned: str,
    not_worded: tuple[str, ...] = (),
) -> Claims:
    """Return what was told of each victim as claims."""
    told = np.isfinite(said)
    return Claims(
        about=target.wanted,
        said=np.where(told, said, np.nan),
        is_sure=None if sure is None else sure & told,
        queries=asked.queries,
        refused=dict(asked.refused),
        not_worded=not_worded,
        learned=learned if told.any() else "Nothing was answered.",
        figures={"told": float(told.sum())},
    )
