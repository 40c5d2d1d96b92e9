"""Everything that leaves in an answer, field by field, and what it tells.

================  ===========================================================================================================
field             what it tells
================  ===========================================================================================================
status, reasons   which rule refused; see ``test_refusals``
hint              what the catalogue has; no data
request           the question in canonical form: made of the question and the catalogue
id                HMAC of the question and of the data version; the same for answers and refusals
table values      counts, totals, means as the policy shows them; see ``test_mas``, ``test_tables``
table errors      functions of shown values where cells have noise; sums of squares of the analysed records where not
table flags       functions of values and errors
model n           records that are analysed: less than the universe by what was dropped
references        the most common class of the analysed records
absorbed          classes with fewer records than the rule wants
quantiles         bins and interpolation of the counts that the table of bins shows
notes             how the policy answers; the same for all data
================  ===========================================================================================================
"""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.query.policy.policy import Policy
from tests.query.attacks.town import Town
from tests.query.attacks.workloads import KEY

U = tc.query.Universe


def town(policy: Any, seed: int = 5) -> tc.query.Database:
    return Town(seed, people=2500).open(policy)


WORDINGS: list[tuple[Any, Any]] = [
    (U({"sex": ["f", "m"]}), U()),
    (U({"sex": ["m", "f"], "age": ["a", "b"]}), U({"age": ["b"]}) | U({"age": ["a"]})),
    (U({"region": ["e"]}) | U({"region": ["e"], "sex": ["f"]}), U({"region": ["e"]})),
    (
        U({"region": ["e", "n"], "sex": ["f"]}) | U({"region": ["e"], "sex": ["m"]}),
        U({"region": ["e"]}) | U({"region": ["n"], "sex": ["f"]}),
    ),
]


@pytest.mark.parametrize("policy", ["tables", "mas", "internal"])
@pytest.mark.parametrize(("one", "other"), WORDINGS)
def test_other_words_for_the_same_question_get_the_same_bytes(policy: str, one: Any, other: Any) -> None:
    db = town(policy)
    answers = [db.ask(tc.query.Tabulate(by=["ill"], where=where)).to_json() for where in (one, other)]
    assert answers[0] == answers[1]
    fresh = town(policy).ask(tc.query.Tabulate(by=["ill"], where=other)).to_json()
    assert fresh == answers[0]  # without a memory of the first wording, too


@pytest.mark.parametrize("policy", ["tables", "mas"])
def test_axes_in_another_order_have_the_same_cells(policy: str) -> None:
    db = town(policy)
    one = db.ask(tc.query.Tabulate(by=["age", "ill"])).table.values
    other = db.ask(tc.query.Tabulate(by=["ill", "age"])).table.values
    np.testing.assert_array_equal(one, other.T)


@pytest.mark.parametrize("policy", ["tables", "mas"])
def test_the_same_people_under_other_conditions_have_the_same_noise(policy: str) -> None:
    """Two variables that name the same people: the set decides, not the words."""
    rng = np.random.default_rng(1)
    area = rng.choice(["n", "s"], 900)
    columns = {"area": area, "half": np.where(area == "n", "upper", "lower"), "ill": rng.choice(["no", "yes"], 900)}
    data = tc.Microdata.from_frame(pd.DataFrame(columns), keys=["area", "half"], confidential=["ill"])
    db = tc.query.open(data, policy=policy_of(policy), key=KEY)
    tables = [db.ask(tc.query.Tabulate(by=["ill"], where=w)).table for w in ({"area": ["n"]}, {"half": ["upper"]})]
    np.testing.assert_array_equal(tables[0].values, tables[1].values)


def policy_of(name: str) -> Any:
    return replace(Policy.preset(name), strata=("area",)) if name == "mas" else name


def test_names_of_answers_tell_nothing_of_the_data() -> None:
    """The name is keyed: whoever guesses data and question cannot confirm the guess, and refusals have the same form."""
    request = tc.query.Tabulate(by=["ill"])
    here = Town(5, people=900)
    names = {here.open("tables").ask(request).id}
    here.key = b"another key of thirty-two bytes."
    names.add(here.open("tables").ask(request).id)
    assert len(names) == 2
    refused = town("audited").ask(request)
    assert refused.status == "refused"
    assert {len(name) for name in (*names, refused.id)} == {32}


def test_the_fields_of_an_answer_are_these() -> None:
    """A field that nobody has thought about must not leave."""
    wanted: dict[str, set[str]] = {
        "tabulate": {"status", "id", "request", "table", "notes"},
        "regress": {"status", "id", "request", "model", "notes"},
        "quantiles": {"status", "id", "request", "quantiles", "notes"},
        "correlate": {"status", "id", "request", "model", "notes"},
    }
    asked: list[Any] = [
        tc.query.Tabulate(by=["sex"], response="income", statistic="mean"),
        tc.query.Regress(response="income", predictors=["age", "sex"]),
        tc.query.Quantiles(response="income"),
        tc.query.Correlate(columns=["income", "year"]),
    ]
    db = town("mas")
    for request in asked:
        plain = json.loads(db.ask(request).to_json())
        assert plain["status"] == "answered", plain
        assert set(plain) == wanted[request.kind]
    model = json.loads(db.ask(asked[1]).to_json())["model"]
    parts = {"response", "family", "method", "n", "coefficients", "distribution", "r_squared", "table"}
    assert set(model) == parts | {"references", "absorbed"}
    table = json.loads(db.ask(asked[0]).to_json())["table"]
    assert set(table) == {"by", "classes", "statistic", "values", "standard_errors", "flags"}
    refused = json.loads(db.ask(tc.query.Tabulate(by=["sex"], where={"age": ["zz"]})).to_json())
    assert set(refused) == {"status", "id", "request", "reasons", "hint"}


def test_no_answer_to_a_wrong_question_tells_a_value() -> None:
    """Hints are made of the catalogue: the same for two data sets with the same catalogue."""
    wrong: list[Any] = [
        {"kind": "tabulate", "by": ["incom"]},
        {"kind": "tabulate", "by": ["sex"], "where": {"sex": ["x"]}},
        {"kind": "tabulate", "by": ["sex"], "response": "ill", "statistic": "mean"},
        {"kind": "regress", "response": "sex", "predictors": ["age"]},
        {"kind": "nothing"},
    ]
    told = [[town("tables", seed).ask(request).hint for request in wrong] for seed in (5, 6)]
    assert told[0] == told[1]


def test_the_number_of_records_of_a_model_is_that_of_the_dropped_universe() -> None:
    here, mas = Town(5, people=2500), Policy.preset("mas")
    db = here.open(replace(mas, restrictions=tuple(r for r in mas.restrictions if r.name != "row_audit")))
    for region, where in itertools.product(["e", "n", "s"], [{}, {"sex": ["f"]}]):
        answer = db.ask(tc.query.Regress(response="income", predictors=["age"], where={"region": [region], **where}))
        inside = Town.inside(U({"region": [region], **where}))
        assert 2 <= here.counts[inside].sum() - answer.model.n <= 6
