"""Backups of a server: its keys, journals and accounts together, with a manifest that says what each must be.

A backup is a directory that only its owner can enter: ``keys/``, ``journals/``, ``accounts.sqlite``, ``manifest.json``. Whoever
has it can take the noise out of answers: keep it as the key itself.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from json import dumps
from pathlib import Path
from typing import Any, BinaryIO, Literal

from tacita._version import __version__
from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import Key
from tacita.core.metadata import parse_json, read_text
from tacita.data.atomic import atomic_directory, new_file
from tacita.query.journal.anchor import Anchor
from tacita.query.journal.chain import LONGEST, JournalKeys, read_line
from tacita.query.journal.locked_file import snapshot
from tacita.query.journal.verify import Verification, verify
from tacita.web.accounts import open_accounts, restore_accounts
from tacita.web.accounts.place import Place, is_postgres

__all__ = ["MANIFEST", "BackupPart", "RestoredServer", "backup", "restore"]

MANIFEST = "manifest.json"
_FORM = "tacita-server-backup-1"
_ACCOUNTS = "accounts.sqlite"
_PLACE = re.compile(rf"(keys|journals)/[^/\\\0]+|{re.escape(_ACCOUNTS)}")
_CHUNK = 1 << 20


@dataclass(frozen=True)
class BackupPart:
    """One file of a backup.

    Parameters
    ----------
    kind
        ``key``, ``journal`` or ``accounts``.
    place
        Where it is in the backup.
    origin
        Where it came from; the address of a database is not kept.
    size, sha256
        What it must be.
    anchor
        Of a journal: number and hash of its last entry, all of it verified with its key.
    """

    kind: Literal["key", "journal", "accounts"]
    place: str
    origin: str
    size: int
    sha256: str
    anchor: str | None = None


@dataclass(frozen=True)
class RestoredServer:
    """What was restored.

    Parameters
    ----------
    path
        The directory.
    made
        When the backup was made, as its manifest says.
    parts
        The files.
    notes
        What one must know about it.
    """

    path: Path
    made: str
    parts: tuple[BackupPart, ...]
    notes: tuple[str, ...]


def backup(
    out: str | Path,
    *,
    keys: Sequence[str | Path] = (),
    journals: Sequence[str | Path] = (),
    accounts: Place | None = None,
) -> list[BackupPart]:
    """Write a backup while the server runs.

    Parameters
    ----------
    out
        The directory to make; nothing may be there.
    keys
        Files with keys.
    journals
        Journals; the key of each must be among the keys.
    accounts
        The accounts: a file or the address of a database.

    Returns
    -------
    list of BackupPart
        What is in it.

    Raises
    ------
    FileError
        When something cannot be read or written, a journal is broken, or nobody gave its key; nothing is left then.
    ParameterError
        When nothing was given.
    AccountsUnavailable
        When the accounts cannot be reached.

    Notes
    -----
    Journals are copied before the accounts, so every question that the copied journals know is one that the copied budgets have
    counted. The sums in the manifest show damage; they do not show what somebody changed who can write the backup.
    """
    if not keys and not journals and accounts is None:
        raise ParameterError("A backup must have something in it: give 'keys', 'journals' or 'accounts'.")
    inputs = [*keys, *journals]
    with atomic_directory(out, kind="server backup", private=(".",), inputs=inputs) as made:
        parts = [*_put_keys(made, keys), *_put_journals(made, journals, keys)]
        if accounts is not None:
            with open_accounts(accounts, create=False) as opened:
                opened.backup(made / _ACCOUNTS)
            origin = "postgresql" if is_postgres(accounts) else str(accounts)
            parts.append(_described("accounts", made, _ACCOUNTS, origin))
        told = {"form": _FORM, "made": datetime.now(UTC).isoformat(timespec="seconds"), "package": __version__}
        with new_file(made / MANIFEST, private=True) as file:
            plain = {**told, "parts": [asdict(part) for part in parts]}
            file.write(dumps(plain, indent=2).encode("ascii"))
    return parts


def restore(
    backup: str | Path,
    into: str | Path,
    *,
    anchor: str | Anchor | Iterable[str | Anchor] | None = None,
    accounts: Place | None = None,
) -> RestoredServer:
    """Put a backup into a new directory, after everything in it was checked.

    Parameters
    ----------
    backup
        The directory of a backup; it is not changed.
    into
        The directory to make; nothing may be there.
    anchor
        One or several anchors that were kept outside. Each must be that of an entry of a restored journal: a backup that is
        older than what was already answered is refused.
    accounts
        Where the accounts go, such as a PostgreSQL database; None leaves them in the directory.

    Returns
    -------
    RestoredServer
        What was restored, with notes.

    Raises
    ------
    FileError
        When the backup is damaged or older than an anchor, or something is there already; nothing is restored then.
    ParameterError
        When an anchor is none.

    Notes
    -----
    A database that gets an old journal back forgets what it answered since. Its rules judge new questions as if those answers
    had never left, and an audit over all answers misses them. Noise that comes from the key stays the same.
    """
    told = _manifest(Path(backup))
    with atomic_directory(into, kind="server", private=(".",), inputs=[Path(backup) / MANIFEST]) as made:
        for part in told.parts:
            _put_back(Path(backup), made, part)
        _check_journals(made, told.parts, _anchors(anchor))
        if accounts is not None and any(part.kind == "accounts" for part in told.parts):
            restore_accounts(made / _ACCOUNTS, accounts)
    return RestoredServer(Path(into), told.made, told.parts, tuple(_notes(told)))


# --- writing ------------------------------------------------------------------------------------------------------------


def _put_keys(made: Path, keys: Sequence[str | Path]) -> Iterator[BackupPart]:
    for name, path in _named(keys):
        Key.read(path)  # what is no key is refused before it is copied
        place = f"keys/{name}"
        with path.open("rb") as source:
            _copy(source, made / place)
        yield _described("key", made, place, str(path))


def _put_journals(made: Path, journals: Sequence[str | Path], keys: Sequence[str | Path]) -> Iterator[BackupPart]:
    known = [Key.read(path) for path in keys]
    for name, path in _named(journals):
        place = f"journals/{name}"
        with snapshot(path) as (handle, size), os.fdopen(os.dup(handle), "rb") as source:
            _copy(source, made / place, size)
        found = _verified(made / place, known)
        yield _described("journal", made, place, str(path), anchor=found.head)


def _named(paths: Sequence[str | Path]) -> Iterator[tuple[str, Path]]:
    """Give each file a name of its own: files of one name are numbered."""
    seen: set[str] = set()
    for path in map(Path, paths):
        name, number = path.name, 2
        while name.casefold() in seen:
            name, number = f"{number}-{path.name}", number + 1
        seen.add(name.casefold())
        yield name, path


def _copy(source: BinaryIO, target: Path, size: int | None = None) -> None:
    """Copy a file, or its beginning, into a new one."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    left = size
    with new_file(target, private=True) as file:
        while chunk := source.read(_CHUNK if left is None else min(_CHUNK, left)):
            file.write(chunk)
            left = None if left is None else left - len(chunk)


