"""What the benchmark tries of each mask: its own defaults, and a few values of the parameter that says how strong it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, cast

import numpy as np

from tacita.compare.search.candidates import grid
from tacita.compare.search.default_grid import round_bands
from tacita.core import registry
from tacita.core.errors import TacitaError
from tacita.core.selectors import Selector, numeric
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask

__all__ = ["STRENGTHS", "masks_for"]

STRENGTHS: dict[str, tuple[Any, ...]] = {
    "rate": (5, 20),
    "sd_ratio": (0.05, 0.1, 0.2, 0.4),
    "inflation": (0.05, 0.15, 0.3),
    "quality": (10, 40, 70, 90),
    "times": (1, 3),
    "pd": (0.9, 0.7),
    "p": (5, 15, 30),
    "k": (3, 5, 10),
    "top_p": (2, 5, 10),
    "beyond_p": (1, 2.5, 5),
    "fraction": (0.8, 0.5),
    "to": ("month", "quarter", "year"),
    "base": (0.01, 0.1, 1.0),
}
"""Values of the parameters that say how strong a mask is; of a mask that has several, the first in this order is varied. Those of
``base`` are in units of the typical deviation of the columns, because a base fits one unit of measure only."""

_CATEGORIES = frozenset({"nominal", "ordinal"})


class _MisfitError(TacitaError):
    """Why a mask has nothing to do on a file."""


def masks_for(data: Microdata, names: Sequence[str] | None = None) -> tuple[tuple[Mask, ...], dict[str, str]]:
    """Return the masks that are tried on data, and the reason of each that is not.

    Parameters
    ----------
    data
        The data to be masked.
    names
        Registered names of masks; None for all that are registered, those of the user among them.

    Returns
    -------
    tuple of Mask, dict of str to str
        Masks with their parameters, and by name why a mask has no place on these data.

    Raises
    ------
    UnknownMethodError
        When no mask of a name is registered.

    Notes
    -----
    Masks of numbers work on all numeric columns that describe the respondent, masks of categories on the keys, as far as these
    have a hierarchy where one is needed. Of a mask that the table of strengths does not know, the defaults are tried. A mask that
    only changes weights is not tried: every measure would be that of the original.
    """
    if names is None:
        kinds = [cast(type[Mask], kind) for kind in registry.methods("mask")]
    else:
        kinds = [cast(type[Mask], registry.find("mask", name)) for name in dict.fromkeys(names)]
    found: list[Mask] = []
    misfits: dict[str, str] = {}
    for kind in kinds:
        try:
            found += _of_kind(kind, data)
        except TacitaError as error:
            misfits[kind.name] = str(error)
    return tuple(found), misfits


def _of_kind(kind: type[Mask], data: Microdata) -> tuple[Mask, ...]:
    if kind.traits.reweights and kind.traits.keeps_rows:
        raise _MisfitError("It changes weights only, and nothing that is measured.")
    own = {parameter.name for parameter in kind.parameters()}
    settings = _settings(kind, data, own)
    lacking = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    lacking = [name for name in lacking if name not in settings]
    if lacking:
        raise _MisfitError(f"It needs '{lacking[0]}', which only a recipe can say.")
    varied = next((name for name in STRENGTHS if name in own), None)
    if varied is None:
        return grid(kind, **settings)
    values = STRENGTHS[varied] if varied != "base" else _bases(data)
    return grid(kind, **settings, **{varied: list(values)})


def _settings(kind: type[Mask], data: Microdata, own: set[str]) -> dict[str, Any]:
    """Return what a mask must be told about these data."""
    schema, keys = data.schema, data.schema.with_role("key")
    with_tree = [name for name in keys if schema[name].hierarchy is not None]
    if {"levels", "breaks"} <= own:
        numbers = [name for name in keys if schema[name].scale == "numeric" and name not in with_tree]
        bands = {name: found for name in numbers if (found := round_bands(data, name))}
        if not with_tree and not bands:
            raise _MisfitError("No key has a hierarchy or is a number to be cut into bands.")
        return {"levels": dict.fromkeys(with_tree, 1), "breaks": bands}
    if "geography" in own:
        areas = [name for name in with_tree if "stratum" in schema[name].roles]
        if schema.household is None or not areas:
            raise _MisfitError("There are no households with a geography that has a hierarchy.")
        return {"geography": areas[:1]}
    if "columns" not in own:
        return {} if keys or "keys" not in own else _no_columns("keys")
    scales = frozenset(kind.traits.scales)
    if "nominal" not in scales and "numeric" in scales:
        return {"columns": str(numeric())} if numeric().pick(schema.columns) else _no_columns("numeric columns")
    if kind.traits.recodes and scales >= _CATEGORIES:
        return {"columns": with_tree} if with_tree else _no_columns("keys with a hierarchy")
    rule = next(f.default for f in fields(kind) if f.name == "columns")
    if isinstance(rule, Selector) and not rule.pick(schema.columns):
        return _no_columns(str(rule))
    return {}


def _no_columns(what: str) -> dict[str, Any]:
    raise _MisfitError(f"There are no {what}.")


def _bases(data: Microdata) -> list[float]:
    """Return bases in units of the middle deviation of the numeric columns, each a power of ten."""
    names = numeric().pick(data.schema.columns)
    deviations = np.array([np.nanstd(data.float(name)) for name in names])
    deviations = deviations[deviations > 0]
    unit = float(np.median(deviations)) if len(deviations) else 1.0
    return [float(10.0 ** np.round(np.log10(unit * share))) for share in STRENGTHS["base"]]
