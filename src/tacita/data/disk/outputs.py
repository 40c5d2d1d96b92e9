"""Directories that Tacita wrote: each holds a list of its files, and only what is on that list may be replaced."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError

__all__ = ["LIST", "check_directory", "check_not_input", "list_files"]

LIST = ".tacita.json"
"""The list of files at the top of a directory; it holds their names and what kind of output they are, nothing else."""

_FORM = "tacita-output-1"
_LONGEST_LIST = 1 << 26
_JUNK = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file browsers put into directories; it is no loss."""


def list_files(directory: Path, kind: str) -> str:
    """Return the text of the list for a directory that is complete.

    Parameters
    ----------
    directory
        Where the files are.
    kind
        What they are together, such as ``release``.
    """
    files = sorted({LIST, *(place for place, facts in _below(directory) if not stat.S_ISDIR(facts.st_mode))})
    return json.dumps({"form": _FORM, "kind": kind, "files": files}, indent=2, ensure_ascii=False) + "\n"


def check_directory(path: str | Path, kind: str, *, overwrite: bool, inputs: Iterable[str | Path] = ()) -> None:
    """Raise unless an output may be written to this place.

    A directory that is there is replaced only with ``overwrite``, and only when it is empty or an earlier output of the same
    kind: it has the list of its files, and everything in it is on the list. It must not hold the current directory, nor a
    file that the new output is made from, under whatever name that file was given.

    Parameters
    ----------
    path
        Where the output is to be.
    kind
        What it is, such as ``release``.
    overwrite
        Whether an earlier one may be replaced.
    inputs
        Files that the output is made from.

    Raises
    ------
    FileError
        When it may not; nothing was changed.
    """
    path = Path(path)
    try:
        facts = path.lstat()
    except OSError:
        return  # free, or out of reach, which shows when it is written
    except ValueError:
        raise FileError("The name of a directory must not hold a zero byte.") from None
    if not stat.S_ISDIR(facts.st_mode):
        raise FileError(
            f"'{path.name}' must be a directory, but something else of that name exists; choose another name."
        )
    if not overwrite:
        raise FileError(f"The directory '{path.name}' exists already; choose another name, or allow overwriting it.")
    _check_ours(path, kind)
    inside = Path(os.path.realpath(path))
    if Path(os.path.realpath(".")).is_relative_to(inside):
        raise FileError(f"'{path}' is not replaced: it is, or holds, the directory that you work in.")
    for given in inputs:
        for place in _leads_to(Path(given)):
            if place.is_relative_to(inside):
                raise FileError(
                    f"'{path.name}' is not replaced: it holds '{Path(given).name}', which this output is made from. Choose "
                    "another directory."
                )


def check_not_input(path: str | Path, inputs: Iterable[str | Path | None]) -> None:
    """Raise when a file to be written is one of those that are read.

    Raises
    ------
    FileError
        When it is, under whatever name.
    """
    target = Path(path)
    for given in inputs:
        if given is not None and set(_leads_to(target)) & set(_leads_to(Path(given))):
            raise FileError(f"'{target.name}' is not written: it is a file that is read. Choose another name.")


# --- what is there ------------------------------------------------------------------------------------------------------


def _check_ours(path: Path, kind: str) -> None:
    """Raise unless every file below is one that we wrote."""
    found = {place: facts for place, facts in _below(path) if place.rpartition("/")[2] not in _JUNK}
    if not found:
        return
    listed = _read_list(path / LIST)
    if listed is None:
        raise FileError(
            f"The directory '{path.name}' is not replaced: it is no {kind} that Tacita wrote (it has no list '{LIST}'). "
            "Choose another name, or remove it yourself."
        )
    if listed["kind"] != kind:
        raise FileError(f"The directory '{path.name}' is not replaced: it is a {listed['kind']}, not a {kind}.")
    files = set(listed["files"])
    folders = {place[:end] for place in files for end, letter in enumerate(place) if letter == "/"}
    for place, facts in found.items():
        is_known = place in folders if stat.S_ISDIR(facts.st_mode) else place in files and stat.S_ISREG(facts.st_mode)
        if not is_known:
            raise FileError(
                f"The directory '{path.name}' is not replaced: '{place}' in it is nothing that Tacita wrote. Move it "
                "elsewhere first, or choose another name."
            )


def _read_list(path: Path) -> dict[str, Any] | None:
    try:
        facts = path.lstat()
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > _LONGEST_LIST:
            return None
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("form") != _FORM or not isinstance(found.get("kind"), str):
        return None
    files = found.get("files")
    return found if isinstance(files, list) and all(isinstance(place, str) for place in files) else None


def _below(directory: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Give everything below a directory by its place in it; symbolic links are shown, not followed."""

    def unreadable(error: OSError) -> None:
        raise FileError(
            f"The directory '{directory.name}' cannot be looked at: {error.strerror or 'unknown reason'}."
        ) from error

    for folder, folders, files in os.walk(directory, onerror=unreadable):
        for name in (*folders, *files):
            place = Path(folder) / name
            yield place.relative_to(directory).as_posix(), place.lstat()


def _leads_to(path: Path) -> tuple[Path, ...]:
    """Return where a name stands and where it leads to in the end; both may be links."""
    try:
        return Path(os.path.realpath(path.parent)) / path.name, Path(os.path.realpath(path))
    except (OSError, ValueError):
        return ()
