"""Methods with parameters as words of the command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tacita.core import registry
from tacita.core.errors import FileError, RecipeError
from tacita.core.metadata import parse_toml
from tacita.core.method import Method
from tacita.core.vocabulary import Kind

if TYPE_CHECKING:
    from tacita.tables.rules.rule import Rules

__all__ = ["method_of", "rules_of", "setting"]


def setting(text: str) -> tuple[str, Any]:
    """Read ``p=14``, ``columns=["a", "b"]`` or ``columns=a,b``: TOML where it parses, otherwise a text or a list of texts."""
    name, equals, value = text.partition("=")
    if not equals:
        raise RecipeError(f"A setting must read name=value, got '{text}'.")
    try:
        return name.strip(), parse_toml(f"value = {value}", "The setting")["value"]
    except FileError:
        return name.strip(), [part.strip() for part in value.split(",")] if "," in value else value


def method_of(kind: Kind, text: str) -> Method:
    """Read ``p_percent`` or ``dominance:n=2,share=85``: a method by name, with parameters after a colon."""
    name, _, given = text.partition(":")
    settings = [part for part in re.split(r",(?=\s*\w+\s*=)", given) if part.strip()]
    return registry.find(kind, name.strip()).from_plain(dict(setting(part) for part in settings))


def rules_of(texts: list[str]) -> Rules:
    """Read rules of tables, each as :func:`method_of` does."""
    from tacita.tables.rules.rule import Rule, Rules

    found = [method_of("rule", text) for text in texts]
    return Rules(tuple(rule for rule in found if isinstance(rule, Rule)))
