"""The stand-in: the same columns and classes, nothing joint, and with ``catalogue`` nothing at all."""

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata
from tacita.query import Tabulate
from tacita.query.steward.stand_in import stand_in
from tests.query.builders import opened, survey

DATA = survey(2000)
DB = opened(DATA, "mas")
CATALOGUE = DB.catalogue
SEEN = stand_in(DATA, seed=7, catalogue=CATALOGUE)


def columns_apart(data: Microdata, seed: int) -> Microdata:
    """Shuffle every column on its own: the same marginals, another joint distribution."""
    rng = np.random.default_rng(seed)
    table = data.to_arrow()
    for place, name in enumerate(table.column_names):
        table = table.set_column(place, name, table.column(place).take(pa.array(rng.permutation(len(data)))))
    return Microdata(table, data.schema)


def test_the_schema_and_every_class_are_there() -> None:
    assert SEEN.schema == DATA.schema
    assert len(SEEN) == 2000
    like = opened(SEEN, "mas", catalogue=CATALOGUE)  # every value lies in a class of the catalogue
    for variable in CATALOGUE:
        counts = np.bincount(like.version.codes(variable.name), minlength=variable.size)
        assert (counts > 0).all() or not variable.classes, variable.name
    assert like.ask(Tabulate(by=["sex"])).status == "answered"


def test_types_of_columns_are_kept() -> None:
    wanted = {field.name: field.type for field in DATA.to_arrow(codes=False).schema}
    found = {field.name: field.type for field in SEEN.to_arrow(codes=False).schema}
    assert found == wanted


def test_marginals_survive_and_nothing_joint_does() -> None:
    like = opened(SEEN, "mas", catalogue=CATALOGUE)
    for name in ("region", "sex", "education", "income"):
        size = CATALOGUE[name].size
        before = np.bincount(DB.version.codes(name), minlength=size) / 2000
        after = np.bincount(like.version.codes(name), minlength=size) / 2000
        assert np.abs(before - after).max() < 0.045  # four standard deviations of a share of a half
    for one, two in (("earnings", "income"), ("income", "tax"), ("age", "income")):
        x, y = SEEN.float(one), SEEN.float(two)
        known = ~np.isnan(x) & ~np.isnan(y)
        assert abs(np.corrcoef(x[known], y[known])[0, 1]) < 0.1  # more than four standard deviations
        x, y = DATA.float(one), DATA.float(two)
        known = ~np.isnan(x) & ~np.isnan(y)
        assert one == "age" or np.corrcoef(x[known], y[known])[0, 1] > 0.6


def test_it_depends_on_marginals_alone_so_the_seed_gives_nothing_away() -> None:
    """Whatever belongs together in the originals: the file is the same, byte for byte."""
    for seed in (1, 2):
        other = columns_apart(DATA, seed)
        assert stand_in(other, seed=7, catalogue=CATALOGUE).same_content(SEEN)


def test_no_record_is_copied_nor_any_number_of_one() -> None:
    names = [name for name in DATA.names if name not in ("person_id", "household", "weight")]
    real = set(zip(*(map(str, DATA.to_arrow().column(name).to_pylist()) for name in names), strict=True))
    seen = set(zip(*(map(str, SEEN.to_arrow().column(name).to_pylist()) for name in names), strict=True))
    assert not real & seen
    for name in ("earnings", "savings"):
        assert np.nanmax(SEEN.float(name)) != np.nanmax(DATA.float(name))
    assert not set(SEEN.to_arrow().column("person_id").to_pylist()) & set(
        DATA.to_arrow().column("person_id").to_pylist()
    )
    assert len(set(SEEN.weights().tolist())) == 1


def test_the_uniform_one_tells_nothing_but_the_catalogue() -> None:
    """Two data sets with one catalogue have one stand-in."""
    one = stand_in(DATA, seed=3, tells="catalogue", catalogue=CATALOGUE)
    two = stand_in(columns_apart(DATA.take(np.arange(1500)), 5), seed=3, tells="catalogue", catalogue=CATALOGUE)
    assert one.same_content(two)
    assert len(one) == 1000
    like = opened(one, "mas", catalogue=CATALOGUE)
    counts = np.bincount(like.version.codes("region"))
    assert counts.min() > 1000 / 12 - 5 * np.sqrt(1000 / 12)
    assert stand_in(DATA, seed=4, tells="catalogue", catalogue=CATALOGUE).same_content(one) is False


def test_numbers_stay_within_what_the_schema_allows() -> None:
    ages = SEEN.float("age")
    assert ages.min() >= 0
    assert ages.max() <= 105
    assert (ages == np.rint(ages)).all()
    assert np.nanmin(SEEN.float("tax")) >= 0


def test_a_recipe_makes_it_instead() -> None:
    recipe = tc.Recipe([tc.mask.RankSwap(columns=["income"], p=20)])
    seen = stand_in(DATA, recipe, seed=2**100)
    assert seen.names == DATA.names
    assert sorted(seen.float("income")[~np.isnan(seen.float("income"))].tolist()) == sorted(
        DATA.float("income")[~np.isnan(DATA.float("income"))].tolist()
    )
    assert not np.array_equal(seen.float("age"), DATA.float("age"))  # rows are in another order
    assert not set(seen.to_arrow().column("person_id").to_pylist()) & set(
        DATA.to_arrow().column("person_id").to_pylist()
    )
    sizes = sorted(np.bincount(seen.groups(["household"])).tolist())
    assert sizes == sorted(np.bincount(DATA.groups(["household"])).tolist())
    with pytest.raises(ParameterError, match="no meaning where a recipe"):
        stand_in(DATA, recipe, seed=1, n=50)


def test_small_and_bad_input() -> None:
    with pytest.raises(ParameterError, match="'n' must be at least"):
        stand_in(DATA, seed=1, n=5, catalogue=CATALOGUE)
    with pytest.raises(ParameterError, match="'tells' must be"):
        stand_in(DATA, seed=1, tells="all")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'seed'"):
        stand_in(DATA, seed=-1)
    one = Microdata.from_frame(pa.table({"x": [1.5, 2.5, None], "c": [True, False, True]}), keys=["c"])
    seen = stand_in(one, seed=1, n=30)
    assert len(seen) == 30
    assert seen.schema == one.schema
