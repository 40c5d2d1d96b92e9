"""The directory that a simulation writes: its page and the same as JSON, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacita.cli import output
from tacita.cli.files import make_parents
from tacita.data.atomic import atomic_directory, new_file

__all__ = ["write_game_output"]


def write_game_output(
    directory: Path, name: str, page: str, plain: dict[str, Any], *, kind: str, overwrite: bool
) -> None:
    """Write ``NAME.html`` and ``NAME.json`` into a new directory.

    Parameters
    ----------
    directory
        Where.
    name
        Of both files.
    page
        The page.
    plain
        What was found; infinities and NaN become null.
    kind
        What the directory is; only one of the same kind is replaced.
    overwrite
        Whether an earlier one may be.
    """
    text = output.as_json_text(plain) + "\n"
    make_parents(directory)
    with atomic_directory(directory, overwrite, kind=kind) as made:
        for ending, content in (("html", page), ("json", text)):
            with new_file(made / f"{name}.{ending}") as file:
                file.write(content.encode("utf-8"))
