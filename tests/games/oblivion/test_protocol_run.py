from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.content import NumberContent, TextContent
from tacita.games.oblivion.protocol_run import run_protocol

WORDS = "The big shop needs help so often, but the small store shows errors until the end of the street. "


@pytest.mark.parametrize("kind", ["numbers", "text"])
def test_every_leak_is_traced_to_its_holder(kind: str) -> None:
    numbers = NumberContent(np.random.default_rng(1).normal(50, 10, 340), 0.1)
    content = numbers if kind == "numbers" else TextContent(WORDS * 36)
    run = run_protocol(content, length=100, hops=3, coalition=1, seed=2)
    assert run.resolved == run.names == ("holder 1", "holder 2", "holder 3")
    assert run.bare == "holder 2"
    assert run.late == "holder 3"
    assert run.refused == "expired"
    assert run.is_right
    assert run.transfers == 300


def test_one_holder_alone_and_the_same_seed() -> None:
    content = NumberContent(np.random.default_rng(1).normal(50, 10, 100), 0.1)
    first, again = (run_protocol(content, length=60, hops=1, coalition=1, days=0, seed=5) for _ in range(2))
    assert first == again
    assert first.is_right


def test_too_little_content_is_refused() -> None:
    content = NumberContent(np.arange(50.0), 0.1)
    with pytest.raises(DataError, match="has 50 positions"):
        run_protocol(content, length=60)
    with pytest.raises(ParameterError, match="'hops'"):
        run_protocol(content, length=10, hops=0)
    with pytest.raises(ParameterError, match="'days'"):
        run_protocol(content, length=10, days=-1)
