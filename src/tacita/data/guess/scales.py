"""The scale that a column seems to have: whether its whole numbers are codes, an order, counts or amounts."""

from __future__ import annotations

import re

import numpy as np

from tacita.core.vocabulary import Role, Scale
from tacita.data.guess.codebooks import Known
from tacita.data.guess.facts import ValueFacts

__all__ = ["FEW", "guess_scale", "ordered_words"]

FEW = 30
"""At most so many different whole numbers are taken for codes."""
_COPIES = 4  # records for each code, on average, below which a small file says nothing
_BANDS = 25  # age bands have at most so many codes
_OLDEST = 120
_COUNTED, _COUNTED_FROM_ZERO = 7, 5  # counts of things have at least so many different values

_BAND = re.compile(
    r"\s*(?:<|>|≤|≥|under|over|unter|über|up to|less than|bis|ab)?\s*=?\s*\d[\d., ]*\s*"
    r"(?:(?:-|–|to|bis|a|à|_)\s*\d[\d., ]*|\+|and (?:over|more|older)|or more|u\.? ?m\.?|years?)?.*",
    re.IGNORECASE,
)
_LADDERS = (
    "none|no education;primary|elementary|basic;lower secondary;secondary|middle;upper secondary;post-secondary;tertiary|higher|"
    "university",
    "very low;low;medium|middle|moderate|average;high;very high",
    "poorest;poorer;middle;richer;richest",
    "very bad;bad;fair|neither good nor bad;good;very good;excellent",
    "very poor;poor;fair;good;very good;excellent",
    "strongly disagree|disagree strongly;disagree;neither agree nor disagree|neutral|undecided;agree;"
    "strongly agree|agree strongly",
    "never;rarely|seldom;sometimes;often;very often;always",
    "very dissatisfied;dissatisfied;neutral|neither;satisfied;very satisfied",
    "not at all;a little|hardly;somewhat|quite;very|a lot",
    "micro;small;medium;large",
    "mild;moderate;severe",
)


def guess_scale(facts: ValueFacts, role: Role, known: Known | None = None) -> tuple[Scale, str]:
    """Return the scale of a column and why: what the type says, or another one for whole numbers and ordered texts."""
    scale = facts.column.scale
    if scale == "nominal" and (facts.is_text or facts.column.labels) and role in ("key", "confidential", "other"):
        return _of_categories(facts)
    if scale != "numeric":
        return scale, {"date": "dates"}.get(scale, "")
    if role == "weight" or not facts.is_whole:
        return "numeric", "numbers with decimals" if not facts.is_whole and facts.distinct else ""
    if role in ("identifier", "household", "cluster", "stratum"):
        return "nominal", "numbers that only tell units apart"
    if known is not None and known[1] in ("nominal", "ordinal", "numeric"):
        return known[1], f"{known[2]} codebook"
    return _of_labels(facts) or _of_names(facts) or _of_numbers(facts)


def ordered_words(words: list[str]) -> list[str] | None:
    """Return texts in the order of a well-known ladder, lowest first; None where they are no such ladder.

    Examples
    --------
    >>> ordered_words(["High", "low", "medium"])
    ['low', 'medium', 'High']
    """
    plain = {word: re.sub(r"\s+", " ", word.casefold().strip()) for word in words}
    for ladder in _LADDERS:
        places = {step: place for place, steps in enumerate(ladder.split(";")) for step in steps.split("|")}
        found = {places.get(text) for text in plain.values()}
        if len(words) >= 3 and None not in found and len(found) == len(words):
            return sorted(words, key=lambda word: places[plain[word]])
    return None


# --- texts and labels -------------------------------------------------------------------------------------------------------


def _of_categories(facts: ValueFacts) -> tuple[Scale, str]:
    """Texts are categories; bands of numbers and the words of a ladder have an order."""
    if not facts.is_text:
        return _of_labels(facts) or ("nominal", "")
    if not 3 <= facts.distinct <= FEW:
        return "nominal", "texts"
    words = facts.values.to_pylist()
    if ordered_words(words) is not None:
        return "ordinal", "the words of a ladder"
    if all(_BAND.fullmatch(word) and not word.strip().isdigit() for word in words) and _sorted_bands(words):
        return "ordinal", "bands of numbers"
    return "nominal", "texts"


def _sorted_bands(words: list[str]) -> bool:
    """Whether bands are in order of their numbers when they are sorted as texts, as columns without categories are."""
    first = [float(re.findall(r"\d+", word)[0]) for word in sorted(words)]
    return len(set(first)) > 2 and first == sorted(first)


def _of_labels(facts: ValueFacts) -> tuple[Scale, str] | None:
    """Numbers that nearly all have a label are categories; the labels may be a ladder or bands."""
    usual = facts.usual_numbers
    labels = {float(value): text for value, text in facts.column.labels if isinstance(value, (int, float))}
    named = [labels[value] for value in usual if value in labels]
    if len(named) < 2 or len(named) < 0.6 * len(usual):
        return None
    plain = [re.sub(r"^\s*\d+\s*[.:)-]?\s+(?=\D)", "", text) for text in named]
    if ordered_words(plain) is not None or facts.looks("order"):
        return "ordinal", "value labels with an order"
    if len(plain) > 2 and all(_BAND.fullmatch(text) for text in named):
        return "ordinal", "value labels that are bands"
    return "nominal", "value labels"


