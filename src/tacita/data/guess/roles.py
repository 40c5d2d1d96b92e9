"""The role that a column seems to have, and why: what is declared, a codebook, its name and label, its values, in this order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray
from tacita.core.vocabulary import SINGLE_ROLES, Role
from tacita.data.guess.codebooks import Known
from tacita.data.guess.facts import ValueFacts
from tacita.data.guess.names import looks_like
from tacita.data.guess.scales import FEW

__all__ = ["guess_roles", "numbers_records"]

ENOUGH = 10
"""With fewer records it means nothing that all values differ."""
_MAX_SIZE = 10  # members that a household may have on average
_OLDEST = 120
_WITHIN = "a household's number within a larger unit; make one number of both for role household"
_SURE, _LIKELY, _BY_VALUES = 3, 2, 1

Guess = tuple[Role, str]
Claim = tuple[Role, str, int]
"""A role, why, and how sure that is: what only one column can have goes to the surest."""


def guess_roles(columns: Sequence[ValueFacts], known: Mapping[str, Known]) -> list[Guess]:
    """Return a role for each column of a file, with its reason.

    Only one column gets the role of the weight and one that of the household: the surest, of these the first. What else
    looks like a weight is ``other``, what else looks like a household is a ``cluster``.
    """
    claims = [_claim(facts, known.get(facts.column.name)) for facts in columns]
    for role in SINGLE_ROLES:
        claims = _single(role, claims, columns)
    return [(role, reason) for role, reason, _ in claims]


def numbers_records(facts: ValueFacts) -> bool:
    """Whether all values differ and are texts, or whole numbers that would not all differ by chance.

    Of n numbers drawn from a range of R, about n^2 / 2R pairs are equal. Amounts spread wider than that; numbers of
    records do not, or have all the same length.
    """
    if not facts.distinct == facts.n >= ENOUGH or not facts.is_whole:
        return facts.distinct == facts.n >= ENOUGH and facts.is_text
    low, high = float(facts.values[0].as_py()), float(facts.values[-1].as_py())
    is_close = high - low < 2 * facts.n or (high - low < facts.n**2 / 40 and _is_even(facts.usual_numbers))
    return bool(is_close) or (low > 0 and len(f"{low:.0f}") == len(f"{high:.0f}") > 5)


def _is_even(ordered: FloatArray) -> bool:
    """Whether numbers are spread evenly over their range, as numbers of records are and amounts are not."""
    if ordered.size < ENOUGH:
        return False
    places = (np.array([0.25, 0.5, 0.75]) * (ordered.size - 1)).astype(np.int64)
    quarters = (ordered[places] - ordered[0]) / max(ordered[-1] - ordered[0], 1.0)
    return bool(np.all(np.abs(quarters - [0.25, 0.5, 0.75]) < 0.1))


def _single(role: Role, claims: list[Claim], columns: Sequence[ValueFacts]) -> list[Claim]:
    holders = [i for i, claim in enumerate(claims) if claim[0] == role]
    if not holders:
        return claims
    declared = [i for i in holders if role in columns[i].column.roles]
    best = declared[0] if declared else max(holders, key=lambda i: (claims[i][2], -i))
    changed = list(claims)
    for i in holders:
        if i == best or i in declared:
            continue
        if role == "household":
            changed[i] = ("cluster", "a further number of households", _LIKELY)
        elif claims[i][2] == _BY_VALUES:
            changed[i] = (*_by_values(columns[i], claimed=True), _BY_VALUES)
        else:
            changed[i] = ("other", "a further weight", _LIKELY)
    return changed


def _claim(facts: ValueFacts, known: Known | None) -> Claim:
    if facts.column.roles != ("other",):
        return facts.column.roles[0], "declared in the schema", _SURE
    if not facts.distinct:
        return "other", "no values", _SURE
    if known is not None and _fits(facts, known[0]):
        if facts.distinct == 1:
            return "other", "all values equal", _SURE
        return known[0], f"{known[2]} codebook", _SURE
    if known is not None and known[0] == "household":
        is_alone = facts.distinct == facts.n
        return ("identifier", "one record for each household", _SURE) if is_alone else ("other", _WITHIN, _SURE)
    for text, where in zip(facts.texts, ("name", "label"), strict=False):
        found = _by_text(facts, text, where)
        if found is not None:
            return found
    claim = _by_values(facts)
    return (*claim, _BY_VALUES)


def _fits(facts: ValueFacts, role: Role) -> bool:
    """Whether the values allow what the codebook says."""
    if role == "weight":
        return facts.column.scale == "numeric" and facts.numbers is not None and bool(facts.numbers.min() >= 0)
    return role != "household" or _repeats(facts)


# --- names and labels ---------------------------------------------------------------------------------------------------------


def _by_text(facts: ValueFacts, text: str, where: str) -> Claim | None:
    """Return what a name or label says, where the values agree."""
    design = _design_by_text(facts, text, where)
    if design is not None:
        return design
    if facts.distinct == 1 and facts.n >= ENOUGH:
        return "other", "all values equal", _SURE
    if (
        _is(text, "identifier")
        and not _is(text, "key")
        and (facts.distinct > 2 or facts.n < ENOUGH)
        and facts.numbers is None
    ):
        return "identifier", f"by {where}: identifies", _SURE
    by_name = next((role for role in ("confidential", "key") if _is(text, role)), None)
    if by_name == "confidential" and _is(text, "key") and _is_demographic(facts, text):
        by_name = "key"
    if _is(text, "number") and by_name != "confidential" and facts.distinct >= max(2, 0.9 * facts.n):
        return "identifier", f"by {where}, and (nearly) all values differ", _SURE
    if _is(text, "id") and by_name is None and facts.distinct > FEW:  # of a unit with several records
        return "identifier", f"by {where}: identifies", _SURE
    if _is(text, "survey_time") and not _is(text, "birth") and by_name is None and facts.distinct <= FEW:
        return "other", f"by {where}: when the survey was", _LIKELY
    return (cast(Role, by_name), _said(text, where, by_name), _LIKELY) if by_name and facts.distinct > 1 else None


def _design_by_text(facts: ValueFacts, text: str, where: str) -> Claim | None:
    """Return a role in the design of the survey that a name or label says: weight, household, cluster, stratum, flag, line."""
    numbers = facts.numbers if facts.column.scale == "numeric" else None
    is_weight = _is(text, "weight") or _is(text, "replicate")
    if is_weight and not _is(text, "body") and numbers is not None and numbers.min() >= 0 and facts.distinct > 1:
        if _is(text, "replicate"):
            return "other", f"by {where}: a replicate weight", _SURE
        level = _LIKELY if looks_like(text, "household") or text.startswith(("hh", "household")) else _SURE
        return "weight", f"by {where}, and no negative number", level
    if _is(text, "household") and _repeats(facts):
        return "household", f"by {where}, and repeated numbers", _SURE
    if _is(text, "flag") and facts.distinct <= FEW:
        return "other", f"by {where}: a flag", _SURE
    if _is(text, "line") and facts.distinct <= FEW and facts.is_whole:
        return "other", f"by {where}: a number within the household", _LIKELY
    if _is(text, "cluster") and facts.distinct < facts.n and (facts.is_whole or facts.is_text) and facts.distinct > 2:
        return "cluster", f"by {where}: units that records belong to", _LIKELY
    if _is(text, "stratum") and facts.distinct > 1:
        return "stratum", f"by {where}: a stratum", _LIKELY
    return None


_KINDS = {
    "confidential": {"amount": "an amount", "opinion": "an opinion", "sensitive": "sensitive", "": "private"},
    "key": {
        "place": "a place",
        "age": "an age",
        "birth": "a birth",
        "code": "a classification",
        "": "others may know it",
    },
}


def _said(text: str, where: str, role: str) -> str:
    """Say what a name or label means, in a few words."""
    kind = next(word for like, word in _KINDS[role].items() if not like or _is(text, like))
    return f"by {where}: {kind}"


def _is(text: str, like: str) -> bool:
    return looks_like(text, like)


def _is_demographic(facts: ValueFacts, text: str) -> bool:
    """Whether what sounds confidential is a category that others know, such as the sector of work or the tenure of a home."""
    return facts.distinct <= FEW and not _is(text, "amount") and not _is(text, "opinion")


# --- values -------------------------------------------------------------------------------------------------------------------


def _by_values(facts: ValueFacts, *, claimed: bool = False) -> Guess:
    """Return what the values alone suggest; ``claimed``: another column has the role that only one can have."""
    if facts.distinct == 1:
        return "other", "all values equal"
    if not claimed and _runs_like_households(facts):
        return "household", "numbers in runs of a few records, none of them in two runs"
    if numbers_records(facts):
        return "identifier", "all values differ"
    if facts.usual_numbers.size == 1 or (facts.numbers is None and facts.distinct <= 1):
        return "other", "all values equal but for codes"
    if facts.is_whole and np.array_equal(facts.usual_numbers, np.arange(11)):
        return "confidential", "answers on a scale from 0 to 10"
    if (facts.is_whole and facts.usual_numbers.size <= FEW) or facts.distinct <= FEW:
        return "key", f"few categories ({facts.distinct})"
    if facts.numbers is not None:
        return _of_many_numbers(facts, claimed=claimed)
    if facts.is_text and facts.distinct > facts.n / 2:
        return "identifier", "most texts differ"
    return "key", f"categories or dates ({facts.distinct})"


def _of_many_numbers(facts: ValueFacts, *, claimed: bool) -> Guess:
    usual = facts.usual_numbers
    if facts.is_whole and _are_ages(facts):
        return "key", "looks like ages"
    if facts.is_whole and usual[0] >= 1850 and usual[-1] <= 2100:
        return "key", "looks like years"
    if (
        facts.is_whole
        and len(usual) <= facts.n / 10
        and facts.has_equal_digits(3)
        and len(usual) < 0.9 * (usual[-1] - usual[0])
    ):
        return "key", "codes of equal length that repeat"
    if not claimed and _weighs(facts):
        return "weight", "positive, with many decimals and little spread"
    zeros = facts.counts[facts.numbers == 0].sum() / facts.n
    if zeros > 0.1:
        return "confidential", f"amounts, {100 * zeros:.0f} % of them zero"
    return "confidential", "numeric with many values"


def _are_ages(facts: ValueFacts) -> bool:
    """Whether whole numbers fill most of a range that ends where lives do."""
    usual = facts.usual_numbers
    low, high = usual[0], usual[-1]
    return bool(
        0 <= low <= 25 and 70 <= high <= _OLDEST and len(usual) >= 0.8 * (high - low + 1) and facts.n >= 5 * len(usual)
    )


def _weighs(facts: ValueFacts) -> bool:
    """Whether numbers look like sampling weights: none missing, all positive, more decimals than amounts have, little spread."""
    if (
        facts.is_whole
        or facts.absent
        or facts.numbers is None
        or facts.n < 20
        or not np.all(np.isfinite(facts.numbers))
    ):
        return False
    low, high = facts.numbers.min(), facts.numbers.max()
    cents = np.abs(facts.numbers * 100 - np.rint(facts.numbers * 100)) < 1e-6 * np.maximum(np.abs(facts.numbers), 1)
    return bool(
        low > 0 and high / low < 1000 and cents.mean() < 0.5 and _spread(facts) < 1.5 and facts.numbers.mean() > 0.05
    )


def _spread(facts: ValueFacts) -> float:
    """Return the coefficient of variation over the records."""
    numbers = cast(np.ndarray, facts.numbers)
    mean = np.average(numbers, weights=facts.counts)
    return float(np.sqrt(np.average((numbers - mean) ** 2, weights=facts.counts)) / abs(mean)) if mean else float("inf")


def _repeats(facts: ValueFacts) -> bool:
    """Whether every record has a value, and values occur again: side by side, or a few times each."""
    if facts.absent or facts.distinct == facts.n:
        return False
    return facts.runs == facts.distinct or facts.n <= _MAX_SIZE * facts.distinct


def _runs_like_households(facts: ValueFacts) -> bool:
    """Whether whole numbers (or codes of text) stand in short runs, each in one run only, as members of households do."""
    if facts.absent or not (facts.is_whole or facts.is_text) or facts.n < 20:
        return False
    if (
        facts.distinct <= FEW
        or not 1.2 * facts.distinct <= facts.n <= 8 * facts.distinct
        or facts.runs != facts.distinct
    ):
        return False
    return not facts.is_text or bool(pc.all(pc.match_substring_regex(facts.values, "[0-9]")).as_py())
