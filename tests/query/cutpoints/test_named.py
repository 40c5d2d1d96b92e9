"""Methods by name, as a policy file has them."""

import tomllib

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.method import Cutpoints
from tacita.query.cutpoints.named import METHODS, cutpoints_from_plain, cutpoints_to_plain, named_cutpoints

EXAMPLES: dict[str, str] = {
    "fixed": 'method = "fixed"\nminimum = 3\nstart = 0',
    "minimum": 'method = "minimum"\nminimum = 3\ngrain = 0.5',
    "increasing": 'method = "increasing"\nminimum = 3\nwidth = 2\nsteps = [[10, 5], [50, 25]]',
    "partitioned": 'method = "partitioned"\nminimum = 3\nlow = 0\nhigh = 120',
    "given": 'method = "given"\nedges = [10, 20]\nwhole = true',
}


@pytest.mark.parametrize("name", METHODS)
def test_a_policy_names_a_method_and_gets_it_back(name: str) -> None:
    method = cutpoints_from_plain(tomllib.loads(EXAMPLES[name]))
    assert type(method) is METHODS[name] is named_cutpoints(name)
    assert cutpoints_from_plain(cutpoints_to_plain(method)) == method
    assert method.from_data == (name != "given")
    values = np.arange(40.0)
    assert isinstance(method, Cutpoints)
    assert method.cut(values) == method.cut(values[::-1])


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({}, "'method' must be given"),
        ({"method": "fixd", "minimum": 3}, "Did you mean 'fixed'"),
        ({"method": 3}, "must be one of fixed"),
        ({"method": "fixed"}, "'minimum' must be given"),
        ({"method": "fixed", "minimum": 0}, "at least 1"),
        ({"method": "fixed", "minimun": 2}, "Did you mean 'minimum'"),
        ({"method": "minimum", "minimum": 2, "grain": 0}, "'grain' must be above 0"),
    ],
)
def test_what_a_policy_may_not_say(plain: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        cutpoints_from_plain(plain)
