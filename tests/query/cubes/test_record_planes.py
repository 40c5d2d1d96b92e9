"""Classes as bytes: variables of more classes than a byte holds have several, and count as any other."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.query.cubes.record_planes import RecordPlanes

RNG = np.random.default_rng(3)
SIZES = {"few": 5, "many": 300, "one": 1, "most": 70_000}
CODES = {name: RNG.integers(0, size, 500) for name, size in SIZES.items()}
KEYS = RNG.integers(0, 2**31, (500, 2)).astype(np.int32)


@pytest.fixture
def planes() -> RecordPlanes:
    def codes(name: str) -> np.ndarray:
        return CODES[name].astype(np.min_scalar_type(SIZES[name] - 1))

    return RecordPlanes(SIZES, 500, codes)


@pytest.mark.parametrize("names", [(), ("few",), ("many", "few"), ("few", "one", "many"), ("one", "most")])
def test_places_are_those_of_the_flattened_table(planes: RecordPlanes, names: tuple[str, ...]) -> None:
    wanted = np.zeros(500, dtype=np.int64)
    for name in names:
        wanted = wanted * SIZES[name] + CODES[name]
    assert planes.places(names).tolist() == wanted.tolist()
    rows = np.array([3, 400, 3])
    assert planes.places_at(names, rows).tolist() == wanted[rows].tolist()
    if planes.shape(names) and np.prod(planes.shape(names)) < 10_000:
        found = planes.count(names, KEYS)
        assert found[:, 0].tolist() == np.bincount(wanted, minlength=len(found)).tolist()


def test_a_universe_of_a_wide_variable(planes: RecordPlanes) -> None:
    inside = np.zeros(300, dtype=np.bool_)
    inside[[7, 255, 256, 299]] = True
    chosen = np.flatnonzero(inside[CODES["many"]])
    rows, cells = planes.find(["few"], ["many"], inside)
    assert rows.tolist() == chosen.tolist()
    assert cells.tolist() == CODES["few"][chosen].tolist()
    found = planes.count_inside(["few"], ["many"], inside, KEYS)
    assert found[:, 0].tolist() == np.bincount(cells, minlength=5).tolist()
    assert found[:, 1].sum() == KEYS[chosen, 0].sum(dtype=np.int64)


def test_classes_are_asked_for_once_and_counted_when_filled(planes: RecordPlanes) -> None:
    assert planes.nbytes == 0
    assert planes.codes("few") is planes.codes("few")
    assert planes.nbytes == 500
    assert planes.codes("many").tolist() == CODES["many"].tolist()
    assert planes.nbytes == 500 + 2 * 500 + 2 * 500, "two bytes for the kernels, and two as they are asked for"
    with pytest.raises(ValueError, match="read-only"):
        planes.codes("few")[0] = 1
