"""Settings of post-masking optimisation: one place for types, limits, defaults and words."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import tacita as tc
from tacita.cli.verbs.optimise import optimise as verb
from tacita.compare.optimise.optimise_settings import OptimiseSettings
from tacita.core.docstrings import parameter_helps
from tacita.core.errors import ParameterError

PARAMETERS = {parameter.name: parameter for parameter in OptimiseSettings.parameters()}
APART = ("original", "masked", "seed")


def test_the_function_has_the_settings_with_their_defaults() -> None:
    """Type checkers want the names in the signature; nothing else is written there."""
    signature = inspect.signature(tc.optimise).parameters
    assert [name for name in signature if name not in APART] == list(PARAMETERS)
    assert {name: signature[name].default for name in PARAMETERS} == {n: p.default for n, p in PARAMETERS.items()}


def test_the_function_tells_every_parameter_in_its_order() -> None:
    assert list(parameter_helps(tc.optimise)) == list(inspect.signature(tc.optimise).parameters)  # type: ignore[arg-type]
    assert all(parameter.help for parameter in PARAMETERS.values())


def test_the_command_line_has_the_same_defaults() -> None:
    options = {n: p.default for n, p in inspect.signature(verb).parameters.items() if n in PARAMETERS}
    assert {"method", "target_ratio", "share", "of", "target_e", "step", "max_steps", "time_limit"} <= set(options)
    for name, default in options.items():
        # An option without a value is not passed on where it may be repeated.
        assert default in (PARAMETERS[name].default, None), name
        if name in ("method", "target_ratio", "of"):
            assert default == PARAMETERS[name].default


@pytest.mark.parametrize(
    ("given", "share", "step", "most"),
    [
        ({}, 0.1, 1.0, 1_000),
        ({"method": "hill_climbing"}, 0.1, 3.0, 5_000_000),
        ({"method": "score"}, 1.0, 1.0, 210),
        ({"method": "score", "share": 0.5, "step": 2, "max_steps": 9}, 0.5, 2.0, 9),
    ],
)
def test_what_a_method_takes_where_nothing_is_given(
    given: dict[str, Any], share: float, step: float, most: int
) -> None:
    settings = OptimiseSettings(**given)
    assert (settings.own_share, settings.own_step, settings.most_steps(7)) == (share, step, most)


def test_settings_have_a_plain_form() -> None:
    settings = OptimiseSettings(columns=["a", "b"], share=0.5)
    assert settings.to_plain() == {"columns": ["a", "b"], "share": 0.5}
    assert OptimiseSettings.from_plain(settings.to_plain()) == settings
    with pytest.raises(ParameterError, match=r"optimise: there is no parameter 'shares'\. Did you mean 'share'\?"):
        OptimiseSettings.from_plain({"shares": 0.5})


def test_errors_speak_in_the_name_of_the_function() -> None:
    with pytest.raises(ParameterError, match=r"^optimise: 'target_ratio' must be above 0, got 0\.$"):
        OptimiseSettings(target_ratio=0)


def test_known_columns_by_a_rule() -> None:
    data = tc.samples.household_survey(120, seed=1)
    masked = tc.mask.RankSwap(columns=["earnings", "tax", "age"], p=15).apply(data, seed=7)
    columns = ["earnings", "age", "tax"]
    keys = [name for name in columns if data.schema[name].has_role("key")]
    found = tc.optimise(data, masked, columns=columns, known="numeric keys", share=1, target_ratio=0.9, seed=1)
    assert 0 < len(keys) < len(columns)
    assert sorted(found.columns[: found.known]) == sorted(keys)
