"""Outputs in files: a small TOML or JSON description for each, and the figures in a CSV file beside it.

.. code-block:: toml

    kind = "crosstab"
    rows = ["region"]
    columns = ["sex"]
    values = "income"
    statistic = "mean"
    figures = "table1.csv"      # by default the CSV file with the name of the description

    [universe]
    age = {at_least = 18}
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tacita.compare.output_check.output import Output
from tacita.core.errors import FileError, ParameterError, TacitaError

__all__ = ["read_outputs"]

DESCRIPTIONS = (".toml", ".json")
MOST_FILES = 10_000


def read_outputs(places: Sequence[str | Path]) -> tuple[list[Output], list[str]]:
    """Read the descriptions of some files or directories.

    Returns
    -------
    tuple
        The outputs, by name, and the names of files that nobody described.

    Raises
    ------
    FileError
        When a file is not there or cannot be read, a description is not valid, or the figures that it names are not beside it.
    """
    files: list[Path] = []
    for place in map(Path, places):
        if place.is_dir():
            files += sorted(path for path in place.rglob("*") if path.is_file())
        elif place.is_file():
            files.append(place)
        else:
            raise FileError(f"'{place.name}' is not there.")
    files = list(dict.fromkeys(files))
    if len(files) > MOST_FILES:
        raise FileError(f"There are more than {MOST_FILES} files to check; send fewer.")
    outputs: list[Output] = []
    used: set[Path] = set()
    for path in files:
        if path.suffix.lower() in DESCRIPTIONS:
            output, figures = _described(path)
            outputs.append(output)
            used |= {path} if figures is None else {path, figures}
    for path in files:  # a description and its figures may be named both, or only one of them
        beside = [path.with_suffix(suffix) for suffix in DESCRIPTIONS if path.with_suffix(suffix).is_file()]
        if path not in used and path.suffix.lower() == ".csv" and beside:
            output, figures = _described(beside[0])
            if figures == path:
                outputs.append(output)
                used |= {path, beside[0]}
    return outputs, [_printable(path.name) for path in files if path not in used]


def _printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "·" for letter in name)


def _described(path: Path) -> tuple[Output, Path | None]:
    """Read one description, and say where its figures are."""
    values = _parsed(path)
    figures = values.pop("figures", None)
    if figures is None:
        beside = path.with_suffix(".csv")
        shown = beside if beside.is_file() else None
    else:
        if not isinstance(figures, str) or Path(figures).name != figures:
            raise FileError(f"'{path.name}': 'figures' must be the name of a file beside it, without a path.")
        shown = path.parent / figures
        if not shown.is_file():
            raise FileError(f"'{path.name}': the figures '{figures}' are not beside it.")
    values.setdefault("name", path.stem)
    try:
        return Output.from_plain(values, shown=shown), shown
    except TacitaError as error:
        raise ParameterError(f"'{path.name}': {error}") from error


def _parsed(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"'{path.name}' cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise FileError(f"'{path.name}' must be UTF-8 text.") from None
    try:
        found = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError):
        raise FileError(f"'{path.name}' is not valid {path.suffix[1:].upper()}.") from None
    if not isinstance(found, dict):
        raise FileError(f"'{path.name}' must be a table of settings of one output.")
    return found
