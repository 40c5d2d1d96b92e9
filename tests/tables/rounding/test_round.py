"""Rounding as a protector."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import TacitaWarning
from tacita.tables.rounding.round import Round
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tests.tables.tables_by_hand import row_of


def test_controlled_rounding_keeps_sums_and_the_others_say_that_they_do_not() -> None:
    table = tc.tabulate(tc.samples.household_survey(400, seed=1), ["region", "sex"], weight=False)
    unsafe = MinimumFrequency().judge(table)
    made = Round(base=5).protect(table, unsafe)
    assert np.all(made.values % 5 == 0)
    assert len(table.relations.violated(made.values)) == 0
    assert np.abs(made.values - table.values).max() < 5
    nearest = Round(base=5, kind_of="conventional").protect(table, unsafe)
    assert np.abs(nearest.values - table.values).max() <= 2.5
    assert "do not hold" in nearest.notes[0]
    drawn = [Round(base=5, kind_of="random", rounding_seed=3).protect(table, unsafe).values for _ in range(2)]
    assert (drawn[0] == drawn[1]).all()


def test_random_rounding_draws_a_seed_of_its_own() -> None:
    table = tc.tabulate(tc.samples.household_survey(400, seed=1), ["region", "sex"], weight=False)
    unsafe = MinimumFrequency().judge(table)
    one, other = (Round(base=5, kind_of="random").protect(table, unsafe) for _ in range(2))
    assert one.seed is not None
    assert one.seed != other.seed
    assert one.seed.bit_length() > 64
    again = Round(base=5, kind_of="random", rounding_seed=one.seed).protect(table, unsafe)
    assert (again.values == one.values).all()
    assert str(one.seed) not in f"{again!r} {again.to_plain()} {again.method}"
    assert Round(base=5).protect(table, unsafe).seed is None


def test_bases_do_not_share_what_is_drawn() -> None:
    """With the same numbers a cell of 7 that went up to 9 by threes would go up to 10 by fives as well, always."""
    table = row_of([[1.0 / 3] * 21 for _ in range(200)])
    made = [
        Round(base=b, kind_of="random", rounding_seed=4).protect(table, MinimumFrequency().judge(table)) for b in (2, 4)
    ]
    up = [np.sign(each.values - table.values)[1:] for each in made]
    assert 0.3 < float((up[0] == up[1]).mean()) < 0.9


def test_the_seed_stays_inside_and_short_ones_are_warned_of(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.household_survey(400, seed=1), ["region", "sex"], weight=False)
    unsafe = MinimumFrequency().judge(table)
    made = Round(base=25, kind_of="random").protect(table, unsafe)
    out = tc.publish_table(made, tmp_path / "out", insist=True)
    assert json.loads((out / "internal" / "summary.json").read_text())["seed"] == str(made.seed)
    for file in (out / "public").iterdir():
        assert str(made.seed) not in file.read_text(encoding="utf-8")
    short = Round(base=25, kind_of="random", rounding_seed=2**32).protect(table, unsafe)
    with pytest.warns(TacitaWarning, match="fewer than 64 bits"):
        tc.publish_table(short, tmp_path / "short", insist=True)


def test_rounding_that_does_not_protect_is_not_safe() -> None:
    """Amounts in the hundreds with levels of 30 %: a base of 10 tells them within 10."""
    table = row_of([[400.0], [500.0, 600.0, 700.0], [50.0, 60.0, 80.0]])
    unsafe = MinimumFrequency(at_least=3).judge(table)
    for kind in ("controlled", "conventional", "random"):
        made = Round(base=10, kind_of=kind, rounding_seed=1).protect(table, unsafe)
        assert made.exposed == (1,)
        assert made.at_risk.tolist() == [1]
        assert not made.is_safe
        assert made.verdict.startswith("FAILED: the published values do not protect 1 unsafe cells")
        assert any("widen the base" in note for note in made.notes)
        wide = Round(base=400, kind_of=kind, rounding_seed=1).protect(table, unsafe)
        assert wide.is_safe
        assert wide.exposed == ()


def test_base_one_leaves_counts_as_they_are() -> None:
    table = replace(row_of([[1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]), response="", responses=("",))
    unsafe = MinimumFrequency(at_least=3).judge(table)
    made = Round(base=1).protect(table, unsafe)
    assert (made.values == table.values).all()
    assert not made.is_safe
    assert Round(base=3).protect(table, unsafe).is_safe
