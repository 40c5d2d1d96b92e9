from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaNote, TacitaWarning
from tacita.core.progress import show_progress
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.mask.safe.safe import Safe
from tests.oracles.mask.safe import deviations_oracle, small_groups

NAMES = ["region", "age", "sex"]
REGIONS = Hierarchy(tuple((f"r{i}", f"part{i // 3}", "*") for i in range(9)))


def people(n: int = 400, seed: int = 1, gaps: float = 0.0) -> Microdata:
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "id": pa.array([f"p{i}" for i in range(n)]),
            "region": pa.array([f"r{i}" for i in rng.integers(0, 9, n)], mask=rng.random(n) < gaps),
            "age": pa.array(rng.integers(0, 12, n), mask=rng.random(n) < gaps),
            "sex": pa.array(rng.choice(["f", "m"], n), mask=rng.random(n) < gaps),
            "income": pa.array(rng.normal(1000, 100, n)),
            "house": pa.array(np.arange(n) // 2),
            "w": pa.array(rng.uniform(1, 9, n)),
        }
    )
    return Microdata.from_frame(
        table,
        keys=NAMES,
        confidential=["income"],
        identifiers=["id"],
        household="house",
        weight="w",
        scales={"region": "nominal", "sex": "nominal", "age": "ordinal"},
        hierarchies={"region": REGIONS},
    )


def records(data: Microdata, names: list[str] | None = None) -> list[tuple[Any, ...]]:
    columns = [data.to_arrow(codes=False).column(name).to_pylist() for name in names or NAMES]
    return list(zip(*columns, strict=True))


@given(seed=st.integers(0, 10**6), n=st.integers(3, 80), gaps=st.sampled_from([0.0, 0.2]), k=st.integers(2, 3))
def test_no_combination_is_small_and_all_are_real(seed: int, n: int, gaps: float, k: int) -> None:
    data = people(n, seed, gaps)
    masked = Safe(columns=NAMES, k=k, sweeps=30).apply(data, seed=7)
    before, after = records(data), records(masked)
    assert not small_groups(after, k)
    assert len(after) == len(before)
    assert set(after) <= set(before)


def test_every_table_is_free_of_ones_and_twos_and_adds_up() -> None:
    after = records(Safe(columns=NAMES).apply(people(), seed=7))
    for table in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        cells = Counter(tuple(row[j] for j in table) for row in after)
        assert min(cells.values()) >= 3
        assert sum(cells.values()) == len(after)


def test_controlled_tables_deviate_less_than_by_rounding_alone() -> None:
    """No sweep is the first feasible counts, model (2); the search must bring the maximum down."""
    worst = {0: 0, 1000: 0}
    for seed in range(4):
        data = people(300, seed)
        for sweeps in worst:
            masked = Safe(columns=NAMES, crossings=2, sweeps=sweeps).apply(data, seed=7)
            off = deviations_oracle(records(data), records(masked), [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)])
            worst[sweeps] += max(map(abs, off.values()))
    assert worst[1000] < worst[0]


def test_a_file_without_small_groups_stays_and_that_is_said() -> None:
    data = people(600).select(["sex", "income"])
    with pytest.warns(TacitaNote, match="the file stays as it was"):
        masked = Safe(columns=["sex"]).apply(data, seed=7)
    assert masked.same_content(data)


def test_other_columns_stay_with_their_records() -> None:
    data = people()
    masked = Safe(columns=NAMES).apply(data, seed=7)
    for name in ("id", "income", "house", "w"):
        assert masked.to_arrow().column(name).equals(data.to_arrow().column(name))
    assert np.array_equal(masked.origin_rows(), np.arange(len(data)))


def test_no_record_is_copied() -> None:
    masked = Safe(columns=NAMES).apply(people(), seed=7)
    assert len(set(records(masked, ["id"]))) == len(masked)


def test_linked_columns_follow() -> None:
    """A column that tells the age must not tell the old one."""
    data = people()
    ages = data.to_arrow().column("age").to_pylist()
    table = data.to_arrow().append_column("born", pa.array([2020 - age for age in ages]))
    linked = Microdata.from_frame(
        table.select([*NAMES, "born"]), keys=NAMES, linked={"born": "age"}, scales={"age": "ordinal"}
    )
    masked = Safe(columns=NAMES).apply(linked, seed=7)
    assert all(age + born == 2020 for age, born in records(masked, ["age", "born"]))


def test_missing_codes_do_not_split_a_combination() -> None:
    values = [1] * 10 + [-8] * 2 + [-9] * 2 + [2]
    data = Microdata.from_frame(pa.table({"a": values}), keys=["a"], missing={"a": [-8, -9]}, scales={"a": "nominal"})
    masked = Safe(columns=["a"]).apply(data, seed=7)
    assert min(Counter(masked.to_arrow().column("a").to_pylist()).values()) >= 3


