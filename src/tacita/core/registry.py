"""The registry: every mask and measure, by kind and name. Subclasses enter by themselves.

Rooms, and packages of others, announce their methods under the entry point group ``tacita.methods``; they are
imported only when somebody asks for a method that is not there yet, or for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from tacita.core.errors import TacitaError, UnknownMethodError, did_you_mean
from tacita.core.vocabulary import KINDS, Kind

if TYPE_CHECKING:
    from tacita.core.method import Method

__all__ = ["ENTRY_POINTS", "find", "load_all", "methods", "register", "unregister"]

ENTRY_POINTS = "tacita.methods"

_methods: dict[tuple[str, str], type[Method]] = {}
_loaded = False


def register(method: type[Method]) -> None:
    """Enter a method; called for every subclass that has a name."""
    key = (method.kind, method.name)
    known = _methods.get(key)
    # The same class may come again: reloaded, or rebuilt by a dataclass with slots.
    if known is not None and (known.__module__, known.__qualname__) != (method.__module__, method.__qualname__):
        raise TacitaError(
            f"Two methods of kind '{method.kind}' are named '{method.name}': "
            f"{known.__module__}.{known.__qualname__} and {method.__module__}.{method.__qualname__}. Rename one."
        )
    _methods[key] = method


def unregister(method: type[Method]) -> None:
    """Remove a method, for tests that register one of their own."""
    _methods.pop((method.kind, method.name), None)


def load_all() -> None:
    """Import everything that announces methods, once."""
    global _loaded
    if not _loaded:
        _loaded = True
        for point in entry_points(group=ENTRY_POINTS):
            point.load()


def methods(kind: Kind | None = None) -> Iterator[type[Method]]:
    """Iterate over all registered methods, by kind and name."""
    load_all()
    for key in sorted(_methods, key=lambda k: (KINDS.index(k[0]) if k[0] in KINDS else len(KINDS), k[1])):
        if kind is None or key[0] == kind:
            yield _methods[key]


def find(kind: Kind, name: str) -> type[Method]:
    """Return the method of that kind and name; a near miss is suggested."""
    found = _methods.get((kind, name))
    if found is None:
        load_all()
        found = _methods.get((kind, name))
    if found is None:
        names = [method.name for method in methods(kind)]
        known = did_you_mean(name, names) or f" There are: {', '.join(sorted(names))}."
        raise UnknownMethodError(f"There is no {kind} named '{name}'.{known}")
    return found
