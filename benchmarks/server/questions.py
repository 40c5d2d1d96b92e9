"""Questions for a survey: tables that nobody asked for before, drawn by a seed."""

from __future__ import annotations

import json

import numpy as np

__all__ = ["CLASSES", "NewQuestions"]

CLASSES = {
    "region": 50,
    "sex": 2,
    "marital": 4,
    "education": 5,
    "occupation": 40,
    "urban": 2,
    "employment": 3,
    "size": 7,
}
"""The variables with classes, and how many each has."""


class NewQuestions:
    """Tables by one or two variables within a universe of one or two conditions; none comes twice.

    Parameters
    ----------
    seed
        Which questions come.
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._given: set[bytes] = set()

    def next(self) -> bytes:
        """Return a question as JSON."""
        while True:
            body = self._drawn()
            if body not in self._given:
                self._given.add(body)
                return body

    def _drawn(self) -> bytes:
        rng = self._rng
        names = rng.permutation(list(CLASSES)).tolist()
        cut = int(rng.integers(1, 3))
        where = {name: self._classes(name) for name in sorted(names[cut : cut + int(rng.integers(1, 3))])}
        return json.dumps({"by": names[:cut], "kind": "tabulate", "where": where}, separators=(",", ":")).encode()

    def _classes(self, name: str) -> list[str]:
        """Return about half of the classes: neither all nor none."""
        count = CLASSES[name]
        taken = int(self._rng.integers(max(count // 3, 1), max(2 * count // 3, 1) + 1))
        return [f"{name} {i}" for i in sorted(self._rng.permutation(count)[:taken].tolist())]
