"""A table in parts: it tells what its parts tell, asked one by one, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacita.query import in_part
from tacita.query.answer import Answer
from tacita.query.database import Database
from tacita.query.in_part import IN_PARTS, parts_of
from tacita.query.journal.verify import verify
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.requests import Tabulate
from tacita.query.restrictions import SetSize, SumAudit, TableSize
from tests.query.builders import KEY, fresh, opened, people, policy_of

AREAS = ("east", "north", "south")
COUNTS = {
    ("north", "f"): 30,
    ("north", "m"): 20,
    ("south", "f"): 12,
    ("south", "m"): 18,
    ("east", "f"): 3,
    ("east", "m"): 2,
}
POLICY = policy_of(SetSize(k=10), TableSize(), requests=["tabulate"], cells=CellKeyNoise())
TABLE = Tabulate(by=["area", "sex"], each="area")


def _db(**options: Any) -> Database:
    return opened(people(COUNTS, ("area", "sex")), POLICY, **options)


def _kinds(db: Database) -> list[tuple[str, str | None]]:
    return [(e.kind, e.status) for e in db.journal.entries() if e.kind in ("request", IN_PARTS)]


# --- which questions ----------------------------------------------------------------------------------------------------------


def _parts(request: Tabulate, where: dict[str, Any]) -> list[tuple[int, Any, tuple[str, ...]]]:
    return [(place, part.where.to_plain(), part.by) for place, part in parts_of(request, where, AREAS)]


def test_each_class_is_a_question_of_its_own() -> None:
    assert _parts(TABLE, {}) == [(place, {"area": [word]}, ("sex",)) for place, word in enumerate(AREAS)]
    assert all(part.each is None for _, part in parts_of(TABLE, {}, AREAS))
    assert _parts(Tabulate(by=["area"], each="area"), {"sex": ["f"]})[0] == (
        0,
        {"area": ["east"], "sex": ["f"]},
        ("area",),
    )


def test_classes_that_the_universe_excludes_have_no_question() -> None:
    assert [place for place, _, _ in _parts(TABLE, {"area": ["north", "south"]})] == [1, 2]
    union = {"any": [{"area": ["north"], "sex": ["f"]}, {"area": ["south", "north"], "sex": ["m"]}]}
    assert _parts(TABLE, union) == [
        (1, {"any": [{"area": ["north"], "sex": ["f"]}, {"area": ["north"], "sex": ["m"]}]}, ("sex",)),
        (2, {"area": ["south"], "sex": ["m"]}, ("sex",)),
    ]


def test_a_variable_may_be_called_any() -> None:
    assert [place for place, _, _ in _parts(TABLE, {"any": ["x"]})] == [0, 1, 2]
    odd = Tabulate(by=["any", "sex"], each="any")
    assert [place for place, _, _ in _parts(odd, {"any": ["south"]})] == [2]


# --- the table ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [("area", "sex"), ("sex", "area"), ("area",)])
def test_its_parts_are_the_single_questions(by: tuple[str, ...]) -> None:
    db = _db()
    answer, alone = db.ask(Tabulate(by=by, each="area")), fresh(db)
    rest = tuple(name for name in by if name != "area") or ("area",)
    assert answer.table.by == by
    assert answer.table.shape == tuple({"area": 3, "sex": 2}[name] for name in by)
    for place, word in enumerate(AREAS):
        part = alone.ask(Tabulate(by=rest, where={"area": word}))
        found = np.take(answer.table.values, place, axis=by.index("area"))
        if part.table is None:
            assert word == "east"
            assert np.isnan(found).all()
        else:
            wanted = part.table.values if len(by) > 1 else part.table.values[place]
            np.testing.assert_array_equal(found, wanted)


def test_refused_parts_are_empty_and_counted() -> None:
    answer = _db().ask(TABLE)
    assert answer.status == "answered"
    assert answer.parts == {"each": "area", "answered": 2, "of": 3, "refused": {"east": ["set_size"]}}
    assert answer.notes[-1] == "2 of 3 classes of 'area' are answered; each was judged on its own."
    assert answer.to_plain()["table"]["values"][:2] == [None, None]
    assert Answer.from_plain(answer.to_plain()).to_json() == answer.to_json()


def test_standard_errors_stand_beside_their_values() -> None:
    policy = policy_of(SetSize(k=10), requests=["tabulate"])
    db = opened(people(COUNTS, ("area", "sex")), policy)
    asked = Tabulate(by=["area", "sex"], response="wage", statistic="mean", each="area")
    table, part = db.ask(asked).table, db.ask(replace(asked, by=("sex",), each=None, where={"area": "north"})).table
    assert part.errors is not None
    np.testing.assert_array_equal(table.errors[1], part.errors)
    assert np.isnan(table.errors[0]).all()


def test_where_all_parts_are_refused_the_table_is() -> None:
    db = _db()
    answer = db.ask(replace(TABLE, where={"area": "east"}))
    assert (answer.status, answer.reasons, answer.table, answer.parts) == ("refused", ("set_size",), None, None)
    assert _kinds(db) == [("request", "refused"), (IN_PARTS, "refused")]
    assert db.answer(answer.id) is None


def test_a_universe_of_several_pieces_has_the_part_of_each_class() -> None:
    db = opened(people(COUNTS, ("area", "sex")), policy_of(TableSize()))
    union = {"any": [{"area": ["north"], "sex": ["f"]}, {"area": ["south"]}]}
    answer = db.ask(replace(TABLE, where=union))
    assert answer.parts == {"each": "area", "answered": 2, "of": 2, "refused": {}}
    assert answer.to_plain()["table"]["values"] == [None, None, 30, 0, 12, 18]


def test_too_many_parts_are_refused_before_any_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_part, "MOST_PARTS", 2)
    db = _db()
    answer = db.ask(TABLE)
    assert (answer.reasons, answer.hint) == (("table_size",), "A table may have at most 2 parts.")
    assert _kinds(db) == [(IN_PARTS, "refused")]


def test_a_table_that_is_not_understood_asks_for_no_part() -> None:
    db = _db()
    assert db.ask({"kind": "tabulate", "by": ["area", "nobody"], "each": "area"}).reasons == ("unknown_variable",)
    assert db.ask({"kind": "tabulate", "by": ["sex"], "each": "area"}).reasons == ("request_form",)
    assert _kinds(db) == [("request", "refused")] * 2


# --- what is remembered -----------------------------------------------------------------------------------------------


def test_parts_are_entered_before_the_table_and_only_they_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    db = _db(journal=path)
    answer = db.ask(TABLE, user="ann")
    assert _kinds(db) == [("request", s) for s in ("refused", "answered", "answered")] + [(IN_PARTS, "answered")]
    last = list(db.journal.entries())[-1]
    assert last.answer == db.journal.answer_digest(last.request, answer.to_plain())
    again = _db(journal=path)
    assert (db.history.answered, again.history.answered) == (2, 2)
    fetched = again.answer(answer.id)
    assert fetched is not None
    assert fetched.to_json() == answer.to_json()
    assert verify(path, key=KEY).state == "verified"


def test_an_auditor_sees_the_parts_after_opening_again(tmp_path: Path) -> None:
    """Totals of areas were told in parts; the total without one record of an area may not be."""
    counts = {(area, f"{area} {i}"): 1 for area in AREAS for i in range(8)}
    policy = policy_of(SumAudit(), standard_errors=False)

    def open_again() -> Database:
        return opened(people(counts, ("area", "who")), policy, journal=tmp_path / "journal.jsonl")

    whole = Tabulate(by=["area"], response="wage", statistic="total", each="area")
    assert open_again().ask(whole).parts["answered"] == 3  # type: ignore[index]
    nearly = {"who": [f"north {i}" for i in range(7)]}
    for _ in range(2):
        answer = open_again().ask(Tabulate(by=["area"], response="wage", statistic="total", where=nearly))
        assert (answer.status, answer.reasons) == ("refused", ("sum_audit",))
