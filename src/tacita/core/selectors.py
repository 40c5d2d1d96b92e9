"""Selecting columns by what they are: ``numeric keys``, ``confidential columns``, ``nominal keys else keys``.

A method's ``columns`` is either a list of names or such a rule; the rule is resolved against the schema when the
method runs, so one recipe fits many files.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from tacita.core.errors import ParameterError
from tacita.core.vocabulary import DESIGN_ROLES, SCALES

__all__ = ["ColumnFacts", "Selector", "all_columns", "keys", "numeric", "numeric_keys"]

_ROLE_WORDS = {
    "keys": ("key",),
    "confidential": ("confidential",),
    "linked": ("linked",),
    "other": ("other",),
    "strata": ("stratum",),
}
_SCALE_WORDS: dict[str, tuple[str, ...]] = {
    **{scale: (scale,) for scale in SCALES},
    "categorical": ("nominal", "ordinal"),
}


class ColumnFacts(Protocol):
    """What a selector needs to know of a column."""

    @property
    def name(self) -> str: ...
    @property
    def scale(self) -> str: ...
    @property
    def roles(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Selector:
    """A rule that selects columns by scale and role.

    Parameters
    ----------
    text
        Words for scales (numeric, ordinal, nominal, date, categorical) and for roles (keys, confidential, linked,
        other, strata), or ``columns`` for any role that describes the respondent. ``a else b`` uses b where a selects
        nothing.

    Examples
    --------
    >>> Selector("numeric keys else numeric columns")
    Selector('numeric keys else numeric columns')
    >>> Selector.understands("income")
    False
    """

    text: str

    def __post_init__(self) -> None:
        if not self.understands(self.text):
            known = ", ".join([*_SCALE_WORDS, *_ROLE_WORDS, "columns"])
            raise ParameterError(f"A column rule must be made of the words {known}, got '{self.text}'.")

    def __repr__(self) -> str:
        return f"Selector({self.text!r})"

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def understands(text: str) -> bool:
        """Whether ``text`` is a rule rather than the name of a column."""
        parts = text.split(" else ")
        return all(_split(part) is not None for part in parts)

    def pick(self, columns: Iterable[ColumnFacts]) -> tuple[str, ...]:
        """Return the names of the selected columns, in the order of the file."""
        facts = list(columns)
        for part in self.text.split(" else "):
            scales, roles = _split(part) or ((), ())
            chosen = tuple(c.name for c in facts if _matches(c, scales, roles))
            if chosen:
                return chosen
        return ()


def _split(part: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Split one alternative into its scales and roles; None where a word is unknown."""
    words = part.split()
    if not words or words[-1] not in {*_ROLE_WORDS, "columns"}:
        return None
    roles = _ROLE_WORDS.get(words[-1], ())
    scales: list[str] = []
    for word in words[:-1]:
        if word not in _SCALE_WORDS:
            return None
        scales.extend(_SCALE_WORDS[word])
    return tuple(scales), roles


def _matches(column: ColumnFacts, scales: tuple[str, ...], roles: tuple[str, ...]) -> bool:
    if scales and column.scale not in scales:
        return False
    if roles:
        return any(role in column.roles for role in roles)
    return not DESIGN_ROLES.intersection(column.roles)  # a rule without a role never selects these


def numeric_keys() -> Selector:
    """Numeric key variables."""
    return Selector("numeric keys")


def numeric() -> Selector:
    """All numeric columns that describe the respondent."""
    return Selector("numeric columns")


def keys() -> Selector:
    """All key variables."""
    return Selector("keys")


def all_columns() -> Selector:
    """All columns that describe the respondent."""
    return Selector("columns")
