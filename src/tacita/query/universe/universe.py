"""The universe as a user words it: conditions on classes of variables, joined by "or"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from tacita.core.errors import ParameterError

__all__ = ["MOST_CONDITIONS", "MOST_PIECES", "Condition", "Piece", "Universe", "class_word"]

Condition: TypeAlias = tuple[str, tuple[str, ...]]
Piece: TypeAlias = tuple[Condition, ...]

MOST_PIECES = 64
MOST_CONDITIONS = 32
"""More pieces, or more conditions in one of them, are no question that anybody asks."""

_MOST_CLASSES = 10_000


def class_word(value: Any) -> str:
    """Return a class as it is named in requests: its text, a whole number without a decimal point.

    Parameters
    ----------
    value
        A text, a number, true or false.

    Raises
    ------
    ParameterError
        When it is a whole number of thousands of digits, which Python does not write out.

    Examples
    --------
    >>> class_word(1), class_word(1.0), class_word("1"), class_word(True), class_word(1.5)
    ('1', '1', '1', 'true', '1.5')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    try:
        return str(value)
    except ValueError:
        raise ParameterError("Universe: a class must not be a number of thousands of digits.") from None


@dataclass(frozen=True, init=False)
class Universe:
    """The sub-population that a question is about: a union of pieces, each an intersection of conditions on classes.

    A simple universe is one piece; ``|`` joins several to a complex one. Numeric variables enter by the bins of their published
    cutpoints only. Nothing else can be said: no expression is ever evaluated.

    Parameters
    ----------
    conditions
        Variable and its classes, ``{"sex": ["f"], "income": ["(45000, 53000]"]}``; a single class may stand without brackets.
        None, or no condition at all, is everybody.

    Raises
    ------
    ParameterError
        When a condition names no class, or there are more pieces, conditions or classes than anybody needs.

    Notes
    -----
    Two universes that name the same classes in another order, or a class twice, are equal. That two universes are the same set of
    cells, or of records, is found by :mod:`tacita.query.universe.boxes` and by the hash of the members.

    References
    ----------
    Lucero, Freiman, Singh, You, DePersio & Zayatz (2011), section 3.1.1: simple and complex universes.

    Examples
    --------
    >>> Universe({"sex": "f"}) | Universe({"sex": ["m"], "age": ["(30, 40]"]})
    Universe({'age': ['(30, 40]'], 'sex': ['m']}) | Universe({'sex': ['f']})
    >>> Universe.from_plain({"any": [{"sex": ["f"]}, {"sex": ["f"]}]}) == Universe({"sex": "f"})
    True
    """

    pieces: tuple[Piece, ...]

    def __init__(self, conditions: Mapping[str, Any] | None = None) -> None:
        object.__setattr__(self, "pieces", (_piece({} if conditions is None else conditions),))

    @classmethod
    def of(cls, given: Universe | Mapping[str, Any] | None) -> Universe:
        """Return a universe from what a user may give: one, its conditions, its JSON form, or None for everybody."""
        if isinstance(given, Universe):
            return given
        return cls.from_plain({} if given is None else given)

    @classmethod
    def union(cls, pieces: Iterable[Piece]) -> Universe:
        """Return the union of pieces; repeated ones stand once."""
        made = object.__new__(cls)
        listed = tuple(sorted(set(pieces)))
        if not listed:
            raise ParameterError("Universe: there must be at least one piece; leave the universe out for everybody.")
        if len(listed) > MOST_PIECES:
            raise ParameterError(f"Universe: there must be at most {MOST_PIECES} pieces, got {len(listed)}.")
        object.__setattr__(made, "pieces", listed)
        return made

    def __or__(self, other: Universe) -> Universe:
        if not isinstance(other, Universe):
            return NotImplemented
        return Universe.union((*self.pieces, *other.pieces))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that stand in a condition, by name."""
        return tuple(sorted({name for piece in self.pieces for name, _ in piece}))

    @property
    def is_everybody(self) -> bool:
        """Whether a piece has no condition."""
        return any(not piece for piece in self.pieces)

    def __repr__(self) -> str:
        shown = [str({name: list(classes) for name, classes in piece}) if piece else "" for piece in self.pieces]
        return " | ".join(f"Universe({text})" for text in shown)

    # --- JSON --------------------------------------------------------------------------------------------------------

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form: the conditions of one piece, or ``{"any": [...]}``."""
        plain = [{name: list(classes) for name, classes in piece} for piece in self.pieces]
        return plain[0] if len(plain) == 1 and "any" not in plain[0] else {"any": plain}

    @classmethod
    def from_plain(cls, given: Any) -> Universe:
        """Read the JSON form.

        ``{"any": [...]}`` with objects in the list is a union; with classes in it, it is a condition on a variable of that name.
        """
        if not isinstance(given, Mapping):
            raise ParameterError(
                'Universe: must be conditions such as {"sex": ["f"]}, or {"any": [...]} of them, '
                f"got {type(given).__name__}."
            )
        parts = given.get("any")
        if isinstance(parts, list) and len(given) == 1 and all(isinstance(part, Mapping) for part in parts):
            if len(parts) > MOST_PIECES:  # before each is read
                raise ParameterError(f"Universe: there must be at most {MOST_PIECES} pieces, got {len(parts)}.")
            return cls.union(_piece(part) for part in parts)
        return cls(given)

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return the JSON schema of what :meth:`from_plain` reads; a text that passes it is a universe."""
        word = {"type": ["string", "number", "boolean"]}
        classes = {"type": "array", "items": word, "minItems": 1, "maxItems": _MOST_CLASSES}
        piece = {
            "type": "object",
            "propertyNames": {"minLength": 1},
            "additionalProperties": {"anyOf": [classes, word]},
            "maxProperties": MOST_CONDITIONS,
        }
        pieces = {"type": "array", "items": piece, "minItems": 1, "maxItems": MOST_PIECES}
        union = {"type": "object", "properties": {"any": pieces}, "required": ["any"], "additionalProperties": False}
        return {"anyOf": [piece, union]}


def _piece(conditions: Mapping[str, Any]) -> Piece:
    if not isinstance(conditions, Mapping):
        raise ParameterError(f'Universe: conditions must be such as {{"sex": ["f"]}}, got {type(conditions).__name__}.')
    if len(conditions) > MOST_CONDITIONS:
        raise ParameterError(
            f"Universe: a piece must have at most {MOST_CONDITIONS} conditions, got {len(conditions)}."
        )
    found = []
    for name, given in conditions.items():
        if not isinstance(name, str) or not name:
            raise ParameterError("Universe: a condition must begin with the name of a variable.")
        listed = [given] if isinstance(given, (str, int, float)) else given
        if not isinstance(listed, (list, tuple, set, frozenset)) or not listed or len(listed) > _MOST_CLASSES:
            raise ParameterError(
                f"Universe: '{name[:60]}' must have a list with at least one class of the variable, and at most {_MOST_CLASSES}."
            )
        if not all(isinstance(entry, (str, int, float)) for entry in listed):
            raise ParameterError(f"Universe: the classes of '{name[:60]}' must be texts or numbers.")
        found.append((name, tuple(sorted({class_word(entry) for entry in listed}))))
    return tuple(sorted(found))
