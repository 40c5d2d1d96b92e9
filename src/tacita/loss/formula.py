"""Formulas: a user's regression in words, such as ``tax ~ age + earnings + sex:age``; nothing in them is evaluated."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tacita.core.errors import ParameterError

__all__ = ["Formula"]

_PIECES = re.compile(r"\s*(?:`([^`]*)`|([^\s`~+:]+)|([~+:]))\s*")


@dataclass(frozen=True)
class Formula:
    """A response and what explains it.

    Parameters
    ----------
    response
        The column that is explained.
    terms
        The columns that explain it; several in one term are multiplied.

    Examples
    --------
    >>> Formula.parse("tax ~ age + `other income` + sex:age")
    Formula(response='tax', terms=(('age',), ('other income',), ('sex', 'age')))
    """

    response: str
    terms: tuple[tuple[str, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Read a formula.

        Raises
        ------
        ParameterError
            When it is not of the form ``response ~ column + column + column:column``.
        """
        words = _words(text)
        if len(words) < 3 or words[1] != ("sign", "~") or words[0][0] != "name":
            raise _unreadable(text)
        terms: list[tuple[str, ...]] = []
        is_product = False
        for place, (kind, word) in enumerate(words[2:]):
            if (kind == "name") != (place % 2 == 0) or word == "~":
                raise _unreadable(text)
            if kind == "sign":
                is_product = word == ":"
            elif is_product:
                terms[-1] = (*terms[-1], word)
            else:
                terms.append((word,))
        if words[-1][0] != "name":
            raise _unreadable(text)
        response = words[0][1]
        if any(response in term for term in terms):
            raise ParameterError(f"The formula '{text}' explains '{response}' by itself; take it out on the right.")
        return cls(response, tuple(dict.fromkeys(terms)))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of the right side."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term))


def _words(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while at < len(text):
        piece = _PIECES.match(text, at)
        if piece is None or piece.end() == at:
            raise _unreadable(text)
        quoted, plain, sign = piece.groups()
        found.append(("sign", sign) if sign else ("name", plain if quoted is None else quoted))
        at = piece.end()
    return found


def _unreadable(text: str) -> ParameterError:
    return ParameterError(
        f"A formula must be written as 'response ~ column + column + column:column', got '{text}'; names with blanks or signs "
        "stand between ` and `."
    )
