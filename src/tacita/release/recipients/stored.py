"""Directories of fingerprinted copies: one folder for each recipient, and an internal side with all that tracing needs."""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.errors import DataError, FileError, ReleaseError
from tacita.core.keyed import Key
from tacita.core.metadata import parse_json, read_text
from tacita.core.progress import track
from tacita.data.atomic import atomic_directory, atomic_file, new_file
from tacita.data.disk.outputs import check_directory
from tacita.data.read import read
from tacita.data.write import write_release_data
from tacita.release.ledger import LEDGER, entries_beside, warn_of_repetition
from tacita.release.recipients.copies import FingerprintedCopies
from tacita.release.recipients.exchange.office import answer_request, blank_file, make_offer
from tacita.release.recipients.plan import FingerprintPlan
from tacita.release.recipients.released import ReleasedFile

__all__ = [
    "ANSWER_KIND",
    "KEY_FILE",
    "KIND",
    "check_same_release",
    "folder_of",
    "read_answered",
    "read_copies",
    "with_recipients",
    "write_answer",
    "write_copies",
]

KIND = "fingerprinted copies"
"""What the list of files calls such a directory."""
KEY_FILE = "key"
"""Name of the key in ``internal/``, where it was not given as a file."""
ANSWER_KIND = "answer of an exchange"
"""What the list of files calls an answer."""
_PLAN, _MASKED, _SCHEMA, _ANSWERED = "plan.json", "masked", "schema.toml", "answered.json"