def test_same_seed_same_file_whatever_the_time_limit() -> None:
    data = people()
    one = Safe(columns=NAMES, sweeps=50).apply(data, seed=7)
    assert Safe(columns=NAMES, sweeps=50, time_limit=1000).apply(data, seed=7).same_content(one)
    assert not Safe(columns=NAMES, sweeps=50).apply(data, seed=8).same_content(one)


def test_a_time_limit_gives_the_best_so_far_and_says_so() -> None:
    with pytest.warns(TacitaWarning, match="'time_limit' ended the search after .* largest deviation"):
        masked = Safe(columns=NAMES, sweeps=10**6, time_limit=0.05).apply(people(), seed=7)
    assert not small_groups(records(masked), 3)


def test_a_coarser_level_can_be_controlled() -> None:
    data = people(600)
    parts = {f"r{i}": f"part{i // 3}" for i in range(9)}

    def worst(mask: Safe) -> int:
        after = [
            [(parts[region], age, sex) for region, age, sex in records(d)] for d in (data, mask.apply(data, seed=7))
        ]
        return max(map(abs, deviations_oracle(after[0], after[1], [(0, 1)]).values()))

    rough = Safe(columns=NAMES, controlled=[["region"], ["sex"]], sweeps=1000)
    fine = Safe(columns=NAMES, controlled=[["region"], ["sex"], ["region:1", "age"]], sweeps=1000)
    assert worst(fine) <= 2 < worst(rough)


@pytest.mark.parametrize(
    ("fixed", "group"), [(["region"], {}), (["sex", "region"], {}), (["region:1"], REGIONS.labels(1))]
)
def test_no_record_leaves_its_combination_of_fixed_variables(fixed: list[str], group: dict[str, str]) -> None:
    data = people(800)
    mask = Safe(columns=NAMES, fixed=fixed, sweeps=100)
    masked = mask.apply(data, seed=7)
    for name in fixed:
        column = name.partition(":")[0]
        before, after = ([group.get(row[0], row[0]) for row in records(d, [column])] for d in (data, masked))
        assert before == after
    assert records(masked) != records(data)
    assert not small_groups(records(masked), 3)
    assert tc.mask.certify_safe(data, masked, mask).is_fixed_kept
    assert not tc.mask.certify_safe(data, Safe(columns=NAMES, sweeps=5).apply(data, seed=7), mask).is_fixed_kept


def test_members_of_a_household_stay_together_in_what_is_fixed() -> None:
    people = tc.samples.census_register(3000, seed=1, regions=10)
    shared = ["municipality", "household_size"]
    names = [*shared, "sex", "marital"]
    masked = Safe(columns=names, fixed=shared, sweeps=50).apply(people, seed=7)
    for name in shared:
        assert records(masked, ["household_id", name]) == records(people, ["household_id", name])
    assert not small_groups(records(masked, names), 3)
    assert records(masked, names) != records(people, names)


def test_one_way_tables_get_the_smaller_bound() -> None:
    data = people(800)
    masked = Safe(columns=NAMES, crossings=2, one_way=-2, sweeps=2000).apply(data, seed=7)
    off = deviations_oracle(records(data), records(masked), [(0,), (1,), (2,)])
    both = deviations_oracle(records(data), records(masked), [(0, 1), (0, 2), (1, 2)])
    assert max(map(abs, off.values())) <= max(0, max(map(abs, both.values())) - 2)


def test_an_important_cell_hardly_deviates() -> None:
    data = people(800)
    cells = [{"region": f"r{i}", "sex": "f"} for i in range(3)]
    mask = Safe(columns=NAMES, crossings=2, important=cells, stricter=40, sweeps=1000)
    off = deviations_oracle(records(data), records(mask.apply(data, seed=7)), [(0, 2)])
    assert [off[(0, 2), (f"r{i}", "f")] for i in range(3)] == [0, 0, 0]


def test_slack_lets_large_cells_deviate_more() -> None:
    data = people(800)
    mask = Safe(columns=NAMES, slack=50, sweeps=500, goal=0)
    off = deviations_oracle(records(data), records(mask.apply(data, seed=7)), [(0, 1, 2)])
    strict = Safe(columns=NAMES, controlled=[["region", "age", "sex"]], sweeps=500).apply(data, seed=7)
    assert max(map(abs, off.values())) >= max(
        map(abs, deviations_oracle(records(data), records(strict), [(0, 1, 2)]).values())
    )


