"""Methods ready to run, and the files that the conformance suite runs them on.

A method whose parameters all have defaults needs no entry here: adding one to the registry is all it takes to be
tested. A method with a required parameter, or with defaults that make no sense on :func:`survey`, gets one line in
``EXAMPLES``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core import registry
from tacita.core.method import Method
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

EXAMPLES: dict[tuple[str, str], dict[str, Any]] = {
    ("mask", "calibrate"): {"margins": [["region"], ["sex"]], "totals": ["age"], "initial": "equal"},
    ("mask", "private_tables"): {"domains": "public"},
    ("mask", "fully_synthetic"): {"background": ["sex"]},
    ("mask", "record_swap"): {"geography": ["region"], "risk": ["sex", "level"], "k": 2, "rate": 20},
    ("mask", "global_recode"): {"breaks": {"age": [30, 65]}, "map": {"region": {"north": "coast", "west": "coast"}}},
    ("mask", "multivariate_top_code"): {"beyond_p": 50},
    ("mask", "replace"): {"keys": ["sex", "age"], "k": 2},
    ("mask", "safe"): {"columns": ["region", "sex", "level", "age"], "sweeps": 200},
    ("mask", "sample"): {"fraction": 0.5, "by": ["region"], "unit": "house"},
    ("mask", "subsample"): {"keys": ["sex", "age"], "k": 2, "margins": [["sex"]]},
    ("risk", "red_team"): {"attacks": ["distance_link"], "seconds": 2.0},
    ("rule", "named_cells"): {"cells": [{"region": "north"}]},
    ("rule", "unsafe_codes"): {"column": "size"},
    ("protector", "cell_key"): {"key": str(Path(__file__).parents[1] / "tables" / "perturbation" / "example.key")},
    ("protector", "round"): {"base": 5.0, "rounding_seed": 1},
    ("restriction", "combinations"): {"never": [["block", "sex"]], "ask": [["wage", "sex"]]},
    ("restriction", "decompositions"): {"most": 1},
    ("restriction", "related_models"): {"models": 6, "related": 2},
    ("restriction", "table_size"): {"dimensions": 1},
    ("restriction", "universe_gamma"): {"gamma": 26},
}
"""Parameters of (kind, name) for methods that cannot run with their defaults, or that few records never meet."""

REGIONS = ("north", "south", "west")
LEVELS = ("low", "middle", "high", "top")
REFUSED = -9


def example(method: type[Method]) -> Method:
    """Build a method with its defaults, or with its entry in ``EXAMPLES``."""
    given = EXAMPLES.get((method.kind, method.name), {})
    lacking = [p.name for p in method.parameters() if p.required and p.name not in given]
    assert not lacking, (
        f"{method.__name__} needs values for {', '.join(lacking)}: give them in EXAMPLES of tests/conformance/examples.py"
    )
    return method(**given)


def examples(method: type[Method]) -> Iterator[Method]:
    """Build a method with its default columns and, where it takes columns, with all that its scales allow."""
    made = example(method)
    yield made
    if any(p.name == "columns" for p in method.parameters()):
        schema = survey(0).schema
        wide = tuple(c.name for c in schema if c.scale in method.traits.scales and {"key"}.intersection(c.roles))
        if wide and wide != schema.resolve(made.columns, owner=method.__name__):
            yield type(made)(**{**_parameters(made), "columns": wide})


def all_examples(*kinds: str) -> list[Method]:
    """Build every registered method of some kinds."""
    return [made for kind in kinds for method in registry.methods(kind) for made in examples(method)]


def changed(method: Any, **changes: Any) -> Any:
    """Return the same method with other parameters."""
    return type(method)(**{**_parameters(method), **changes})


def label(value: Any) -> str | None:
    """Name a parametrised case after its method."""
    if not isinstance(value, Method):
        return None
    columns = getattr(value, "columns", None)
    return f"{value.name}[{'+'.join(columns)}]" if isinstance(columns, tuple) else value.name


def _parameters(method: Method) -> dict[str, Any]:
    return {p.name: getattr(method, p.name) for p in method.parameters()}


# --- files ------------------------------------------------------------------------------------------------------------

SCHEMA = Schema(
    (
        Column(name="person", scale="nominal", roles=("identifier",)),
        Column(name="house", scale="nominal", roles=("household",)),
        Column(name="region", scale="nominal", roles=("key", "stratum")),
        Column(name="sex", scale="nominal", roles=("key",)),
        Column(name="level", scale="ordinal", roles=("key",), categories=LEVELS),
        Column(name="age", scale="numeric", roles=("key",)),
        Column(name="income", scale="numeric", roles=("key", "confidential"), missing=(REFUSED,)),
        Column(name="turnover", scale="numeric", roles=("key",)),
        Column(name="rent", scale="numeric", roles=("key",)),
        Column(name="visit", scale="date"),
        Column(name="weight", scale="numeric", roles=("weight",)),
    )
)


def survey(n: int = 600, *, missing: bool = True) -> Microdata:
    """Make a file with every scale and role.

    ``age`` is whole and has ties, ``income`` is continuous with refusals (code and null), ``turnover`` is whole with
    zeros and gaps, ``rent`` is equal within households. Every pattern of missing values occurs often.
    """
    rng = np.random.default_rng(7351)
    rows = np.arange(n)
    house = rows // 3
    income = np.exp(rng.normal(7, 0.8, n))
    income[missing & (rows % 10 == 0)] = REFUSED
    turnover = np.where(rng.random(n) < 0.2, 0, rng.integers(1, 5000, n))
    level = rng.integers(0, len(LEVELS), n)
    day = dt.date(2024, 1, 1)
    table = pa.table(
        {
            "person": pa.array([f"P{i:04d}" for i in rows], pa.string()),
            "house": pa.array(house + 1),
            "region": pa.array([REGIONS[(h * 7) % 3] for h in house], pa.string()),
            "sex": pa.array(["f" if i % 2 else "m" for i in rows], pa.string()),
            "level": pa.array([LEVELS[k] for k in level], pa.string(), mask=missing & (rows % 9 == 0)),
            "age": pa.array(rng.integers(18, 90, n)),
            "income": pa.array(income, mask=missing & (rows % 10 == 5)),
            "turnover": pa.array(turnover, mask=missing & (rows % 4 == 0)),
            "rent": pa.array(np.round(np.exp(rng.normal(6, 0.4, n)), 2)[house]),
            "visit": pa.array([day + dt.timedelta(days=int(i % 300)) for i in rows], pa.date32()),
            "weight": pa.array(np.round(rng.uniform(1, 50, n), 2)),
        }
    )
    return Microdata(table, SCHEMA)


def numbers(**columns: Any) -> Microdata:
    """Make a file of numeric keys only, for the cases that need special values."""
    return Microdata.from_frame(
        pa.table({name: pa.array(values) for name, values in columns.items()}),
        keys=list(columns),
        scales=dict.fromkeys(columns, "numeric"),
    )


def words(**columns: Any) -> Microdata:
    """Make a file of nominal keys only."""
    return Microdata.from_frame(
        pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()}),
        keys=list(columns),
        scales=dict.fromkeys(columns, "nominal"),
    )


def disturbed(data: Microdata, strength: float, seed: int = 1) -> Microdata:
    """Disturb every column that describes the respondent, without using a mask: noise, or values exchanged."""
    rng = np.random.default_rng(seed)
    made = data
    for column in data.schema:
        if not {"key", "confidential", "other"}.intersection(column.roles):
            continue
        if column.scale == "numeric":
            x = data.float(column.name)
            made = made.with_numbers({column.name: x + strength * np.nanstd(x) * rng.standard_normal(len(x))})
        else:
            moved = np.flatnonzero(rng.random(len(data)) < min(1.0, strength))
            order = np.arange(len(data))
            order[moved] = rng.permutation(moved)
            values = data.to_arrow(codes=False).column(column.name).combine_chunks().take(pa.array(order))
            made = made.with_column(column.name, values)
    return made
