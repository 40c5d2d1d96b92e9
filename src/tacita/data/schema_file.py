"""Schema files: TOML in and out.

.. code-block:: toml

    [columns.age]
    role = "key"                  # or a list: ["key", "stratum"]
    scale = "numeric"
    bounds = [0, 120]
    missing = [-9, [997, 999]]    # codes and ranges of codes

    [columns.education]
    role = "key"
    scale = "ordinal"
    categories = ["low", "middle", "high"]
    hierarchy = "education.csv"   # a file beside this one, or the rows themselves

A file may leave columns out or say only part of what a column is; the rest is inferred from the data when they are
read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, SchemaError, did_you_mean
from tacita.core.toml import toml_key, toml_value
from tacita.data.hierarchy import Hierarchy
from tacita.data.schema import Column, Schema

__all__ = ["Declarations", "read_declarations", "schema_from_toml", "schema_to_toml"]

Declarations = Mapping[str, Mapping[str, Any]]
"""What a schema file says of each column, in the words of :class:`Column`'s fields."""

_FIELDS = ("role", "scale", "missing", "bounds", "categories", "hierarchy", "labels", "label", "linked_to")


def read_declarations(source: str | Path, *, folder: Path | None = None) -> Declarations:
    """Read a schema file (a path) or schema text (with ``folder`` for its hierarchy files)."""
    if isinstance(source, Path) or "\n" not in source:
        path = Path(source)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except OSError as error:
            raise FileError(f"The schema file '{path.name}' cannot be read: {error.strerror}.") from error
        folder = path.parent
    else:
        text = source
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SchemaError([f"It is not valid TOML: {error}."]) from error
    return _declared(parsed, folder or Path())


def schema_from_toml(source: str | Path) -> Schema:
    """Read a schema file that declares every column completely."""
    declared = read_declarations(source)
    lacking = [f"Column '{name}' has no scale." for name, facts in declared.items() if "scale" not in facts]
    if lacking:
        raise SchemaError(lacking)
    return Schema(tuple(Column(name=name, **facts) for name, facts in declared.items()))


def _declared(parsed: dict[str, Any], folder: Path) -> dict[str, dict[str, Any]]:
    problems: list[str] = [
        f"There is no section '{section}'; columns stand under [columns.NAME]."
        for section in parsed
        if section != "columns"
    ]
    declared: dict[str, dict[str, Any]] = {}
    for name, facts in parsed.get("columns", {}).items():
        for word in facts:
            if word not in _FIELDS:
                problems.append(f"Column '{name}': there is no setting '{word}'.{did_you_mean(word, _FIELDS)}")
        try:
            declared[name] = _column_facts(facts, folder)
        except (SchemaError, FileError) as error:
            problems.append(f"Column '{name}': {error}")
        except (TypeError, ValueError):
            problems.append(f"Column '{name}': a setting has the wrong form; see the schema file reference.")
    if problems:
        raise SchemaError(problems)
    return declared


def _column_facts(facts: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "role" in facts:
        role = facts["role"]
        found["roles"] = (role,) if isinstance(role, str) else tuple(role)
    for word in ("scale", "label", "linked_to"):
        if word in facts:
            found[word] = facts[word]
    if "missing" in facts:
        found["missing"] = tuple(tuple(code) if isinstance(code, list) else code for code in facts["missing"])
    if "bounds" in facts:
        low, high = facts["bounds"]
        found["bounds"] = (_open(low), _open(high))
    if "categories" in facts:
        found["categories"] = tuple(facts["categories"])
    if "labels" in facts:
        found["labels"] = tuple((value, label) for value, label in facts["labels"])
    if "hierarchy" in facts:
        given = facts["hierarchy"]
        found["hierarchy"] = Hierarchy.read(folder / given) if isinstance(given, str) else Hierarchy.from_rows(given)
    return found


def _open(bound: Any) -> float | None:
    """TOML has no null: an open end of ``bounds`` is written as an infinity."""
    value = float(bound)
    return None if value in (float("inf"), float("-inf")) else value


# --- writing -------------------------------------------------------------------------------------------------------


def schema_to_toml(schema: Schema) -> str:
    """Write a schema so that reading it gives the same schema again."""
    lines: list[str] = []
    for column in schema:
        lines.append(f"[columns.{toml_key(column.name)}]")
        lines += [f"{word} = {text}" for word, text in _settings(column)]
        lines.append("")
    return "\n".join(lines)


def _settings(column: Column) -> list[tuple[str, str]]:
    roles = list(column.roles)
    settings = [("role", toml_value(roles[0] if len(roles) == 1 else roles)), ("scale", toml_value(column.scale))]
    if column.label:
        settings.append(("label", toml_value(column.label)))
    if column.missing:
        settings.append(("missing", toml_value([list(c) if isinstance(c, tuple) else c for c in column.missing])))
    if column.bounds is not None:
        low, high = column.bounds
        settings.append(
            ("bounds", f"[{'-inf' if low is None else toml_value(low)}, {'inf' if high is None else toml_value(high)}]")
        )
    if column.categories is not None:
        settings.append(("categories", toml_value(list(column.categories))))
    if column.linked_to is not None:
        settings.append(("linked_to", toml_value(column.linked_to)))
    if column.labels:
        settings.append(("labels", toml_value([list(pair) for pair in column.labels])))
    if column.hierarchy is not None:
        rows = ",\n".join("  " + toml_value(list(row)) for row in column.hierarchy.rows)
        settings.append(("hierarchy", f"[\n{rows},\n]"))
    return settings
