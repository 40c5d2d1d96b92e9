"""Given cutpoints: the data have no say."""

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.given import Given


def test_the_values_are_not_looked_at() -> None:
    method = Given(edges=[17, 64], whole=True, low=0)
    some = [np.array([]), np.array([np.nan]), np.array([1.0, np.inf]), np.arange(100.0)]
    assert {method.cut(values) for values in some} == {method.cut(np.zeros(1))}
    assert not method.from_data
    assert method.cut(np.zeros(1)).labels == ("up to 17", "18 to 64", "above 64")


@pytest.mark.parametrize(
    ("settings_", "said"),
    [
        ({"edges": []}, "at least 1 entry"),
        ({"edges": [2, 1]}, "must ascend"),
        ({"edges": [1], "low": 5}, "'low' must not be above"),
        ({"edges": [1.5], "whole": True}, "whole numbers"),
    ],
)
def test_bad_edges_are_refused_when_declared(settings_: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Given.from_plain(settings_)
