"""A card of an anonymised log has every measure that applies, and says why another does not."""

from __future__ import annotations

import json

import pytest

from tacita.compare.logs.measure_log import LogCard, measure_log
from tacita.core import registry
from tacita.core.errors import MeasureError, ParameterError, UnknownMethodError
from tacita.logs.measures.semantic_remain import SemanticRemain
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tests.logs.material import interested_users


@pytest.fixture(scope="module")
def card() -> LogCard:
    log, topics = interested_users(40)
    made = SemanticMicroaggregation(k=4, time="none", identifying="keep").apply(log, topics, seed=1)
    return measure_log(log, made, topics)


def test_all_measures_that_apply_are_on_it(card: LogCard) -> None:
    assert set(card.figures) | set(card.absent) == {kind.name for kind in registry.methods("log_measure")}
    assert "semantic_remain" in card
    assert card.bound == 25.0
    assert set(card.losses) | set(card.risks) == set(card.figures)
    assert json.loads(json.dumps(card.as_plain()))["measures"]["lines_kept"]["unit"] == "%"


def test_a_measure_that_was_asked_for_must_apply() -> None:
    log, topics = interested_users(20)
    made = SemanticMicroaggregation(k=4, time="none", identifying="keep").apply(log, topics, seed=1)
    with pytest.raises(MeasureError, match="classified"):
        measure_log(log, made, None, measures=["semantic_remain"])
    absent = measure_log(log, made, None)
    assert "semantic_remain" in absent.absent
    with pytest.raises(MeasureError, match="was not measured"):
        absent["semantic_remain"]


def test_names_are_checked() -> None:
    log, topics = interested_users(20)
    made = SemanticMicroaggregation(k=4, time="none", identifying="keep").apply(log, topics, seed=1)
    with pytest.raises(UnknownMethodError, match="semantic_remain"):
        measure_log(log, made, topics, measures=["semantic_remains"])
    with pytest.raises(ParameterError, match="twice"):
        measure_log(log, made, topics, measures=["semantic_remain", SemanticRemain()])
    with pytest.raises(MeasureError, match="not on this card"):
        measure_log(log, made, topics, measures=["lines_kept"])["profile_linkage"]
