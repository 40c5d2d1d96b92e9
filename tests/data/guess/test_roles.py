"""Roles of the columns of a whole file: what only one can have, the design of a survey, values without names."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.data.columns import infer_scale
from tacita.data.guess.codebooks import Known
from tacita.data.guess.facts import ValueFacts
from tacita.data.guess.roles import guess_roles, numbers_records
from tacita.data.schema import Column

N = 600
RNG = np.random.default_rng(3)
HOMES = np.repeat(np.arange(N // 3) * 7 + 10_000, 3)


def facts_of(name: str, values: object, **more: object) -> ValueFacts:
    array = pa.array(values)
    return ValueFacts.of(Column(name=name, scale=infer_scale(array.type), **more), array)  # type: ignore[arg-type]


def roles(columns: dict[str, object], known: dict[str, Known] | None = None) -> list[str]:
    return [role for role, _ in guess_roles([facts_of(n, v) for n, v in columns.items()], known or {})]


def test_the_surest_weight_wins_wherever_it_stands() -> None:
    noise = RNG.uniform(0.5, 2, N)
    assert roles({"hh_weight": noise, "V2": noise * 3, "sampling_weight": noise}) == ["other", "confidential", "weight"]


def test_the_surest_household_wins_and_another_is_a_cluster() -> None:
    assert roles({"V1": HOMES, "hhid": HOMES}) == ["cluster", "household"]
    assert roles({"V1": HOMES, "V2": RNG.integers(1, 4, N)}) == ["household", "key"]


def test_numbers_out_of_order_are_no_household_by_their_values() -> None:
    assert roles({"V1": RNG.permutation(HOMES)}) == ["confidential"]


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("psu", RNG.integers(1, 40, N), "cluster"),
        ("interviewer", RNG.integers(1, 40, N), "cluster"),
        ("line_number", RNG.integers(1, 8, N), "other"),
        ("wave", RNG.integers(1, 5, N), "other"),
        ("F_AGE", RNG.integers(0, 2, N), "other"),
        ("isco08", RNG.integers(1000, 9999, N), "key"),
        ("trust_eu", RNG.integers(0, 11, N), "confidential"),
        ("total_cost", RNG.integers(0, 9999, N), "confidential"),
        ("mrn", np.arange(N), "identifier"),
        ("V1", RNG.integers(18, 95, N), "key"),
        ("V1", RNG.integers(1930, 2005, N), "key"),
        ("V1", RNG.choice([0, 0, 0, *range(500, 90_000, 771)], N), "confidential"),
        ("V1", RNG.permutation(5 * N)[:N], "identifier"),
    ],
)
def test_roles_of_single_columns(name: str, values: object, role: str) -> None:
    assert roles({name: values}) == [role]


def test_labels_count_where_names_say_nothing() -> None:
    weight = facts_of("v005", RNG.integers(1, 10**6, N), label="Women's individual sample weight (6 decimals)")
    region = facts_of("v024", RNG.integers(1, 80, N), label="Region")
    assert [guess for guess, _ in guess_roles([weight, region], {})] == ["weight", "key"]


def test_a_codebook_gives_way_to_values_that_contradict_it() -> None:
    known: dict[str, Known] = {
        name: (role, "nominal", "DHS") for name, role in (("v002", "household"), ("v005", "weight"))
    }  # type: ignore[misc]
    negative = RNG.normal(0, 1, N)
    assert roles({"v002": RNG.integers(1, 9, N), "v005": negative}, known) == ["other", "confidential"]


def test_amounts_without_ties_are_no_numbers_of_records() -> None:
    amounts = np.sort(RNG.choice(20_000, N, replace=False)) ** 2 // 20_000 + np.arange(N)
    assert not numbers_records(facts_of("x", amounts))
    assert numbers_records(facts_of("x", RNG.permutation(3 * N)[:N]))