def folder_of(name: str, place: int) -> str:
    """Return the name of a recipient's folder: its place in the list, and letters of its name that every system takes.

    Examples
    --------
    >>> folder_of("Università di Padova", 3)
    '0003-universita-di-padova'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
    return f"{place:04d}-{word}" if word else f"{place:04d}"


def write_copies(
    copies: FingerprintedCopies,
    released: ReleasedFile,
    directory: str | Path,
    *,
    keeps_key: bool,
    overwrite: bool = False,
    inputs: Sequence[str | Path] = (),
) -> Path:
    """Write the copies of all recipients, and what tracing needs, all or nothing.

    Parameters
    ----------
    copies
        The copies.
    released
        The release that they are copies of.
    directory
        Where to: ``copies/`` (in the asymmetric form ``offers/``) gets a folder for each recipient, ``internal/`` what stays.
    keeps_key
        Whether the key is kept in ``internal/``; otherwise who traces must give it.
    overwrite
        Replace an earlier directory of fingerprinted copies.
    inputs
        Files that are never replaced.

    Raises
    ------
    FileError
        When the directory exists or cannot be written; nothing is left half-written.

    Warns
    -----
    RepeatedReleaseWarning
        When the same input was released in another way. All copies of one release count as that release.

    Notes
    -----
    Only the owner may enter the directory and read its files: each copy is for one recipient. The same release, plan, key and
    names give the same bytes.
    """
    target = Path(directory)
    check_directory(target, KIND, overwrite=overwrite, inputs=inputs)
    warn_of_repetition(released.ledger[-1], [*released.ledger, *entries_beside(target)])
    schema = (released.file.parent / _SCHEMA).read_bytes()
    with atomic_directory(target, overwrite, kind=KIND, private=["."], inputs=inputs) as made:
        internal = made / "internal"
        internal.mkdir(mode=0o700)
        kept = internal / _MASKED
        kept.mkdir()
        shutil.copyfile(released.file, kept / released.file.name)
        _put(kept / _SCHEMA, schema)
        _put(internal / _PLAN, _json(_told(copies, released)))
        _put(internal / LEDGER, _json(list(released.ledger)))
        if keeps_key:
            copies.key.write(internal / KEY_FILE)
        if copies.plan.blocks:
            earlier = read_answered(target) if overwrite and (target / "internal" / _ANSWERED).exists() else {}
            _put(internal / _ANSWERED, _json(earlier if _same_copies(target, copies) else {}))
        for place, name in enumerate(track(copies.recipients, "Writing copies"), start=1):
            folder = made / ("offers" if copies.plan.blocks else "copies") / folder_of(name, place)
            folder.mkdir(parents=True)
            if copies.plan.blocks:  # recipients put their copies together themselves
                _put(folder / "offer.json", _json(make_offer(copies, name)))
                continue
            write_release_data(copies.copy(name), folder / released.file.name, formulas="keep")
            _put(folder / _SCHEMA, schema)
    return target


def read_copies(directory: str | Path, key: Key | None = None) -> FingerprintedCopies:
    """Read the internal side of a directory of fingerprinted copies.

    Parameters
    ----------
    directory
        As :func:`write_copies` made it.
    key
        The key, where it is not kept inside.

    Raises
    ------
    FileError
        When the directory is none, a file in it is damaged, or there is no key.
    DataError
        When the key is another one.
    """
    internal = Path(directory) / "internal"
    told = parse_json(read_text(internal / _PLAN, "The plan of the fingerprints"), "The plan of the fingerprints")
    plan = FingerprintPlan.from_plain(told)
    names, digest, mark = told.get("recipients"), told.get("release_sha256"), told.get("key_fingerprint")
    if not (isinstance(names, list) and all(isinstance(n, str) for n in names) and isinstance(digest, str)):
        raise FileError("The plan of the fingerprints is damaged, or was written by another version.")
    if key is None:
        if not (internal / KEY_FILE).exists():
            raise FileError(f"'{Path(directory).name}' does not keep its key; give the file with the key.")
        key = Key.read(internal / KEY_FILE)
    if key.fingerprint != mark:
        raise DataError("The key is not the one that these copies were marked with.")
    found = sorted((internal / _MASKED).glob("data.*"))
    if len(found) != 1:
        raise FileError(f"'{Path(directory).name}' must hold one masked file in internal/{_MASKED}.")
    masked = read(found[0], schema=internal / _MASKED / _SCHEMA)
    if masked.fingerprint() != told.get("masked_sha256"):
        raise DataError("The masked file in internal/ is not the one that the copies were made from; it was changed.")
    return FingerprintedCopies(masked=masked, plan=plan, key=key, recipients=tuple(names), release=digest)


def write_answer(
    copies: FingerprintedCopies, directory: str | Path, request: Any, target: str | Path, *, overwrite: bool = False
) -> Path:
    """Write the answer to a request into a directory of its own, and note in the copies that this recipient has been answered.

    Parameters
    ----------
    copies
        Of the asymmetric form.
    directory
        Where they are.
    request
        The recipient's message.
    target
        Where the answer goes: the file without its marked values, its schema, and the items.
    overwrite
        Replace an earlier answer there.

    Raises
    ------
    ReleaseError
        When the recipient has had the answer to another request: two answers would give it both variants of many cells.
    DataError
        When the request does not belong to these copies.
    """
    internal = Path(directory) / "internal"
    answer = answer_request(copies, request)
    answered = read_answered(directory)
    known = answered.get(answer["recipient"])
    if known not in (None, answer["request"]):
        raise ReleaseError(
            f"'{answer['recipient']}' has had the answer to another request; a second one would tell it which cells are marked."
        )
    found = sorted((internal / _MASKED).glob("data.*"))
    # Noted first: an answer that is noted and not written can be made again, one that is written and not noted could be two.
    with atomic_file(internal / _ANSWERED, private=True) as temporary:
        temporary.write_bytes(_json({**answered, answer["recipient"]: answer["request"]}))
    with atomic_directory(target, overwrite, kind=ANSWER_KIND, private=["."], inputs=[found[0]]) as made:
        write_release_data(blank_file(copies), made / found[0].name, formulas="keep")
        _put(made / _SCHEMA, (internal / _MASKED / _SCHEMA).read_bytes())
        _put(made / "answer.json", _json(answer))
    return Path(target)


def read_answered(directory: str | Path) -> dict[str, str]:
    """Return which recipients have had an answer, and to which request, by its hash.

    Raises
    ------
    FileError
        When the list is damaged or not there.
    """
    path = Path(directory) / "internal" / _ANSWERED
    found = parse_json(read_text(path, "The list of answers"), "The list of answers")
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise FileError("The list of answers is damaged; without it nobody may be answered again.")
    return found


def _same_copies(target: Path, copies: FingerprintedCopies) -> bool:
    """Whether the copies that are replaced have the same key and release, so that answers to them still count."""
    try:
        told = parse_json(read_text(target / "internal" / _PLAN, "The plan"), "The plan")
    except FileError:
        return False
    same = isinstance(told, dict) and told.get("release_sha256") == copies.release
    return bool(same and told.get("key_fingerprint") == copies.key.fingerprint)


def with_recipients(known: FingerprintedCopies, names: Iterable[str]) -> FingerprintedCopies:
    """Return the copies with further recipients; those who have a copy keep theirs."""
    fresh = [name for name in names if name not in known.recipients]
    return FingerprintedCopies(
        masked=known.masked,
        plan=known.plan,
        key=known.key,
        recipients=(*known.recipients, *fresh),
        release=known.release,
    )


def check_same_release(known: FingerprintedCopies, released: ReleasedFile) -> None:
    """Raise unless earlier copies are copies of this release.

    Raises
    ------
    ReleaseError
        When they are of another one.
    """
    same = known.release == released.digest and known.masked.fingerprint() == released.masked.fingerprint()
    if not same:
        raise ReleaseError("The copies that are there are copies of another release; choose another directory.")


def _told(copies: FingerprintedCopies, released: ReleasedFile) -> dict[str, Any]:
    return {
        **copies.plan.to_plain(),
        "release_sha256": released.digest,
        "masked_sha256": released.masked.fingerprint(),
        "key_fingerprint": copies.key.fingerprint,
        "symbols_carried": copies.room,
        "recipients": list(copies.recipients),
        "folders": {name: folder_of(name, place) for place, name in enumerate(copies.recipients, start=1)},
    }


def _json(value: Any) -> bytes:
    def plain(x: Any) -> Any:
        return x.item() if isinstance(x, np.generic) else str(x)

    return (json.dumps(value, indent=2, ensure_ascii=False, default=plain) + "\n").encode("utf-8")


def _put(path: Path, content: bytes) -> None:
    with new_file(path, private=True) as file:
        file.write(content)
