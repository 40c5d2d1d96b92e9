"""Values that seem to stand for a missing one: codes such as -9 and 999, words such as ``don't know``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray, IntArray
from tacita.data.guess.facts import ValueFacts

__all__ = ["suspected_missing", "suspected_numbers"]

_CODES = [-1, -2, -3, -4, -5, -6, -7, -8, -9, 9]
_CODES += [sign * (10**digits - last) for digits in range(2, 9) for last in (1, 2, 3, 4) for sign in (-1, 1)]
_CODES += [int(digit * length) for digit in "678" for length in range(2, 8)]
_SORTED_CODES = np.array(sorted(set(_CODES)), dtype=np.float64)
_FEW = 12
_MOST_WORDS = 5
_NUMBER = r"^\s*[+-]?([1-9][0-9]*|0)([.,][0-9]+)?\s*$"
_WORDS = re.compile(
    r"(?i)(don.?t know|does ?n.?t know|do not know|dk|d\.k\.|dk/na|refus(al|ed|es)|no (answer|response|information)|not (stated|"
    r"known|available|applicable|answered|reported|specified|ascertained)|unknown|unspecified|missing|n\.? ?a\.?|n/a|\?|\.|-|"
    r"inapplicable|wei(ß|ss) nicht|keine angabe|k\. ?a\.?|unbekannt|ne sait pas|non r[ée]ponse|sin respuesta|no sabe|ns/nc|"
    r"non so|onbekend|brak danych|missing value|none given)"
)


def suspected_missing(facts: ValueFacts) -> Iterator[tuple[Any, str]]:
    """Give each value that may stand for a missing one, and why.

    Declared codes are taken out before; what is given here is for the user to decide.
    """
    labels = {value: text for value, text in facts.column.labels if _WORDS.fullmatch(str(text).strip())}
    numbers = facts.numbers
    if numbers is not None:
        by_values = dict(suspected_numbers(facts))
        wanted = [float(value) for value in labels if isinstance(value, int | float)]
        named = np.flatnonzero(np.isin(numbers, wanted)).tolist() if wanted else []
        for place in sorted({*by_values, *named}):
            value = numbers[place]
            said = f"labelled '{labels[value]}'" if value in labels else by_values[place]
            yield _plain(value), said
    elif facts.is_text and facts.distinct:
        rest = facts.values.filter(pc.invert(pc.match_substring_regex(facts.values, _NUMBER)))
        has_codes = pc.any(pc.match_substring_regex(rest, "[0-9]")).as_py()  # such as leading zeros
        if 0 < len(rest) <= _MOST_WORDS and not has_codes and facts.distinct > 5 * len(rest) + _FEW:
            yield from ((word, "among numbers; declare it and scale = numeric") for word in rest.to_pylist())
            return
        hits = pc.match_substring_regex(facts.values, _anchored(_WORDS))
        for word in facts.values.filter(hits).slice(0, _MOST_WORDS).to_pylist():
            yield word, "a word for no answer"


def suspected_numbers(facts: ValueFacts) -> list[tuple[int, str]]:
    """Return the places of numbers such as -9 and 999 that lie far from all others, or are many where others are few."""
    numbers = facts.numbers
    if numbers is None or facts.column.scale not in ("numeric", "nominal", "ordinal"):
        return []
    return list(_suspects(numbers, facts.counts))


def _suspects(values: FloatArray, counts: IntArray) -> Iterator[tuple[int, str]]:
    is_code = np.zeros(len(values), dtype=bool)
    places = np.minimum(np.searchsorted(values, _SORTED_CODES), max(len(values) - 1, 0))
    is_code[places[values[places] == _SORTED_CODES]] = True  # the values are in order
    usual = ~is_code & np.isfinite(values)
    if not usual.any():
        return
    low, high = values[usual].min(), values[usual].max()
    most_below_zero = counts[usual & (values < 0)].max(initial=1)
    for i in np.flatnonzero(is_code):
        value = values[i]
        gap = low - value if value < 0 else value - high
        lone = value < 0 <= low and (value <= -7 or high - low > _FEW)
        if lone or gap > max(high - low, 1):
            yield int(i), "far from the rest"
        elif value < 0 and counts[i] >= 5 * most_below_zero:
            yield int(i), "unusually frequent"


def _anchored(pattern: re.Pattern[str]) -> str:
    return f"^\\s*(?:{pattern.pattern.replace('(?i)', '(?i:', 1)}))\\s*$"


def _plain(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
