"""Universe gamma: the paper's examples (1) to (4), and what the wording of a universe may not change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.universe_gamma import UniverseGamma
from tacita.query.universe import Universe
from tests.query.builders import PAPER_BINS, asked, judged, opened, opened_paper, people, policy_of

FIRST, SECOND, THIRD, FOURTH = PAPER_BINS
ONE = Universe({"gender": "female", "income": FOURTH})
TWO = Universe({"gender": "male", "income": [SECOND, THIRD]})
THREE = Universe({"gender": "female"})
FOUR = Universe({"income": [THIRD, FOURTH]})

MALE, FEMALE = (70, 30, 20, 60), (80, 40, 15, 50)
"""n(1,1) to n(1,4) and n(2,1) to n(2,4)."""


def _decision(
    universe: Universe, gamma: int, star: int, male: tuple[int, ...] = MALE, female: tuple[int, ...] = FEMALE
) -> str:
    rule = UniverseGamma(gamma=gamma, gamma_star=star)
    return judged(rule, opened_paper(male, female, rule), Tabulate(by=["gender"], where=universe)).decision


def test_examples_one_and_two_ask_for_both_pieces_with_bins_put_together() -> None:
    """n(2,4) >= gamma and n(1,2) + n(1,3) >= gamma: 50 and 30 + 20."""
    assert _decision(ONE | TWO, 50, 1) == "allow"
    assert _decision(ONE | TWO, 51, 1) == "deny"
    assert _decision(ONE | TWO, 50, 1, female=(80, 40, 15, 49)) == "deny"
    assert _decision(ONE | TWO, 50, 1, male=(70, 30, 19, 60)) == "deny"


def test_examples_three_and_four_ask_for_both_pieces_and_their_intersection() -> None:
    """n(2,.) = 185, n(.,3) + n(.,4) = 145, and n(2,3) + n(2,4) = 65 for gamma star."""
    assert _decision(THREE | FOUR, 145, 65) == "allow"
    assert _decision(THREE | FOUR, 146, 65) == "deny"
    assert _decision(THREE | FOUR, 145, 66) == "deny"


def test_an_intersection_that_is_empty_need_not_be_large() -> None:
    assert _decision(THREE | FOUR, 60, 40, female=(80, 40, 0, 0)) == "allow"
    assert _decision(THREE | FOUR, 60, 40, female=(80, 40, 0, 1)) == "deny"


def test_a_piece_that_is_empty_is_too_small() -> None:
    assert _decision(ONE, 2, 1, female=(80, 40, 15, 0)) == "deny"


def test_classes_of_a_categorical_variable_are_not_put_together() -> None:
    rule = UniverseGamma(gamma=20, gamma_star=1)
    db = opened(people({("a",): 30, ("b",): 19, ("c",): 40}, ["x"]), policy_of(rule))
    assert judged(rule, db, Tabulate(by=["x"], where={"x": ["a", "b"]})).decision == "deny"
    assert judged(rule, db, Tabulate(by=["x"], where={"x": ["a", "c"]})).decision == "allow"


def test_everybody_is_one_piece() -> None:
    rule = UniverseGamma(gamma=20, gamma_star=1)
    db = opened(people({("a",): 10, ("b",): 10}, ["x"]), policy_of(rule))
    assert judged(rule, db, Tabulate(by=["x"])).decision == "allow"
    assert judged(rule, db, Tabulate(by=["x"], where={"x": ["a", "b"]})).decision == "allow"
    assert judged(UniverseGamma(gamma=21, gamma_star=1), db, Tabulate(by=["x"])).decision == "deny"


def test_gamma_star_is_at_most_gamma() -> None:
    with pytest.raises(ParameterError, match="'gamma_star' must be at most gamma"):
        UniverseGamma(gamma=10, gamma_star=11)


def test_a_universe_of_too_many_intersections_is_refused() -> None:
    """Ten pieces that leave out one variable's class each have about 2**10 intersections; sixteen would have 2**16."""
    names = [f"v{i:02d}" for i in range(13)]
    data = people({tuple("a" if (i >> j) & 1 else "b" for j in range(13)): 1 for i in range(0, 8192, 7)}, names)
    rule = UniverseGamma(gamma=2, gamma_star=1)
    db = opened(data, policy_of(rule))
    universe = Universe({names[0]: "a"})
    for name in names[1:]:
        universe = universe | Universe({name: "a"})
    found = judged(rule, db, Tabulate(by=[names[0]], where=universe))
    assert found.decision == "deny"
    assert "more pieces or intersections" in found.detail


PIECES = st.fixed_dictionaries(
    {},
    optional={
        "gender": st.lists(st.sampled_from(["male", "female"]), min_size=1, max_size=2, unique=True),
        "income": st.lists(st.sampled_from(PAPER_BINS), min_size=1, max_size=4, unique=True),
    },
)
_RULE = UniverseGamma(gamma=40, gamma_star=20)
_DB = opened_paper(MALE, FEMALE, _RULE)


@given(pieces=st.lists(PIECES, min_size=1, max_size=3), data=st.data())
def test_the_decision_does_not_depend_on_the_wording(pieces: list[dict[str, list[str]]], data: st.DataObject) -> None:
    """A piece cut into two, pieces in another order, and a part of a piece once more are the same universe."""
    universe = Universe(pieces[0])
    for piece in pieces[1:]:
        universe = universe | Universe(piece)
    reworded = []
    for piece in data.draw(st.permutations(pieces)):
        bins = list(piece.get("income", PAPER_BINS))
        cut = data.draw(st.integers(0, len(bins)))
        reworded += [{**piece, "income": part} for part in (bins[:cut], bins[cut:]) if part]
        reworded += [{**piece, "income": data.draw(st.lists(st.sampled_from(bins), min_size=1))}]
    other = Universe(reworded[0])
    for piece in reworded[1:]:
        other = other | Universe(piece)
    one, again = (asked(_DB, Tabulate(by=["gender"], where=u)) for u in (universe, other))
    assert one.text == again.text
    assert _RULE.judge(one) == _RULE.judge(again)