def test_progress_tells_the_present_bound() -> None:
    class Listening:
        notes: list[str] = []  # noqa: RUF012 - one list for the one task of this test

        def open(self, label: str, total: float | None) -> Listening:
            assert (label, total) == ("Moving records", 40)
            return self

        def close(self, task: Any) -> None:
            assert task is self

        def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
            assert amount == 1
            self.notes.append(note)

    heard = Listening()
    with show_progress(heard):
        Safe(columns=NAMES, sweeps=40).apply(people(), seed=7)
    assert heard.notes
    assert all(note.startswith("largest deviation ") for note in heard.notes)


# --- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"controlled": [["regin"]]}, ColumnError, "'controlled' names 'regin'.*Did you mean 'region'"),
        ({"soft": [["income"]]}, ColumnError, "'soft' names 'income'.*not in 'columns'"),
        ({"controlled": [["region", "region:1"]]}, ColumnError, "names column 'region' twice"),
        ({"controlled": [[]]}, ParameterError, "'controlled' must be lists of columns"),
        ({"controlled": [["region:7"]]}, ParameterError, "column 'region' has levels 0 to 2"),
        ({"controlled": [["sex:1"]]}, ParameterError, "column 'sex' has no hierarchy"),
        (
            {"important": [{"region": "r1", "age": "3", "sex": "f"}], "crossings": 2},
            ParameterError,
            "no controlled table",
        ),
        ({"important": [{"region": "mars"}]}, ParameterError, "there is none with region=mars"),
        ({"columns": ["region", "nothing"]}, ColumnError, "'nothing' is not in the data"),
    ],
)
def test_bad_tables_are_refused_by_name(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Safe(**{"columns": NAMES, "sweeps": 5, **given}).apply(people(60), seed=7)


def test_a_file_without_categories_is_refused() -> None:
    data = Microdata.from_frame(pa.table({"x": [1.5, 2.5, 3.5]}))
    with pytest.raises(ColumnError, match="'columns' selects no column"):
        Safe().apply(data, seed=7)


@pytest.mark.parametrize("n", [1, 2])
def test_fewer_than_k_records_are_refused(n: int) -> None:
    with pytest.raises(DataError, match=f"at least k = 3 records, or none; it has {n}"):
        Safe(columns=NAMES).apply(people(n), seed=7)


def test_three_records_become_alike() -> None:
    assert len(set(records(Safe(columns=NAMES).apply(people(3), seed=7)))) == 1


def test_a_hierarchy_that_lacks_values_is_refused() -> None:
    data = people(60)
    short = Hierarchy(tuple(row for row in REGIONS.rows if row[0] != "r0"))
    told = Microdata.from_frame(
        data.to_arrow().select(NAMES), keys=NAMES, hierarchies={"region": short}, scales={"age": "ordinal"}
    )
    with pytest.raises(DataError, match="hierarchy of column 'region' must have every value"):
        Safe(columns=NAMES, controlled=[["region:1"]]).apply(told, seed=7)


@pytest.mark.parametrize(
    ("name", "value"),
    [("k", 1), ("k", 2000), ("crossings", 0), ("sweeps", -1), ("slack", 101), ("goal", -1), ("soft_deviation", 0.5)],
)
def test_parameters_have_limits(name: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' must be"):
        Safe(**{name: value})


# --- attackers -----------------------------------------------------------------------------------------------------------


def test_subtracting_tables_shows_no_small_group() -> None:
    """Differencing: a margin less one of its cells is a sum of combinations again, so none or at least three."""
    after = records(Safe(columns=NAMES).apply(people(), seed=7))
    whole = Counter(row[0] for row in after)
    for age in range(12):
        part = Counter(row[0] for row in after if row[1] == age)
        assert all(whole[region] - part[region] == 0 or whole[region] - part[region] >= 3 for region in whole)


def test_a_published_combination_was_there() -> None:
    """What SAFE does not protect: whoever reads a combination in the result knows that the original has it."""
    data = people()
    before = Counter(records(data))
    assert all(before[row] > 0 for row in set(records(Safe(columns=NAMES).apply(data, seed=7))))


def test_the_register_needs_no_column_named() -> None:
    data = tc.samples.person_register(300, seed=1).select(["sex", "marital", "region"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        masked = tc.mask.Safe().apply(data, seed=7)
    assert not small_groups(records(masked, ["sex", "marital", "region"]), 3)


def test_fixed_combinations_with_too_few_records_are_refused() -> None:
    with pytest.raises(DataError, match=r"'fixed' must leave at least k = 3 records .* \d+ have fewer"):
        Safe(columns=NAMES, fixed=["region", "age"], sweeps=5).apply(people(120), seed=7)
    with pytest.raises(ColumnError, match="'fixed' names 'income', which is not among the variables"):
        Safe(columns=NAMES, fixed=["income"], sweeps=5).apply(people(), seed=7)
