from __future__ import annotations

import math
from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.games.peers.limits import PeerLimits


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"connect_seconds": 0}, "'connect_seconds' must be above 0"),
        ({"idle_seconds": math.inf}, "'idle_seconds' must be above 0 and finite"),
        ({"frame_seconds": math.nan}, "'frame_seconds' must be above 0 and finite"),
        ({"at_once": 1.5}, "'at_once' must be a whole number, got float"),
        ({"at_once": True}, "'at_once' must be a whole number, got bool"),
        ({"first_pause": "1"}, "'first_pause' must be a number, got str"),
        ({"backend_seconds": 9.0}, "'backend_seconds' must be below 'answer_seconds'"),
    ],
)
def test_a_limit_that_is_none_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        PeerLimits(**given)


def test_whole_seconds_are_numbers_too() -> None:
    assert PeerLimits(connect_seconds=2).connect_seconds == 2
