"""Whether numbers of contributors mean the same in two tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.compare.red_team.same_contributors import have_same_contributors


def firms(order: list[int] | None = None) -> tc.Microdata:
    rows = [("n", "a", 5.0, 2), ("n", "b", 7.0, 3), ("s", "a", 1.0, 1), ("s", "b", 2.0, 9), ("s", "b", 2.0, 4)]
    rows = rows if order is None else [rows[i] for i in order]
    columns = dict(zip(("place", "branch", "sales", "staff"), map(list, zip(*rows, strict=True)), strict=True))
    return tc.Microdata.from_frame(pa.table(columns))


def test_tables_of_the_same_data_agree_whatever_they_are_by() -> None:
    one = tc.tabulate(firms(), ["place"], "sales")
    assert have_same_contributors(one, tc.tabulate(firms(), ["place", "branch"], "sales"))
    assert have_same_contributors(one, tc.tabulate(firms(), ["place"], "staff"))
    assert have_same_contributors(one, tc.tabulate(firms(), ["branch"], "sales"))


def test_other_numbers_other_amounts_and_nothing_in_common() -> None:
    one = tc.tabulate(firms(), ["place"], "sales")
    assert not have_same_contributors(one, tc.tabulate(firms([4, 3, 2, 1, 0]), ["place"], "sales"))
    assert not have_same_contributors(one, tc.tabulate(firms([4, 3, 2, 1, 0]), ["place"], "staff"))
    assert not have_same_contributors(one, tc.tabulate(firms([0, 1, 2, 3]), ["place"], "sales"))
    assert not have_same_contributors(one, replace(one, units=None))


def test_many_contributors_of_another_response_show_nothing() -> None:
    """Cells of more contributors than are listed cannot be compared by who is in them."""
    rng = np.random.default_rng(1)
    columns = {"place": ["n", "s"] * 20, "sales": rng.random(40), "staff": rng.random(40)}
    data = tc.Microdata.from_frame(pa.table(columns))
    one, two = (tc.tabulate(data, ["place"], name) for name in ("sales", "staff"))
    assert not have_same_contributors(one, two)
    assert have_same_contributors(one, one)
