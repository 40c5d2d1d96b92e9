"""Describe a file: facts about each column, and proposals for its scale and role to start a schema from."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.vocabulary import Role, Scale
from tacita.data.guess.codebooks import known_columns
from tacita.data.guess.draft import draft_to_toml
from tacita.data.guess.duplicates import count_duplicates
from tacita.data.guess.facts import ValueFacts
from tacita.data.guess.missing_codes import suspected_missing
from tacita.data.guess.roles import guess_roles, numbers_records
from tacita.data.guess.scales import FEW, guess_scale, ordered_words
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema

__all__ = ["ColumnDescription", "Description", "describe"]


@dataclass(frozen=True, kw_only=True, repr=False)
class ColumnDescription:
    """Facts about one column, and what is proposed for it.

    ``missing`` counts the records without a value and ``user_missing`` those with a declared missing code, none of them
    twice; ``missing_percent`` is both together. ``smallest`` is the size of the smallest category, None where there
    are no categories; ``minimum`` and ``maximum`` are None but for numeric and date columns. ``reason`` says why the
    role is proposed (a declared one is kept), ``scale_reason`` why the scale is, and ``remark`` what the user should
    look at. ``suspects`` are values that may stand for a missing one, with the reason; ``categories`` the order that
    texts seem to have.
    """

    name: str
    storage: str
    scale: Scale
    proposed_scale: Scale
    proposed_role: Role
    reason: str
    scale_reason: str
    distinct: int
    missing: int
    user_missing: int
    missing_percent: float
    smallest: int | None
    minimum: Any
    maximum: Any
    remark: str
    suspects: tuple[tuple[Any, str], ...] = ()
    categories: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"ColumnDescription('{self.name}': {self.proposed_scale} {self.proposed_role}, {self.reason})"

    @property
    def note(self) -> str:
        """What the user should look at: remarks, and suspected missing codes."""
        return "; ".join(part for part in (self.remark, *_suspicions(self.suspects)) if part)

    @property
    def why(self) -> str:
        """Reasons of role and scale, and notes, on one line."""
        parts = (self.reason, self.scale_reason, *self.remark.split("; "), *_suspicions(self.suspects))
        return "; ".join(part for part in dict.fromkeys(parts) if part and not _repeats_reason(part, self.reason))

    def as_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON: dates as text."""
        return {**{word: _plain(x) for word, x in asdict(self).items()}, "note": self.note}


def _repeats_reason(part: str, reason: str) -> bool:
    """Whether a note says again what the reason of the role says: that all values are equal, or all differ."""
    return part != reason and part.startswith("all values") and reason.endswith(("differ", "equal"))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, int | float | None) else str(value)


@dataclass(frozen=True, repr=False)
class Description:
    """What :func:`describe` found: number of records, exact duplicates among them, and the columns."""

    records: int
    duplicates: int
    columns: tuple[ColumnDescription, ...]
    schema: Schema

    def __repr__(self) -> str:
        return f"Description: {self.records} records ({self.duplicates} duplicates), {len(self.columns)} columns"

    def __getitem__(self, name: str) -> ColumnDescription:
        return self.columns[self.schema.names.index(self.schema[name].name)]

    def draft_schema(self) -> Schema:
        """Return the schema with the proposals applied; roles that were declared stay."""
        drafted = []
        for column, found in zip(self.schema, self.columns, strict=True):
            roles = (found.proposed_role,) if column.roles == ("other",) else column.roles
            order = found.categories if column.categories is None else column.categories
            drafted.append(replace(column, scale=found.proposed_scale, roles=roles, categories=order))
        return Schema(tuple(drafted))

    def draft_toml(self) -> str:
        """Return the drafted schema as the text of a schema file, with the reason of each guess as a comment."""
        return draft_to_toml(self.draft_schema(), self.columns)

    def as_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        columns = [c.as_plain() for c in self.columns]
        return {"records": self.records, "duplicates": self.duplicates, "columns": columns}


