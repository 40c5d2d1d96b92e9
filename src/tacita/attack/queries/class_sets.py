"""Sets of people by published classes: unions of boxes, with the algebra that trackers and differences are written in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tacita.core.errors import AttackError

__all__ = ["MOST_PIECES_ASKED", "Box", "ClassSet", "everybody", "people_of", "published_classes"]

Box: TypeAlias = tuple[tuple[str, frozenset[str]], ...]
"""Conditions that all hold: variable and its classes, by the name of the variable."""

MOST_PIECES_ASKED = 64
"""Pieces that a server reads in one universe."""


@dataclass(frozen=True)
class ClassSet:
    """People by published classes: a union of boxes of classes.

    Parameters
    ----------
    domain
        The classes of every variable that may be named.
    boxes
        The boxes; none for nobody.

    Examples
    --------
    >>> domain = {"sex": ("f", "m"), "age": ("old", "young")}
    >>> old, women = people_of(domain, {"age": "old"}), people_of(domain, {"sex": "f"})
    >>> (old - women).plain()
    {'age': ['old'], 'sex': ['m']}
    >>> (everybody(domain) - (old & women)).plain()
    {'any': [{'age': ['young']}, {'age': ['old'], 'sex': ['m']}]}
    """

    domain: Mapping[str, Sequence[str]]
    boxes: tuple[Box, ...]

    def __or__(self, other: ClassSet) -> ClassSet:
        return ClassSet(self.domain, tuple(dict.fromkeys((*self.boxes, *other.boxes))))

    def __and__(self, other: ClassSet) -> ClassSet:
        met = (_meet(one, two) for one in self.boxes for two in other.boxes)
        return ClassSet(self.domain, tuple(dict.fromkeys(box for box in met if box is not None)))

    def __sub__(self, other: ClassSet) -> ClassSet:
        left = self
        for box in other.boxes:
            left = left & ClassSet(self.domain, tuple(self._outside(box)))
        return left

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def _outside(self, box: Box) -> Iterator[Box]:
        """The people outside a box, in boxes that do not meet: the first condition fails, or the second does, and so on."""
        held: list[tuple[str, frozenset[str]]] = []
        for name, classes in box:
            rest = frozenset(self.domain[name]) - classes
            if rest:
                yield tuple(sorted([*held, (name, rest)], key=_name))
            held.append((name, classes))

    def plain(self) -> dict[str, Any]:
        """Return the universe in the JSON form of a request; the boxes stand in their own order.

        Raises
        ------
        AttackError
            When there are more pieces than a server reads, or there is nobody to ask about.
        """
        if not 0 < len(self.boxes) <= MOST_PIECES_ASKED:
            raise AttackError(f"A universe must have 1 to {MOST_PIECES_ASKED} pieces, got {len(self.boxes)}.")
        written = [{name: sorted(classes) for name, classes in box} for box in self.boxes]
        return written[0] if len(written) == 1 else {"any": written}

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that some box has a condition on."""
        return tuple(sorted({name for box in self.boxes for name, _ in box}))


def people_of(domain: Mapping[str, Sequence[str]], conditions: Mapping[str, str | Iterable[str]]) -> ClassSet:
    """Return the people of some classes, one condition for each variable; a condition that names every class is none.

    Raises
    ------
    AttackError
        When a variable or a class is not published.
    """
    box = []
    for name, given in sorted(conditions.items()):
        classes = frozenset([given] if isinstance(given, str) else given)
        if name not in domain or not classes <= set(domain[name]):
            raise AttackError(f"Variable '{name}' must be published, with the classes that the attack names.")
        if not classes:
            return ClassSet(domain, ())
        if len(classes) < len(domain[name]):
            box.append((name, classes))
    return ClassSet(domain, (tuple(box),))


def everybody(domain: Mapping[str, Sequence[str]]) -> ClassSet:
    """Return everybody."""
    return ClassSet(domain, ((),))


def published_classes(catalogue: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the classes of each variable that says who a question is about; bins of numbers, which have no words, are left out.

    Examples
    --------
    >>> published_classes({"variables": [{"name": "sex", "classes": ["f", "m"], "has_missing": True, "uses": ["universe"]}]})
    {'sex': ('f', 'm', '(missing)')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for variable in catalogue.get("variables", ()):
        classes = tuple(variable.get("groups") or variable.get("classes") or ())
        if classes and "universe" in variable.get("uses", ()):
            found[variable["name"]] = (*classes, "(missing)") if variable.get("has_missing") else classes
    return found


def _meet(one: Box, two: Box) -> Box | None:
    found = dict(one)
    for name, classes in two:
        found[name] = found[name] & classes if name in found else classes
        if not found[name]:
            return None
    return tuple(sorted(found.items(), key=_name))


def _name(condition: tuple[str, frozenset[str]]) -> str:
    return condition[0]
