"""Several copies of one release: drawn apart, written together, judged by what they tell together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError, ReleaseError
from tacita.data.microdata import Microdata
from tacita.release.put_together import put_together

MONEY = ["earnings", "tax", "savings"]


@pytest.fixture(scope="module")
def data() -> Microdata:
    return tc.samples.household_survey(300, seed=1)


@pytest.fixture(scope="module")
def release(data: Microdata) -> tc.Release:
    return tc.Recipe([tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.1)]).apply(data, seed=7, copies=8)


def test_copies_differ_and_the_first_is_the_release_without_them(data: Microdata, release: tc.Release) -> None:
    alone = tc.Recipe([tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.1)]).apply(data, seed=7)
    assert release.data.same_content(alone.data)
    assert release.public.same_content(alone.public)
    assert len({copy.data.fingerprint() for copy in release.copies}) == 8
    assert len({tuple(copy.link) for copy in release.copies}) == 8, "two copies have their rows in the same order"


def test_same_seed_same_copies(data: Microdata, release: tc.Release) -> None:
    again = tc.Recipe([tc.mask.AdditiveNoise(columns=MONEY, sd_ratio=0.1)]).apply(data, seed=7, copies=8)
    assert [file.fingerprint() for file in again.files] == [file.fingerprint() for file in release.files]


def test_noise_averages_out_over_copies_and_the_verdict_says_so(data: Microdata, release: tc.Release) -> None:
    known = tc.Scenario(keys=[], known=MONEY)
    one = tc.evaluate(data, release.data, scenario=known, measures=["dld"])["dld"]
    found = tc.judge(release, {"dld": one + 1}, scenario=known)
    assert found.state == "failed"
    assert found.findings[0].note.startswith("all copies together")


def test_all_copies_are_written_with_one_schema_and_their_links(
    data: Microdata, release: tc.Release, tmp_path: Path
) -> None:
    release.write(tmp_path / "out")
    files = sorted(path.name for path in (tmp_path / "out" / "public").iterdir())
    assert files == [*(f"data.{i}.csv" for i in range(1, 9)), "schema.toml"]
    links = sorted((tmp_path / "out" / "internal").glob("link*.parquet"))
    assert len(links) == 8
    third = tc.read(tmp_path / "out" / "public" / "data.3.csv", schema=tmp_path / "out" / "public" / "schema.toml")
    assert len(third) == 300
    assert np.allclose(np.nansum(third.float("tax")), np.nansum(release.others[1].data.float("tax")))


def test_a_recipe_that_draws_nothing_has_no_copies(data: Microdata) -> None:
    with pytest.raises(ParameterError, match="'copies' must be 1"):
        tc.Recipe([tc.mask.Rounding(columns=MONEY, base=10)]).apply(data, seed=1, copies=2)
    with pytest.raises(ParameterError, match="'copies' must be a whole number"):
        tc.Recipe([tc.mask.AdditiveNoise(columns=MONEY)]).apply(data, seed=1, copies=0)


def test_copies_with_other_descriptions_are_refused(data: Microdata, release: tc.Release) -> None:
    other = tc.Release(data, data.drop(["tax"]), "", 1, number=2)
    with pytest.raises(ReleaseError, match="same columns"):
        tc.Release(data, release.data, "", 1, others=(other,))


def test_together_takes_means_and_the_most_frequent_class(data: Microdata) -> None:
    sexes = np.array([["male", "male", "female"], ["female", "male", "female"], ["female", "male", "male"]])
    part = data.take(np.arange(3)).select(["sex", "age"])
    copies = []
    for row, shift in zip(sexes, (-3.0, 0.0, 6.0), strict=True):
        copies.append(part.with_column("sex", pa.array(row.tolist())).with_numbers({"age": part.float("age") + shift}))
    made = put_together(copies)
    assert made.to_arrow().column("sex").to_pylist() == ["female", "male", "female"]
    assert np.allclose(made.float("age"), part.float("age") + 1.0)
    assert np.array_equal(made.origin_rows(), part.origin_rows())


def test_records_of_nobody_are_put_below_each_other(data: Microdata) -> None:
    drawn = [data.take(rows).with_origin(data, np.full(5, -1)) for rows in (np.arange(5), np.arange(5, 10))]
    made = put_together(drawn)
    assert len(made) == 10
    assert made.is_synthetic
