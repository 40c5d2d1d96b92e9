"""Servers with known-weak noise: drawn anew for every answer, or keyed by the words of a question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from tacita.attack.targets import Ask

__all__ = ["noisy_server"]


def noisy_server(ask: Ask, *, sd: float, by: Literal["answer", "words"], seed: int) -> Ask:
    """Put normal noise on every number that a server answers.

    Parameters
    ----------
    ask
        A server with exact answers.
    sd
        Standard deviation of the noise.
    by
        ``answer`` for noise that is drawn anew each time, ``words`` for noise that the text of a question decides.
    seed
        Of the noise.

    Examples
    --------
    >>> server = noisy_server(lambda request: {"status": "answered", "value": 5.0}, sd=1.0, by="words", seed=1)
    >>> server({"kind": "statistic"}) == server({"kind": "statistic"}) != server({"kind": "statistic", "where": {}})
    True
    """
    anew = np.random.Generator(np.random.Philox(seed))

    def noisy(request: Mapping[str, Any]) -> Mapping[str, Any]:
        answer = dict(ask(request))
        if by == "words":
            text = json.dumps(request, sort_keys=True).encode()
            number = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
            rng = np.random.Generator(np.random.Philox([seed, number]))
        else:
            rng = anew
        if answer.get("value") is not None:
            answer["value"] = float(answer["value"] + sd * rng.normal())
        if "table" in answer:
            cells = [None if cell is None else cell + sd * float(rng.normal()) for cell in answer["table"]["values"]]
            answer["table"] = {**answer["table"], "values": cells}
        return answer

    return noisy
