"""Views: how a lower room asks for a picture without knowing the room that draws it.

Only ``report`` draws, and it stands above the rooms whose results it draws. It announces its drawings under the entry
point group ``tacita.views``; :func:`view` finds one by name.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from tacita.core.errors import UnknownMethodError

__all__ = ["view"]


def view(name: str) -> Callable[..., Any]:
    """Return the drawing function that is registered under a name."""
    for point in entry_points(group="tacita.views", name=name):
        found: Callable[..., Any] = point.load()
        return found
    raise UnknownMethodError(f"There is no view named '{name}'; is the package installed completely?")
