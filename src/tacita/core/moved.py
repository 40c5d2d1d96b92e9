"""Names that a module has without holding them: those that moved, with a warning, and folders that load when used.

What may move before version 1.0, and for how long the old place goes on working, is on the page on stability.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Collection, Mapping
from typing import Any

__all__ = ["moved", "when_used"]


def moved(room: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a module that once had some names.

    Parameters
    ----------
    room
        The module that had them, such as ``tacita.mask``.
    names
        For each name the place that users shall take it from, such as ``tacita.Recipe``.

    Examples
    --------
    >>> get = moved("tacita.mask", {"Recipe": "tacita.Recipe"})
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     get("Recipe").__name__, str(said[0].message)
    ('Recipe', "'tacita.mask.Recipe' is now 'tacita.Recipe'; the old name goes with the next version.")
    """

    def get(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        module, _, new = names[name].rpartition(".")
        said = f"'{room}.{name}' is now '{names[name]}'; the old name goes with the next version."
        warnings.warn(said, DeprecationWarning, stacklevel=2)
        return getattr(importlib.import_module(module), new)

    return get


def when_used(room: str, folders: Collection[str]) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a module whose folders load when they are first used.

    Parameters
    ----------
    room
        The module, such as ``tacita.query``.
    folders
        Names of folders in it.

    Examples
    --------
    >>> when_used("tacita.query", ["steward"])("steward").__name__
    'tacita.query.steward'
    """

    def get(name: str) -> Any:
        if name not in folders:
            raise AttributeError(f"module '{room}' has no attribute '{name}'")
        return importlib.import_module(f"{room}.{name}")

    return get
