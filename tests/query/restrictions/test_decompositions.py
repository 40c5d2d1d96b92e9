"""Decompositions: how often one set may be asked for in parts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.query.database import Database
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.decompositions import Decompositions
from tests.query.builders import asked, judged, opened, people, policy_of, survey


def _halves(most: int, variables: int = 6) -> Database:
    """Everybody is split in two by each of several variables."""
    rng = np.random.default_rng(2)
    rows = [tuple(f"{c}" for c in rng.integers(0, 2, variables)) for _ in range(200)]
    counts: dict[tuple[str, ...], int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    data = people(counts, [f"v{i}" for i in range(variables)])
    return opened(data, policy_of(Decompositions(most=most)))


def test_a_set_is_split_so_often_and_no_more() -> None:
    db = _halves(3)
    found = [db.ask(Tabulate(by=[f"v{i}"]), user=f"user {i}").status for i in range(5)]
    assert found == ["answered"] * 3 + ["refused"] * 2
    assert db.ask(Tabulate(by=["v4"])).reasons == ("decompositions",)


def test_the_same_split_is_free() -> None:
    db = _halves(1)
    assert db.ask(Tabulate(by=["v0"])).status == "answered"
    assert db.ask(Tabulate(by=["v0"], where={"v1": ["0", "1"]})).status == "answered"
    assert db.ask(Tabulate(by=["v1"])).status == "refused"


def test_margins_of_a_table_are_split_too() -> None:
    """A table of two variables splits everybody once, and each margin cell once."""
    db = _halves(1)
    assert db.ask(Tabulate(by=["v0", "v1"])).status == "answered"
    assert db.ask(Tabulate(by=["v2"], where={"v0": "0"})).status == "refused"
    assert db.ask(Tabulate(by=["v1"], where={"v0": "0"})).status == "answered"


def test_a_universe_and_the_rest_of_everybody_split_everybody() -> None:
    """Nobody has to ask about everybody for that: two tables of one universe each are enough."""
    db = _halves(2)
    for v, c in itertools.product(("v0", "v1"), "01"):
        assert db.ask(Tabulate(by=["v5"], where={v: c})).status == "answered"
    assert db.ask(Tabulate(by=["v5"], where={"v2": "0"})).status == "answered"
    assert db.ask(Tabulate(by=["v5"], where={"v2": "1"})).reasons == ("decompositions",)


def test_quantiles_count_as_the_table_that_they_are_read_from() -> None:
    rule = Decompositions(most=1)
    db = opened(survey(), policy_of(rule, cutpoints=opened(survey(), "tables").policy.parts["cutpoints"]))
    assert db.ask(Quantiles(response="income")).status == "answered"
    assert db.ask(Tabulate(by=["income"])).status == "answered"
    assert db.ask(Quantiles(response="tax")).reasons == ("decompositions",)


def test_what_left_is_counted_even_under_a_stricter_policy() -> None:
    db = _halves(5)
    strict = Decompositions(most=1)
    for i in range(3):
        strict.record(asked(db, Tabulate(by=[f"v{i}"])))
    assert judged(strict, db, Tabulate(by=["v0"])).decision == "allow"
    assert judged(strict, db, Tabulate(by=["v4"])).decision == "deny"


@pytest.mark.slow
def test_splitting_in_three_is_not_seen_and_averages_the_noise_out() -> None:
    """A stated weakness: universes of a variable's classes in three groups add up to everybody, and no two of them do.

    One answer has noise of variance V = 3, a root mean square error of 1.7. The mean of t such sums has variance 3 V / t.
    """
    data = survey()
    db = opened(data, "tables")
    classes = db.catalogue["region"].all_classes
    rng = np.random.default_rng(8)
    truth = np.bincount(db.version.codes("marital"), minlength=5)
    sums = []
    for _ in range(150):
        group = rng.integers(0, 3, len(classes))
        parts = [[c for c, g in zip(classes, group, strict=True) if g == k] for k in range(3)]
        if not all(parts):
            continue
        answers = [db.ask(Tabulate(by=["marital"], where={"region": part})) for part in parts]
        if all(a.status == "answered" for a in answers):
            sums.append(sum(a.table.values for a in answers))
    assert len(sums) > 100
    large = truth > 50  # in small cells the noise is not symmetric, since no count is below 0
    error = np.mean(sums, axis=0)[large] - truth[large]
    assert np.sqrt(np.mean(error**2)) < 0.8
