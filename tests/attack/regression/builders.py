"""Firms behind a remote access, and a toy of a server in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tacita.attack.targets import ServerTarget

__all__ = ["CATALOGUE", "firms", "refusing", "served"]

CATALOGUE: dict[str, Any] = {
    "variables": [
        {"name": "state", "classes": ["n", "s", "w"], "uses": ["universe", "predictor"]},
        {"name": "form", "classes": ["a", "b"], "uses": ["universe", "predictor"]},
        {"name": "size", "bins": {"cuts": [10.0, 50.0], "whole": True}, "is_numeric": True, "uses": ["predictor"]},
        {"name": "hours", "bins": {"cuts": [1.5]}, "is_numeric": True, "uses": ["predictor"]},
        {"name": "turnover", "bins": {"cuts": [5.0]}, "is_numeric": True, "uses": ["response"]},
    ]
}


def firms(n: int = 300, seed: int = 3) -> dict[str, Any]:
    """Size, state and turnover; several firms of a small size, one of a large one."""
    rng = np.random.default_rng(seed)
    size = np.ceil(np.exp(rng.normal(3, 1.2, n)))
    return {
        "size": size,
        "state": np.array(["n", "s", "w"])[rng.integers(0, 3, n)],
        "turnover": np.round(size * np.exp(rng.normal(4, 0.8, n)), 2),
    }


def refusing(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """A server that refuses everything, by two rules."""
    return {"status": "refused", "reasons": [f"no_{request['kind']}", "tired"]}


def served(ask: Any = refusing, **known: str) -> ServerTarget:
    """One victim before a server."""
    found = known or {"state": "s", "form": "b", "size": "17"}
    return ServerTarget(ask=ask, catalogue=CATALOGUE, known=(found,), wanted="turnover", most_queries=50)
