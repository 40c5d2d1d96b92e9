"""The scene of a table: what left from the public side, the truth from the inside, seats with what they have."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.compare.red_team.stage_table import published_cells, read_published, seats_of, stage_table
from tacita.core.errors import FileError
from tacita.tables.protect.protected import Protected


@cache
def protected(method: str = "suppress") -> Protected:
    firms = tc.mask.GlobalRecode(levels={"activity": 3, "region": 1}).apply(tc.samples.business_survey(600, seed=1))
    table = tc.tabulate(firms, ["region", "activity"], "turnover")
    unsafe = tc.tables.MinimumFrequency(at_least=3).judge(table)
    made = tc.tables.Suppress() if method == "suppress" else tc.tables.Round(base=5000.0)
    return made.protect(table, unsafe)


def test_hidden_values_are_not_in_the_target() -> None:
    target, answers = stage_table(published_cells(protected()))
    assert np.isnan(target.shown[target.wanted]).all()
    assert np.isfinite(answers.truth["cell"]).all()
    np.testing.assert_allclose(target.relations @ protected().table.values, 0, atol=1e-3)
    assert target.holds_sums
    assert target.reach is None
    assert len(target.seats) > 10


def test_changed_values_come_with_their_reach() -> None:
    found = protected("round")
    target, _ = stage_table(published_cells(found))
    assert not target.hidden.any()
    assert target.reach is not None
    assert np.abs(target.shown - found.table.values).max() <= target.reach
    assert target.seats == ()


def test_seats_know_what_they_have_in_hidden_cells() -> None:
    found = protected()
    for seat in seats_of(found.table, found.hidden, most=20):
        assert found.hidden[seat.cells].any()
        assert (seat.own <= found.table.values[seat.cells] * (1 + 1e-9)).all()
    assert len(seats_of(found.table, found.hidden, most=3)) == 3


@pytest.mark.parametrize("method", ["suppress", "round"])
def test_a_directory_gives_the_same_scene(method: str, tmp_path: Path) -> None:
    found = protected(method)
    tc.publish_table(found, tmp_path / "out", insist=True)
    here, there = (stage_table(cells) for cells in (published_cells(found), read_published(tmp_path / "out")))
    np.testing.assert_allclose(there[0].shown, here[0].shown)
    np.testing.assert_array_equal(there[0].wanted, here[0].wanted)
    np.testing.assert_allclose(there[1].truth["cell"], here[1].truth["cell"])
    assert there[0].reach == here[0].reach
    # A file lists the largest contributors and holdings of each cell; from records everybody is known, a firm under its holding.
    assert bool(there[0].seats) == bool(here[0].seats) == (method == "suppress")


def test_directories_that_are_none(tmp_path: Path) -> None:
    tc.publish_table(protected(), tmp_path / "out")
    tc.publish_table(protected("round"), tmp_path / "other", insist=True)
    with pytest.raises(FileError, match=r"has no public/table\.json"):
        read_published(tmp_path)
    shutil.copy(tmp_path / "other" / "public" / "table.json", tmp_path / "out" / "public" / "table.json")
    with pytest.raises(FileError, match="not of the same cells"):
        read_published(tmp_path / "out")
