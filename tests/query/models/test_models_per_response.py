"""Limits over the history of models."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError
from tacita.query.models.models_per_response import (
    AskedModel,
    RelatedLimits,
    broken_history_rules,
    close_universes,
    closely_related,
    models_per_response,
    records_apart,
    terms_apart,
)
from tacita.query.models.terms import ModelSpec

ALL = np.ones(500, dtype=bool)


def less(count: int) -> BoolArray:
    made = ALL.copy()
    made[:count] = False
    return made


def asked(predictors: list[str], members: BoolArray = ALL, response: str = "y", **options: bool) -> AskedModel:
    return AskedModel.of(ModelSpec.of(response, predictors, **options), members)


@given(st.lists(st.booleans(), min_size=1, max_size=70), st.randoms())
def test_records_apart_is_the_symmetric_difference(flags: list[bool], random: object) -> None:
    one = np.array(flags)
    other = np.array([random.random() < 0.5 for _ in flags])  # type: ignore[attr-defined]
    assert records_apart(np.packbits(one), np.packbits(other)) == int((one != other).sum())


def test_sets_of_different_versions_are_an_error() -> None:
    with pytest.raises(DataError, match="one data version"):
        records_apart(np.packbits(ALL), np.packbits(ALL[:8]))


def test_terms_apart() -> None:
    base = ModelSpec.of("y", ["a", "b"])
    assert terms_apart(base, ModelSpec.of("y", ["b", "a"])) == 0
    assert terms_apart(base, ModelSpec.of("y", ["a", "b"], [("a", "b")])) == 1
    assert terms_apart(base, ModelSpec.of("y", ["a", "c"])) == 2
    assert terms_apart(base, ModelSpec.of("y", ["a", "b"], robust=True)) == 1


def test_models_per_response() -> None:
    limits = RelatedLimits(models=3)
    history = [asked([name]) for name in "abc"]
    assert models_per_response(asked(["d"]), history, limits) is not None
    assert models_per_response(asked(["d"]), history[:2], limits) is None
    assert models_per_response(asked(["d"], response="w"), history, limits) is None
    assert models_per_response(asked(["a"]), history, limits) is None
    assert models_per_response(asked(["a"], less(100)), history, limits) is not None
    assert models_per_response(asked(["d"]), [history[0]] * 9, limits) is None


@pytest.mark.parametrize(("count", "fires"), [(0, False), (1, True), (9, True), (10, False)])
def test_close_universes(count: int, fires: bool) -> None:
    found = close_universes(asked(["a"], less(count)), [asked(["a"])], RelatedLimits(records=10))
    assert (found is not None) == fires


def test_close_universes_of_unrelated_models() -> None:
    limits = RelatedLimits()
    assert close_universes(asked(["a", "b"], less(1)), [asked(["a"])], limits) is not None
    assert close_universes(asked(["b"], less(1)), [asked(["a"])], limits) is None
    assert close_universes(asked(["a"], less(1)), [asked(["a"], response="w")], limits) is None


def test_closely_related() -> None:
    limits = RelatedLimits(related=2)
    history = [asked(["a", "b"]), asked(["a", "c"])]
    assert closely_related(asked(["a"]), history, limits) is not None
    assert closely_related(asked(["a"]), history[:1], limits) is None
    assert closely_related(asked(["a", "b"]), [*history, asked(["a", "b", "c"])], limits) is None  # asked before: free
    assert closely_related(asked(["d"]), history, limits) is None
    assert closely_related(asked(["a"], less(300)), history, limits) is None


def test_all_rules_together() -> None:
    history = [asked(["a"]), asked(["a", "b"])]
    limits = RelatedLimits(models=2, related=2)
    found = [violation.rule for violation in broken_history_rules(asked(["a"], less(2)), history, limits)]
    assert found == ["models_per_response", "close_universes", "closely_related"]
    assert broken_history_rules(asked(["a"]), []) == ()
