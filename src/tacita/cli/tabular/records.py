"""Files of records on the command line: the tables that are built from them, one or several, of sums or of means."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacita.cli.files import read_input
from tacita.cli.tabular.cells import Form, dimensions_of
from tacita.core.errors import ParameterError
from tacita.tables.model.table import Table

__all__ = ["Records", "groups_of", "refuse_with_cells", "table_of"]

_FACTS = ("weight", "contributor", "holding", "shadow", "cost", "request", "waiver", "lower", "upper")
_NOT_FOR_MEANS = ("shadow", "cost", "request", "waiver")


@dataclass(frozen=True)
class Records:
    """A file of records and how it is read; with a limit of memory it is added up without being read into memory."""

    file: Path
    schema: Path | None
    sheet: str | None
    form: Form
    memory: str | None
    given: tuple[Any, ...] = ()
    """What was said of weights, contributors, and so on, in the order of their names; nothing where it is empty."""

    @property
    def facts(self) -> dict[str, Any]:
        """What was said, by name."""
        return dict(zip(_FACTS, self.given or (None,) * len(_FACTS), strict=True))


def refuse_with_cells(link: list[str] | None, is_mean: bool) -> None:
    """Raise when an option for records is given with cells."""
    if link or is_mean:
        raise ParameterError(
            f"{'--link' if link else '--means'} takes records, not --cells; in Python tables of cells can be linked "
            "(tacita.tables.link)."
        )


def groups_of(by: list[str] | None, link: list[str] | None) -> list[list[str]]:
    """Return the columns of each table: those of --by, and those of every --link."""
    if not by:
        raise ParameterError("Name the columns that classify with --by.")
    return [by, *(_columns(text) for text in link or [])]


def _columns(text: str) -> list[str]:
    """Return the columns of ``a,b`` or, where names have commas, of ``["a", "b, c"]``."""
    names: Any = [name.strip() for name in text.split(",")]
    if text.lstrip().startswith("["):
        try:
            names = json.loads(text)
        except (ValueError, RecursionError):
            names = []
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
        raise ParameterError(f"Expected columns as a,b, got '{text}'.")
    return names


def table_of(
    records: Records,
    groups: list[list[str]],
    tree: list[str] | None,
    response: list[str] | None,
    *,
    is_mean: bool,
) -> Table:
    """Build a table by each group of columns, and link them where there are several."""
    from tacita.tables.model.link import link
    from tacita.tables.model.tabulate import tabulate, tabulate_means

    form = {"separator": records.form.separator, "decimal": records.form.decimal, "encoding": records.form.encoding}
    data: Any = records.file
    facts = records.facts
    if records.memory is None:
        data = read_input(records.file, records.schema, records.sheet, **form)
    else:
        facts = facts | form | {"schema": records.schema, "memory": records.memory}
    every = list(dict.fromkeys(name for names in groups for name in names))
    dimensions = {item if isinstance(item, str) else item.name: item for item in dimensions_of(every, tree)}
    tables = []
    for names in groups:
        by = [dimensions[name] for name in names]
        if is_mean:
            tables.append(tabulate_means(data, by, _one(response), **_facts_of_means(facts)))
        else:
            chosen = None if not response else response[0] if len(response) == 1 else response
            tables.append(tabulate(data, by, chosen, **facts))
    return tables[0] if len(tables) == 1 else link(tables)


def _one(response: list[str] | None) -> str:
    if not response or len(response) > 1:
        raise ParameterError("--means needs one --response, the column whose means are published.")
    return response[0]


def _facts_of_means(facts: dict[str, Any]) -> dict[str, Any]:
    """What a table of means can take; anything else is refused by its name."""
    odd = [name for name in _NOT_FOR_MEANS if facts[name] is not None]
    if odd:
        raise ParameterError(f"--{odd[0]} has no meaning with --means: rules and costs look at the count and the sum.")
    return {name: value for name, value in facts.items() if name not in _NOT_FOR_MEANS}
