"""An intruder with the release alone: he groups it by household and reads what one member lacks off another."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.data.microdata import Microdata
from tacita.release.recipe import Recipe
from tests.mask.gap_cases import codes_of

KEYS = ["region", "urban", "sex", "marital", "education", "household_size"]
OF_THE_HOUSEHOLD = ["region", "urban", "household_size"]


def survey(n: int = 600, seed: int = 1, gaps: float = 0.0) -> Microdata:
    """Return the sample, with some values of every key missing."""
    data, rng = tc.samples.household_survey(n, seed=seed), np.random.default_rng(seed)
    for name in KEYS if gaps else ():
        column = data.to_arrow(codes=False).column(name).combine_chunks()
        kept = pa.array(rng.random(n) >= gaps)
        data = data.with_column(name, pa.compute.if_else(kept, column, pa.scalar(None, column.type)))
    return data


def read_off(original: Microdata, masked: Microdata, columns: list[str]) -> tuple[int, int]:
    """Return how many values were suppressed, and how many of them another member of the household still shows."""
    homes: dict[Any, list[int]] = {}
    for row, home in enumerate(masked.to_arrow().column("household").to_pylist()):
        homes.setdefault(home, []).append(row)
    before, after = codes_of(original, columns), codes_of(masked, columns)
    gone = (after < 0) & (before >= 0)
    known = sum(
        int(gone[row, j])
        for rows in homes.values()
        for row in rows
        for j in range(len(columns))
        if any(after[other, j] >= 0 for other in rows)
    )
    return int(gone.sum()), known


@pytest.mark.parametrize("missing", MISSING_KEYS)
@pytest.mark.parametrize("gaps", [0.0, 0.03])
def test_nothing_suppressed_is_read_off_another_member(missing: MissingKeys, gaps: float) -> None:
    data = survey(gaps=gaps)
    with pytest.warns(tc.TacitaNote, match="suppressed for all members together"):
        masked = tc.mask.LocalSuppression(columns=KEYS, missing=missing, effort="fast").apply(data)
    suppressed, known = read_off(data, masked, OF_THE_HOUSEHOLD)
    assert suppressed > 0
    assert known == 0


def test_person_by_person_most_of_it_is_read_off() -> None:
    """What the default guards against, and how to turn it off."""
    data = survey()
    mask = tc.mask.LocalSuppression(columns=KEYS, unit=False, effort="fast")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        suppressed, known = read_off(data, mask.apply(data), OF_THE_HOUSEHOLD)
    assert known > suppressed / 2
    recipe = Recipe([mask])
    assert "unit = false" in recipe.to_toml()
    assert Recipe.from_toml(recipe.to_toml()) == recipe


@pytest.mark.parametrize("by", ["sex", "region"])
def test_strata_do_not_part_households(by: str) -> None:
    """Also when members are in different strata."""
    data = survey(gaps=0.02)
    columns = [name for name in KEYS if name != by]
    shared = [name for name in OF_THE_HOUSEHOLD if name != by]
    for missing in MISSING_KEYS:
        with pytest.warns(tc.TacitaNote, match="suppressed for all members together"):
            masked = tc.mask.LocalSuppression(columns=columns, by=by, missing=missing, effort="fast").apply(data)
        assert read_off(data, masked, shared)[1] == 0


def test_a_number_of_members_can_be_counted_and_that_is_said() -> None:
    data = survey()
    with pytest.warns(tc.TacitaNote, match="household_size can be found by counting the members"):
        tc.mask.LocalSuppression(columns=KEYS, effort="fast").apply(data)


def test_a_linked_column_of_the_household_goes_with_it() -> None:
    table = pa.table(
        {
            "home": [1, 1, 2, 2, 3, 3],
            "age": ["a", "b", "a", "a", "a", "a"],
            "street": ["x", "x", "y", "y", "z", "z"],
        }
    )
    data = Microdata.from_frame(table, keys=["age"], household="home", linked={"street": "age"})
    masked = tc.mask.LocalSuppression(k=2, missing="own category").apply(data)
    gone = masked.is_missing("street")
    assert masked.is_missing("age")[1]
    assert gone[0]
    assert gone[1]


def test_generalise_suppresses_whole_households() -> None:
    data = survey(400, seed=3)
    mask = tc.mask.Generalise(columns=["region", "urban", "sex", "marital"], k=3, suppress=30.0)
    with pytest.warns(tc.TacitaNote, match="suppressed for whole households"):
        masked = mask.apply(data)
    suppressed, known = read_off(data, masked, ["region", "urban"])
    assert suppressed > 0
    assert known == 0
    codes = codes_of(masked, ["region", "urban", "sex", "marital"])
    shown = codes[(codes >= 0).any(axis=1)]
    assert min(np.unique(shown, axis=0, return_counts=True)[1]) >= 3
    found = mask.find(data)
    assert found.suppressed == int((codes < 0).all(axis=1).sum()) <= 0.3 * len(data)


@pytest.mark.parametrize("direction", ["bottom up", "top down"])
def test_local_recoding_shows_no_more_with_another_member(direction: Any) -> None:
    data = survey(400, seed=2)
    columns = ["region", "urban", "sex", "marital"]
    mask = tc.mask.LocalRecode(columns=columns, k=3, direction=direction)
    with pytest.warns(tc.TacitaNote, match="one level for the whole file"):
        masked = mask.apply(data)
    homes = data.groups(["household"])
    codes = codes_of(masked, columns)
    for j in (0, 1):
        assert len({(home, code) for home, code in zip(homes, codes[:, j], strict=True)}) == len(set(homes))
    assert min(np.unique(codes, axis=0, return_counts=True)[1]) >= 3


def test_swapping_moves_whole_households() -> None:
    data = survey(900, seed=5)
    with pytest.warns(tc.TacitaNote, match="values are exchanged between households"):
        masked = tc.mask.DataSwap(columns=["region", "urban", "sex"], match=["education"], p=80).apply(data, seed=3)
    homes = data.groups(["household"])
    for name in ("region", "urban"):
        codes = masked.codes(name).values
        assert len({(home, code) for home, code in zip(homes, codes, strict=True)}) == len(set(homes))
        assert (codes != data.codes(name).values).any()
    before, after = (
        Counter(zip(*(d.to_arrow().column(n).to_pylist() for n in ("region", "urban", "education")), strict=True))
        for d in (data, masked)
    )
    assert before == after, "tables of swapped columns by those that match stay"


def test_pram_draws_once_for_each_household() -> None:
    """Else the most frequent value of the members is the original."""
    data = survey(600, seed=6)
    mask = tc.mask.Pram(columns=["region", "sex"], pd=0.5)
    with pytest.warns(tc.TacitaNote, match="region has one value .* drawn once for each household"):
        masked = mask.apply(data, seed=3)
    homes, region = data.groups(["household"]), masked.codes("region").values
    assert len({(home, code) for home, code in zip(homes, region, strict=True)}) == len(set(homes))
    assert (region != data.codes("region").values).mean() > 0.1
    sex = masked.codes("sex").values
    assert len({(home, code) for home, code in zip(homes, sex, strict=True)}) > len(set(homes)), "persons draw alone"


def numbers() -> Microdata:
    """Return 300 people in households of different sizes, with a rent of the household and an age of the person."""
    rng = np.random.default_rng(4)
    home = np.sort(rng.integers(0, 110, 300))
    rent = rng.lognormal(6.0, 0.5, 110).round(2)[home]
    table = pa.table(
        {
            "home": home,
            "rent": pa.array(rent, mask=rng.random(300) < 0.05),
            "age": rng.integers(0, 90, 300).astype(float),
        }
    )
    return Microdata.from_frame(table, keys=["rent", "age"], household="home")


@pytest.mark.parametrize(
    "mask",
    [
        tc.mask.RankSwap(p=10),
        tc.mask.AdditiveNoise(sd_ratio=0.2),
        tc.mask.IndividualRanking(k=3),
        tc.mask.Mdav(columns=["rent"], k=3),
    ],
    ids=lambda mask: mask.name,
)
def test_numbers_of_the_household_are_masked_once(mask: Any) -> None:
    """Else the mean of the members takes the noise away, and a household of k is a group that shows its own value."""
    data = numbers()
    with pytest.warns(tc.TacitaNote, match="rent has one value .* masked once for each household"):
        masked = mask.apply(data, seed=2)
    homes, rent = data.groups(["home"]), masked.float("rent")
    assert np.array_equal(np.isnan(rent), data.is_missing("rent"))
    known = ~np.isnan(rent)
    assert len(set(zip(homes[known], rent[known], strict=True))) == len(set(homes[known]))
    assert (rent[known] != data.float("rent")[known]).mean() > 0.5
    if "age" in data.schema.resolve(mask.columns, owner="test"):
        age = masked.float("age")
        assert len(set(zip(homes, age, strict=True))) > len(set(homes)), "what belongs to the person is masked for each"
        assert (age != data.float("age")).any()


def test_recoding_and_top_coding_treat_members_alike() -> None:
    """One rule for the whole file needs no households."""
    data = numbers()
    for mask in (tc.mask.TopBottomCode(columns=["rent"], top_p=20), tc.mask.GlobalRecode(breaks={"rent": [300, 500]})):
        masked = mask.apply(data)
        codes, homes = masked.codes("rent").values, data.groups(["home"])
        known = codes >= 0
        assert len(set(zip(homes[known], codes[known], strict=True))) == len(set(homes[known]))
