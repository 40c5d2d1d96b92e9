"""Docstrings of the numpy form: taken apart into sections and entries, and completed from the bases of a class.

What a family of classes has in common is written once, in the docstring of its base. A class that lacks a section, or the
description of one of its parameters, takes it from the nearest base that has it; what it says itself stands. A base may
also describe parameters that only some of its subclasses have. Examples are never taken over: they show the class itself.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

__all__ = [
    "SECTIONS",
    "DocParts",
    "complete_docstring",
    "described_by",
    "doc_entries",
    "doc_parts",
    "doc_summary",
    "own_docstring",
    "parameter_helps",
    "plain_words",
]

SECTIONS = ("Parameters", "Returns", "Raises", "Warns", "Preserves", "Complexity", "Notes", "References", "Examples")
"""The sections of a method's docstring in their order."""

_OF_ITSELF = frozenset({"Examples"})

_SECTION = re.compile(r"^(?P<title>[A-Z][A-Za-z ]+)\n-{3,}\n", re.MULTILINE)
_MARKED = re.compile(r":(?:class|func|meth|data|mod|attr):`~?(?:[\w.]*\.)?([^`]+)`|``([^`]+)``")
_ENTRY = re.compile(r"^(?P<name>\S[^\n]*)\n(?P<text>(?:[ \t]+[^\n]*(?:\n|\Z)|\n)+)", re.MULTILINE)

_Function = TypeVar("_Function", bound=Callable[..., Any])
_own: WeakKeyDictionary[type, str] = WeakKeyDictionary()


class DocParts(NamedTuple):
    """A docstring taken apart: what stands above the first section, and the sections by title."""

    head: str
    sections: Mapping[str, str]

    @property
    def summary(self) -> str:
        """The first paragraph on one line."""
        return " ".join(self.head.partition("\n\n")[0].split())

    @property
    def body(self) -> str:
        """What stands between the first paragraph and the sections."""
        return self.head.partition("\n\n")[2].strip()

    def without(self, title: str) -> DocParts:
        """Return the docstring without one of its sections."""
        return self._replace(sections={name: text for name, text in self.sections.items() if name != title})

    def text(self) -> str:
        """Return the docstring put together."""
        parts = [self.head, *(f"{title}\n{'-' * len(title)}\n{text}" for title, text in self.sections.items())]
        return "\n\n".join(parts) + "\n"


@functools.cache
def doc_parts(text: str) -> DocParts:
    """Take a docstring apart."""
    text = inspect.cleandoc(text)
    marks = list(_SECTION.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)]
    sections = {mark["title"]: text[mark.end() : end].strip("\n") for mark, end in zip(marks, ends[1:], strict=True)}
    return DocParts(text[: ends[0]].strip(), sections)


def doc_entries(section: str) -> list[tuple[str, str]]:
    """Return the entries of a section: a name, and the indented text below it."""
    return [(entry["name"], inspect.cleandoc(entry["text"])) for entry in _ENTRY.finditer(section)]


def doc_summary(thing: object) -> str:
    """Return the first paragraph of a docstring on one line."""
    return doc_parts(inspect.getdoc(thing) or "").summary


def plain_words(text: str) -> str:
    """Return text of a docstring without its marks, for screens and forms.

    Examples
    --------
    >>> plain_words("See :func:`tacita.search` and ``k``.")
    'See search and k.'
    """
    return _MARKED.sub(lambda mark: mark[1] or mark[2], text)


def own_docstring(cls: type) -> str:
    """Return what a class says itself, without what it took from its bases."""
    return inspect.cleandoc(_own.get(cls) or vars(cls).get("__doc__") or "")


def complete_docstring(cls: type) -> None:
    """Complete the docstring of a class by what its bases say; one without a docstring is left alone."""
    if not vars(cls).get("__doc__"):
        return
    _own[cls] = own_docstring(cls)
    own, *bases = (doc_parts(own_docstring(base)) for base in cls.__mro__)
    found: dict[str, str] = {}
    for title in _titles(own, bases):
        said = [parts.sections[title] for parts in (own, *bases) if title in parts.sections]
        if title == "Parameters":
            found[title] = _joined(own.sections.get(title, ""), said, _parameter_names(cls))
        elif title == "Raises":
            found[title] = _joined(own.sections.get(title, ""), said, None)
        else:
            found[title] = said[0]
    found = {title: text for title, text in found.items() if text}
    if found != own.sections:
        cls.__doc__ = DocParts(own.head, found).text()


def described_by(settings: type) -> Callable[[_Function], _Function]:
    """Complete the docstring of a function by what a class says about the parameters that both have."""

    def complete(function: _Function) -> _Function:
        parts = doc_parts(function.__doc__ or "")
        own, other = parts.sections.get("Parameters", ""), doc_parts(settings.__doc__ or "").sections["Parameters"]
        joined = _joined(own, [own, other], list(inspect.signature(function).parameters))
        found = {"Parameters": joined, **parts.without("Parameters").sections}
        function.__doc__ = DocParts(parts.head, found).text()
        return function

    return complete


def _titles(own: DocParts, bases: list[DocParts]) -> list[str]:
    """Return the sections that a class has or takes over: the known ones in their order, then others."""
    taken = [title for base in bases for title in base.sections if title not in _OF_ITSELF]
    return sorted(
        dict.fromkeys([*own.sections, *taken]),
        key=lambda title: SECTIONS.index(title) if title in SECTIONS else len(SECTIONS),
    )


def _parameter_names(cls: type) -> list[str]:
    """Return the names of the fields of a class in the order that its dataclass has: those of its bases first."""
    return list(
        dict.fromkeys(
            name
            for base in reversed(cls.__mro__)
            for name, kind in inspect.get_annotations(base).items()
            if "ClassVar" not in str(kind)
        )
    )


def _joined(own: str, said: list[str], names: list[str] | None) -> str:
    """Return the entries of several sections, the nearest first, for each name as the nearest has it.

    ``names`` says which there are, and in which order; without it all are taken as they come. What the class says itself
    is kept in any case.
    """
    if own and not doc_entries(own):
        return own
    chosen: dict[str, list[tuple[str, str]]] = {}
    for section in said:
        known = frozenset(chosen)
        for head, text in doc_entries(section):
            for name in _names(head):
                if name not in known and (names is None or name in names or section is own):
                    chosen.setdefault(name, []).append((head, text))
    order = list(chosen)
    if names is not None:
        order.sort(key=lambda name: names.index(name) if name in names else len(names))
    entries = dict.fromkeys(entry for name in order for entry in chosen[name])
    return "\n".join(f"{head}\n{_indented(text)}" for head, text in entries)


def _names(head: str) -> list[str]:
    """Return the names that an entry speaks of: ``low, high : float`` has two."""
    return [name.strip() for name in head.partition(" :")[0].split(",")]


def parameter_helps(cls: type) -> dict[str, str]:
    """Return what the docstring of a class says about each parameter, on one line."""
    section = doc_parts(cls.__doc__ or "").sections.get("Parameters", "")
    return {name: " ".join(text.split()) for head, text in doc_entries(section) for name in _names(head)}


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
