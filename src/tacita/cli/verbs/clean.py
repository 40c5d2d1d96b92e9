"""``tacita clean``: show and remove what interrupted runs left behind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.core.errors import FileError

if TYPE_CHECKING:
    from tacita.data.disk.leftovers import Leftover

__all__ = ["clean"]


def clean(
    directory: Annotated[Path, typer.Argument(help="Where outputs were written.")] = Path(),
    recursive: Annotated[
        bool, typer.Option("--recursive", "-R", help="Look in all directories below, too; links are not followed.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be removed and remove nothing.")] = False,
    other_hosts: Annotated[
        bool,
        typer.Option(
            "--other-hosts",
            help="Remove also what other machines left in a shared directory; make sure that nothing runs there.",
        ),
    ] = False,
    as_json: output.Json = False,
) -> None:
    """Remove what interrupted runs left in a directory and in the system's temporary directory.

    An earlier output that was moved out of the way and not replaced is put back. What belongs to a run that is still going
    on, to another user, or to nobody that Tacita knows is left alone.
    """
    from tacita.data.disk.leftovers import find_leftovers, remove_leftovers

    output.settings.as_json = as_json
    if not directory.is_dir():
        raise FileError(f"'{directory}' must be a directory, but it is not there, or it is a file.")
    found: list[Leftover] = []
    for place in _places(directory, recursive=recursive):
        found += find_leftovers(place) if dry_run else remove_leftovers(place, other_hosts=other_hosts)
    rows = [(str(one.path), one.target, one.state, _fate(one, dry_run, other_hosts)) for one in found]
    heads = ("path", "target", "state", "fate")
    if as_json:
        output.print_json([dict(zip(heads, row, strict=True)) for row in rows])
        return
    if not rows:
        output.say("Nothing was left behind.")
        return
    output.table("Left behind", ("where", "what was being written", "state", "now"), rows)
    if any(one.state == "of another machine" for one in found) and not other_hosts:
        output.say("Nobody can tell from here whether other machines still work; --other-hosts removes what they left.")


def _fate(one: Leftover, dry_run: bool, other_hosts: bool) -> str:
    if one.is_removed:
        return "removed, the earlier output put back" if one.restored else "removed"
    if one.state == "abandoned" or (one.state == "of another machine" and other_hosts):
        return "would be removed" if dry_run else "could not be removed"
    return "left alone"


def _places(directory: Path, *, recursive: bool) -> Iterator[Path]:
    """Give the directories to look in; those that are themselves left behind are not searched."""
    temporary = Path(tempfile.gettempdir()).resolve()
    yield directory
    if recursive:
        for folder, folders, _ in os.walk(directory):
            folders[:] = sorted(name for name in folders if not name.startswith(".tacita-"))
            yield from (Path(folder) / name for name in folders if not (Path(folder) / name).is_symlink())
    if temporary != directory.resolve() and not (recursive and temporary.is_relative_to(directory.resolve())):
        yield temporary
