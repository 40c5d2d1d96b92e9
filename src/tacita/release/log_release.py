"""Release of a query log: what an anonymiser made, with a public side that may be judged and an internal side that must stay."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tacita.core import registry
from tacita.core.errors import FileError, ReleaseError, TacitaError
from tacita.core.metadata import parse_json, read_text
from tacita.data.disk.documents import check_places, put_documents
from tacita.data.disk.outputs import check_directory
from tacita.data.formats.formulas import Formulas
from tacita.data.query_log.fingerprint import log_fingerprint
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.release.ledger import LEDGER, entries_beside, ledger_entries, warn_of_repetition

__all__ = ["FORMATS", "KIND", "LogRelease", "read_made_by", "read_profiles"]

KIND = "release of a query log"
"""What the list of files calls such a directory."""
FORMATS = ("tsv", "tsv.gz", "csv", "csv.gz", "parquet", "jsonl", "jsonl.gz")
_PROFILES, _PROVENANCE, _ABOUT = "profiles.parquet", "provenance.json", "about.json"
_NOT_JUDGED: Mapping[str, Any] = {"state": "not judged"}


@dataclass(frozen=True, eq=False)
class LogRelease:
    """An anonymised log on its way out.

    Parameters
    ----------
    original
        The log before.
    anonymised
        What was made of it.
    directory_of
        What the topics come from, in a few words, such as the name of the directory; empty where there are none.

    Notes
    -----
    ``public/`` has the log of profiles and ``about.json``, which says what its columns mean. ``internal/`` has method, seed,
    hashes, versions, the recount, how many lines did not leave and why, and which profile stands for which user. Neither side has
    times, paths or names of machines: the same log, method and seed give the same bytes.
    """

    original: QueryLog
    anonymised: AnonymisedLog
    directory_of: str = ""

    def __post_init__(self) -> None:
        if len(self.anonymised.profile) != len(self.original.users):
            raise ReleaseError(
                f"LogRelease: 'anonymised' must have a profile for each of the {len(self.original.users)} users, "
                f"got {len(self.anonymised.profile)}."
            )

    def __repr__(self) -> str:
        return f"LogRelease of {self.anonymised.log!r}"

    def write(
        self,
        directory: str | Path,
        *,
        format: str = "tsv",
        overwrite: bool = False,
        documents: Mapping[str, bytes] | None = None,
        verdict: Mapping[str, Any] | None = None,
        formulas: Formulas = "warn",
        inputs: Sequence[str | Path] = (),
    ) -> Path:
        """Write both sides into a directory, all or nothing.

        Parameters
        ----------
        directory
            Where ``public/`` and ``internal/`` are made.
        format
            Ending of the log: tsv (the form of AOL), csv or jsonl, each with ``.gz`` where it is to be packed, or parquet.
        overwrite
            Replace an earlier release of a log in the same directory; anything else is not replaced.
        documents
            Further files by their place, such as ``{"public/report.html": b"..."}``.
        verdict
            What was judged, in its plain form; it is recorded.
        formulas
            What a CSV file does about searches that a spreadsheet would run: ``"keep"``, ``"warn"`` or ``"neutralise"``.
        inputs
            Files that the release was made from, which are never replaced.

        Raises
        ------
        ReleaseError
            When a user of the original has the name of a profile, or the verdict is *failed* and nobody says why the release
            is written nevertheless.
        FileError
            When the directory exists or cannot be written; nothing is left half-written.

        Warns
        -----
        RepeatedReleaseWarning
            When the same log was released before with another seed or method: two choices among the lines of the same people
            together show more of each.
        """
        from tacita.data.atomic import atomic_directory, new_file
        from tacita.data.query_log.write import write_log

        target, more = Path(directory), dict(documents or {})
        if format not in FORMATS:
            raise ReleaseError(f"'format' must be one of {', '.join(FORMATS)}, got '{format}'.")
        if verdict is not None and verdict["state"] == "failed" and not verdict.get("because"):
            raise ReleaseError(
                "The release failed and is not written. Change the method, or insist and say because of what."
            )
        check_places(more)
        self._check_names()
        check_directory(target, KIND, overwrite=overwrite, inputs=inputs)
        entry = self._entry(verdict or _NOT_JUDGED)
        history = ledger_entries(target / "internal" / LEDGER)
        warn_of_repetition(entry, [*history, *entries_beside(target)])
        with atomic_directory(target, overwrite, kind=KIND, private=["internal"], inputs=inputs) as made:
            public, internal = made / "public", made / "internal"
            public.mkdir()
            internal.mkdir(mode=0o700)
            sheet: Formulas = formulas if format.startswith("csv") else "keep"  # nobody opens the others as a sheet
            write_log(self.anonymised.log, public / f"log.{format}", formulas=sheet)
            _put(public / _ABOUT, self.about())
            _put(internal / _PROVENANCE, self.provenance(verdict), private=True)
            _put(internal / LEDGER, [*(e for e in history if e != entry), entry], private=True)
            with new_file(internal / _PROFILES, private=True) as file:
                pq.write_table(self._profiles(), file, compression="zstd")
            put_documents(made, more)
        return target

    def about(self) -> dict[str, Any]:
        """Return what a user of the released log should know; it leaves with the log."""
        log = self.anonymised.log
        columns = {
            "user": "a profile, which stands for several users",
            "query": "a search; a path such as 'Sports: Soccer' stands for searches about it",
        }
        columns |= {"time": "when, made coarser"} if log.time is not None else {}
        columns |= {"url": "what was clicked"} if log.url is not None else {}
        certificate = self.anonymised.certificate
        promised = {} if certificate is None else {"users_behind_a_profile": certificate.k}
        return {"lines": len(log), "profiles": len(log.users), **promised, "columns": columns}

    def provenance(self, verdict: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what is needed to repeat the release, and what was found; internal."""
        made, reading = self.anonymised, getattr(self.original, "reading", None)
        return {
            "seed": str(made.seed),
            "method": made.method,
            "made_by": None if made.made_by is None else {"name": made.made_by.name, **made.made_by.to_plain()},
            "topics": self.directory_of,
            "input_sha256": log_fingerprint(self.original),
            "output_sha256": log_fingerprint(made.log),
            "lines_in": len(self.original),
            "lines_out": len(made.log),
            "users_in": len(self.original.users),
            "profiles_out": len(made.log.users),
            "removed": dict(made.removed),
            "reading": "" if reading is None else reading.words(),
            "notes": list(made.notes),
            "certificate": None if made.certificate is None else made.certificate.as_plain(),
            "verdict": dict(verdict or _NOT_JUDGED),
            "versions": {
                "python": platform.python_version(),
                **{n: version(n) for n in ("tacita", "numpy", "pyarrow")},
            },
        }

    def _check_names(self) -> None:
        """Refuse a release in which a user of the original is named."""
        named = pc.sum(pc.is_in(self.anonymised.log.users, value_set=self.original.users)).as_py() or 0
        if named:
            raise ReleaseError(
                f"{named} released profiles have the name of a user of the original; nothing is written."
            )

    def _profiles(self) -> pa.Table:
        profile: Codes = self.anonymised.profile
        released = self.anonymised.log.users.take(pa.array(profile, mask=profile < 0))
        return pa.table({"user": self.original.users, "profile": released})

    def _entry(self, verdict: Mapping[str, Any]) -> dict[str, str]:
        """Return one line of the ledger."""
        made = f"tacita-log-release-1|{self.anonymised.method}|{self.directory_of}|{self.anonymised.seed}"
        entry = {
            "input_sha256": log_fingerprint(self.original),
            "release_sha256": hashlib.sha256(made.encode()).hexdigest(),
            "verdict": str(verdict["state"]),
        }
        return {**entry, "because": str(verdict["because"])} if verdict.get("because") else entry


