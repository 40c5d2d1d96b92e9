"""Publishing a protected table: two sides, nothing secret in public, nothing at all when the audit fails."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.core.errors import ReleaseError
from tacita.report.publish_table import publish_table
from tacita.tables.adjustment.adjust import Adjust
from tacita.tables.auditor.audit import audit
from tacita.tables.files.read_write import read_table
from tacita.tables.protect.protected import Protected
from tacita.tables.rounding.round import Round
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.named_cells import NamedCells
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.suppression.suppress import Suppress
from tests.tables.tables_by_hand import row_of


@pytest.fixture
def protected() -> Protected:
    table = row_of([[77.0], [20.0, 20.0, 21.0], [30.0, 30.0, 31.0]])
    return Suppress().protect(table, MinimumFrequency(at_least=2).judge(table))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_two_sides(protected: Protected, tmp_path: Path) -> None:
    out = publish_table(protected, tmp_path / "out")
    public = rows(out / "public" / "table.csv")
    assert [row["status"] for row in public] == ["published", "hidden", "hidden", "published"]
    assert [row["value"] for row in public] == ["229", "", "", "91"]
    for file in (out / "public").iterdir():
        text = file.read_text(encoding="utf-8")
        assert "77" not in text.replace("#", "")
        assert "unsafe" not in text
        assert "minimum_frequency" not in text
    internal = rows(out / "internal" / "table.csv")
    assert [row["status"] for row in internal] == ["published", "unsafe", "hidden", "published"]
    assert internal[1]["value"] == "77"
    assert float(internal[1]["attacker_high"]) >= 77 * 1.3
    assert json.loads((out / "internal" / "certificate.json").read_text())["safe"]
    assert "external attack" in (out / "internal" / "report.html").read_text(encoding="utf-8")


def test_the_internal_file_can_be_audited_again(protected: Protected, tmp_path: Path) -> None:
    out = publish_table(protected, tmp_path / "out")
    found = read_table(out / "internal" / "table.csv")
    assert found.hidden is not None
    assert found.unsafe is not None
    assert found.unsafe.cells.tolist() == [False, True, False, False]
    assert found.table.values.tolist() == protected.table.values.tolist()


def test_a_failed_audit_writes_nothing_unless_told(protected: Protected, tmp_path: Path) -> None:
    shown = protected.unsafe.cells.copy()
    leaky = replace(protected, hidden=shown, certificate=audit(protected.problem, shown))
    assert not leaky.is_safe
    with pytest.raises(ReleaseError, match="Nothing was written"):
        publish_table(leaky, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    out = publish_table(leaky, tmp_path / "out", insist=True)
    assert {row["audit"] for row in rows(out / "public" / "table.csv")} == {"failed: not safe to publish"}
    assert "not safe" in (out / "public" / "report.html").read_text(encoding="utf-8")
    assert json.loads((out / "public" / "table.json").read_text(encoding="utf-8"))["audit"].startswith("failed")


def test_nothing_tells_true_zeros_from_rounded_ones(tmp_path: Path) -> None:
    firms = tc.samples.business_survey(400, seed=1)
    table = tc.tabulate(firms, ["region", "size_class"], weight=False)
    made = Round(base=5).protect(table, MinimumFrequency(at_least=3).judge(table))
    out = publish_table(made, tmp_path / "out")
    shown = rows(out / "public" / "table.csv")
    zeros = {row["status"] for row in shown if row["value"] == "0"}
    assert zeros == {"empty"}
    assert ((made.values == 0) & (table.values > 0)).any()  # there was something to tell apart
    assert "counts" not in json.loads((out / "public" / "table.json").read_text(encoding="utf-8"))


def test_sums_have_no_noise_of_the_arithmetic(tmp_path: Path) -> None:
    table = row_of([[0.1], [0.2, 0.7], [0.3, 0.4]])
    made = Suppress().protect(table, MinimumFrequency(at_least=1).judge(table))
    assert rows(publish_table(made, tmp_path / "out") / "public" / "table.csv")[0]["value"] == "1.7"


def decimals(path: Path) -> set[int]:
    return {len(row["value"].partition(".")[2]) for row in rows(path)}


@pytest.fixture
def money() -> Protected:
    """Amounts of two decimals, adjusted: the levels have more decimals than the amounts."""
    rng = np.random.default_rng(3)
    size = 60
    frame = {
        "a": rng.choice(["a1", "a2", "a3"], size),
        "b": rng.choice(["b1", "b2", "b3"], size),
        "x": np.round(rng.lognormal(5, 1.3, size), 2),
    }
    table = tc.tabulate(tc.Microdata.from_frame(pd.DataFrame(frame)), ["a", "b"], "x")
    unsafe = (PPercent(p=15) | MinimumFrequency(at_least=3)).judge(table)
    return Adjust(time_limit=5).protect(table, unsafe)


def test_decimals_do_not_tell_which_cells_moved(money: Protected, tmp_path: Path) -> None:
    assert any(len(f"{value:.15g}".partition(".")[2]) > 2 for value in money.values.tolist())
    out = publish_table(money, tmp_path / "out")
    assert max(decimals(out / "public" / "table.csv")) <= 2
    cents = np.array([round(100 * float(row["value"])) for row in rows(out / "public" / "table.csv")])
    assert (money.table.relations.matrix @ cents == 0).all()  # exactly, in whole cents
    unsafe, true = money.unsafe, money.table.values
    moved = cents / 100 - true
    kept = (moved >= unsafe.above - 1e-9) | (moved <= -unsafe.below + 1e-9)
    assert kept[unsafe.cells].all()
    unmoved = np.abs(money.values - true) < 1e-9
    assert np.abs(moved[unmoved]).max() < 1e-9
    # the owner's files have what was published, and a note
    inside = [float(row["published"]) for row in rows(out / "internal" / "table.csv")]
    assert inside == pytest.approx((cents / 100).tolist())
    assert any("2 decimals" in note for note in json.loads((out / "internal" / "summary.json").read_text())["notes"])


def test_decimals_that_cannot_be_met_are_the_same_for_all(tmp_path: Path) -> None:
    """The unsafe cell has bounds between two whole numbers, so that no whole table exists."""
    table = row_of([[10.0, 2.0], [20.0, 5.0]])
    lower, upper = table.values - 0.5, table.values + 0.5
    table = replace(table, lower=lower, upper=upper)
    unsafe = NamedCells(cells=[{"cell": "c0"}], span=2).judge(table)
    made = Adjust(time_limit=5).protect(table, unsafe)
    out = publish_table(made, tmp_path / "out")
    assert len(decimals(out / "public" / "table.csv")) == 1
    assert decimals(out / "public" / "table.csv") != {0}
    assert any("decimals" in note for note in json.loads((out / "internal" / "summary.json").read_text())["notes"])


def test_a_rounded_table_keeps_its_multiples(tmp_path: Path) -> None:
    table = row_of([[1.0] * 4, [1.0] * 7, [1.0] * 9])
    made = Round(base=2.5).protect(table, MinimumFrequency(at_least=2).judge(table))
    shown = rows(publish_table(made, tmp_path / "out", insist=True) / "public" / "table.csv")
    assert [float(row["value"]) for row in shown] == made.values.tolist()


def test_the_picture_has_every_state() -> None:
    from tacita.report.table_pattern import pattern_chart

    firms = tc.samples.business_survey(300, seed=1)
    table = tc.tabulate(firms, ["region", "size_class"])
    made = Suppress(cost="unity").protect(table, MinimumFrequency(at_least=3).judge(table))
    inside = pattern_chart(made).to_dict()
    outside = pattern_chart(made, form="external").to_dict()
    states = {row["state"] for row in inside["data"]["values"]}
    assert {"published", "unsafe, hidden", "hidden to protect others"} <= states
    assert {row["state"] for row in outside["data"]["values"]} <= {"published", "hidden", "empty"}
