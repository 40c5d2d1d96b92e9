"""A data version: the same from every source, its tables counted record by record, its records named for ever."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.data.store.opening import open_store
from tacita.query.catalogue import version as module
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import MISSING, Variable
from tacita.query.catalogue.version import MOST_CELLS, Version
from tacita.query.cubes import record_tables
from tacita.query.cutpoints.given import Given
from tacita.query.cutpoints.partitioned import Partitioned
from tacita.query.universe.universe import Universe
from tests.effort import examples
from tests.query.builders import KEY, survey

SECRET = Key(KEY)
CUTS = {"age": Given(edges=(17, 29, 44, 64), whole=True), "income": Given(edges=(0, 20_000, 50_000), whole=True)}


def version_of(data: Any, *, key: Key = SECRET, cutpoints: Any = CUTS, **options: Any) -> Version:
    store = open_store(data, **options)
    return Version(store, Catalogue.draft(store, cutpoints=cutpoints, coarsen=True), key)


@pytest.fixture(scope="module")
def version() -> Version:
    return version_of(survey())


def words_of(version: Version, name: str) -> list[str]:
    """The class of every record, by the words of the data."""
    store, variable = version.store, version.catalogue[name]
    if variable.bins is not None:
        numbers = store.floats(name).tolist()
        return [
            MISSING if np.isnan(x) else variable.bins.labels[sum(x > cut for cut in variable.bins.cuts)]
            for x in numbers
        ]
    codes = store.codes(name)
    return [MISSING if code < 0 else str(codes.categories[code]) for code in codes.values.tolist()]


# --- the same from every source -------------------------------------------------------------------------------------------


def small() -> tuple[pa.Table, Any]:
    data = survey(400)
    return data.to_arrow(), data.schema


def test_sources_give_the_same_version(tmp_path: Path) -> None:
    table, schema = small()
    order = np.random.default_rng(4).permutation(len(table))
    shuffled = table.take(pa.array(order))
    pyarrow.parquet.write_table(shuffled, tmp_path / "a.parquet", row_group_size=37)
    pyarrow.csv.write_csv(shuffled, tmp_path / "a.csv")
    memory = Microdata.from_frame(table, schema=schema)
    versions = [
        version_of(memory),
        version_of(Microdata.from_frame(shuffled, schema=schema)),
        version_of(tmp_path / "a.parquet", schema=schema),
        version_of(tmp_path / "a.csv", schema=schema),
    ]
    first = versions[0]
    assert len(first.id) == 32
    for other in versions[1:]:
        assert other.id == first.id
        assert other.key == first.key
        assert other.catalogue == first.catalogue
        assert (other.record_keys == first.record_keys).all()
        for variable in first.catalogue:
            if variable.classes:
                assert (other.codes(variable.name) == first.codes(variable.name)).all()
        assert (other.table(["sex", "age"]) == first.table(["sex", "age"])).all()
        assert (other.weights == first.weights).all()


def test_other_data_and_other_keys_are_other_versions() -> None:
    table, schema = small()
    one = version_of(Microdata.from_frame(table, schema=schema))
    changed = table.set_column(table.column_names.index("tax"), "tax", pa.array(np.arange(len(table))))
    two = version_of(Microdata.from_frame(changed, schema=schema))
    three = version_of(Microdata.from_frame(table, schema=schema), key=Key.draw())
    assert len({one.id, two.id, three.id}) == 3
    assert len({v.key.digest("x") for v in (one, two, three)}) == 3


def test_a_record_keeps_its_hash_when_another_column_changes() -> None:
    """The next version of the data: values change, a record leaves, one comes; who stays has the same hash."""
    table, schema = small()
    before = version_of(Microdata.from_frame(table, schema=schema))
    changed = table.set_column(table.column_names.index("tax"), "tax", pa.array(np.arange(len(table)))).slice(1)
    after = version_of(Microdata.from_frame(changed, schema=schema))
    kept = {row.tobytes() for row in before.record_keys} & {row.tobytes() for row in after.record_keys}
    assert len(kept) == len(table) - 1
    assert before.record_keys.shape == (len(table), 2)
    other = version_of(Microdata.from_frame(table, schema=schema), key=Key.draw())
    assert not {row.tobytes() for row in before.record_keys} & {row.tobytes() for row in other.record_keys}


# --- columns --------------------------------------------------------------------------------------------------------------


def test_codes_are_those_of_the_catalogue(version: Version) -> None:
    for variable in version.catalogue:
        if not variable.classes:
            continue
        codes = version.codes(variable.name)
        assert [variable.all_classes[code] for code in codes.tolist()] == words_of(version, variable.name)
        assert codes.dtype == np.uint8
        assert version.codes(variable.name) is codes


def test_the_order_of_classes_is_that_of_the_catalogue() -> None:
    data = Microdata.from_frame(pa.table({"x": ["a", None, "b", "a"]}), keys=["x"])
    variable = Variable(name="x", classes=("c", "b", "a"), has_missing=True, uses=("universe", "table"))
    made = Version(open_store(data), Catalogue((variable,)), SECRET)
    assert made.codes("x").tolist() == [2, 3, 1, 2]
    assert made.table(["x"]).tolist() == [0, 1, 2, 1]


def test_a_catalogue_that_does_not_fit_is_no_version() -> None:
    data = Microdata.from_frame(pa.table({"x": ["a", None, "b"]}), keys=["x"])
    for variable in (
        Variable(name="x", classes=("a", "b")),
        Variable(name="x", classes=("a",), has_missing=True),
    ):
        with pytest.raises(DataError, match="values that are in no class of the catalogue"):
            Version(open_store(data), Catalogue((variable,)), SECRET)


def test_numbers_are_those_of_the_data(version: Version) -> None:
    assert np.isnan(version.values("income")).any()
    assert (version.analysed("age") == version.store.floats("age")).all()
    with pytest.raises(DataError, match="'sex' has no numbers"):
        version.values("sex")
    with pytest.raises(DataError, match="'savings' has no classes; give it cutpoints"):
        version.codes("savings")
    with pytest.raises(ColumnError, match="no variable 'person_id'"):
        version.codes("person_id")
    with pytest.raises(ColumnError, match="no variable 'weight'"):
        version.values("weight")


def test_a_record_without_a_household_is_one_of_its_own() -> None:
    frame = pa.table({"h": ["x", None, "x", None, "y"], "s": ["a"] * 5})
    made = version_of(Microdata.from_frame(frame, keys=["s"], household="h"), cutpoints=None)
    numbers = made.households.tolist()
    assert numbers[0] == numbers[2]
    assert len(set(numbers)) == 4
    assert min(numbers) >= 0


def test_data_without_households_or_weights() -> None:
    made = version_of(Microdata.from_frame(pa.table({"s": ["a", "b"]}), keys=["s"]), cutpoints=None)
    assert made.weights is None
    assert made.design_effect == 1.0
    assert made.design.cluster is None
    with pytest.raises(DataError, match="no household to count"):
        _ = made.households


def test_the_design_is_that_of_the_schema(version: Version) -> None:
    frame = survey().to_arrow().to_pandas()
    assert version.design.strata == frame["region"].nunique() == 12
    assert version.design.clusters == frame["household"].nunique()
    assert version.design.sizes.tolist() == frame.groupby("region")["household"].nunique().tolist()
    w = frame["weight"].to_numpy()
    assert version.design_effect == round(1 + w.var() / w.mean() ** 2, 2)


def test_the_spread_has_two_digits(version: Version) -> None:
    assert version.spread("income") == float(f"{np.nanstd(version.values('income')):.1e}")


def test_strata_are_variables_with_classes() -> None:
    store = open_store(survey(400))
    catalogue = Catalogue.draft(store, cutpoints=CUTS, coarsen=True)
    made = Version(store, catalogue, SECRET, strata=["region", "sex"])
    assert made.stratum.tolist() == (made.codes("region") * 2 + made.codes("sex")).tolist()
    assert (Version(store, catalogue, SECRET).stratum == 0).all()
    with pytest.raises(ColumnError, match="no variable 'county'"):
        Version(store, catalogue, SECRET, strata=["county"])


# --- tables ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [(), ("sex",), ("sex", "age"), ("income", "education", "sex")])
def test_tables_are_counted_record_by_record(version: Version, names: tuple[str, ...]) -> None:
    table = version.table(names)
    columns = [words_of(version, name) for name in names]
    wanted = Counter(zip(*columns, strict=True)) if names else {(): len(version)}
    classes = [version.catalogue[name].all_classes for name in names]
    assert table.shape == tuple(map(len, classes))
    assert table.sum() == len(version)
    for place, count in np.ndenumerate(table):
        assert count == wanted.get(tuple(classes[axis][i] for axis, i in enumerate(place)), 0)
    assert np.shares_memory(version.table(names), table)
    assert not table.flags.writeable


def test_sums_of_hashes_are_those_of_the_records(version: Version) -> None:
    sums = version.key_table(["sex", "urban"])
    assert sums.shape == (2, 3, 2)
    for i in range(2):
        for j in range(3):
            chosen = (version.codes("sex") == i) & (version.codes("urban") == j)
            assert sums[i, j].tolist() == version.record_keys[chosen].sum(axis=0).tolist()


def test_tables_that_are_too_large_are_refused(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        "occupation",
        "birth_country",
        "region",
        "age",
        "education",
        "health",
        "employment",
        "marital",
        "income",
    ] * 5
    with pytest.raises(ParameterError, match=f"at most {MOST_CELLS} cells, got "):
        version.cells(names)
    with pytest.raises(ParameterError, match="cells, got "):
        version.table(names)
    monkeypatch.setattr(record_tables, "MOST_CELLS", 5)
    with pytest.raises(ParameterError, match="at most 5 cells, got 6"):
        version.cells(["urban", "sex"])


def test_what_is_kept_is_limited() -> None:
    made = version_of(survey(400))
    made._kept.most_bytes = 40 * 24
    names = ["sex", "urban", "region", "marital", "education", "employment", "occupation", "health", "household_size"]
    for name in names:
        assert made.table([name]).sum() == 400
        assert made.kept_bytes <= 40 * 24
        made.cells([name])
    assert made.kept_bytes > 0
    assert len(made._cells) <= module._KEPT
    assert made.nbytes > 400


@pytest.mark.parametrize("names", [{"sex"}, {"sex", "age"}, {"sex", "age", "region", "education", "marital"}])
def test_the_smallest_cell_that_has_records(version: Version, names: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [version.codes(name).tolist() for name in names]
    wanted = min(Counter(zip(*columns, strict=True)).values())
    assert version.records.least_in_cells(frozenset(names)) == wanted
    monkeypatch.setattr(record_tables, "MOST_CELLS", 0)  # so that no table of all cells is made
    assert version.records.least_in_cells(frozenset(names)) == wanted


def test_very_many_cells_are_numbered_anew_on_the_way() -> None:
    """Thirteen variables of 50 classes have more cells than 64 bits can number."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 50, (60, 13))
    codes[30:] = codes[:30]
    columns = {f"v{j}": [f"c{i:02d}" for i in codes[:, j]] + [f"c{i:02d}" for i in range(50)] for j in range(13)}
    made = version_of(Microdata.from_frame(pa.table(columns), keys=list(columns)), cutpoints=None)
    assert made.records.least_in_cells(frozenset(columns)) == 1
    few = {name: values[:60] for name, values in columns.items()}
    twice = version_of(Microdata.from_frame(pa.table(few), keys=list(few)), cutpoints=None)
    assert twice.records.least_in_cells(frozenset(few)) == 2