def read_made_by(internal: str | Path) -> Anonymiser | None:
    """Read which anonymiser made a release, with its parameters; None where it is not known, or is none of this version."""
    path = Path(internal) / _PROVENANCE
    told = parse_json(read_text(path, "The provenance"), "The provenance")
    made = told.get("made_by") if isinstance(told, dict) else None
    if not isinstance(made, dict) or not isinstance(made.get("name"), str):
        return None
    try:
        built = registry.find("anonymiser", made["name"]).from_plain({k: v for k, v in made.items() if k != "name"})
    except TacitaError:
        return None
    return built if isinstance(built, Anonymiser) else None


def read_profiles(internal: str | Path, original: QueryLog, released: QueryLog) -> Codes:
    """Read which profile stands for each user of the original, as places in ``released.users``.

    Raises
    ------
    FileError
        When the file is not there, is damaged, or is that of another log.
    """
    path = Path(internal) / _PROFILES
    try:
        with path.open("rb") as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
            table = file.read(columns=["user", "profile"])
        table.validate(full=True)
        users, names = (table.column(name).combine_chunks().cast(pa.string()) for name in ("user", "profile"))
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        raise FileError(f"The file '{_PROFILES}' cannot be read from the internal directory.") from None
    if len(users) != len(original.users) or not users.equals(original.users):
        raise FileError(f"The file '{_PROFILES}' is that of another log: it has other users.")
    place = pc.index_in(names, value_set=released.users)
    return np.asarray(pc.fill_null(place, -1).to_numpy(zero_copy_only=False), np.int32)


def _put(path: Path, value: Any, *, private: bool = False) -> None:
    from tacita.data.atomic import new_file

    with new_file(path, private=private) as file:
        file.write((json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
