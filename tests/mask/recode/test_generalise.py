"""The best generalisation: published optima, recount of the result, models, and what cannot be reached.

It tests ``tacita.mask.recode.group_model`` and ``tacita.mask.recode.population`` through the only door that they have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.mask import Generalise, GlobalRecode, LocalRecode
from tacita.risk import BetaLikeness, LDiversity, PopulationUniqueness, TCloseness

TENS = Hierarchy(tuple((str(a), f"{a // 10 * 10}-{a // 10 * 10 + 9}", "*") for a in range(40)))


@pytest.fixture(scope="session")
def adult(reference: Callable[[str], Path]) -> Microdata:
    folder = reference("adult")
    options = pa.csv.ParseOptions(delimiter=";")
    table = pa.csv.read_csv(folder / "adult.csv", parse_options=options)
    trees = {name: Hierarchy.read(folder / f"adult_hierarchy_{name}.csv") for name in table.column_names}
    return Microdata.from_frame(table, keys=table.column_names, hierarchies=trees)


def survey(seed: int = 1, n: int = 120, has_gaps: bool = False) -> Microdata:
    rng = np.random.default_rng(seed)
    table = pa.table(
        {
            "age": pa.array(rng.integers(0, 40, n), mask=(rng.random(n) < 0.1) & has_gaps),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice(["a", "b", "c"], n, p=[0.7, 0.2, 0.1]),
            "illness": rng.choice(["u", "v", "w"], n),
        }
    )
    return Microdata.from_frame(table, keys=["age", "sex", "town"], confidential=["illness"], hierarchies={"age": TENS})


def smallest(masked: Microdata) -> int:
    """Count the rarest combination of keys; a record without any key is suppressed."""
    columns = [masked.to_arrow(codes=False).column(name).to_pylist() for name in masked.schema.keys]
    counts = Counter(row for row in zip(*columns, strict=True) if any(value is not None for value in row))
    return min(counts.values())


@pytest.mark.parametrize(("suppress", "granularity", "suppressed"), [(0, 0.364, 0), (5, 0.730, 1346)])
def test_published_optima_of_adult(adult: Microdata, suppress: float, granularity: float, suppressed: int) -> None:
    mask = Generalise(k=5, suppress=suppress)
    found = mask.find(adult)
    assert found.is_optimal
    assert found.gap == 0
    assert round(found.granularity, 3) == granularity
    assert found.loss == pytest.approx(1 - found.granularity)
    assert found.suppressed == suppressed
    assert found.checked < found.nodes / 10
    masked = mask.apply(adult)
    assert smallest(masked) >= 5
    assert int(masked.is_missing("sex").sum()) == suppressed


@given(seed=st.integers(0, 999), k=st.integers(1, 8), percent=st.sampled_from([0, 5, 20]), has_gaps=st.booleans())
def test_the_result_is_recounted(seed: int, k: int, percent: float, has_gaps: bool) -> None:
    data = survey(seed, 80, has_gaps)
    mask = Generalise(k=k, suppress=percent)
    masked, found = mask.apply(data), mask.find(data)
    assert smallest(masked) >= k
    gone = np.all([masked.is_missing(name) for name in data.schema.keys], axis=0)
    assert int(gone.sum()) == found.suppressed <= 80 * percent / 100
    assert masked.to_arrow().column("illness").equals(data.to_arrow().column("illness"))


@pytest.mark.parametrize(
    ("parameters", "risk"),
    [
        ({"l": 3}, LDiversity(l=3)),
        ({"l": 2.2, "form": "entropy"}, LDiversity(l=2.2, form="entropy")),
        ({"l": 2, "form": "recursive", "c": 2.0}, LDiversity(l=2, form="recursive", c=2.0)),
        ({"t": 0.25}, TCloseness(t=0.25)),
    ],
)
@pytest.mark.parametrize("method", [Generalise, LocalRecode])
def test_models_of_the_confidential_value_hold(method: Any, parameters: dict[str, Any], risk: Any) -> None:
    masked = method(k=2, **parameters).apply(survey())
    assert risk.assess(masked).value == 0
    assert smallest(masked) >= 2


@pytest.mark.parametrize("parameters", [{"l": 2.5, "form": "entropy"}, {"t": 0.15}])
def test_models_with_suppression_hold_for_the_records_that_are_left(parameters: dict[str, Any]) -> None:
    data = survey()
    mask = Generalise(k=2, suppress=20, **parameters)
    masked, found = mask.apply(data), mask.find(data)
    assert found.is_optimal
    risk = LDiversity(l=2.5, form="entropy") if "l" in parameters else TCloseness(t=0.15)
    unsafe = risk.assess(masked).per_record
    gone = np.all([masked.is_missing(name) for name in data.schema.keys], axis=0)
    assert not unsafe[~gone].any()
    assert found.suppressed == gone.sum() <= 24


@pytest.mark.parametrize("loss", ["granularity", "precision", "entropy", "discernibility", "class size"])
def test_every_loss_finds_its_optimum(loss: Any) -> None:
    found = Generalise(k=3, suppress=5, loss=loss).find(survey())
    assert found.is_optimal
    assert found.bound == pytest.approx(found.loss)
    assert 0 <= found.granularity <= 1
    assert f"{found.suppressed} records suppressed" in str(found)
    assert found.to_dict()["gap"] == 0


def test_closeness_of_adult_takes_few_nodes(adult: Microdata) -> None:
    """5-anonymity and 0.2-closeness of the occupation with 5 %: 2922 nodes were needed without bounds of what is lost."""
    found = Generalise(k=5, t=0.2, suppress=5, confidential="occupation").find(adult)
    assert found.is_optimal
    assert tuple(found.levels.values()) == (1, 4, 1, 1, 3, 1, 2, 1)
    assert found.loss == pytest.approx(0.8396943)
    assert found.suppressed == 235
    assert found.checked < 200


@pytest.mark.parametrize("enhanced", [False, True])
def test_beta_likeness_holds_for_the_records_that_are_left(enhanced: bool) -> None:
    mask = Generalise(k=2, beta_max=0.5, enhanced=enhanced, suppress=10)
    masked, found = mask.apply(survey()), mask.find(survey())
    gone = np.all([masked.is_missing(name) for name in masked.schema.keys], axis=0)
    assert found.is_optimal
    assert found.suppressed == gone.sum() <= 12
    risk = BetaLikeness(beta=0.5, enhanced=enhanced).assess(masked).per_record
    assert risk is not None
    assert not risk[~gone].any()
    assert any(level for level in found.levels.values())


def test_persons_of_the_population_by_weights() -> None:
    """Every record stands for four persons: 8-map is 2-anonymity."""
    table = survey().to_arrow().append_column("w", pa.array([4.0] * 120))
    data = Microdata.from_frame(table, keys=["age", "sex", "town"], weight="w", hierarchies={"age": TENS})
    mapped, plain = Generalise(k=1, k_map=8, suppress=5).find(data), Generalise(k=2, suppress=5).find(data)
    assert (mapped.levels, mapped.loss, mapped.suppressed) == (plain.levels, plain.loss, plain.suppressed)
    with pytest.raises(DataError, match="the population is not known"):
        Generalise(k_map=8).find(survey())


def test_persons_of_the_population_from_a_file(tmp_path: Path) -> None:
    """A group may be small in the file when it is large outside; presence asks for enough who are not in the file."""
    people = pa.table({"x": ["a"] * 9 + ["b"] * 3 + ["c"] * 8, "y": ["u"] * 20})
    path = tmp_path / "people.csv"
    pa.csv.write_csv(people, path)
    tree = Hierarchy((("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")))
    data = Microdata.from_frame(
        pa.table({"x": ["a", "b", "b", "a"], "y": ["u"] * 4}), keys=["x", "y"], hierarchies={"x": tree}
    )

    def levels(**model: Any) -> int:
        return Generalise(k=1, population=str(path), **model).find(data).levels["x"]

    assert levels(k_map=3) == 0, "b has three persons"
    assert levels(k_map=4) == 1
    assert levels(k_map=13) == 2, "a and b together have twelve"
    assert levels(presence_max=0.5) == 1, "two of three b are in the file, four of twelve a or b"
    assert levels(presence_max=0.25) == 2
    assert levels(presence_min=0.1) == 2, "nobody of c is in the file"
    with pytest.raises(DataError, match=r"presence from 0 to 0\.1"):
        levels(presence_max=0.1)
    pa.csv.write_csv(people.drop_columns("y"), path)
    with pytest.raises(ColumnError, match="'population' must have the key column 'y'"):
        levels(k_map=2)
    pa.csv.write_csv(pa.table({"x": ["a", "b", "q", "b", "a"], "y": ["u"] * 5}), path)
    with pytest.raises(DataError, match="hierarchy of column 'x' must have every value of the population, but 1"):
        levels(k_map=2)
    pa.csv.write_csv(pa.table({"x": ["a"], "y": ["u"]}), path)
    with pytest.raises(DataError, match="has 1 persons, fewer than the 4 records"):
        levels(k_map=2)


@pytest.mark.parametrize("suppress", [0.0, 10.0])
@pytest.mark.parametrize("fraction", [0.05, 0.5])
def test_uniques_are_those_of_the_measure(suppress: float, fraction: float) -> None:
    data, risk = survey(n=300), PopulationUniqueness(model="dankar", fraction=fraction)
    before = risk.assess(data).value
    mask = Generalise(k=1, uniques=before / 3, fraction=fraction, model="dankar", suppress=suppress)
    masked, found = mask.apply(data), mask.find(data)
    assert risk.assess(masked).value <= before / 3
    assert 0 < found.loss <= Generalise(k=2, suppress=suppress).find(data).loss
    assert found.suppressed <= 3 * suppress


def test_uniques_of_the_best_levels_are_those_of_all_levels() -> None:
    """Every combination of levels is recoded and measured; the best that is safe is found."""
    data, wanted = survey(n=150), np.inf
    for age in range(3):
        for sex in range(2):
            for town in range(2):
                made, levels = data, {"age": age, "sex": sex, "town": town}
                trees = {"sex": Hierarchy((("f", "*"), ("m", "*"))), "town": Hierarchy(tuple((t, "*") for t in "abc"))}
                for name, tree in trees.items():
                    made = made.with_schema(made.schema.change(name, hierarchy=tree))
                made = GlobalRecode(levels=levels).apply(made)
                share = PopulationUniqueness(model="zayatz", fraction=0.1).assess(made).value
                if share <= 2.0:
                    lost = [(0, 9 / 39, 1)[age], sex, town]
                    wanted = min(wanted, sum(lost) / 3)
    found = Generalise(k=1, uniques=2.0, fraction=0.1, model="zayatz").find(data)
    assert found.loss == pytest.approx(wanted)


def test_what_is_cheap_is_done() -> None:
    """With free suppression the finest levels are kept that it can pay for; with free generalisation nothing goes."""
    losses = [Generalise(k=3, suppress=30, gs_factor=g).find(survey()) for g in (0.0, 0.5, 1.0)]
    assert losses[0].suppressed >= losses[1].suppressed >= losses[2].suppressed == 0
    assert losses[2].loss == 0


def test_contradictions_are_refused() -> None:
    with pytest.raises(ParameterError, match="'suppress' must be 0 with 'presence_min'"):
        Generalise(presence_min=0.1, suppress=1)
    with pytest.raises(ParameterError, match="must not exceed 'presence_max'"):
        Generalise(presence_min=0.6, presence_max=0.5)
    with pytest.raises(ParameterError, match="'gs_factor' weighs losses of cells"):
        Generalise(loss="class size", gs_factor=0.2)
    with pytest.raises(ParameterError, match="'uniques' needs 'k' = 1"):
        Generalise(uniques=1.0)
    with pytest.raises(ParameterError, match="'beta_max' must be"):
        Generalise(beta_max=0)


def test_schema_of_the_result() -> None:
    masked = Generalise(columns=["age"], k=20).apply(survey())
    assert masked.schema["age"].categories == ("0-9", "10-19", "20-29", "30-39")
    assert masked.schema["town"] == survey().schema["town"]


def test_missing_keys_are_hidden_at_the_root_only() -> None:
    table = pa.table({"x": ["a", "a", None, "b"], "y": ["u", "u", "u", "u"]})
    masked = Generalise(k=2).apply(Microdata.from_frame(table, keys=["x", "y"]))
    assert masked.to_arrow().column("x").to_pylist() == ["*"] * 4
    assert masked.to_arrow().column("y").to_pylist() == ["u"] * 4
    kept = Generalise(k=1).apply(Microdata.from_frame(table, keys=["x", "y"]))
    assert kept.to_arrow().column("x").to_pylist() == ["a", "a", None, "b"]


def test_what_cannot_be_reached_is_explained() -> None:
    with pytest.raises(
        DataError, match=r"no levels give every group 200 records\. Even .* 120 of 120 records .* lower"
    ):
        Generalise(k=200).apply(survey())
    tree = Hierarchy((("a", "ab"), ("b", "ab"), ("c", "c")))
    rootless = Microdata.from_frame(pa.table({"x": ["a", "b", "c"]}), keys=["x"], hierarchies={"x": tree})
    with pytest.raises(DataError, match="hierarchies of x one label for all"):
        Generalise(k=2).apply(rootless)
    assert Generalise(k=2, suppress=34).find(rootless).suppressed == 1
    with pytest.raises(DataError, match="distinct diversity 4"):
        Generalise(k=2, l=4).apply(survey())


def test_a_search_without_time_says_so() -> None:
    mask = Generalise(k=2, time_limit=1e-9)
    with pytest.warns(TacitaWarning, match="before the optimum was proven"):
        masked = mask.apply(survey())
    found = mask.find(survey())
    assert not found.is_optimal
    assert 0 < found.gap <= 1
    assert "at most" in str(found)
    assert found.bound <= Generalise(k=2).find(survey()).loss
    assert smallest(masked) >= 2


def test_bad_input() -> None:
    data = survey()
    with pytest.raises(ColumnError, match="models of a confidential value need such a column"):
        Generalise(l=2).apply(data.drop(["illness"]))
    with pytest.raises(ColumnError, match="no key column beside the confidential 'illness'"):
        Generalise(columns=["illness"], l=2).apply(data)
    with pytest.raises(ColumnError, match="hierarchical distance needs a hierarchy"):
        Generalise(t=0.2, distance="hierarchical").apply(data)
    far = data.with_column("age", pa.array([77] * len(data)))
    with pytest.raises(DataError, match=r"column 'age' .* 1 value\(s\) in 120 record"):
        Generalise(k=2).apply(far)


def test_hierarchical_closeness() -> None:
    tree = Hierarchy((("u", "uv", "*"), ("v", "uv", "*"), ("w", "w", "*")))
    data = survey().with_schema(survey().schema.change("illness", hierarchy=tree))
    masked = Generalise(k=2, t=0.2, distance="hierarchical").apply(data)
    assert TCloseness(t=0.2, distance="hierarchical").assess(masked).value == 0
