"""The journal of a search: every finished trial on a line of its own, so that an interrupted search goes on where it was.

The first line says what the journal is for: hashes of the data and of the measures. A hash of a small file confirms a guess
of its content, so a journal stays inside.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacita._version import __version__
from tacita.compare.search.trial import Trial
from tacita.core.errors import FileError
from tacita.core.metadata import LARGE, parse_json
from tacita.core.parameters import as_plain
from tacita.core.streams import Seed
from tacita.data.measure import Measure
from tacita.data.microdata import Microdata
from tacita.data.schema_file import schema_to_toml

__all__ = ["Journal", "is_journal", "measuring_hash"]

_FORM = "tacita-search-1"
_WORDS = {"data": "other data or another schema", "measuring": "other measures", "version": "another version of Tacita"}
_KEYS = {"candidate", "seed", "values", "skipped", "notes", "problem", "seconds"}


def measuring_hash(measures: Sequence[Measure], pairing: str, as_asked: Sequence[str] = ()) -> str:
    """Return a hash of what is measured and how; measures that run as they are may differ from those bounded in time."""
    listed = [[m.name, {p.name: as_plain(getattr(m, p.name)) for p in m.parameters()}] for m in measures]
    return _sha(json.dumps([listed, pairing, sorted(as_asked)], sort_keys=True, default=str))


def is_journal(path: Path) -> bool:
    """Whether this is the journal of a search, of whatever search and version, or the beginning of one."""
    begins = b'{"journal": "tacita-search-'
    try:
        with path.open("rb") as stream:
            return begins.startswith(stream.read(len(begins)))
    except OSError:
        return False


class Journal:
    """A file with one line for each finished trial.

    Parameters
    ----------
    path
        The file; it is made where there is none.
    data
        The data of the search.
    measuring
        What :func:`measuring_hash` gives for its measures.
    candidates
        Fingerprints of its candidates; a journal may have fewer, never others.

    Raises
    ------
    FileError
        When the file is no journal, is damaged, or belongs to another search.

    Notes
    -----
    A line is written in one piece and brought to the disk before the next trial is counted. When the machine stops in
    the middle of a line, that line has no end; it is dropped and its trial is made again. Damage anywhere else is an error.
    """

    def __init__(self, path: str | Path, *, data: Microdata, measuring: str, candidates: Collection[str]) -> None:
        self.path = Path(path)
        self._head = {
            "journal": _FORM,
            "version": __version__,
            "data": _sha(data.fingerprint() + schema_to_toml(data.schema)),
            "measuring": measuring,
        }
        self.trials: dict[tuple[str, Seed], Trial] = {}
        if self.path.exists():
            self._read(candidates)
        else:
            self._append(self._head, new=True)

    def add(self, candidate: str, trial: Trial) -> None:
        """Write one finished trial; one that would do better next time is not kept."""
        if trial.is_final:
            self._append({"candidate": candidate, **{k: v for k, v in trial.as_plain().items() if k != "is_final"}})

    # --- reading -------------------------------------------------------------------------------------------------------

    def _read(self, candidates: Collection[str]) -> None:
        lines = self._lines()
        head = next(lines, None)
        if head is None:  # stopped before the first line was whole
            self._append(self._head, new=True)
            return
        if head.get("journal") != _FORM:
            raise FileError(f"'{self.path.name}' is no journal of a search; choose another file for 'resume'.")
        for word, what in _WORDS.items():
            if head.get(word) != self._head[word]:
                raise FileError(
                    f"The journal '{self.path.name}' belongs to a search with {what}; "
                    "choose another file for 'resume', or begin anew: remove this one, or give --restart on the command line."
                )
        for number, line in enumerate(lines, 2):
            if set(line) != _KEYS or not _is_whole(line):
                raise self._damaged(number)
            if line["candidate"] not in candidates:
                raise FileError(
                    f"The journal '{self.path.name}' has candidates that this search has not (line {number}); give the same "
                    "candidates or more, or choose another file for 'resume'."
                )
            found = {word: line[word] for word in _KEYS if word != "candidate"}
            self.trials[line["candidate"], line["seed"]] = Trial(**{**found, "notes": tuple(found["notes"])})

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            with self.path.open("rb") as file:
                content = file.read(LARGE.size + 1)
        except OSError as error:
            raise FileError(f"The journal '{self.path.name}' cannot be read: {error.strerror}.") from error
        if len(content) > LARGE.size:
            raise FileError(
                f"'{self.path.name}' is longer than a journal of a search can be; choose another for 'resume'."
            )
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            # A file without any whole line may be anybody's; only what looks like the start of a journal is cut off.
            if not whole and not self._encoded(self._head).startswith(content):
                raise FileError(f"'{self.path.name}' is no journal of a search; choose another file for 'resume'.")
            with self.path.open("r+b") as stream:
                stream.truncate(whole)
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                parsed = parse_json(line, "A line")
            except FileError:
                raise self._damaged(number) from None
            if not isinstance(parsed, dict):
                raise self._damaged(number)
            yield parsed

    def _damaged(self, number: int) -> FileError:
        if number == 1:
            return FileError(f"'{self.path.name}' is no journal of a search; choose another file for 'resume'.")
        return FileError(
            f"The journal '{self.path.name}' is damaged in line {number}; remove the line to make its trial again, "
            "or choose another file for 'resume'."
        )

    # --- writing -------------------------------------------------------------------------------------------------------

    @staticmethod
    def _encoded(line: dict[str, Any]) -> bytes:
        return json.dumps(line, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"

    def _append(self, line: dict[str, Any], *, new: bool = False) -> None:
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | (os.O_CREAT if new else 0), 0o600)
            try:
                rest = self._encoded(line)
                while rest:
                    rest = rest[os.write(handle, rest) :]
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise FileError(
                f"The journal '{self.path.name}' cannot be written: {error.strerror or 'unknown reason'}. "
                "What was finished so far is kept in it."
            ) from error


def _is_whole(line: Mapping[str, Any]) -> bool:
    """Whether every entry of a trial's line is of the kind that was written."""
    values, skipped, notes, seed = line["values"], line["skipped"], line["notes"], line["seed"]
    return (
        isinstance(line["candidate"], str)
        and isinstance(seed, int)
        and not isinstance(seed, bool)
        and isinstance(values, dict)
        and all(_is_number(value) for value in values.values())
        and isinstance(skipped, dict)
        and all(isinstance(reason, str) for reason in skipped.values())
        and isinstance(notes, list)
        and all(isinstance(note, str) for note in notes)
        and isinstance(line["problem"], str)
        and _is_number(line["seconds"])
    )


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= sys.float_info.max  # false for what is not a number, and safe for the longest whole number


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
