"""A secret key as a parameter: a key in Python, the path of a key file wherever methods are written as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tacita.core.keyed import Key
from tacita.core.value_forms import MISFIT, ValueForm

__all__ = ["KeyForm"]


@dataclass(frozen=True)
class KeyForm(ValueForm):
    """A secret key, or the path of a key file; never the key itself as a text.

    Examples
    --------
    >>> KeyForm().fit("census.key"), KeyForm().schema()["type"]
    ('census.key', 'string')
    """

    def fit(self, value: Any) -> Any:
        return value if isinstance(value, (Key, str)) else MISFIT

    def words(self) -> str:
        return "a secret key or the path of a key file"

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": "path of a key file"}
