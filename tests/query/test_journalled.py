"""The journal comes before the answer: full disks, refusals, identities, opening again, several processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import DataError, FileError
from tacita.query.database import Database
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.memory import MemoryJournal
from tacita.query.journal.turn import JournalTurn
from tacita.query.journal.verify import verify
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.policy.policy import Policy
from tacita.query.requests import Regress, Statistic, Tabulate
from tacita.query.requests.request import QueryRequest
from tacita.query.restrictions import Decompositions, Differences, RelatedModels, SetSize, SumAudit, TableSize, Waits
from tests.query.builders import KEY, asked, opened, policy_of, ring, survey

WHO = [f"r{i:02d}" for i in range(60)]


def _sum(*numbers: int) -> Statistic:
    return Statistic(response="wage", statistic="sum", where={"who": [WHO[i] for i in numbers]})


class _Full(MemoryJournal):
    """A journal on a disk that can be full."""

    is_full = False

    @contextmanager
    def turn(self) -> Iterator[JournalTurn]:
        with super().turn() as held:
            yield replace(held, put=lambda fields: self._put(held, fields))

    def _put(self, held: JournalTurn, fields: dict[str, Any]) -> JournalEntry:
        if self.is_full:
            raise FileError("The journal cannot be written: no space left on device.")
        return held.put(fields)


def test_when_the_journal_cannot_be_written_nothing_leaves_and_nothing_is_remembered() -> None:
    journal = _Full(key=KEY)
    rules = (Differences(least=3), SumAudit(), Waits(most=100))
    db = opened(ring(), policy_of(*rules, standard_errors=False), journal=journal)
    head = journal.head()
    journal.is_full = True
    for request in (_sum(*range(20)), {"kind": "tabulate", "by": ["nobody"]}, "no json"):
        with pytest.raises(FileError, match="no space"):
            db.ask(request, user="ann")
    with pytest.raises(FileError, match="no space"):
        db.explain(_sum(*range(20)))
    journal.is_full = False
    assert journal.head() == head
    assert db.history.answered == 0
    assert not db.history.asked_at
    assert rules[1].auditor(asked(db, _sum(0))).rank == 0
    assert db.ask(_sum(*range(19))).status == "answered", "one record less than what never left"
    assert db.ask(_sum(*range(20))).status == "refused"


def test_refusals_are_in_the_journal_with_their_details_and_answers_with_their_digest() -> None:
    db = opened(ring(), policy_of(SetSize(k=10)))
    answer = db.ask(_sum(*range(20)), user="ann")
    db.ask(_sum(1, 2), user="ann")
    answered, refused = list(db.journal.entries())[-2:]
    assert (answered.status, refused.status) == ("answered", "refused")
    assert answered.answer == db.journal.answer_digest(answered.request, answer.to_plain())
    assert refused.answer is None
    assert refused.rules[0].rule == "set_size"
    assert "10" in str(refused.rules[0].detail)
    assert answered.user == refused.user
    assert answered.user != "ann"
    assert answered.versions["data"] == db.version.id


def test_a_policy_may_keep_no_identities(tmp_path: Path) -> None:
    db = opened(ring(), policy_of(TableSize(), identities=False), journal=tmp_path / "journal.jsonl")
    for user in ("ann", "bob"):
        db.ask(Tabulate(by=["sex"]), user=user)
    assert {entry.user for entry in db.journal.entries()} == {None}
    text = (tmp_path / "journal.jsonl").read_text(encoding="utf-8")
    assert "ann" not in text
    assert "bob" not in text


def test_repeated_questions_are_entered_as_such() -> None:
    db = opened(ring(), policy_of(TableSize()))
    for _ in range(2):
        db.ask(Tabulate(by=["sex"]))
    first, again = list(db.journal.entries())[-2:]
    assert [said.rule for said in first.rules] == ["table_size"]
    assert [said.rule for said in again.rules] == ["table_size", "answered_before"]
    assert first.answer == again.answer


# --- opening again ----------------------------------------------------------------------------------------------------------


def _models(where: Any = None) -> list[QueryRequest]:
    return [
        Regress(response="income", predictors=list(names), where=where) for names in (["age"], ["age", "sex"], ["sex"])
    ]


WORKLOADS: dict[str, tuple[Any, Policy, list[QueryRequest]]] = {
    "auditor": (
        ring,
        policy_of(SetSize(k=5), SumAudit(), standard_errors=False),
        [
            _sum(*range(30)),
            _sum(*range(29)),
            _sum(*range(30, 60)),
            _sum(*range(15, 45)),
            _sum(*range(14, 45)),
            _sum(*range(60)),
        ]
        + [_sum(*range(i, i + 7)) for i in range(0, 40, 3)],
    ),
    "tables of sums": (
        ring,
        policy_of(SumAudit(), standard_errors=False),
        [
            Tabulate(by=["block"], response="wage", statistic="mean"),
            Tabulate(by=["sex"], response="wage", statistic="mean"),
            Tabulate(by=["sex", "block"], response="wage", statistic="total", where={"who": WHO[1:]}),
            _sum(*range(10)),
            _sum(*range(9)),
        ],
    ),
    "differences": (ring, policy_of(Differences()), [_sum(*range(i)) for i in (20, 19, 24, 22, 30, 40, 59, 60)]),
    "decompositions": (
        survey,
        policy_of(Decompositions(most=2), requests=["tabulate"], cells=CellKeyNoise()),
        [Tabulate(by=[name]) for name in ("sex", "urban", "marital", "sex", "health")],
    ),
    "related models": (
        survey,
        policy_of(RelatedModels(models=3, related=2)),
        [*_models(), *_models({"urban": "city"}), Regress(response="tax", predictors=["age"])],
    ),
}


@pytest.mark.parametrize("name", WORKLOADS)
def test_opening_again_after_every_question_changes_no_decision(tmp_path: Path, name: str) -> None:
    data, policy, requests = WORKLOADS[name]
    once = opened(data(), policy)
    wanted = [once.ask(request).to_json() for request in requests]
    found = []
    for request in requests:
        found.append(opened(data(), policy, journal=tmp_path / "journal.jsonl").ask(request).to_json())
    assert found == wanted
    assert {'"refused"' in text for text in wanted} == {True, False}, "the workload has both"
    assert verify(tmp_path / "journal.jsonl", key=KEY).state == "verified"


def test_what_a_policy_no_longer_offers_is_remembered_all_the_same(tmp_path: Path) -> None:
    """The sum left as one number; a policy that only has tables must still audit it."""
    path = tmp_path / "journal.jsonl"
    both, tables = (
        policy_of(SumAudit(), requests=kinds, standard_errors=False) for kinds in (["statistic"], ["tabulate"])
    )
    assert opened(ring(), both, journal=path).ask(_sum(*range(60))).status == "answered"
    db = opened(ring(), tables, journal=path)
    assert db.history.answered == 1
    nearly = Tabulate(by=["sex"], response="wage", statistic="total", where={"who": WHO[1:]})
    assert db.ask(nearly).status == "refused"


def test_opening_again_counts_no_repeated_question_twice(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    db = opened(ring(), policy_of(TableSize()), journal=path)
    for _ in range(5):
        db.ask(Tabulate(by=["sex"]))
    assert opened(ring(), policy_of(TableSize()), journal=path).history.answered == 1


def test_answers_of_another_version_are_not_remembered(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    opened(ring(60), policy_of(Differences()), journal=path).ask(_sum(*range(20)))
    assert opened(ring(59), policy_of(Differences()), journal=path).history.answered == 0


def test_an_answer_that_cannot_be_understood_any_more_stops_the_opening(tmp_path: Path) -> None:
    db = opened(ring(), policy_of(Differences()), journal=tmp_path / "journal.jsonl")
    db.journal.append(
        "request",
        request={"kind": "tabulate", "by": ["forgotten"]},
        status="answered",
        answer={"x": 1},
        versions={"data": db.version.id},
    )
    with pytest.raises(DataError, match="cannot be understood any more"):
        opened(ring(), policy_of(Differences()), journal=tmp_path / "journal.jsonl")


# --- several processes --------------------------------------------------------------------------------------------------------


def _two(tmp_path: Path, policy: Policy, data: Any = ring) -> tuple[Database, Database]:
    path = tmp_path / "journal.jsonl"
    return opened(data(), policy, journal=path), opened(data(), policy, journal=path)


def test_two_processes_with_one_journal_share_one_auditor(tmp_path: Path) -> None:
    """One sum from each, which together would give a record away: the second is refused, though its own history is empty."""
    one, other = _two(tmp_path, policy_of(SumAudit(), standard_errors=False))
    assert one.ask(_sum(*range(30))).status == "answered"
    answer = other.ask(_sum(*range(29)))
    assert (answer.status, answer.reasons, answer.value) == ("refused", ("sum_audit",), None)
    assert other.ask(_sum(*range(30))).value == one.ask(_sum(*range(30))).value
    assert one.ask(_sum(*range(31))).status == "refused"


def test_a_refusal_that_comes_late_is_entered_and_not_remembered(tmp_path: Path) -> None:
    one, other = _two(tmp_path, policy_of(Differences(least=3)))
    assert one.ask(_sum(*range(30))).status == "answered"
    assert other.ask(_sum(*range(29))).status == "refused"
    statuses = [e.status for e in other.journal.entries() if e.kind == "request"]
    assert statuses == ["answered", "refused"]
    assert other.history.answered == 1
    again = opened(ring(), one.policy, journal=tmp_path / "journal.jsonl")
    assert again.history.answered == 1, "what was held back is not remembered"
    assert again.ask(_sum(*range(29))).status == "refused"


def test_processes_catch_up_whatever_the_others_did(tmp_path: Path) -> None:
    one, other = _two(tmp_path, policy_of(Differences(least=3)))
    one.explain(_sum(*range(10)))
    one.ask("no json")
    one.ask(_sum(*range(30)))
    one.ask(_sum(*range(30)))
    assert other.ask(_sum(*range(40))).status == "answered"
    assert other.history.answered == 2
    assert one.ask(_sum(*range(39))).status == "refused"