def describe(data: Microdata, *, declared_scales: Collection[str] = ()) -> Description:
    """Describe data column by column, and propose a scale and a role for each.

    A proposal rests on the column's name and label (in English and other languages of Europe), its value labels, its type
    and its values; files of well-known surveys are recognised by the names of their codebooks. It is a start for the
    user's own judgement: a wrong role costs protection. A suspected missing code is noted, not applied.

    Parameters
    ----------
    data
        The data; roles that the schema declares are kept.
    declared_scales
        Columns whose scale was declared by the user, and stays.

    Notes
    -----
    The result shows smallest and largest values: it is for the data owner's eyes. O(n log n) time for each column at most,
    a few arrays of length n.

    Examples
    --------
    >>> from tacita.data.samples import household_survey
    >>> found = describe(Microdata.from_frame(household_survey(500, seed=1).to_arrow()))
    >>> found["income"].proposed_role, found["income"].note
    ('confidential', '26 % zeros; suspected missing code -9: unusually frequent')
    >>> found.draft_schema().household
    'household'
    """
    n = len(data)
    facts = [ValueFacts.of(column, data._column(column.name), data.type_of(column.name)) for column in data.schema]
    known = known_columns(data.names)
    roles = guess_roles(facts, known)
    beside = {name: codes for name, codes in data.user_missing.items() if name in data.schema}
    columns = []
    for one, (role, reason) in zip(facts, roles, strict=True):
        name = one.column.name
        scale, why = one.column.scale, ""
        if name not in declared_scales:
            scale, why = guess_scale(one, role, known.get(name))
        coded = n - beside[name].null_count if name in beside else 0
        columns.append(_described(one, coded, role, reason, scale, why))
    every = [*facts, *(ValueFacts.of(data.schema[name], codes) for name, codes in beside.items())]
    return Description(n, count_duplicates(every), tuple(columns), data.schema)


def _described(facts: ValueFacts, coded: int, role: Role, reason: str, scale: Scale, why: str) -> ColumnDescription:
    is_category = facts.distinct > 0 and (scale in ("nominal", "ordinal") or facts.distinct <= FEW)
    ends = _ends(facts) if scale in ("numeric", "date") else (None, None)
    order = None
    if scale == "ordinal" and facts.is_text and facts.distinct <= FEW:
        order = ordered_words(facts.values.to_pylist())
    return ColumnDescription(
        name=facts.column.name,
        storage=facts.storage,
        scale=facts.column.scale,
        proposed_scale=scale,
        proposed_role=role,
        reason=reason,
        scale_reason=why,
        distinct=facts.distinct,
        missing=facts.absent - coded,
        user_missing=coded,
        missing_percent=100 * facts.absent / facts.n if facts.n else 0.0,
        smallest=int(facts.counts.min()) if is_category else None,
        minimum=ends[0],
        maximum=ends[1],
        remark="; ".join(_remarks(facts, role, scale)),
        suspects=tuple(suspected_missing(facts)),
        categories=None if order is None else tuple(order),
    )


def _ends(facts: ValueFacts) -> tuple[Any, Any]:
    """Return the smallest and the largest finite value."""
    shown = facts.values
    numbers = None if pa.types.is_integer(shown.type) else facts.numbers
    if numbers is not None:
        shown = shown.filter(pa.array(np.isfinite(numbers)))
    found = pc.min_max(shown).as_py() if len(shown) else {"min": None, "max": None}
    return found["min"], found["max"]


def _suspicions(suspects: tuple[tuple[Any, str], ...]) -> Iterator[str]:
    for said in dict.fromkeys(reason for _, reason in suspects):
        codes = [str(code) for code, reason in suspects if reason == said]
        yield f"suspected missing code{'s' if len(codes) > 1 else ''} {', '.join(codes)}: {said}"


def _remarks(facts: ValueFacts, role: Role, scale: Scale) -> Iterator[str]:
    if facts.n and not facts.distinct:
        yield "no values"
    if facts.distinct == 1 and facts.counts[0] > 1:
        yield "all values equal"
    if numbers_records(facts):
        yield "all values different" + (": looks like an identifier" if role == "identifier" else "")
    if facts.is_text and pc.any(pc.match_substring_regex(facts.values, r"^0[0-9]+$")).as_py():
        yield "leading zeros: kept as text"
    numbers = facts.numbers
    if numbers is not None and facts.column.scale == "numeric":
        infinite = int(facts.counts[np.isinf(numbers)].sum())
        if infinite:
            yield f"infinite values: {infinite}"
        zeros = int(facts.counts[numbers == 0].sum())
        if facts.distinct > FEW and 0.1 * facts.n < zeros and scale == "numeric" and not facts.looks("age"):
            yield f"{100 * zeros / facts.n:.0f} % zeros"
