"""Answers again: what left comes out once more, digest by digest, and what cannot be repeated is counted."""

from __future__ import annotations

import json
import stat
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tacita as tc
from tacita.compare.red_team.ledger import ANSWERS, read_ledger
from tacita.query.steward.answers_again import FORM, AnswersAgain, answers_again

KEY = b"the secret key of some answers again"
COUNT = {"kind": "tabulate", "by": ["sex"]}


@cache
def people(seed: int = 1) -> tc.Microdata:
    return tc.samples.household_survey(400, seed=seed)


def asked(place: Path, policy: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ask a database that keeps a journal, and return what left."""
    db = tc.query.open(people(), policy=policy, key=KEY, journal=place)
    return [db.ask(request, user="ann").to_plain() for request in requests]


def again(place: Path, policy: str, data: tc.Microdata | None = None) -> AnswersAgain:
    return answers_again(place, people() if data is None else data, policy=policy, key=KEY)


@pytest.mark.parametrize("policy", ["tables", "mas", "audited", "camouflage"])
def test_what_left_comes_out_again(policy: str, tmp_path: Path) -> None:
    mean = {"kind": "statistic", "response": "income", "statistic": "mean", "where": {"sex": ["female"]}}
    left = asked(tmp_path / "journal", policy, [COUNT, mean, COUNT, {"kind": "tabulate", "by": ["nothing"]}])
    before = (tmp_path / "journal").read_bytes()
    found = again(tmp_path / "journal", policy)
    answered = [
        one for i, one in enumerate(left) if one["status"] == "answered" and i != 2
    ]  # the third was asked before
    assert list(found.answers) == answered
    assert answered
    assert not found.lost
    assert (tmp_path / "journal").read_bytes() == before
    assert found.exact == (policy in ("tables", "audited"))


def test_noise_that_is_drawn_anew_cannot_be_repeated(tmp_path: Path) -> None:
    public = people().with_schema(people().schema.change("sex", public=True, categories=("female", "male")))
    db = tc.query.open(public, policy="dp", key=KEY, journal=tmp_path / "journal")
    assert db.ask(COUNT).status == "answered"
    found = answers_again(tmp_path / "journal", public, policy="dp", key=KEY)
    # Two draws of a table of two counts are the same by chance in about one of two thousand runs.
    assert len(found.answers) + sum(found.lost.values()) == 1
    assert all("cannot be repeated" in why for why in found.lost)


def test_other_data_another_policy_and_another_key_are_counted(tmp_path: Path) -> None:
    asked(tmp_path / "journal", "tables", [COUNT])
    assert again(tmp_path / "journal", "audited").lost == {"they were given under another policy": 1}
    assert again(tmp_path / "journal", "tables", people(2)).lost == {"they are about another version of the data": 1}
    other = answers_again(tmp_path / "journal", people(), policy="tables", key=b"another secret key altogether")
    assert (other.answers, sum(other.lost.values())) == ((), 1)
    assert "1 were not" in other.words()


def test_a_ledger_reads_them(tmp_path: Path) -> None:
    assert FORM == ANSWERS
    asked(tmp_path / "journal", "tables", [COUNT, {"kind": "tabulate", "by": ["sex", "marital"]}])
    found = again(tmp_path / "journal", "tables")
    (tmp_path / "ledger").mkdir()
    place = found.write(tmp_path / "ledger" / "server.json")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    plain = json.loads(place.read_text(encoding="utf-8"))
    assert (plain["form"], plain["reach"], len(plain["answers"])) == (FORM, 5.0, 2)
    assert "ann" not in json.dumps(plain).split('"')
    ledger = read_ledger(tmp_path / "ledger")
    told = ledger.target.shows[0]
    assert told.reach is not None
    assert (told.reach == 5.0).all()
