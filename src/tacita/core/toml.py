"""Writing TOML values. Reading is the standard library's ``tomllib``; writing is not in it."""

from __future__ import annotations

import datetime
import decimal
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["toml_key", "toml_value"]


def toml_value(value: Any) -> str:
    """Write one value as TOML, on one line.

    Examples
    --------
    >>> toml_value(["a", 1, 2.5, True])
    '["a", 1, 2.5, true]'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # TOML's basic strings share JSON's escapes, except that JSON leaves the control character DEL bare.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(entry) for entry in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{toml_key(str(k))} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return repr(float(value))
    if hasattr(value, "item"):  # a number of numpy
        return toml_value(value.item())
    return repr(value)


def toml_key(name: str) -> str:
    """Write a key, quoted where TOML asks for it."""
    bare = name.isascii() and name and all(letter.isalnum() or letter in "_-" for letter in name)
    return name if bare else toml_value(name)
