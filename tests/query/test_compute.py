"""Computing: each kind of request to its analysis; whatever fails is one refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.query import compute as room
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.compute import compute
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.output_noise import LayeredNoise
from tacita.query.policy.policy import Policy
from tacita.query.question import RefusalError
from tacita.query.requests import Correlate, Quantiles, Regress, Residuals, Statistic, Tabulate
from tacita.query.requests.request import QueryRequest
from tacita.query.restrictions import TableSize
from tests.query.builders import asked, opened, people, policy_of, survey

INTERNAL = opened(survey(), "internal")


@pytest.mark.parametrize(
    ("request_", "part"),
    [
        (Tabulate(by=["sex"]), "table"),
        (Statistic(), "value"),
        (Quantiles(response="income"), "quantiles"),
        (Correlate(columns=["age", "income"]), "model"),
        (Regress(response="income", predictors=["age"]), "model"),
        (Residuals(response="income", predictors=["age"]), "plots"),
    ],
)
def test_each_kind_has_its_part_and_no_other(request_: QueryRequest, part: str) -> None:
    answer = compute(asked(INTERNAL, request_))
    there = [
        name
        for name in ("table", "model", "interval", "value", "quantiles", "plots")
        if getattr(answer, name) is not None
    ]
    assert there == [part]


@pytest.mark.parametrize(
    "error",
    [
        ValueError("canary 4711"),
        ZeroDivisionError("4711"),
        KeyError("4711"),
        MemoryError("4711"),
        np.linalg.LinAlgError("4711"),
    ],
)
def test_an_error_of_another_library_is_a_refusal_without_its_words(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: Any) -> None:
        raise error

    monkeypatch.setattr(room, "answer_table", fails)
    with pytest.raises(RefusalError) as caught:
        compute(asked(INTERNAL, Tabulate(by=["sex"])))
    assert (caught.value.rule, caught.value.hint) == ("not_computable", "")
    assert "4711" not in caught.value.detail


def test_an_empty_universe_is_refused() -> None:
    data = people({("a", "x"): 5, ("b", "y"): 5}, ("v", "w"))
    db = opened(data, policy_of(TableSize()))
    with pytest.raises(RefusalError) as caught:
        compute(asked(db, Tabulate(by=["v"], where={"v": "a", "w": "y"})))
    assert caught.value.rule == "no_records"


def test_what_cannot_be_fitted_is_refused_by_a_rule() -> None:
    """A constant response, a predictor that is the response, more parameters than records."""
    data = people({("a",): 30, ("b",): 30}, ["v"], same=np.ones(60), twice=np.arange(60.0) * 2)
    db = opened(data, policy_of(TableSize()))
    for request in (Regress(response="same", predictors=["v"]), Regress(response="wage", predictors=["wage"])):
        answer = db.ask(request)
        assert answer.status == "refused"
        assert len(answer.reasons) == 1
        assert set(answer.to_plain()) == {"status", "reasons", "hint", "id", "request"}


def _under(**parts: Any) -> Policy:
    """A policy that was not checked, to see that computing itself refuses as well."""
    policy = policy_of(TableSize())
    object.__setattr__(policy, "parts", parts)
    return policy


@pytest.mark.parametrize(
    "request_",
    [
        Residuals(response="income", predictors=["age"]),
        Correlate(columns=["age", "income"]),
        Quantiles(response="income"),
        Tabulate(by=["sex"], response="income", statistic="mean"),
        Statistic(),
    ],
)
def test_nothing_exact_is_computed_under_camouflage(request_: QueryRequest) -> None:
    db = opened(survey(), _under(camouflage=Camouflage(), **INTERNAL.policy.parts))
    with pytest.raises(RefusalError) as caught:
        compute(asked(db, request_))
    assert caught.value.rule == "not_offered"


@pytest.mark.parametrize("statistic", ["variance", "median", "maximum"])
def test_layered_noise_is_for_counts_sums_and_means(statistic: str) -> None:
    policy = policy_of(TableSize(), requests=["statistic"], numbers=LayeredNoise())
    db = opened(survey(), policy)
    assert db.ask(Statistic(response="income", statistic=statistic)).reasons == ("not_offered",)  # type: ignore[arg-type]
    assert db.ask(Statistic(response="income", statistic="mean")).status == "answered"


def test_notes_say_how_the_answer_was_made() -> None:
    mas, tables = (opened(survey(), name).ask(Tabulate(by=["sex"])) for name in ("mas", "tables"))
    assert mas.notes == ("Some records were left out at random before the analysis.",)
    assert tables.notes == ("Counts carry random noise; cells need not add up to totals.",)
    assert compute(asked(INTERNAL, Tabulate(by=["sex"]))).notes == ()


def test_where_cells_carry_noise_a_model_tells_no_number_of_records() -> None:
    policy = policy_of(TableSize(), requests=["tabulate", "regress"], cells=CellKeyNoise())
    noisy = opened(survey(), policy).ask(Regress(response="income", predictors=["sex"]))
    plain = INTERNAL.ask(Regress(response="income", predictors=["sex"]))
    assert plain.model.n is not None
    assert noisy.model.n is None
    assert str(plain.model.n) not in noisy.to_json()
