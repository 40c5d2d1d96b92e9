"""Workloads: their files, and questions as users ask them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tacita.core.errors import ColumnError, FileError, ParameterError
from tacita.query import Catalogue, Regress, Statistic, Tabulate, Variable
from tacita.query.cutpoints.bins import Bins
from tacita.query.steward.trial import exact_policy, trial_of
from tacita.query.steward.workload import KINDS, Workload, random_workload
from tests.query.builders import opened, survey

SEX = Variable(name="sex", classes=("f", "m"), uses=("universe", "table", "predictor"))
AGE = Variable(
    name="age",
    bins=Bins(cuts=[20, 40, 60], whole=True),
    classes=Bins(cuts=[20, 40, 60], whole=True).labels,
    is_numeric=True,
    uses=("universe", "table", "predictor"),
)
WAGE = Variable(name="wage", is_numeric=True, uses=("response", "predictor"))
SMALL = Catalogue((SEX, AGE, WAGE))


def test_files_keep_questions_and_weights(tmp_path: Path) -> None:
    asked = Workload(
        [
            Tabulate(by=["sex"], where={"any": [{"age": ["up to 20"]}, {"sex": ["f"]}]}),
            Regress(response="wage", predictors=["age", {"variable": "age", "transform": "square"}]),
            Statistic(response="wage", statistic="sum"),
        ],
        [2.5, 1, 7],
    )
    path = asked.write(tmp_path / "asked.jsonl")
    assert Workload.read(path) == asked
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row.get("weight", 1) for row in rows] == [2.5, 1, 7]
    assert Workload.from_jsonl('{"kind": "tabulate", "by": ["sex"]}\n\n').requests == (Tabulate(by=["sex"]),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"kind": "tabulate", "by": ["a"]}\n{"kind": "sql"}', "Line 2 of the workload: 'kind' must be one of"),
        ("no json", "Line 1"),
        ('{"request": {"kind": "tabulate", "by": ["a"]}, "weight": -1}', "positive"),
        ('{"request": {"kind": "tabulate", "by": ["a"]}, "weight": "1"}', "must be a number"),
        ('{"request": {"kind": "tabulate", "by": ["a"]}, "user": "x"}', "nothing else"),
    ],
)
def test_a_bad_line_is_named(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=words):
        Workload.from_jsonl(text)
    (tmp_path / "bad.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=r"bad\.jsonl"):
        Workload.read(tmp_path / "bad.jsonl")


def test_weights_belong_to_questions() -> None:
    with pytest.raises(ParameterError, match="2 weights, got 1"):
        Workload([Tabulate(by=["a"]), Tabulate(by=["b"])], [1])
    with pytest.raises(ParameterError, match="positive"):
        Workload([Tabulate(by=["a"])], [float("nan")])
    with pytest.raises(ParameterError, match="must be requests"):
        Workload([{"kind": "tabulate"}])  # type: ignore[list-item]
    assert Workload.of([Tabulate(by=["a"])]).weights == (1.0,)


def test_every_random_question_is_understood() -> None:
    db = opened(survey(400), "mas")
    asked = random_workload(db.catalogue, 80, seed=5, kinds=KINDS, cells=200)
    exact = trial_of(db, exact_policy(db.policy))
    reasons = Counter(reason for request, _ in asked for reason in exact.ask(request).reasons)
    assert not {"request_form", "unknown_variable", "unknown_class", "variable_use", "not_offered"} & set(reasons)
    assert {request.kind for request in asked.requests} == {
        "tabulate",
        "statistic",
        "quantiles",
        "correlate",
        "regress",
    }


def test_the_mix_is_that_of_the_description() -> None:
    db = opened(survey(400), "tables")
    requests = random_workload(db.catalogue, 600, seed=1, kinds=["table"]).requests
    sizes = Counter(len(request.by) for request in requests if isinstance(request, Tabulate))
    everybody = sum(request.where.is_everybody for request in requests)
    complex_ones = sum(len(request.where.pieces) > 1 for request in requests)
    assert sizes[1] / 600 == pytest.approx(0.40, abs=0.06)  # three standard deviations
    assert sizes[3] / 600 == pytest.approx(0.15, abs=0.05)
    assert everybody / 600 == pytest.approx(0.3, abs=0.06)
    assert complex_ones / 600 == pytest.approx(0.2, abs=0.05)
    for request in requests:
        assert isinstance(request, Tabulate)
        cells = 1
        for name in request.by:
            cells *= db.catalogue[name].size
        assert cells <= 500
        assert not set(request.by) & set(request.where.variables)


def test_bins_are_asked_for_in_runs() -> None:
    asked = random_workload(SMALL, 200, seed=3, kinds=["table"]).requests
    picked = [dict(piece).get("age") for request in asked for piece in request.where.pieces]
    labels = AGE.bins.labels if AGE.bins is not None else ()
    runs = {tuple(sorted(labels[i] for i in range(start, stop))) for start in range(4) for stop in range(start + 1, 5)}
    assert {words for words in picked if words is not None} <= runs


def test_who_is_after_a_variable_names_it_always() -> None:
    db = opened(survey(400), "tables")
    tables = random_workload(db.catalogue, 50, seed=2, kinds=["table"], about="health").requests
    assert all(
        isinstance(request, Tabulate) and request.by[0] == "health" and len(request.by) > 1 for request in tables
    )
    others = random_workload(db.catalogue, 50, seed=2, kinds=["mean", "sum", "correlation"], about="income").requests
    assert all("income" in request.variables for request in others)


def test_the_same_seed_asks_the_same() -> None:
    first, again, other = (random_workload(SMALL, 20, seed=seed) for seed in (4, 4, 5))
    assert first == again != other
    assert len(random_workload(SMALL, 0, seed=1)) == 0


def test_what_cannot_be_asked_is_said() -> None:
    classes_only = Catalogue((SEX,))
    assert {r.kind for r in random_workload(classes_only, 9, seed=1).requests} == {"tabulate"}
    with pytest.raises(ParameterError, match="no variables to ask for regression"):
        random_workload(classes_only, 9, seed=1, kinds=["regression"])
    with pytest.raises(ParameterError, match="'kinds' must be some of"):
        random_workload(SMALL, 9, seed=1, kinds=["sql"])  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="'n' must be at least 0"):
        random_workload(SMALL, -1, seed=1)
    with pytest.raises(ColumnError, match="no variable 'sez'"):
        random_workload(SMALL, 9, seed=1, about="sez")