def _described(
    kind: Literal["key", "journal", "accounts"], made: Path, place: str, origin: str, anchor: str | None = None
) -> BackupPart:
    with (made / place).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return BackupPart(kind, place, origin, (made / place).stat().st_size, digest, anchor)


# --- reading ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Manifest:
    made: str
    parts: tuple[BackupPart, ...]


def _manifest(folder: Path) -> _Manifest:
    plain = parse_json(read_text(folder / MANIFEST, "The manifest"), "The manifest")
    try:
        if plain["form"] != _FORM:
            raise FileError(
                "The manifest must be that of a backup of a server, in a form that this version knows; it is not."
            )
        parts = tuple(_part(given) for given in plain["parts"])
        if len({part.place.casefold() for part in parts}) == len(parts):
            return _Manifest(str(plain["made"]), parts)
    except (KeyError, TypeError, AttributeError):
        pass
    raise FileError("The manifest must be that of a backup of a server, but it is damaged or something else.")


def _part(given: Any) -> BackupPart:
    part = BackupPart(**given)
    folder = {"key": "keys", "journal": "journals", "accounts": _ACCOUNTS}[part.kind]
    place = part.place
    if not _PLACE.fullmatch(place) or place.partition("/")[0] != folder or place.endswith(("/.", "/..")):
        raise FileError("The manifest names a file that is none of a backup of a server.")
    return part


def _put_back(folder: Path, made: Path, part: BackupPart) -> None:
    try:
        with (folder / part.place).open("rb") as source:
            _copy(source, made / part.place)
    except FileError:
        raise
    except OSError:
        raise FileError(f"The backup lacks '{part.place}', or it cannot be read; take another backup.") from None
    found = _described(part.kind, made, part.place, part.origin, part.anchor)
    if found != part:
        raise FileError(f"'{part.place}' of the backup is not what its manifest says: it is damaged or was changed.")


def _check_journals(made: Path, parts: Sequence[BackupPart], anchors: Sequence[Anchor]) -> None:
    keys = [Key.read(made / part.place) for part in parts if part.kind == "key"]
    journals = [part for part in parts if part.kind == "journal"]
    left = list(anchors)
    for part in journals:
        found = _verified(made / part.place, keys)
        if found.head != part.anchor:
            raise FileError(f"'{part.place}' of the backup does not end with the entry that its manifest names.")
        left = [one for one in left if verify(made / part.place, anchor=one).state == "broken"]
    if left:
        raise FileError(
            f"The backup is older than the anchor of entry {left[0].number}, or is of another journal: no journal in it has that "
            "entry. A database that forgets what it answered answers again; take a later backup."
        )


def _verified(path: Path, keys: Sequence[Key]) -> Verification:
    """Verify a journal with the one of several keys that sealed it."""
    with path.open("rb") as file:
        first = file.readline(LONGEST + 1)
    try:
        line = read_line(first)
    except FileError:
        raise FileError(f"'{path.name}' must be a journal, but it is something else.") from None
    key = next((key for key in keys if line.is_sealed_by(JournalKeys(key))), None)
    if key is None:
        raise FileError(f"The journal '{path.name}' was sealed with none of the keys; give its key as well.")
    found = verify(path, key=key)
    if found.state != "verified":
        raise FileError(
            f"The journal '{path.name}' is broken: {found.flaws[0].what}. 'tacita journal verify' shows more; keep it as it is."
        )
    return found


def _anchors(given: str | Anchor | Iterable[str | Anchor] | None) -> list[Anchor]:
    if given is None:
        return []
    return [Anchor.of(one) for one in ([given] if isinstance(given, str | Anchor) else given)]


def _notes(told: _Manifest) -> Iterator[str]:
    for part in told.parts:
        if part.kind == "journal" and part.anchor is not None:
            number = Anchor.parse(part.anchor).number
            yield (
                f"'{part.place}' ends with entry {number}, of the backup of {told.made}. Whatever was answered after it is "
                "forgotten: the database judges new questions as if those answers had never left. Where later answers may have "
                "left, put the newer journal in its place, or close the data set."
            )
    if any(part.kind == "accounts" for part in told.parts):
        yield (
            "The accounts are those of the backup: questions spent since may be asked again, tokens revoked since open again, "
            "and tokens made since are gone. Everybody must sign in anew."
        )
