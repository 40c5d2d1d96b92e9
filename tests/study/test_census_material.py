"""What the census study compares: tables that belong together, additive and without small counts."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.study.census_attacks import AVERAGES, averages, differences
from tacita.study.census_material import BOUNDS, DESIGNS, CensusMaterial, counts_of, make_material


@pytest.fixture(scope="module")
def material() -> CensusMaterial:
    return make_material(1200, 2)


def test_all_tables_keep_what_they_promise(material: CensusMaterial) -> None:
    truth = material.truth
    assert truth[0] == material.safe[0] == 1200
    assert material.is_safe
    assert not np.isin(material.safe, (1, 2)).any()
    assert not material.table.relations.violated(material.safe.astype(float)).size
    assert np.abs(material.safe - truth).max() <= material.largest
    assert set(material.noisy) == {(design, D) for design in DESIGNS for D in BOUNDS}
    for (_, D), one in material.noisy.items():
        for shown in (one.noisy, one.additive):
            assert not np.isin(shown, (1, 2)).any()
            assert np.abs(shown - truth).max() <= D
            assert not shown[truth == 0].any()
        assert one.sums_off == 0
        assert not material.table.relations.violated(one.additive.astype(float)).size
        assert material.table.relations.violated(one.noisy.astype(float)).size


def test_the_same_people_get_the_same_noise(material: CensusMaterial) -> None:
    """So that averages over plain noise need parts, and the first column of averages never changes."""
    large, small = material.tabled(("municipality", "sex")), material.tabled(("municipality",))
    shown = [material.perturbed(table, 3).values for table in (large, small)]
    is_total = large.codes[:, 1] == 0
    assert (shown[0][is_total] == shown[1]).all()


def test_averages_have_a_row_for_each_table(material: CensusMaterial) -> None:
    found = averages(material, splits=("sex", "tenure", "built"))
    assert found.shape == (3, len(AVERAGES))
    assert len(np.unique(found[:, 0])) == len(np.unique(found[:, 5])) == 1
    assert (found >= 0).all()


def test_differences_find_the_left_out_region(material: CensusMaterial) -> None:
    found = differences(material, regions=2)
    names = material.original.codes("municipality")
    wanted = sum(int((names.values == place).sum()) for place in range(2))
    whole = material.tabled(("birth_country", "marital"))
    assert counts_of(whole)[0] == 1200
    assert len(found) == 5
    plain = found["noise, published"]
    for one in found.values():
        assert one.truth.reshape(2, -1)[:, 0].sum() == wanted
    assert (plain.found[plain.truth == 0] == 0).all(), "the same set has the same noise"
    assert not np.isin(found["SAFE"].found, (1, 2)).any()