# --- names ------------------------------------------------------------------------------------------------------------------


def _of_names(facts: ValueFacts) -> tuple[Scale, str] | None:
    is_few = facts.distinct <= FEW
    if facts.looks("flag") and is_few:
        return "nominal", "by name: a flag"
    if facts.looks("amount") and not (facts.looks("grouped") or facts.looks("order")) and facts.distinct > 2:
        return "numeric", "by name: an amount"
    if facts.looks("age") and is_few and _are_bands(facts):
        return "ordinal", f"{facts.distinct} codes: bands of ages"
    if facts.looks("survey_time") and is_few and not _are_years(facts):
        return "ordinal", "parts of a year"
    if facts.looks("age") or facts.looks("birth") or facts.looks("survey_time"):
        return "numeric", "by name: years"
    if facts.looks("order") and is_few and not facts.looks("count"):
        return "ordinal", "by name: codes with an order"
    if facts.looks("code"):
        return "nominal", "by name: codes"
    if facts.looks("count") and facts.distinct > 2:
        return (
            ("ordinal", "by name: grouped counts")
            if facts.looks("grouped") and is_few
            else ("numeric", "by name: counts")
        )
    if is_few and (facts.looks("category") or facts.looks("key")):
        return "nominal", "by name: categories"
    return None


def _are_bands(facts: ValueFacts) -> bool:
    """Whether a column called an age has small codes one after another, where ages would reach beyond."""
    usual = facts.usual_numbers
    return bool(0 < len(usual) <= _BANDS and usual[-1] <= _BANDS and facts.n >= 8 * len(usual)) or facts.looks(
        "grouped"
    )


# --- numbers ----------------------------------------------------------------------------------------------------------------


def _of_numbers(facts: ValueFacts) -> tuple[Scale, str]:
    """Few different whole numbers are codes, unless they look like counted things or rounded amounts."""
    usual = facts.usual_numbers
    if not usual.size:
        return "numeric", "no usual number"
    if len(usual) == 2:
        return "nominal", "two values"
    if _are_years(facts):
        return "numeric", "looks like years"
    if len(usual) <= FEW and facts.n >= _COPIES * len(usual):
        if _are_rounded(facts):
            return "numeric", "rounded amounts"
        if _are_counts(facts):
            return "numeric", "rises and falls like counted things"
        if _are_steps(facts):
            return "numeric", "numbers in equal steps"
        if np.array_equal(usual, np.arange(11)):
            return "ordinal", "a scale from 0 to 10"
        return "nominal", f"few whole numbers ({len(usual)})"
    if len(usual) <= facts.n / 10 and facts.has_equal_digits(3) and not _is_dense(facts):
        return "nominal", "whole numbers of equal length, with gaps, that repeat"
    return "numeric", "many whole numbers"


def _are_years(facts: ValueFacts) -> bool:
    usual = facts.usual_numbers
    return bool(usual.size and usual[0] >= 1850 and usual[-1] <= 2100)


def _are_rounded(facts: ValueFacts) -> bool:
    """Whether large numbers are multiples of a hundred, as amounts in a questionnaire with few answers."""
    usual = facts.usual_numbers
    return bool(usual[-1] >= 1000 and np.all(usual % 100 == 0) and usual[-1] / max(usual[usual > 0].min(), 1) > 5)


def _are_counts(facts: ValueFacts) -> bool:
    """Whether numbers run on from 0, 1 or 2, and their frequencies rise and fall once, the last ones rare."""
    usual, counts = facts.usual_numbers, facts.counts[facts.usual]
    least = _COUNTED if usual[0] else _COUNTED_FROM_ZERO
    if len(usual) < least or usual[0] not in (0, 1, 2) or usual[-1] - usual[0] > len(usual) - 1 + len(usual) // 6:
        return False
    top, slack = int(np.argmax(counts)), 0.02 * counts.max()
    steps = np.diff(counts)
    is_single = np.all(steps[:top] >= -slack) and np.all(steps[top:] <= slack)
    last = counts[-max(len(counts) // 3, 1) :].sum()
    return bool(is_single and top <= len(counts) / 2 and last < 0.05 * counts.sum())


def _are_steps(facts: ValueFacts) -> bool:
    """Whether many numbers lie in equal steps of 2 to 9, as the middles of bands do."""
    steps = np.unique(np.diff(facts.usual_numbers))
    is_small = facts.usual_numbers[-1] <= _OLDEST
    return bool(is_small and len(facts.usual_numbers) >= _COUNTED and len(steps) == 1 and 2 <= steps[0] <= 9)


def _is_dense(facts: ValueFacts) -> bool:
    usual = facts.usual_numbers
    return bool(len(usual) > 0.9 * (usual[-1] - usual[0] + 1))
