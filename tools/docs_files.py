"""The pages of the reference about files that users write: the schema and the recipe."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from typing import Any

from docs_markdown import Docstring, code, entries_table, prose, table

from tacita.core import selectors, vocabulary
from tacita.data import schema, schema_file
from tacita.release import recipe

__all__ = ["recipe_page", "schema_page"]


def schema_page() -> str:
    """Return the page about schema files."""
    module, column = Docstring(schema_file), Docstring(schema.Column)
    lines = ["# Schema file", "", "A schema file is TOML with one table for each column.", "", prose(module.body), ""]
    lines += [
        "## Settings of a column",
        "",
        entries_table(column.sections["Parameters"]).replace("`roles`", "`role`"),
        "",
    ]
    lines += ["The name is that of the table: `[columns.NAME]`. In a file `role` is a word or a list of words.", ""]
    for name, title in (("Role", "Roles"), ("Scale", "Scales")):
        lines += [
            f"## {title}",
            "",
            _word_table(_text_below(vocabulary, name), vars(vocabulary)[f"{name.upper()}S"]),
            "",
        ]
    return "\n".join(lines)


def _text_below(module: Any, name: str) -> str:
    """Return the string that stands below an assignment; Python itself forgets it."""
    body = ast.parse(inspect.getsource(module)).body
    for statement, below in itertools.pairwise(body):
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", None) == name:
            return inspect.cleandoc(ast.literal_eval(below.value))  # type: ignore[attr-defined]
    raise LookupError(name)


def _word_table(text: str, words: tuple[str, ...]) -> str:
    meanings = dict(re.findall(r"^(\w+)\s{2,}(\S.*)$", text, re.MULTILINE))
    if set(meanings) != set(words):
        return f"{prose(text)}\n\n" + "\n".join(f"- `{word}`" for word in words)
    return f"{prose(text.splitlines()[0])}\n\n" + table(("word", "meaning"), [(code(w), meanings[w]) for w in words])


def recipe_page() -> str:
    """Return the page about recipe files."""
    module, rules = Docstring(recipe), Docstring(selectors.Selector)
    words = re.sub(r"^text\n", "", rules.sections["Parameters"])
    return "\n".join(
        [
            "# Recipe file",
            "",
            "A recipe file lists masking steps, first to last.",
            "",
            prose(module.body),
            "",
            "`mask` is the name of a [mask](methods/index.md); the other lines are its parameters.",
            "A parameter that is left out has its default. An unknown name is an error.",
            "",
            "## Rules that select columns",
            "",
            "`columns` and `by` take a list of names, one name, or a rule. A rule selects columns by scale and role, when "
            "the recipe runs, so one recipe fits many files. It is made of:",
            "",
            prose(words),
            "",
            "Examples: `numeric keys`, `confidential`, `categorical keys else keys`.",
        ]
    )
