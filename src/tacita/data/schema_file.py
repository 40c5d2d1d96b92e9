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
    public = true                 # categories, labels, codes, bounds and hierarchy are published: they leave whole

A file may leave columns out or say only part of what a column is; the rest is inferred from the data when they are
read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, SchemaError, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.toml import toml_key, toml_value
from tacita.data.hierarchy import Hierarchy
from tacita.data.schema import Column, Schema

__all__ = ["Declarations", "column_settings", "read_declarations", "schema_from_toml", "schema_to_toml"]

Declarations = Mapping[str, Mapping[str, Any]]
"""What a schema file says of each column, in the words of :class:`Column`'s fields."""


def read_declarations(source: str | Path, *, folder: Path | None = None) -> Declarations:
    """Read a schema file (a path) or schema text (with ``folder`` for its hierarchy files)."""
    if isinstance(source, Path) or "\n" not in source:
        path = Path(source)
        text = read_text(path, "The schema file")
        folder = path.parent
    else:
        text = source
    try:
        parsed = parse_toml(text, "It")
    except FileError as error:
        raise SchemaError([str(error)]) from None
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
    tables = parsed.get("columns", {})
    if not isinstance(tables, dict):
        problems.append("'columns' must be tables: one [columns.NAME] for each column.")
        tables = {}
    declared: dict[str, dict[str, Any]] = {}
    for name, facts in tables.items():
        if isinstance(facts, dict):
            declared[name], found = _column_facts(facts, folder)
        else:
            found = ["its settings must stand in a table [columns.NAME]."]
        problems += [f"Column '{name}': {problem}" for problem in found]
    if problems:
        raise SchemaError(problems)
    return declared


def _column_facts(facts: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Return what is said of a column, and everything that is wrong with it."""
    found: dict[str, Any] = {}
    problems: list[str] = []
    for word, value in facts.items():
        if word not in _READERS:
            problems.append(f"there is no setting '{word}'.{did_you_mean(word, _READERS)}")
            continue
        field, read = _READERS[word]
        try:
            found[field] = read(value, folder)
        except SchemaError as error:
            problems += error.problems
        except FileError as error:
            problems.append(str(error))
        except (TypeError, ValueError):
            problems.append(f"'{word}' has the wrong form; see the schema file reference.")
    return found, problems


def _text(value: Any, folder: Path) -> str:  # noqa: ARG001 - readers share one shape
    if not isinstance(value, str):
        raise TypeError
    return value


def _truth(value: Any, folder: Path) -> bool:  # noqa: ARG001
    if not isinstance(value, bool):
        raise TypeError
    return value


def _entries(value: Any) -> list[Any]:
    """A text is a list of letters to Python; in a schema file that is a slip."""
    if not isinstance(value, list):
        raise TypeError
    return value


def _scalars(value: Any) -> tuple[Any, ...]:
    if any(isinstance(entry, (list, dict)) for entry in _entries(value)):
        raise TypeError
    return tuple(value)


def _code(value: Any) -> Any:
    if isinstance(value, list):
        low, high = value
        return (_number(low), _number(high))
    return value if isinstance(value, str) else _number(value)


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    return value


def _bounds(value: Any, folder: Path) -> tuple[float | None, float | None]:  # noqa: ARG001
    low, high = _entries(value)
    return (_open(_number(low)), _open(_number(high)))


def _open(bound: Any) -> float | None:
    """TOML has no null: an open end of ``bounds`` is written as an infinity."""
    value = float(bound)
    return None if value in (float("inf"), float("-inf")) else value


def _hierarchy(value: Any, folder: Path) -> Hierarchy:
    if isinstance(value, str):
        return Hierarchy.read(folder / value)
    return Hierarchy.from_rows([_scalars(row) for row in _entries(value)])


_READERS: dict[str, tuple[str, Callable[[Any, Path], Any]]] = {
    "role": ("roles", lambda value, _: (value,) if isinstance(value, str) else _scalars(value)),
    "scale": ("scale", _text),
    "missing": ("missing", lambda value, _: tuple(_code(code) for code in _entries(value))),
    "bounds": ("bounds", _bounds),
    "categories": ("categories", lambda value, _: _scalars(value)),
    "hierarchy": ("hierarchy", _hierarchy),
    "labels": ("labels", lambda value, _: tuple((v, label) for v, label in map(_scalars, _entries(value)))),
    "label": ("label", _text),
    "linked_to": ("linked_to", _text),
    "public": ("public", _truth),
}
"""The settings of a column: the field of :class:`Column` that each of them fills, and how it is read."""


# --- writing -------------------------------------------------------------------------------------------------------


def schema_to_toml(schema: Schema) -> str:
    """Write a schema so that reading it gives the same schema again."""
    lines: list[str] = []
    for column in schema:
        lines.append(f"[columns.{toml_key(column.name)}]")
        lines += [f"{word} = {text}" for word, text in column_settings(column)]
        lines.append("")
    return "\n".join(lines)


def column_settings(column: Column) -> list[tuple[str, str]]:
    """Return the settings of a column as a schema file has them: the word, and its value as TOML."""
    roles = list(column.roles)
    settings = [("role", toml_value(roles[0] if len(roles) == 1 else roles)), ("scale", toml_value(column.scale))]
    if column.label:
        settings.append(("label", toml_value(column.label)))
    if column.public:
        settings.append(("public", toml_value(True)))
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
        settings.append(("hierarchy", f"[\n{rows},\n]" if rows else "[]"))
    return settings
