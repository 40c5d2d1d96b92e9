"""Servers with weak noise: drawn anew, or keyed by words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tacita.study.red_team.noisy_servers import noisy_server


def exact(request: Mapping[str, Any]) -> dict[str, Any]:
    if "by" in request:
        return {"status": "answered", "table": {"values": [5.0, None]}}
    return {"status": "answered", "value": 100.0}


@pytest.mark.parametrize(("by", "different"), [("answer", 200), ("words", 1)])
def test_noise_has_its_size_and_its_key(by: Any, different: int) -> None:
    server = noisy_server(exact, sd=2.0, by=by, seed=1)
    told = [server({"kind": "statistic"})["value"] for _ in range(200)]
    assert len(set(told)) == different
    worded = [server({"kind": "statistic", "where": {"age": [str(i)]}})["value"] for i in range(300)]
    assert np.std(worded) == pytest.approx(2.0, rel=0.2)
    assert np.mean(worded) == pytest.approx(100, abs=0.5)


def test_cells_without_a_value_stay_so() -> None:
    cells = noisy_server(exact, sd=2.0, by="answer", seed=1)({"by": ["sex"]})["table"]["values"]
    assert cells[0] != 5.0
    assert cells[1] is None
