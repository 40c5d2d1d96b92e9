"""Averages over splits: by hand, by how much they gain under keys, and nothing where tables come from one file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.tables.model.dimension import Dimension
from tacita.tables.readers.split_averages import average_splits

KEY = Key(bytes(range(3, 67, 2)))
PEOPLE = tc.samples.census_register(8000, seed=1, regions=15)
BASE = ["municipality", "education"]
SPLITS = ["sex", "marital", "tenure", "dwelling_kind", "rooms", "built"]


def keyed(by: list[str]) -> tc.tables.Protected:
    table = tc.tables.keyed_table(PEOPLE, by, key=KEY, identity="person_id")
    return tc.tables.CellKey(key=KEY, D=3, V=2.0).protect(table, tc.tables.Unsafe.none(len(table)))


def hand(name: str, total: int, *parts: int) -> tc.Table:
    sex, other = Dimension.flat("sex", ["f"]), Dimension.flat(name, [f"{name}{i}" for i in range(len(parts))])
    cells = {
        "sex": [code for code in sex.codes for _ in other.codes],
        name: [*other.codes, *other.codes],
        "value": [sum(parts), *parts] * 2,
    }
    values = np.array([total, *parts] * 2, float)
    return tc.tables.table_from_cells(cells, [sex, other]).with_values(values)


def test_parts_count_by_their_number() -> None:
    """The own count of 10 counts once; 6 + 6 from two parts a half; 3 + 3 + 3 + 0 from three parts a third."""
    base = hand("kind", 10, 10)
    sex = tc.tables.table_from_cells({"sex": ["Total", "f"], "value": [10, 10]}, [base.dimensions[0]])
    found = average_splits(sex, [hand("a", 10, 6, 6), hand("b", 10, 3, 3, 3, 0)])
    assert found.estimates[:, 1] == pytest.approx([10, (10 + 6) / 1.5, (10 + 6 + 3) / (1 + 1 / 2 + 1 / 3)])


def test_other_copies_of_a_cell_count_as_much() -> None:
    """Tables that add up each by itself say 10 and 13 and 12 of one cell; a fourth that repeats 13 says nothing new."""
    sex = tc.tables.table_from_cells({"sex": ["Total", "f"], "value": [10, 10]}, [Dimension.flat("sex", ["f"])])
    found = average_splits(sex, [hand("a", 13, 6, 7), hand("b", 12, 6, 6), hand("c", 13, 10, 3)])
    assert found.estimates[:, 1].tolist() == [10, 11.5, 35 / 3, 35 / 3]


def test_splits_bring_a_reader_nearer_under_keys() -> None:
    found = average_splits(keyed(BASE), [keyed([*BASE, name]) for name in SPLITS])
    distances = found.distances(tc.tabulate(PEOPLE, BASE))
    assert distances[-1] < 0.8 * distances[0]
    exact = found.exact(tc.tabulate(PEOPLE, BASE))
    assert exact[-1] > exact[0]


def test_one_file_of_counts_gives_nothing_away() -> None:
    declared = tc.tables.declare(PEOPLE, [BASE, *([*BASE, name] for name in SPLITS[:3])])
    noisy = [keyed([d.name for d in table.dimensions]) for table in declared.tables]
    listed = []
    for table, made in zip(declared.tables, noisy, strict=True):
        every = {tuple(code): value for code, value in zip(made.table.codes.tolist(), made.values, strict=True)}
        listed.append(np.array([every[tuple(code)] for code in table.codes.tolist()], int))
    made = tc.tables.ConsistentTables(D=3, smallest=3, sweeps=40).restore(declared, listed, seed=1)
    found = average_splits(made.tables[0], made.tables[1:])
    assert (found.estimates == found.estimates[0]).all()


def test_bad_input() -> None:
    base = tc.tabulate(PEOPLE, BASE)
    with pytest.raises(ParameterError, match="a further dimension"):
        average_splits(base, [base])
    with pytest.raises(ParameterError, match="the dimension 'municipality'"):
        average_splits(base, [tc.tabulate(PEOPLE, ["sex", "marital"])])
    with pytest.raises(ParameterError, match="all cells"):
        average_splits(base, []).distances(replace(base, codes=base.codes[:1], values=base.values[:1], counts=None))