# --- universes ------------------------------------------------------------------------------------------------------------


def test_members_are_the_records_that_meet_the_conditions(version: Version) -> None:
    universe = Universe({"sex": "female", "age": ["up to 17", "above 64"]}) | Universe({"income": MISSING})
    sex, age, income = (words_of(version, name) for name in ("sex", "age", "income"))
    wanted = [
        row
        for row in range(len(version))
        if (sex[row] == "female" and age[row] in ("up to 17", "above 64")) or income[row] == MISSING
    ]
    members = version.members(version.boxes(universe))
    assert members.rows.tolist() == wanted
    assert len(members) == len(wanted) > 100


def test_everybody_is_everybody(version: Version) -> None:
    for universe in (Universe(), Universe({"sex": ["male", "female"]}), Universe({"age": "all values"})):
        boxes = version.boxes(universe)
        assert boxes.variables == ()
        assert version.members(boxes).rows.tolist() == list(range(len(version)))
        assert version.words(boxes) == {}


conditions = st.fixed_dictionaries(
    {},
    optional={
        "sex": st.lists(st.sampled_from(["female", "male"]), min_size=1),
        "age": st.lists(st.sampled_from(["up to 17", "18 to 29", "30 to 44", "above 44", "up to 64"]), min_size=1),
        "urban": st.lists(st.sampled_from(["city", "rural", "town"]), min_size=1),
    },
)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(conditions, min_size=1, max_size=3))
def test_the_words_of_a_universe_are_the_same_universe(pieces: list[dict[str, list[str]]]) -> None:
    version = VERSION
    universe = Universe.from_plain({"any": pieces})
    boxes = version.boxes(universe)
    again = version.boxes(Universe.of(version.words(boxes)))
    assert again == boxes
    assert version.words(again) == version.words(boxes)
    chosen = np.zeros(len(version), dtype=bool)
    for piece in pieces:
        inside = np.ones(len(version), dtype=bool)
        for name, words in piece.items():
            numbers = {number for word in words for number in version.catalogue[name].numbers(word)}
            inside &= np.isin(version.codes(name), sorted(numbers))
        chosen |= inside
    members = version.members(boxes)
    assert members.rows.tolist() == np.flatnonzero(chosen).tolist()
    assert members.sums == tuple(version.record_keys[chosen].sum(axis=0).tolist())


