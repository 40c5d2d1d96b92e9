"""Further files of an output, by their place in ``public/`` or ``internal/``: plain relative paths that lead nowhere else."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from tacita.core.errors import ReleaseError
from tacita.data.atomic import new_file

__all__ = ["check_places", "put_documents"]

SIDES = ("public", "internal")


def check_places(places: Iterable[str]) -> None:
    """Raise unless every place is a path below ``public/`` or ``internal/``, and no two of them are one.

    Raises
    ------
    ReleaseError
        When a place is absolute, leads upwards, has a backslash, a colon or a control character, is a file and a directory at
        once, or differs from another one in upper and lower case only, which is one file on some disks.
    """
    files: set[str] = set()
    folders: set[str] = set()
    for place in places:
        if not isinstance(place, str) or place.partition("/")[0] not in SIDES or "/" not in place:
            raise ReleaseError(f"A document must stand in public/ or internal/, got {place!r}.")
        parts = place.split("/")
        if any(part in ("", ".", "..") for part in parts) or not all(c.isprintable() and c not in "\\:" for c in place):
            raise ReleaseError(
                "The place of a document must be a plain path below public/ or internal/, without '..', backslashes, colons "
                f"or control characters, got {place!r}."
            )
        whole = _folded(place)
        above = {whole[:end] for end, letter in enumerate(whole) if letter == "/"}
        if whole in files | folders or above & files:
            raise ReleaseError(f"Two documents of a release stand in the same place, got '{place}' twice.")
        files.add(whole)
        folders |= above


def put_documents(directory: Path, documents: Mapping[str, bytes]) -> None:
    """Write documents into an output that is being made; none may take the place of a file that is there.

    Raises
    ------
    ReleaseError
        When the place is taken, also under a name that differs in upper and lower case only.
    """
    check_places(documents)
    for place, content in documents.items():
        folder, *rest = place.split("/")
        at, private = directory / folder, folder == "internal"
        for name in rest[:-1]:
            at = at / name
            _check_free(at, place, may_be_directory=True)
            if not at.is_dir():
                os.mkdir(at, 0o700 if private else 0o777)  # noqa: PTH102 - tests stop a process at every call of os
        _check_free(at / rest[-1], place)
        with new_file(at / rest[-1], private=private) as file:
            file.write(content)


def _check_free(path: Path, place: str, *, may_be_directory: bool = False) -> None:
    if may_be_directory and path.is_dir() and not path.is_symlink():
        return
    if _folded(path.name) in {_folded(entry.name) for entry in path.parent.iterdir()}:
        raise ReleaseError(f"A document must not take the place of a file of the release, got '{place}'.")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
