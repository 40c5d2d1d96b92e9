"""The ledger of releases: tables, files and answers from disk, pairs before the next leaves, and what cannot be used."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.red_team.ledger import attack_ledger, read_ledger
from tacita.core.errors import FileError

SEED = 123456789012345678901234567890


def people() -> tc.Microdata:
    """People by age and job, of whom few are old."""
    rng = np.random.default_rng(1)
    sizes = np.array([[2, 9, 12], [14, 1, 8], [9, 16, 11]])
    rows = [(f"a{i}", f"j{j}") for i in range(3) for j in range(3) for _ in range(sizes[i, j])]
    columns = {
        "age": [row[0] for row in rows],
        "job": [row[1] for row in rows],
        "wage": np.round(rng.lognormal(7, 0.4, len(rows)), 1),
    }
    return tc.Microdata.from_frame(pa.table(columns), keys=["age", "job"], confidential=["wage"])


def publish(place: Path, hidden: list[tuple[str, str]]) -> Path:
    """Publish the table of counts with some cells hidden, as if each were safe."""
    table = tc.tabulate(people(), ["age", "job"])
    unsafe = tc.tables.MinimumFrequency(at_least=3).judge(table)
    cells = [cell for cell in range(len(table)) if table.labels(cell) in hidden]
    made = tc.tables.Suppress().protect(table, unsafe)
    mask = np.zeros(len(table), bool)
    mask[cells] = True
    place.parent.mkdir(exist_ok=True)
    return tc.publish_table(replace(made, hidden=mask), place, insist=True)


ONE = [("a0", "j0"), ("a0", "j1"), ("a1", "j0"), ("a1", "j1")]
TWO = [("a0", "j0"), ("a0", "j2"), ("a2", "j0"), ("a2", "j2"), ("a1", "j1"), ("a1", "j2"), ("a2", "j1")]


def test_two_tables_name_each_other_before_the_second_leaves(tmp_path: Path) -> None:
    publish(tmp_path / "ledger" / "spring", ONE)
    publish(tmp_path / "autumn", TWO)
    alone = read_ledger(tmp_path / "ledger")
    assert alone.target.names == ("spring",)
    found = read_ledger(tmp_path / "ledger", next_release=tmp_path / "autumn")
    assert found.next_release == "autumn"
    assert [one.releases for one in found.hurting()] == [("spring", "autumn")]
    assert "spring and autumn together tell" in found.words()
    verdict = attack_ledger(tmp_path / "ledger", next_release=tmp_path / "autumn", attacks=["across_releases"])
    assert verdict.state == "failed"
    assert verdict.grades[0].sure == verdict.grades[0].sure_right > 0
    assert any("spring and autumn" in note for note in verdict.notes)


def test_the_same_pattern_again_may_leave(tmp_path: Path) -> None:
    publish(tmp_path / "ledger" / "spring", ONE)
    publish(tmp_path / "autumn", ONE)
    found = read_ledger(tmp_path / "ledger", next_release=tmp_path / "autumn")
    assert found.hurting() == ()
    assert found.words() == "No release tells cells together with another."


def test_a_file_with_open_columns_tells_what_the_table_hides(tmp_path: Path) -> None:
    publish(tmp_path / "ledger" / "table", ONE)
    tc.Recipe([tc.mask.RankSwap(columns=["wage"], p=20)]).apply(people(), seed=SEED).write(tmp_path / "ledger" / "file")
    found = read_ledger(tmp_path / "ledger")
    assert set(found.target.files) == {"file"}
    verdict = attack_ledger(tmp_path / "ledger", attacks=["across_releases"])
    assert verdict.grades[0].success == 1.0


def test_answers_complete_a_table(tmp_path: Path) -> None:
    publish(tmp_path / "ledger" / "table", ONE)
    answers = [
        {
            "status": "answered",
            "request": {"kind": "statistic", "where": {"age": ["a0", "a2"], "job": ["j0"]}},
            "value": 11.0,
        },
        {"status": "refused", "reasons": ["set_size"]},
        {"status": "answered", "request": {"kind": "regress"}},
    ]
    (tmp_path / "ledger" / "server.json").write_text(json.dumps(answers), encoding="utf-8")
    found = read_ledger(tmp_path / "ledger")
    assert [one.releases for one in found.hurting()] == [("server", "table")]
    assert "server: 1 answers are not used: they were refused." in found.left_out
    assert any("no counts, totals or means" in line for line in found.left_out)


def test_what_cannot_be_used_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must be a directory"):
        read_ledger(tmp_path / "nothing")
    (tmp_path / "ledger" / "odd").mkdir(parents=True)
    with pytest.raises(FileError, match="nothing that can be used"):
        read_ledger(tmp_path / "ledger")
    publish(tmp_path / "ledger" / "table", ONE)
    (tmp_path / "ledger" / "server.journal").write_text("", encoding="utf-8")
    left = " ".join(read_ledger(tmp_path / "ledger").left_out)
    assert "odd: it is no published table" in left
    assert "a journal has no answers" in left
    with pytest.raises(FileError, match="next release 'odd' cannot be used"):
        read_ledger(tmp_path / "ledger", next_release=tmp_path / "ledger" / "odd")


def firms(seed: int = 1) -> tc.tables.Table:
    """Turnover by region and branch, with two firms that are nearly all there is in two branches of each region."""
    rng, rows = np.random.default_rng(seed), list[tuple[str, str, float]]()
    for region in range(6):
        for branch, shares in (("a", (1.0, 0.01)), ("b", (0.9, 0.01)), ("c", (0.8, 0.8, 0.7)), ("d", (0.5, 0.5, 0.4))):
            rows += [(f"r{region}", branch, round(300 * share * rng.uniform(0.95, 1.05), 2)) for share in shares]
    columns = dict(zip(("region", "branch", "turnover"), map(list, zip(*rows, strict=True)), strict=True))
    return tc.tabulate(tc.Microdata.from_frame(pa.table(columns)), ["region", "branch"], "turnover")


def publish_firms(place: Path, table: tc.tables.Table, cost: str = "value") -> Path:
    place.parent.mkdir(exist_ok=True)
    made = tc.tables.Suppress(cost=cost).protect(table, tc.tables.PPercent(p=10).judge(table))  # type: ignore[arg-type]
    assert made.is_safe
    return tc.publish_table(made, place)


def test_two_tables_that_are_each_safe_from_every_seat(tmp_path: Path) -> None:
    """The second hides others for its costs: a contributor of both sees more than the audit of each knows."""
    table = firms()
    publish_firms(tmp_path / "ledger" / "spring", table)
    publish_firms(tmp_path / "autumn", replace(table, cost=1 / np.maximum(table.values, 1)), cost="own")
    found = read_ledger(tmp_path / "ledger", next_release=tmp_path / "autumn")
    hurting = found.hurting()
    assert {(one.releases, one.seat) for one in hurting if one.seat} == {(("spring", "autumn"), "a contributor")}
    assert "spring and autumn together tell a contributor too much of the largest contributor" in found.words()
    verdict = attack_ledger(tmp_path / "ledger", next_release=tmp_path / "autumn", attacks=["across_releases"])
    assert verdict.state == "failed"
    assert verdict.grades[0].about == "contributor"
    assert "seats of contributors" in verdict.scenario
    told = " ".join([found.words(), verdict.scenario, *verdict.notes, *(one.learned for one in verdict.grades)])
    assert not re.search("unit [0-9]|people [0-9]", told)


def test_contributors_of_other_data_are_not_taken_for_the_same(tmp_path: Path) -> None:
    publish_firms(tmp_path / "ledger" / "firms", firms())
    other = tc.tabulate(tc.samples.business_survey(80, seed=1), ["size_class"], "wages")
    publish_firms(tmp_path / "ledger" / "others", other)
    found = read_ledger(tmp_path / "ledger")
    assert any("seats of their own" in line for line in found.left_out)


def test_counts_and_totals_tell_what_one_person_has(tmp_path: Path) -> None:
    def said(value: float, jobs: list[str], **more: str) -> dict[str, object]:
        asked = {"kind": "statistic", "where": {"age": ["a0"], "job": jobs}, **more}
        return {"status": "answered", "request": asked, "value": value}

    jobs = (["j0"], ["j0", "j1"])
    (tmp_path / "ledger").mkdir()
    counts = [said(value, job) for value, job in zip((7.0, 8.0), jobs, strict=True)]
    means = [
        said(value, job, response="wage", statistic="mean") for value, job in zip((10.0, 11.875), jobs, strict=True)
    ]
    (tmp_path / "ledger" / "counts.json").write_text(json.dumps(counts), encoding="utf-8")
    made = {"form": "tacita answers", "complete": ["wage"], "answers": means}
    (tmp_path / "means.json").write_text(json.dumps(made), encoding="utf-8")
    found = read_ledger(tmp_path / "ledger", next_release=tmp_path / "means.json")
    assert [one.words() for one in found.hurting()] == [
        "counts and means.json together tell what 1 person has that they do not tell alone."
    ]
    gaps = {**made, "complete": []}
    (tmp_path / "means.json").write_text(json.dumps(gaps), encoding="utf-8")
    with pytest.raises(FileError, match="some records have no value of"):
        read_ledger(tmp_path / "ledger", next_release=tmp_path / "means.json")