VERSION = version_of(survey(400))


def test_one_set_by_two_descriptions_has_one_name(version: Version) -> None:
    """Records of one set of people, named by two variables that say the same."""
    frame = pa.table({"a": ["x", "y", "x"], "b": ["1", "2", "1"]})
    made = version_of(Microdata.from_frame(frame, keys=["a", "b"]), cutpoints=None)
    one, two, other = (made.members(made.boxes(Universe(u))) for u in ({"a": "x"}, {"b": "1"}, {"b": "2"}))
    assert one.name(SECRET) == two.name(SECRET)
    assert one.name(SECRET) != other.name(SECRET)


def test_nodes_of_a_tree_of_bins_are_classes() -> None:
    made = version_of(survey(400), cutpoints={"age": Partitioned(minimum=50)})
    bins = made.catalogue["age"].bins
    assert bins is not None
    node = next(node for node in bins.nodes if len(node.leaves) > 1)
    whole = made.boxes(Universe({"age": node.label}))
    parts = made.boxes(Universe({"age": [bins.labels[leaf] for leaf in node.leaves]}))
    assert whole == parts
    assert made.members(whole).rows.tolist() == np.flatnonzero(np.isin(made.codes("age"), node.leaves)).tolist()


@pytest.mark.parametrize(
    ("universe", "error", "message"),
    [
        ({"sex": "x"}, ParameterError, "no class 'x'"),
        ({"age": "30"}, ParameterError, "published ones"),
        ({"sex": MISSING}, ParameterError, "no class"),
        ({"savings": "1"}, ColumnError, "cannot be used as a condition"),
        ({"person_id": "1"}, ColumnError, "no variable 'person_id'"),
        ({"weight": "1"}, ColumnError, "no variable 'weight'"),
    ],
)
def test_other_universes_are_refused(version: Version, universe: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        version.boxes(Universe(universe))


def test_an_empty_file_is_a_version() -> None:
    frame = pa.table({"s": pa.array([], pa.string()), "x": pa.array([], pa.float64())})
    with pytest.warns(TacitaWarning, match="'s' has no value"):
        made = version_of(Microdata.from_frame(frame, keys=["s"], confidential=["x"]), cutpoints=None)
    assert len(made) == 0
    assert made.catalogue.names == ("x",)
    assert made.record_keys.shape == (0, 2)
    assert made.members(made.boxes(Universe())).sums == (0, 0)
    assert made.spread("x") == 0.0
