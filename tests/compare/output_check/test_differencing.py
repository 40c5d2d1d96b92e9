"""Outputs together: what an intruder gets who takes one off another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacita as tc
from tacita.compare.output_check.basis import Owners, basis_of
from tacita.compare.output_check.differencing import find_differences
from tacita.compare.output_check.output import Output
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.compare.output_check.spaces import SIZES, spaces_of, together
from tests.effort import examples
from tests.oracles.compare.output_differences import cells_of, groups_of_few_owners, groups_that_follow

EASY = {"at_least": 3, "holdings_at_least": 1, "zeros": "pass", "full": "pass", "dominance_share": 99.9, "p": 0.001}


@pytest.fixture(scope="module")
def survey() -> tc.Microdata:
    return tc.samples.household_survey(1000, seed=1)


def _but(data: tc.Microdata, record: int) -> np.ndarray:
    rows = np.ones(len(data), bool)
    rows[record] = False
    return rows


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"rows": ["sex"]}, {"rows": ["sex"]}),
        ({"rows": ["sex"], "margins": True}, {"rows": ["marital"], "margins": True}),
        ({"rows": ["sex"], "values": "income", "statistic": "mean"}, {"values": "income", "statistic": "mean"}),
        (
            {"values": "income", "statistic": "sum"},
            {"rows": ["sex"], "values": "income", "statistic": ["count", "std"]},
        ),
        (
            {"kind": "regression", "dependent": "income", "variables": ["age"]},
            {"kind": "regression", "dependent": "income", "variables": ["age", "sex"]},
        ),
    ],
)
def test_two_outputs_that_differ_by_one_record_fail(survey: tc.Microdata, first: Any, second: Any) -> None:
    one = Output(name="one", **first)
    two = Output(name="two", **second, universe=_but(survey, 17))
    limits = {"holdings_at_least": 1}
    assert tc.check_output(one, survey, limits=limits).state == "pass"
    assert tc.check_output(two, survey, limits=limits).state == "pass"
    found = tc.check_output([one, two], survey, limits=limits)
    assert [verdict.state for verdict in found.verdicts] == ["fail", "fail"]
    assert {reason.check for verdict in found.verdicts for reason in verdict.reasons} == {"differencing"}
    assert found["one"].reasons[0].with_outputs == ("two",)


def test_outputs_of_the_same_records_pass(survey: tc.Microdata) -> None:
    second = Output(name="two", rows=["marital"], columns=["sex"], values="age", statistic=["count", "mean"])
    same = Output(name="one", rows=["sex"], margins=True, universe={"marital": {"missing": False}})
    assert {one.state for one in tc.check_output([same, second], survey, limits={"full": "pass"}).verdicts} == {"pass"}


@pytest.mark.parametrize("state", ["pass", "review", "fail"])
def test_who_lacks_a_value_is_a_small_group_too(survey: tc.Microdata, state: str) -> None:
    """All women, and women by marital status where that is known: the difference are those without one."""
    made = [Output(name="one", rows=["sex"]), Output(name="two", rows=["marital"], columns=["sex"])]
    found = tc.check_output(made, survey, limits={"missing": state, "full": "pass"})
    assert {one.state for one in found.verdicts} == {state}
    sums = [Output(name="one", rows=["sex"], values="income", statistic="sum")]
    sums += [Output(name="two", rows=["marital"], columns=["sex"], values="income", statistic="sum")]
    limits = {"missing": state, "dominance_share": 99, "p": 0.01}
    assert tc.check_output(sums, survey, limits=limits).state == "fail", "their income follows, not their number alone"


def test_numbers_of_records_are_for_a_person(survey: tc.Microdata) -> None:
    """A count and a mean of other records say nothing of each other, unless the mean comes with its number of records."""
    found = tc.check_output(
        [
            Output(name="one", rows=["sex"]),
            Output(name="two", values="age", statistic="mean", universe=_but(survey, 17)),
        ],
        survey,
    )
    assert found.state == "review"
    assert "where numbers of records are known" in found["one"].reasons[0].words


def test_hidden_cells_follow_from_totals() -> None:
    """One small cell is hidden, and the total less the others gives it back."""
    region = ["a"] * 20 + ["b"] * 20 + ["c"] * 4
    data = tc.Microdata.from_frame(pa.table({"region": region}))
    shown = pa.table({"region": ["a", "b", "c", "Total"], "count": ["20", "20", "x", "44"]})
    found = tc.check_output(shown, data, rows=["region"])
    assert found.state == "fail"
    assert "region=all less what is shown" in found.verdicts[0].reasons[0].words
    without = pa.table({"region": ["a", "b", "c", "Total"], "count": ["20", "20", "x", "x"]})
    assert tc.check_output(without, data, rows=["region"]).state == "pass"


def test_a_total_of_another_output_gives_a_hidden_cell() -> None:
    region = ["a"] * 20 + ["b"] * 20 + ["c"] * 4
    data = tc.Microdata.from_frame(pa.table({"region": region, "sex": ["m", "f"] * 22}))
    table = Output(name="table", rows=["region"], shown=pa.table({"region": ["a", "b"], "count": [20, 20]}))
    total = Output(name="total", rows=["sex"], margins=True)
    assert tc.check_output(table, data).state == "pass"
    found = tc.check_output([table, total], data)
    assert [one.state for one in found.verdicts] == ["fail", "fail"]


def test_three_outputs_are_needed() -> None:
    """No two of them are nested; the sum of two less the third is one record."""
    first, second = np.zeros(60, bool), np.zeros(60, bool)
    first[:20], second[20:41] = True, True
    third = first | second
    third[0] = False
    data = tc.Microdata.from_frame(pa.table({"income": np.arange(60.0) + 100}))
    made = [
        Output(name=name, values="income", statistic="sum", universe=rows)
        for name, rows in (("one", first), ("two", second), ("three", third))
    ]
    found = tc.check_output(made, data)
    assert [one.state for one in found.verdicts] == ["fail"] * 3
    assert tc.check_output(made[:2], data).state == "pass"


def test_a_contributor_with_many_records_is_one() -> None:
    firm = [f"f{i}" for i in range(30)] + ["big"] * 40
    data = tc.Microdata.from_frame(pa.table({"firm": firm, "income": np.arange(70.0) + 1000}))
    made = [
        Output(name="all", values="income", statistic="mean"),
        Output(name="but one", values="income", statistic="mean", universe={"firm": {"not": "big"}}),
    ]
    assert tc.check_output(made, data).state == "pass"
    assert tc.check_output(made, data, contributor="firm", limits={"dominance_share": 99}).state == "fail"
    assert tc.check_output(made, data, holding="firm", limits={"dominance_share": 99}).state == "fail"


def test_spaces() -> None:
    assert spaces_of(Output(rows=["a"], statistic="percent_rows")) == ("counts",)
    assert spaces_of(Output(rows=["a"], statistic="median", values="x")) == ()
    assert spaces_of(Output(kind="survival", time="t", event="e")) == ("counts",)


# --- an intruder who tries everything ----------------------------------------------------------------------------------------


@st.composite
def _sessions(draw: st.DrawFn) -> tuple[tc.Microdata, list[Output], list[list[frozenset[int]]]]:
    """A small file, some outputs of it with cells hidden or not, and the records of their published cells."""
    n = draw(st.integers(6, 10))
    columns = {
        name: draw(st.lists(st.sampled_from("xyz"[:k]), min_size=n, max_size=n)) for name, k in (("a", 2), ("b", 3))
    }
    data = tc.Microdata.from_frame(pa.table(columns))
    outputs, sets = [], []
    for number in range(draw(st.integers(1, 3))):
        by = draw(st.sampled_from([[], ["a"], ["b"], ["a", "b"]]))
        inside = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if draw(st.booleans()) else [True] * n
        margins = draw(st.booleans())
        cells = cells_of([columns[name] for name in by], inside, margins=margins)
        labels = sorted(cells)
        kept = [label for label in labels if len(cells[label]) >= 3 or draw(st.integers(0, 9)) == 0]
        shown = None
        if by:
            lines = {name: [label[place] for label in labels] for place, name in enumerate(by)}
            figures = [str(len(cells[label])) if label in kept else "x" for label in labels]
            shown = pa.table({**lines, "count": figures}) if labels else None
        elif not labels or kept != labels:
            kept = labels
        outputs.append(
            Output(
                name=f"o{number}", rows=by, margins=margins and shown is None, universe=np.array(inside), shown=shown
            )
        )
        sets.append([cells[label] for label in kept] if shown is not None or not by else [])
    return data, outputs, sets


@settings(max_examples=examples(60), deadline=None)
@given(_sessions())
def test_what_passed_gives_an_intruder_nothing(
    session: tuple[tc.Microdata, list[Output], list[list[frozenset[int]]]],
) -> None:
    data, outputs, sets = session
    found = tc.check_output(outputs, data, limits=EASY)
    passed = [
        group
        for verdict, groups in zip(found.verdicts, sets, strict=True)
        if verdict.state == "pass"
        for group in groups
    ]
    assert groups_that_follow(passed, len(data), 3) == set()
    # And no false alarm: what fails together, though each is safe alone, does give something away.
    alone = [tc.check_output(output, data, limits=EASY).state for output in outputs]
    safe = [group for state, groups in zip(alone, sets, strict=True) if state != "fail" for group in groups]
    if any(verdict.state == "fail" and state == "pass" for verdict, state in zip(found.verdicts, alone, strict=True)):
        assert groups_that_follow(safe, len(data), 3)


def _sums(
    rng: np.random.Generator, columns: dict[str, list[str]], amounts: np.ndarray
) -> tuple[dict[str, Any], list[frozenset[int]]]:
    """A table of sums with some cells hidden, and the records of its published cells."""
    by = [[], ["a"], ["b"], ["a", "b"]][int(rng.integers(0, 4))]
    inside = rng.random(len(amounts)) < rng.choice([0.9, 1.1])
    cells = cells_of([columns[name] for name in by], inside.tolist(), margins=True)
    few = {
        label: len({columns["u"][one] for one in group}) < 3 or len({columns["h"][one] for one in group}) < 2
        for label, group in cells.items()
    }
    kept = [label for label in cells if not by or (rng.random() < 0.8 and not few[label])]
    lines = {name: [label[place] for label in cells] for place, name in enumerate(by)}
    figures = [repr(float(amounts[list(cells[label])].sum())) if label in kept else "x" for label in cells]
    shown = pa.table({**lines, "sum": figures}) if by else None
    return {"rows": by, "universe": inside, "shown": shown}, [cells[label] for label in kept]


@pytest.mark.parametrize("seed", range(30))
def test_contributors_and_holdings_are_safe_from_an_intruder(seed: int) -> None:
    """Firms with several records, in groups: what passed tells of no few firms, and of no group alone."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 30))
    columns = {
        name: [str(k) for k in rng.integers(0, most, n)] for name, most in (("a", 2), ("b", 3), ("u", 12), ("h", 5))
    }
    amounts = rng.uniform(10, 20, n)
    data = tc.Microdata.from_frame(pa.table({**columns, "x": amounts}))
    made = [_sums(rng, columns, amounts) for _ in range(3)]
    outputs = [Output(name=str(j), values="x", statistic="sum", **one) for j, (one, _) in enumerate(made)]
    limits = {**EASY, "holdings_at_least": 2}
    found = tc.check_output(outputs, data, limits=limits, contributor="u", holding="h")
    owners = [(columns["u"], 3), (columns["h"], 2)]

    def published(states: list[str], wanted: set[str]) -> list[frozenset[int]]:
        return [group for state, (_, groups) in zip(states, made, strict=True) if state in wanted for group in groups]

    states = [one.state for one in found.verdicts]
    assert groups_of_few_owners(published(states, {"pass"}), owners, n) == set()
    alone = [tc.check_output(one, data, limits=limits, contributor="u", holding="h").state for one in outputs]
    if any(state == "fail" != before for state, before in zip(states, alone, strict=True)):
        assert groups_of_few_owners(published(alone, {"pass", "review"}), owners, n)


def test_too_little_effort_asks_for_a_person() -> None:
    """All tables of two out of three columns: nothing is seen at once, and the search has something to do."""
    rng = np.random.default_rng(3)
    data = tc.Microdata.from_frame(pa.table({name: [str(k) for k in rng.integers(0, 5, 700)] for name in "abc"}))
    made = [Output(name=first + second, rows=[first], columns=[second]) for first, second in ("ab", "ac", "bc")]
    known = [basis for basis in (basis_of(output, data) for output in made) if basis is not None]
    spaces = together([0, 1, 2], known, [basis.shown for basis in known], Owners.of(data, None, None))
    assert [space.name for space in spaces] == ["counts", SIZES]
    assert find_differences(spaces[0], OutputLimits()) == ((), True)
    assert find_differences(spaces[0], OutputLimits(effort=1)) == ((), False)
    assert tc.check_output(made, data, limits={"effort": 1}).state == "review"
    assert tc.check_output(made, data).state == "pass"
