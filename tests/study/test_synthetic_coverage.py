"""Coverage of the combining rules through our own masks: a glance in the quick tests, the whole study in the slow ones."""

from __future__ import annotations

import pytest

from tacita.study.synthetic_coverage import TRIED, TriedModel, coverage, synthetic_coverage

RIGHT = [tried for tried in TRIED if tried.is_right]


@pytest.mark.parametrize("tried", RIGHT, ids=lambda tried: tried.words)
def test_right_models_hold_their_level_at_a_glance(tried: TriedModel) -> None:
    """Sixty samples at 95 %: fewer than 50 hits happen once in ten thousand times."""
    covered, width, _ = coverage(tried, runs=60, seed=3)
    assert (covered >= 100 * 50 / 60).all()
    assert (width > 0.95).all()  # no interval from drawn records is narrower than that of the sample


def test_a_study_of_few_samples_judges_nothing() -> None:
    found = synthetic_coverage.run(replicates=2)
    assert all(one.met is None for one in found.findings)
    assert [row[0] for row in found.tables[0].rows] == [tried.words for tried in TRIED]


def test_the_same_seed_gives_the_same_count() -> None:
    first, again = (coverage(TRIED[0], runs=5, seed=4) for _ in range(2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True))


@pytest.mark.slow
def test_the_study_keeps_its_promises() -> None:
    found = synthetic_coverage.run(replicates=1000)
    assert found.kept_promises
    assert sum(one.met is True for one in found.findings) == 2 * len(RIGHT)
