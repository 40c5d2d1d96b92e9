"""What a search tries where nobody says: masks for numbers, and for the keys of a file together with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from tacita.compare.search.candidates import Candidates, grid
from tacita.core.errors import ColumnError
from tacita.core.parameters import Columns
from tacita.core.selectors import numeric
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.release.recipe import Recipe

__all__ = ["default_candidates", "round_bands"]

_NUMBERS: dict[str, dict[str, Sequence[float]]] = {
    "rank_swap": {"p": (1, 2, 3, 5, 8, 10, 15, 20, 30)},
    "mdav": {"k": (3, 4, 5, 7, 10, 15, 20)},
    "individual_ranking": {"k": (3, 5, 10, 20, 50)},
    "additive_noise": {"sd_ratio": (0.02, 0.05, 0.1, 0.2, 0.4)},
    "correlated_noise": {"sd_ratio": (0.05, 0.1, 0.2, 0.4)},
    "multiplicative_noise": {"inflation": (0.02, 0.05, 0.15, 0.3)},
    "resampling": {"times": (1, 2, 3)},
    "jpeg": {"quality": (10, 40, 70, 90, 100)},
}
"""Eight families for numbers, from weak to strong."""

_BESIDE_KEYS: dict[str, dict[str, Sequence[float]]] = {
    "rank_swap": {"p": (15,)},
    "mdav": {"k": (5,)},
}
"""What masks the amounts in recipes that also mask the keys."""
_BANDS = 8
"""About how many bands a numeric key is recoded to."""


def default_candidates(data: Microdata, columns: Columns | None = None) -> Candidates:
    """Return a grid of masks for numbers, and of recipes that mask the keys as well.

    Parameters
    ----------
    data
        The data to be masked.
    columns
        The columns to mask; by default all that describe the respondent. The numbers among them get eight families of masks.
        Where categories that are keys are among them, recoding, generalisation, local suppression, PRAM and record swapping of
        the keys are tried too, each with masks for the other numbers.

    Raises
    ------
    ColumnError
        When there is nothing to mask.
    """
    schema = data.schema
    chosen = schema.names if columns is None else schema.resolve(columns, owner="search")
    numbers = [
        n for n in (numeric().pick(schema.columns) if columns is None else chosen) if schema[n].scale == "numeric"
    ]
    keys = [name for name in schema.with_role("key") if name in chosen]
    found: list[Any] = [mask for word, values in _NUMBERS.items() if numbers for mask in _grid(word, numbers, values)]
    if any(schema[name].scale in ("nominal", "ordinal") for name in keys):
        amounts = [name for name in numbers if name not in keys]
        beside: list[list[Mask]] = [
            [mask] for word, values in _BESIDE_KEYS.items() if amounts for mask in _grid(word, amounts, values)
        ] or [[]]
        found += [Recipe([*steps, *more]) for steps in _of_keys(data, keys) for more in beside]
    if not found:
        raise ColumnError(
            "search: the default candidates mask numbers and categories that are keys, and there are none; give 'candidates'."
        )
    return tuple(found)


def _grid(word: str, columns: Sequence[str], values: dict[str, Sequence[float]]) -> tuple[Mask, ...]:
    return grid(word, columns=tuple(columns), **values)


def _of_keys(data: Microdata, keys: Sequence[str]) -> list[list[Mask]]:
    """Return ways to mask the keys, each a list of steps; what a file has no hierarchy or households for is left out."""
    schema = data.schema
    categories = [name for name in keys if schema[name].scale in ("nominal", "ordinal")]
    levels = {name: 1 for name in categories if schema[name].hierarchy is not None}
    bands = {name: found for name in keys if schema[name].scale == "numeric" and (found := round_bands(data, name))}
    coarser = [*([_one("global_recode", levels=levels, breaks=bands)] if levels or bands else [])]
    ways = [[_one("local_suppression", columns=tuple(keys), k=k)] for k in (2, 3, 5)]
    if coarser:
        ways.append(coarser)
        ways += [[*coarser, _one("local_suppression", columns=tuple(keys), k=k)] for k in (3, 5)]
    if levels:
        ways.append([_one("generalise", columns=tuple(levels), k=3)])
    ways += [[*coarser, _one("pram", columns=tuple(categories), pd=pd)] for pd in (0.9, 0.7)]
    geography = [name for name in levels if "stratum" in schema[name].roles]
    if schema.household is not None and geography:
        ways.append([*_without(bands), _one("record_swap", geography=geography[0], rate=5.0)])
    return ways


def _without(bands: dict[str, list[float]]) -> list[Mask]:
    return [_one("global_recode", breaks=bands)] if bands else []


def _one(word: str, **values: Any) -> Mask:
    from tacita.core import registry

    return cast(Mask, registry.find("mask", word).from_plain(values))


def round_bands(data: Microdata, name: str) -> list[float]:
    """Return cut points at round numbers that make about eight bands; none where the column has hardly any values."""
    values = data.float(name)
    there = values[~np.isnan(values)]
    if not len(there) or len(np.unique(there[:10_000])) <= _BANDS:
        return []
    low, high = np.quantile(there, [0.01, 0.99])
    if high <= low:
        return []
    raw = (high - low) / _BANDS
    size = 10.0 ** math.floor(math.log10(raw))
    step = min((size * factor for factor in (1, 2, 5, 10)), key=lambda candidate: abs(candidate - raw))
    first = math.floor(low / step + 1) * step
    return [round(first + i * step, 10) for i in range(int((high - first) / step) + 1)]
