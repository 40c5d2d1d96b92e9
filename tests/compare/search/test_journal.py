"""The journal: what was finished stays, what is foreign or damaged is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from tacita.compare.search.journal import Journal, measuring_hash
from tacita.compare.search.trial import Trial
from tacita.core.errors import FileError
from tacita.data.microdata import Microdata
from tacita.risk import RankIntervals

DATA = Microdata.from_frame(pa.table({"a": [1.0, 2.0, 3.0]}))
TRIAL = Trial(1, {"il": 0.1 + 0.2, "dld": 1 / 3}, {"pil": "no"}, ("careful",), seconds=0.5)


def journal(
    path: Path, *, data: Microdata = DATA, measuring: str = "m", candidates: tuple[str, ...] = ("x", "y")
) -> Journal:
    return Journal(path, data=data, measuring=measuring, candidates=candidates)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = journal(tmp_path / "j.jsonl")
    made.add("x", TRIAL)
    made.add("y", Trial(2, problem="It failed."))
    return made.path


def test_what_was_written_comes_back_bit_by_bit(path: Path) -> None:
    again = journal(path)
    assert again.trials == {("x", 1): TRIAL, ("y", 2): Trial(2, problem="It failed.")}
    assert len(path.read_text().splitlines()) == 3
    assert journal(path, candidates=("x", "y", "z")).trials == again.trials


def test_a_trial_that_may_do_better_is_not_kept(path: Path) -> None:
    journal(path).add("x", Trial(9, problem="The process ended early.", is_final=False))
    assert ("x", 9) not in journal(path).trials


@pytest.mark.parametrize("kept", [-1, -20])
def test_a_line_without_an_end_is_made_again(path: Path, kept: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    again = journal(path)
    assert set(again.trials) == {("x", 1)}
    again.add("y", Trial(2, {"il": 1.0}))
    assert set(journal(path).trials) == {("x", 1), ("y", 2)}


def test_a_journal_that_stopped_in_its_first_line(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:30])
    assert journal(path).trials == {}
    path.write_bytes(b"")
    assert journal(path).trials == {}
    assert journal(path).trials == {}


def test_damage_is_named_with_its_line(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    for broken in (
        "{}\n",
        "[1]\n",
        "rubbish\n",
        lines[1].replace('"seed"', '"sead"'),
        '{"journal": "tacita-search-1"}\n',
    ):
        path.write_text("".join([lines[0], broken, lines[2]]))
        with pytest.raises(FileError, match=r"The journal 'j\.jsonl' is damaged in line 2"):
            journal(path)


@pytest.mark.parametrize("content", [b"name,age\n1,2\n", b'{"a": 1}\n', b"no end of line", b"\xff\xfe\n"])
def test_another_file_is_not_touched(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "data.csv").write_bytes(content)
    with pytest.raises(FileError, match=r"'data\.csv' is no journal of a search"):
        journal(tmp_path / "data.csv")
    assert (tmp_path / "data.csv").read_bytes() == content


def test_a_foreign_journal_is_refused(path: Path) -> None:
    other = Microdata.from_frame(pa.table({"a": [1.0, 2.0, 4.0]}))
    with pytest.raises(FileError, match="belongs to a search with other data or another schema"):
        journal(path, data=other)
    roles = Microdata.from_frame(pa.table({"a": [1.0, 2.0, 3.0]}), keys=["a"])
    with pytest.raises(FileError, match="other data or another schema"):
        journal(path, data=roles)
    with pytest.raises(FileError, match="with other measures"):
        journal(path, measuring="n")
    with pytest.raises(FileError, match=r"has candidates that this search has not \(line 3\)"):
        journal(path, candidates=("x",))
    head, *rest = path.read_text().splitlines(keepends=True)
    path.write_text(json.dumps({**json.loads(head), "version": "0.0.0"}) + "\n" + "".join(rest))
    with pytest.raises(FileError, match="another version of Tacita"):
        journal(path)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        journal(tmp_path / "none" / "j.jsonl")
    with pytest.raises(FileError, match="cannot be read"):
        journal(tmp_path)


def test_parameters_are_part_of_what_is_measured() -> None:
    one, two = (measuring_hash([RankIntervals(widths=(w,))], "auto") for w in (1.0, 2.0))
    assert one != two
    assert one != measuring_hash([RankIntervals(widths=(1.0,))], "nearest")
    assert one == measuring_hash([RankIntervals(widths=(1.0,))], "auto")


@pytest.mark.parametrize(
    "change",
    [
        {"notes": 5},
        {"notes": "careful"},
        {"notes": [5]},
        {"candidate": [1]},
        {"candidate": 1},
        {"values": {"il": "much"}},
        {"values": {"il": None}},
        {"values": {"il": float("nan")}},
        {"values": {"il": 10**400}},
        {"values": [1]},
        {"skipped": 5},
        {"skipped": {"pil": 5}},
        {"problem": 5},
        {"problem": None},
        {"seconds": "long"},
        {"seed": True},
        {"seed": "1"},
    ],
    ids=str,
)
def test_a_line_that_was_edited_by_hand_is_damage(path: Path, change: dict[str, object]) -> None:
    head, line, *rest = path.read_text().splitlines()
    path.write_text("\n".join([head, json.dumps({**json.loads(line), **change}), *rest]) + "\n")
    with pytest.raises(FileError, match=r"The journal 'j\.jsonl' is damaged in line 2"):
        journal(path)


def test_a_nesting_without_end_is_damage(path: Path) -> None:
    path.write_text(path.read_text() + 100_000 * "[" + "\n")
    with pytest.raises(FileError, match=r"damaged in line 4"):
        journal(path)
