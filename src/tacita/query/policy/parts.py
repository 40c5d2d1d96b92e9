"""The parts of a policy: what each may be, by the name that a file calls it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.parameterised import Parameterised
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.cutpoints.named import METHODS as CUTPOINTS
from tacita.query.models.correlate import CorrelationLimits
from tacita.query.models.fit import ModelRules
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.cell_noise import Plain
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.noise.input_noise import AddedInput, MultipliedInput
from tacita.query.noise.magnitude_key import MagnitudeKey
from tacita.query.noise.output_noise import LayeredNoise
from tacita.query.noise.rounding import RoundTo
from tacita.query.residuals.settings import ResidualSettings
from tacita.query.subsample.drop_q import DropFixed, DropQ
from tacita.query.subsample.indivisible_units import IndivisibleUnits

__all__ = ["PARTS", "Part", "part_from_plain", "part_to_plain"]

Part: TypeAlias = Parameterised | ModelRules
"""A part of a policy: parameters that are checked when it is built."""

PARTS: dict[str, dict[str, type[Part]]] = {
    "cutpoints": dict(CUTPOINTS),
    "subsample": {"drop_q": DropQ, "drop_fixed": DropFixed, "indivisible": IndivisibleUnits},
    "cells": {"plain": Plain, "round": RoundTo, "cell_key": CellKeyNoise},
    "magnitudes": {"magnitude_key": MagnitudeKey},
    "numbers": {"layers": LayeredNoise},
    "input": {"added": AddedInput, "multiplied": MultipliedInput},
    "camouflage": {"polytope": Camouflage},
    "privacy": {"differential": DifferentialPrivacy},
    "models": {"regression": ModelRules},
    "correlations": {"correlation": CorrelationLimits},
    "residuals": {"plots": ResidualSettings},
}
"""For each part of a policy its methods by name; each is checked as everything with parameters is."""


def part_from_plain(word: str, given: Any) -> Part:
    """Build a part from its table in a file: ``method`` and the parameters of that method.

    Raises
    ------
    ParameterError
        When there is no such method, or a parameter does not fit.
    """
    known = PARTS[word]
    if not isinstance(given, Mapping):
        raise ParameterError(f"Policy: [{word}] must be a table with 'method', one of {', '.join(known)}.")
    method = given.get("method", next(iter(known)) if len(known) == 1 else None)
    if method not in known:
        near = did_you_mean(str(method), known)
        raise ParameterError(
            f"Policy: 'method' of [{word}] must be one of {', '.join(known)}, got {str(method)[:60]!r}.{near}"
        )
    return known[method].from_plain({name: value for name, value in given.items() if name != "method"})


def part_to_plain(word: str, part: Part) -> dict[str, Any]:
    """Return a part as its table in a file."""
    method = next(name for name, kind in PARTS[word].items() if type(part) is kind)
    return {"method": method, **part.to_plain()}
