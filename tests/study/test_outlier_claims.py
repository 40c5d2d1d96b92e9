"""The judge: each kind of claim holds and fails on lines that were drawn by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tacita.study.outlier_claims import _KINDS, Claim, Figures, Line, Statement, judge_statements, read_statements


def line(whole: list[float], outliers: list[float] | None = None) -> Line:
    return Line(np.arange(1.0, len(whole) + 1), np.array(whole), np.array(whole if outliers is None else outliers))


FIGURES: Figures = {
    ("census", "dld"): {
        "J": line([10, 40, 70, 100], [20, 50, 80, 100]),
        "R": line([90, 60, 30, 5], [70, 40, 20, 2]),
        "N": line([80, 70, 65, 60], [80, 70, 66, 60]),
        "M": line([9, 8, 8, 7], [10, 7, 9, 6]),
    },
    ("census", "il1"): {
        "J": line([400, 200, 90, 2]),
        "R": line([5, 20, 40, 60]),
        "N": line([20, 30, 40, 50]),
        "M": line([30, 31, 32, 33]),
    },
    ("eia", "dld"): {
        "J": line([5, 20, 35, 50], [65, 80, 95, 100]),
        "R": line([45, 30, 15, 2], [40, 25, 10, 1]),
        "N": line([40, 35, 32, 30], [90, 90, 90, 90]),
        "M": line([18, 16, 16, 14]),
    },
}


def holds(claim: dict[str, Any], data: str = "census", measure: str = "dld") -> bool:
    statement = Statement("5", data, measure, "as told", (Claim(**claim),))
    judged = judge_statements([statement], FIGURES)
    assert len(judged) == 1
    assert all(check.found for check in judged[0].checks)
    return judged[0].holds


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ({"kind": "outliers higher", "families": ("J",)}, {"kind": "outliers higher", "families": ("J", "R")}),
        ({"kind": "outliers lower", "families": ("R",)}, {"kind": "outliers lower", "families": ("M",)}),
        ({"kind": "outliers vary", "families": ("M",)}, {"kind": "outliers vary", "families": ("R",)}),
        (
            {"kind": "gap at least", "families": ("R",), "points": 10.0},
            {"kind": "gap at least", "families": ("M",), "points": 10.0},
        ),
        (
            {"kind": "gap at most", "families": ("N",), "ratio": 0.01},
            {"kind": "gap at most", "families": ("M",), "ratio": 0.01},
        ),
        ({"kind": "gap order", "order": (("R",), ("J",), ("M",))}, {"kind": "gap order", "order": (("J",), ("R",))}),
        (
            {"kind": "range order", "order": (("J", "R"), ("N",), ("M",))},
            {"kind": "range order", "order": (("J",), ("N",), ("R",))},
        ),
        ({"kind": "swing", "families": ("J",), "ratio": 10.0}, {"kind": "swing", "families": ("N",), "ratio": 2.0}),
        ({"kind": "falls", "families": ("R",)}, {"kind": "falls", "families": ("J",)}),
        (
            {"kind": "opposed", "families": ("J",), "measures": ("il1",)},
            {"kind": "opposed", "families": ("M",), "measures": ("dld",)},
        ),
        (
            {"kind": "peak", "families": ("J",), "where": {"J": (4, 4)}},
            {"kind": "peak", "families": ("J",), "where": {"J": (1, 3)}},
        ),
        ({"kind": "lowest", "families": ("M",)}, {"kind": "lowest", "families": ("M", "N")}),
        ({"kind": "highest", "families": ("N",)}, {"kind": "highest", "families": ("J",)}),
        (
            {"kind": "mean below", "families": ("M",), "others": ("J", "N")},
            {"kind": "mean below", "families": ("N",), "others": ("J",)},
        ),
        (
            {"kind": "mean above", "families": ("N",), "others": ("J", "R")},
            {"kind": "mean above", "families": ("R",), "others": ("N",)},
        ),
        (
            {"kind": "below", "families": ("M",), "others": ("N",), "share": 1.0},
            {"kind": "below", "families": ("R",), "others": ("N",), "share": 0.9},
        ),
        (
            {"kind": "usually above", "families": ("J",), "others": ("R", "M"), "measures": ("dld", "il1")},
            {"kind": "usually above", "families": ("M",), "others": ("R", "J"), "measures": ("dld", "il1")},
        ),
        (
            {"kind": "stays below", "families": ("R",), "where": {"R": (3, 4)}, "points": 30.0},
            {"kind": "stays below", "families": ("R",), "of_top": 0.25},
        ),
        (
            {"kind": "stays above", "families": ("N",), "points": 60.0},
            {"kind": "stays above", "families": ("R",), "points": 60.0},
        ),
        (
            {"kind": "alike", "families": ("J", "R"), "points": 10.0},
            {"kind": "alike", "families": ("J", "M"), "points": 10.0},
        ),
    ],
    ids=lambda claim: claim["kind"],
)
def test_claims_in_one_figure(true: dict[str, Any], false: dict[str, Any]) -> None:
    assert holds(true)
    assert not holds(false)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ({"kind": "gap grows", "families": ("J", "N")}, {"kind": "gap grows", "families": ("R",)}),
        (
            {"kind": "times census", "families": ("M",), "from_ratio": 1.5, "to_ratio": 2.5},
            {"kind": "times census", "families": ("J",), "from_ratio": 1.0},
        ),
    ],
    ids=lambda claim: claim["kind"],
)
def test_claims_across_data_sets(true: dict[str, Any], false: dict[str, Any]) -> None:
    assert holds(true, "eia")
    assert not holds(false, "eia")


def test_a_statement_fails_with_any_of_its_claims_and_says_which() -> None:
    both = (Claim(kind="outliers higher", families=("J",)), Claim(kind="outliers higher", families=("R",)))
    (judged,) = judge_statements([Statement("5.3", "census", "dld", "both", both)], FIGURES)
    assert not judged.holds
    assert [check.who for check in judged.checks] == ["J", "R"]
    assert judged.why_not.startswith("does not hold for R: above for 0 % of the parameters")


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ((("R",), ("J",), ("M",)), "R 13.2 > J 7.5 > M 1"),
        ((("J",), ("R",)), "J 7.5 < R 13.2"),
        ((("J", "M"), ("N",)), "J 7.5 and M 1 > N 0.25"),
        ((("J", "N"), ("M",)), "J 7.5 and N 0.25 overlapping with M 1"),
        ((("M",), ("M",)), "M 1 = M 1"),
    ],
)
def test_what_is_found_is_true_whether_the_claim_holds_or_not(order: tuple[tuple[str, ...], ...], found: str) -> None:
    """Gaps by hand: J |10, 10, 10, 0|, R |20, 20, 10, 3|, N |0, 0, 1, 0|, M |1, 1, 1, 1|."""
    statement = Statement("5", "census", "dld", "as told", (Claim(kind="gap order", order=order),))
    (judged,) = judge_statements([statement], FIGURES)
    assert judged.checks[0].found == found
    assert judged.holds == ("<" not in found and "=" not in found and "overlapping" not in found)


@pytest.mark.parametrize(("points", "side"), [(10.0, "above"), (20.0, "below")])
def test_limits_are_said_with_their_side(points: float, side: str) -> None:
    statement = Statement(
        "5", "census", "dld", "as told", (Claim(kind="gap at least", families=("R",), points=points),)
    )
    (judged,) = judge_statements([statement], FIGURES)
    assert judged.checks[0].found == f"13.2 points, {side} the limit of {points:g}"


def test_statements_without_their_figures_are_left_out() -> None:
    across = Statement("5.2", "eia", "dld", "across", (Claim(kind="gap grows", families=("J",)),))
    alone = Statement("5.2", "eia", "dld", "alone", (Claim(kind="outliers higher", families=("J",)),))
    only = {key: lines for key, lines in FIGURES.items() if key[0] == "eia"}
    assert [j.statement.sense for j in judge_statements([across, alone], only)] == ["alone"]
    assert judge_statements([across, alone], {}) == ()


def test_another_measure_is_named_with_the_check() -> None:
    claim = Claim(kind="highest", families=("J",), measure="il1")
    (judged,) = judge_statements([Statement("6", "census", "dld", "by another measure", (claim,))], FIGURES)
    assert judged.holds
    assert judged.checks[0].who == "J (il1)"


# --- the statements of the paper --------------------------------------------------------------------------------------------


def test_statements_cover_the_paper() -> None:
    statements = read_statements()
    count = Counter((s.section, s.data) for s in statements)
    for section in ("5.1", "5.2", "5.3", "5.4", "5.5", "6"):
        for data in ("census", "eia"):
            assert count[section, data] >= 3, (section, data)
    assert len(statements) >= 40
    assert {s.measure for s in statements} == {"il1", "il1s", "dld", "rid", "sdid"}
    assert len({(s.section, s.data, s.measure, s.sense) for s in statements}) == len(statements)


def test_every_claim_names_families_and_a_limit_that_its_kind_needs() -> None:
    letters = {"J", "R", "N", "RS", "M"}
    needs = {"swing": "ratio", "stays above": "points", "alike": "points", "opposed": "measures", "below": "others"}
    for statement in read_statements():
        for claim in statement.claims:
            named = {*claim.families, *claim.others, *claim.where, *(f for group in claim.order for f in group)}
            assert named <= letters
            assert claim.families or claim.order
            assert not claim.kind.endswith("order") or len(claim.order) >= 2
            assert claim.kind not in needs or getattr(claim, needs[claim.kind])
            if claim.kind in {"gap at least", "gap at most"}:
                assert (claim.points is None) != (claim.ratio is None), statement.sense
            if claim.kind == "stays below":
                assert (claim.points is None) != (claim.of_top is None), statement.sense


def test_every_rule_is_used_by_the_paper() -> None:
    used = {claim.kind for statement in read_statements() for claim in statement.claims}
    assert used == set(_KINDS)
