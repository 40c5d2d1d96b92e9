"""Misfits: the parts of a recipe that do not fit data, all of them at once.

A recipe is written for one wave of a survey and used for the next. In the meantime columns got other names, a region is new,
a hierarchy is not complete any more. What a step would refuse stops the recipe; what it would take without a word, such as a
new category that a map does not name, is a remark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np

from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.selectors import Selector
from tacita.core.value_forms import ColumnByName, ColumnSelection
from tacita.data.grc import Recoding
from tacita.data.limits import Limit
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.identities import Identity
from tacita.mask.recode.generalise import Generalise
from tacita.mask.recode.global_recode import GlobalRecode
from tacita.mask.recode.ladders import as_text
from tacita.mask.recode.local_recode import LocalRecode
from tacita.mask.recode.top_bottom_code import TopBottomCode

__all__ = ["Misfit", "find_misfits"]

_LISTS = ("margins", "groups", "profiles", "controlled", "soft", "fixed", "subsets")
_TABLES = ("levels", "breaks", "labels", "map", "grc", "costs")
"""Parameters that name columns in lists of lists, and as the keys of a table."""


@dataclass(frozen=True)
class Misfit:
    """One part of a recipe that does not fit.

    Parameters
    ----------
    where
        The step with its mask, such as ``step 2 (rank_swap)``, or the limit.
    what
        What does not fit, in words; never a value of the data.
    stops
        Whether the recipe cannot be applied; otherwise it can, and somebody should look.
    values
        The values that are meant, where there are some: show them to nobody outside.
    """

    where: str
    what: str
    stops: bool
    values: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return f"{self.where[:1].upper()}{self.where[1:]}: {self.what}"


def find_misfits(steps: Sequence[Mask], limits: Sequence[Limit], data: Microdata) -> tuple[Misfit, ...]:
    """Return what of steps and limits does not fit data, in their order.

    Columns that an earlier step has changed are only looked for: what they are then is known when it has run.
    """
    found: list[Misfit] = []
    changed: set[str] = set()
    for number, step in enumerate(steps, 1):
        where = f"step {number} ({step.name})"
        found += [Misfit(where, *told) for told in _of_step(step, data, frozenset(changed))]
        changed.update(step.worked_on(data.schema))
    for limit in limits:
        absent = [name for name in limit.columns or () if name not in data.schema]
        found += [Misfit(f"limit of {limit.measure}", _absent(name, data), False) for name in absent]
    return tuple(found)


_Told = tuple[str, bool] | tuple[str, bool, tuple[str, ...]]


def _of_step(step: Mask, data: Microdata, changed: frozenset[str]) -> Iterator[_Told]:
    named = list(dict.fromkeys(_named_columns(step)))
    yield from ((_absent(name, data), True) for name in named if name not in data.schema)
    for word in ("columns", "keys"):
        rule = getattr(step, word, None)
        if isinstance(rule, Selector) and not rule.pick(data.schema.columns):
            yield f"the rule '{rule}' of '{word}' selects no column.", True
    fresh = [name for name in step.worked_on(data.schema) if name in data.schema and name not in changed]
    if "columns" in {parameter.name for parameter in step.parameters()}:
        for name in fresh:
            scale = data.schema[name].scale
            if scale not in step.traits.scales and name != data.schema.weight:
                yield f"'{name}' is {scale} now, and the mask works on {', '.join(sorted(step.traits.scales))}.", True
    if isinstance(step, GlobalRecode):
        yield from _of_recode(step, data, fresh)
    elif isinstance(step, (Generalise, LocalRecode)):
        yield from (told for name in fresh for told in _uncovered(data, name))
    elif isinstance(step, TopBottomCode):
        yield from _of_ends(step, data, fresh)
    yield from _of_sizes(step, data)


def _absent(name: str, data: Microdata) -> str:
    return f"there is no column '{name}'.{did_you_mean(name, data.names)}"


# --- names ----------------------------------------------------------------------------------------------------------------


def _named_columns(step: Mask) -> Iterator[str]:
    """Return the columns that a step names itself; rules name none."""
    for parameter in step.parameters():
        value = getattr(step, parameter.name)
        if isinstance(value, Selector) or value is None or isinstance(value, bool):
            continue
        if parameter.name == "identities":
            yield from _in_identities(value)
        elif parameter.name in _TABLES and isinstance(value, Mapping):
            yield from value
        elif parameter.name in _LISTS or _names_columns(parameter.annotation):
            yield from (
                name.partition(":")[0] if parameter.name in ("controlled", "soft") else name for name in _texts(value)
            )


def _names_columns(annotation: Any) -> bool:
    if isinstance(annotation, (ColumnSelection, ColumnByName)):
        return True
    inside = (*get_args(annotation), *getattr(annotation, "__metadata__", ()))
    return any(_names_columns(part) for part in inside)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for entry in value:
            yield from _texts(entry)


def _in_identities(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        try:
            found = Identity.parse(text)
        except ParameterError:  # the mask says what is wrong with it
            continue
        yield from (found.total, *(name for _, name in found.parts))


# --- values ---------------------------------------------------------------------------------------------------------------


def _counts(data: Microdata, name: str) -> dict[str, int]:
    """Return how many records have each value, as text."""
    codes = data.codes(name)
    counts = np.bincount(codes.values[codes.values >= 0], minlength=len(codes.categories))
    return {as_text(value): int(n) for value, n in zip(codes.categories, counts, strict=True) if n}


def _uncovered(data: Microdata, name: str) -> Iterator[_Told]:
    hierarchy = data.schema[name].hierarchy
    if hierarchy is None or hierarchy.depth == 0:
        return
    counts, known = _counts(data, name), set(hierarchy.values)
    lacking = tuple(value for value in counts if value not in known)
    if lacking:
        records = sum(counts[value] for value in lacking)
        yield f"the hierarchy of '{name}' lacks {len(lacking)} value(s) that {records} record(s) have.", True, lacking


def _of_recode(step: GlobalRecode, data: Microdata, fresh: Sequence[str]) -> Iterator[_Told]:
    for name, level in step.levels.items():
        hierarchy = data.schema[name].hierarchy if name in fresh else None
        if name in fresh and (hierarchy is None or level >= hierarchy.depth):
            has = "no hierarchy" if hierarchy is None else f"levels 0 to {hierarchy.depth - 1} only"
            yield f"level {level} of '{name}' is asked for, which has {has}.", True
        elif name in fresh and level:
            yield from _uncovered(data, name)
    for name, cuts in step.breaks.items():
        if name in fresh and data.schema[name].scale != "numeric":
            yield f"'{name}' is {data.schema[name].scale} now, and 'breaks' cut numbers.", True
        elif name in fresh:
            values = data.float(name)
            places = np.searchsorted(np.asarray(cuts, float), values[~np.isnan(values)], side="right")
            empty = len(cuts) + 1 - len(np.unique(places))
            if empty:
                yield f"{empty} of the {len(cuts) + 1} intervals of '{name}' hold no record.", False
    for name, table in step.map.items():
        if name in fresh:
            yield from _of_map(name, {str(key) for key in table}, set(table.values()), _counts(data, name), "map")
    for name, text in step.grc.items():
        if name in fresh:
            counts, rules = _counts(data, name), Recoding.from_grc(text)
            is_number = data.schema[name].scale == "numeric"
            ruled = {value for value in counts if rules.new_code(value, is_number=is_number) != value}
            yield from _of_map(name, ruled, set(rules.new_codes), counts, "grc")


def _of_map(name: str, named: set[str], new: set[str], counts: Mapping[str, int], word: str) -> Iterator[_Told]:
    gone = tuple(sorted(named - set(counts)))
    other = tuple(value for value in counts if value not in named and value not in new)
    if counts and not named & set(counts):
        yield f"no value that '{word}' names is in '{name}' any more.", True, gone
        return
    if gone:
        yield f"{len(gone)} of the {len(named)} values that '{word}' names for '{name}' occur no more.", False, gone
    if other:
        records = sum(counts[value] for value in other)
        yield (
            f"{len(other)} value(s) of '{name}' in {records} record(s) are not named by '{word}' and stay as they are.",
            False,
            other,
        )


def _of_ends(step: TopBottomCode, data: Microdata, fresh: Sequence[str]) -> Iterator[_Told]:
    for name in fresh:
        if data.schema[name].scale != "numeric":
            continue
        values = data.float(name)
        values = values[~np.isnan(values)]
        for word, limit, is_beyond in (("top", step.top, values.__gt__), ("bottom", step.bottom, values.__lt__)):
            if isinstance(limit, (int, float)) and not is_beyond(limit).any():
                yield f"no value of '{name}' lies beyond '{word}', so nothing is coded there.", False


# --- sizes ----------------------------------------------------------------------------------------------------------------


def _of_sizes(step: Mask, data: Microdata) -> Iterator[_Told]:
    """Say where groups of k records cannot be, or where a sample is larger than the file."""
    k, records = getattr(step, "k", None), getattr(step, "records", None)
    if isinstance(records, int) and not isinstance(records, bool) and records > len(data):
        yield f"{records} records are asked for, and the file has {len(data)}.", False
    if not isinstance(k, int) or isinstance(k, bool):
        return
    if len(data) < k:
        yield f"k = {k}, and the file has {len(data)} record(s).", False
        return
    rule = getattr(step, "by", ())
    strata = rule.pick(data.schema.columns) if isinstance(rule, Selector) else tuple(rule)
    if strata and all(name in data.schema for name in strata):
        small = int((np.bincount(data.groups(strata)) < k).sum())
        if small:
            yield f"{small} group(s) of 'by' have fewer than k = {k} records.", False
