"""Shadows: files that the attacker makes himself."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.synthetic.shadows import both_files, generator_seconds, shadow_files
from tacita.core.errors import AttackError, DataError
from tacita.data.microdata import Microdata
from tacita.study.red_team.synthetic import copied, surveyed_people
from tests.attack.synthetic.scenes import staged


def test_two_files_become_one() -> None:
    one, two = surveyed_people(30, seed=1), surveyed_people(50, seed=2)
    both = both_files(one, two)
    assert len(both) == 80
    assert both.source not in (one.source, two.source)
    rows = [*one.to_arrow(codes=False).to_pylist(), *two.to_arrow(codes=False).to_pylist()]
    assert both.to_arrow(codes=False).to_pylist() == rows
    with pytest.raises(AttackError, match="must have the column 'region'"):
        both_files(one, two.drop(["region"]))


def test_each_shadow_is_made_from_its_own_people() -> None:
    pool = surveyed_people(60)
    made = list(shadow_files(copied, pool, pool.names, size=20, shadows=3, rng=np.random.default_rng(1)))
    assert len({tuple(rows) for rows, _ in made}) == 3
    for rows, file in made:
        assert len(set(rows)) == 20
        np.testing.assert_array_equal(file.float("age"), pool.float("age")[rows])
        assert file.source != pool.source


def test_a_generator_that_fails_or_loses_a_column_says_so() -> None:
    def picky(data: Microdata, seed: int) -> Microdata:
        raise DataError("There are too few.")

    pool, rng = surveyed_people(60), np.random.default_rng(1)
    with pytest.raises(AttackError, match="cannot be run on people of the attacker's own: There are too few"):
        next(shadow_files(picky, pool, pool.names, size=20, shadows=3, rng=rng))
    with pytest.raises(AttackError, match="must give the column 'sex'"):
        next(shadow_files(lambda d, _: d.drop(["sex"]), pool, pool.names, size=20, shadows=3, rng=rng))
    from dataclasses import replace

    assert generator_seconds(replace(staged(copied, n=100).target, generate=picky)) >= 0


def test_a_generator_is_timed_once() -> None:
    calls = []

    def counted(data: Microdata, seed: int) -> Microdata:
        calls.append(len(data))
        return data

    target = staged(counted, n=100).target
    calls.clear()
    assert generator_seconds(target) == generator_seconds(target.among(np.arange(3))) > 0
    assert calls == [40]

    class Slotted:
        """A callable that cannot be remembered."""

        __slots__ = ()

        def __call__(self, data: Microdata, seed: int) -> Microdata:
            calls.append(min(seed, 0))
            return data

    from dataclasses import replace

    assert generator_seconds(replace(target, generate=Slotted())) > 0
    assert calls == [40, 0]
