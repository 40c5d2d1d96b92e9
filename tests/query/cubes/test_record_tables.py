"""Tables of records: the same from a kept cube, from a larger one, and from a pass; and the answers made of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.cubes import record_tables
from tacita.query.database import Database
from tacita.query.policy.policy import Policy
from tacita.query.requests.tabulate import Tabulate
from tacita.query.universe.universe import Universe
from tests.effort import examples
from tests.oracles.query.drop_q import drop_q_oracle
from tests.query.builders import asked, opened, survey

STATELESS = ("request", "universe")
"""Rules of these stages judge by the question alone; what others say may depend on what was asked before."""


def stateless(name: str, **changes: Any) -> Policy:
    preset = Policy.preset(name)
    return replace(preset, restrictions=tuple(r for r in preset.restrictions if r.traits.stage in STATELESS), **changes)


RULES = {"tables": stateless("tables"), "mas": stateless("mas", strata=("region",))}
OPEN = {name: opened(survey(), policy) for name, policy in RULES.items()}
"""Databases that are asked more and more while the tests run."""

CATALOGUE = OPEN["tables"].catalogue
VARIABLES = {name: CATALOGUE[name].all_classes for name in ("sex", "urban", "marital", "employment")}
conditions = st.fixed_dictionaries(
    {}, optional={name: st.lists(st.sampled_from(words), min_size=1, unique=True) for name, words in VARIABLES.items()}
)
tables = st.lists(st.sampled_from(list(VARIABLES)), min_size=1, max_size=2, unique=True)


@st.composite
def questions(draw: st.DrawFn) -> Tabulate:
    where = Universe.from_plain({"any": draw(st.lists(conditions, min_size=1, max_size=2))})
    if draw(st.booleans()):
        return Tabulate(by=draw(tables), where=where)
    return Tabulate(by=draw(tables), where=where, response="income", statistic=draw(st.sampled_from(["mean", "total"])))


def fresh(policy: Policy | str) -> Database:
    return opened(survey(), policy)


@settings(max_examples=8, deadline=None)
@given(st.lists(questions(), min_size=2, max_size=6), st.sampled_from(list(RULES)))
def test_answers_do_not_depend_on_what_was_asked_before(listed: list[Tabulate], name: str) -> None:
    """In two orders, each on fresh data, and of a database that was asked a lot: the same bytes."""
    one, other = fresh(RULES[name]), fresh(RULES[name])
    told = {request.to_json(): one.ask(request).to_json() for request in listed}
    for request in reversed(listed):
        assert other.ask(request).to_json() == told[request.to_json()]
        assert OPEN[name].ask(request).to_json() == told[request.to_json()]


@settings(max_examples=examples(20), deadline=None)
@given(questions())
def test_a_table_is_that_of_the_rows(request_: Tabulate) -> None:
    """Against a loop over records: universe, dropping and cells, without any cube."""
    db = OPEN["mas"]
    version, question = db.version, asked(db, request_)
    words = {name: [version.catalogue[name].all_classes[i] for i in version.codes(name)] for name in VARIABLES}
    pieces = request_.where.pieces
    members = [
        row
        for row in range(len(version))
        if any(all(words[name][row] in classes for name, classes in piece) for piece in pieces)
    ]
    assert question.members.rows.tolist() == members
    assert len(question.members) == len(members)
    hashes = version.record_keys.tolist()
    assert question.members.sums == tuple(sum(hashes[row][j] for row in members) for j in range(2))
    subsample, key = db.policy.subsample, version.lasting_key.derive("drop")
    kept = drop_q_oracle(
        members, version.stratum.tolist(), version.record_ids.tolist(), key, k=subsample.k, hashes=hashes
    )
    assert question.rows.tolist() == kept
    assert question.size == len(kept)
    shape = version.records.shape(request_.by)
    wanted = np.zeros((*shape, 3), dtype=np.int64)
    for row in kept:
        wanted[tuple(int(version.codes(name)[row]) for name in request_.by)] += (1, *hashes[row])
    found = question.counted_analysed(request_.by)
    assert found.numbers.tolist() == wanted.reshape(-1, 3).tolist()
    rows, cells = question.rows_in_cells(request_.by)
    assert rows.tolist() == kept
    assert np.bincount(cells, minlength=len(found.counts)).tolist() == found.counts.tolist()


@pytest.mark.parametrize("largest", [0, 1 << 17])
def test_a_pass_and_a_cube_tell_the_same(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    version = fresh("tables").version
    boxes = version.boxes(
        Universe({"sex": VARIABLES["sex"][0], "region": CATALOGUE["region"].classes[:3]})
        | Universe({"urban": VARIABLES["urban"][0]})
    )
    wanted = version.records.cube(["marital", "urban", "sex", "region"]).of_universe(["urban", "marital"], boxes)
    monkeypatch.setattr(record_tables, "_LARGEST_CUBE", largest)
    found = fresh("tables").version.records.counted(["urban", "marital"], boxes)
    assert found.numbers.tolist() == wanted.numbers.tolist()


def test_a_small_cube_is_read_from_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    version = fresh("tables").version
    wanted = version.table(["sex"]).tolist()
    version = fresh("tables").version
    version.records.cube(["sex", "urban"])

    def no_pass(*given: Any) -> None:
        raise AssertionError("the records were looked at")

    monkeypatch.setattr(version.records._planes, "count", no_pass)
    assert version.table(["sex"]).tolist() == wanted


def test_threads_ask_at_a_time() -> None:
    requests = [Tabulate(by=[a], where={b: VARIABLES[b][:1]}) for a in VARIABLES for b in VARIABLES if a != b]
    slow, quick = fresh("tables"), fresh("tables")
    quick.version._kept.most_bytes = 2000  # so that cubes come and go
    wanted = [asked(slow, request).counted(request.by).numbers.tolist() for request in requests]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda r: asked(quick, r).counted(r.by).numbers.tolist(), requests * 5)
    assert list(found) == wanted * 5
