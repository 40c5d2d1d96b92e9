"""Sets of changed counts before attackers: every cell once, bounds of readers, and what ``publish_counts`` wrote."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.attack import BoundedNoise, FittedCounts
from tacita.compare.red_team.ledger import read_ledger
from tacita.compare.red_team.stage_counts import attack_counts, read_true_counts, stage_counts
from tacita.core.errors import FileError
from tests.cli.test_verbs import tacita

KEY = tc.Key(bytes(range(7, 71, 2)))
BY = (["sex", "marital"], ["sex", "disability"])


@cache
def counted() -> tuple[list[tc.tables.Table], list[tc.tables.Protected]]:
    people = tc.samples.person_register(150, seed=1)
    true = [tc.tables.keyed_table(people, by, key=KEY, identity="person_id") for by in BY]
    noise = tc.tables.CellKey(key=KEY, D=3, V=2.0)
    return list(true), [noise.protect(table, tc.tables.Unsafe.none(len(table))) for table in true]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    true, made = counted()
    return tc.tables.publish_counts(made, tmp_path / "counts", true=true, key=KEY, reach=3)


def test_what_is_shared_stands_once_and_the_truth_is_possible() -> None:
    true, made = counted()
    target, answers = stage_counts(made, true, reaches=3, below=None)
    assert len(target.shown) < len(true[0]) + len(true[1])
    truth = answers.truth["cell"]
    cells = target.wanted
    assert (target.lower[cells] <= truth).all()
    assert (truth <= target.upper[cells]).all()
    few, _ = stage_counts(made, true, reaches=3)
    assert set(few.wanted) <= set(cells)
    assert (few.shown[few.wanted] < 6).all()
    for attack in (FittedCounts(), BoundedNoise()):
        assert not attack.declined(target)


def test_a_directory_is_attacked(published: Path) -> None:
    found = attack_counts(published)
    assert {one.attack for one in found.run} == {"bounded_noise", "fitted_counts"}
    assert found.state in ("passed", "failed", "not judged")
    assert "tables of counts" in found.target
    done = tacita("attack", published, "--json")
    assert done.returncode in (0, 3, 4)
    assert "fitted_counts" in done.stdout
    assert read_ledger(published.parent).target.names == ("counts",)


def test_an_internal_side_that_does_not_fit(published: Path) -> None:
    from tacita.tables.files.read_counts import read_counts

    counts = read_counts(published / "public")
    true = read_true_counts(published, counts)
    np.testing.assert_array_equal(true[0].values.sum(), counted()[0][0].values.sum())
    (published / "internal" / "table-1.csv").write_text("sex,true\nf,1\n", encoding="utf-8")
    with pytest.raises(FileError, match="true count of each published cell"):
        read_true_counts(published, counts)
    shutil.rmtree(published / "internal")
    with pytest.raises(FileError, match="no internal side"):
        attack_counts(published)
