"""Hidden cells: intervals as the auditor proves them, what is broken, what holds, and from which seats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import tacita as tc
from tacita.attack import HiddenCells, TableTarget, attack_once
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.trial import attack_each
from tacita.attack.targets import Seat
from tacita.compare.red_team.stage_table import published_cells, stage_table
from tacita.core.errors import AttackError
from tests.attack.tables.cases import firms_table, staged_firms, suppressed

RNG = np.random.default_rng


def grades(how: str) -> dict[str, tuple[str, float]]:
    """Return for each thing that is claimed how it stands, and the share told rightly."""
    target, answers = staged_firms(how)
    return {g.about: (g.standing, g.success) for g in attack_each(HiddenCells(), target, answers, seed=1)}


def test_hiding_the_unsafe_cells_alone_is_broken() -> None:
    found = grades("unsafe only")
    assert found["cell"][0] == "broken"
    assert found["cell"][1] > 0.1
    assert found["contributor"][1] > 0.9


@pytest.mark.parametrize("seats", ["none", "singletons"])
def test_a_pattern_that_forgets_contributors_is_broken_from_the_seats(seats: str) -> None:
    found = grades(seats)
    assert found["cell"] == ("held", 0.0)
    assert found["contributor"][0] == "broken"
    assert found["contributor"][1] > 0.6


def test_a_pattern_that_is_audited_from_every_seat_holds() -> None:
    target, answers = staged_firms("contributors")
    assert target.sought is not None
    assert (target.sought >= 0).any()
    found = attack_once(HiddenCells(), target, answers, seed=1)
    assert found.standing == "held"
    assert grades("contributors")["contributor"] == ("held", 0.0)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("seats", ["none", "contributors"])
def test_intervals_are_those_that_the_auditor_proves(seed: int, seats: str) -> None:
    """Two independent opinions on the same pattern: no cell may differ."""
    made = suppressed(seats, seed)
    problem = made.problem
    certificate = tc.tables.audit(problem, made.hidden)
    target, _ = stage_table(published_cells(made))
    hidden = np.flatnonzero(made.hidden)
    claims = HiddenCells().run(replace(target, wanted=hidden, sought=None), RNG(1))[0]
    assert claims.low is not None
    assert claims.high is not None
    # The certificate's intervals go as far as the levels need; the widest that it found lie within what is possible.
    np.testing.assert_array_less(claims.low, certificate.low + 1e-3)
    np.testing.assert_array_less(certificate.high, claims.high + 1e-3)
    levels = problem.values[hidden], problem.below[hidden], problem.above[hidden]
    safe = (claims.low <= levels[0] - levels[1] + 1e-3) & (claims.high >= levels[0] + levels[2] - 1e-3)
    assert safe[problem.unsafe[hidden]].all() == certificate.is_safe


def toy(**changed: object) -> TableTarget:
    """The example of the page on attackers: A = {100, 1}, B = {90, 1}, and C, which is shown."""
    made = TableTarget(
        relations=sp.csr_matrix([[1.0, -1, -1, -1]]),
        shown=np.array([492.0, np.nan, np.nan, 300.0]),
        wanted=np.array([1, 2]),
        lower=np.zeros(4),
        upper=np.full(4, np.inf),
        seats=(Seat(np.array([0, 1]), np.array([100.0, 100.0])), Seat(np.array([0, 2]), np.array([90.0, 90.0]))),
        sought=np.array([0, 1]),
    )
    return replace(made, **changed)  # type: ignore[arg-type]


def test_from_its_seat_a_firm_bounds_the_other_cell() -> None:
    cell, contributor = HiddenCells().run(toy(), RNG(1))
    assert np.isnan(cell.said).all()
    assert cell.high is not None
    np.testing.assert_allclose(cell.high, [192.0, 192.0])
    np.testing.assert_allclose(contributor.said, [102.0, 92.0])
    assert contributor.figures["from_seats"] == 2
    alone = Seat(np.array([0, 1]), np.array([101.0, 101.0]), np.array([False, True]))
    np.testing.assert_allclose(
        HiddenCells().run(toy(seats=(alone,), sought=np.array([0, -1])), RNG(1))[1].said[1], 91.0
    )


def test_whole_numbers_know_more() -> None:
    rows = sp.csr_matrix([[1.0, -2, -2]])
    target = toy(relations=rows, shown=np.array([3.0, np.nan, np.nan]), lower=np.zeros(3), upper=np.full(3, 2.0))
    target = replace(target, sought=None, is_count=True)
    with pytest.raises(AttackError, match="do not add up"):
        HiddenCells(integer=True).run(target, RNG(1))
    assert HiddenCells().run(target, RNG(1))[0].high is not None


def test_middles_are_claimed_where_guesses_are_asked_for() -> None:
    sure, middle = HiddenCells(guesses=True).run(toy(sought=None), RNG(1))
    assert (sure.about, middle.about) == ("cell", "estimate")
    np.testing.assert_allclose(middle.said, [96.0, 96.0])


def test_a_sample_of_the_cells_is_attacked_where_time_is_short() -> None:
    table = firms_table(4, 120)
    hidden = np.zeros(len(table), bool)
    hidden[1:] = RNG(1).random(len(table) - 1) < 0.6
    n = len(table)
    rows = table.relations
    wanted = np.repeat(np.flatnonzero(hidden), 8)[:400]
    target = TableTarget(
        relations=sp.csr_matrix((rows.signs, rows.cells, rows.start), shape=(len(rows), n)),
        shown=np.where(hidden, np.nan, table.values),
        wanted=wanted,
        lower=np.zeros(n),
        upper=np.full(n, np.inf),
    )
    answers = Answers(truth={"cell": table.values[wanted]}, baseline={"cell": 0.0})
    found = attack_once(HiddenCells(), target, answers, seed=1, seconds=HiddenCells().cost(target) / 2)
    assert found.victims == 200
    assert found.of == len(wanted)


def test_the_same_again_and_what_it_declines() -> None:
    target, _ = staged_firms("none")
    first, second = (HiddenCells().run(target, RNG(1)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.said, other.said)
    open_ = replace(target, shown=np.zeros(len(target.shown)))
    assert "is hidden" in HiddenCells().declined(open_)
    assert HiddenCells().declined(object())
    nobody = attack_once(
        HiddenCells(), target.among(np.zeros(0, np.int64)), Answers(truth={"cell": np.zeros(0)}), seed=1
    )
    assert nobody.standing == "not run"
    assert HiddenCells().cost(target) > HiddenCells().cost(target.among(np.arange(2))) > 0


def test_cells_that_do_not_add_up_are_said() -> None:
    with pytest.raises(AttackError, match="do not add up"):
        HiddenCells().run(toy(shown=np.array([200.0, np.nan, np.nan, 300.0])), RNG(1))
