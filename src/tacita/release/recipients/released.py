"""A release as it was written, for whoever goes on from it: its masked file, the noise in it, and its line in the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError, FileError, ReleaseError
from tacita.core.metadata import parse_json, read_text
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Schema
from tacita.data.schema_file import schema_from_toml
from tacita.release.ledger import LEDGER, ledger_entries
from tacita.release.release import Release

__all__ = ["ReleasedFile", "measured_noise", "read_released"]


@dataclass(frozen=True, eq=False)
class ReleasedFile:
    """What stands in the directory of a release.

    Parameters
    ----------
    masked
        The public file, in its order.
    file
        Where it is; its schema stands beside it.
    bounds
        What the schema of the original declares for each column, as far as it does.
    ledger
        What was released of the same input; the last entry is this release.
    internal
        The internal side.
    """

    masked: Microdata
    file: Path
    bounds: dict[str, tuple[float | None, float | None]]
    ledger: tuple[dict[str, str], ...]
    internal: Path

    @property
    def digest(self) -> str:
        """What tells this release from others: the hash of its recipe and seed."""
        return self.ledger[-1]["release_sha256"]

    @property
    def verdict(self) -> str:
        """How the release was judged: passed, failed (and written because somebody insisted) or not judged."""
        return self.ledger[-1].get("verdict", "not judged")


def read_released(directory: str | Path) -> ReleasedFile:
    """Read a release that was written to a directory.

    Raises
    ------
    FileError
        When the directory is none of a release, or its files cannot be read.
    ReleaseError
        When it has several files, or no ledger.
    """
    directory = Path(directory)
    public, internal = directory / "public", directory / "internal"
    found = sorted(public.glob("data.*")) if public.is_dir() else []
    if not found or not internal.is_dir():
        raise FileError(f"'{directory.name}' must be the directory of a release, with public/data and internal/.")
    if len(found) > 1:
        raise ReleaseError(
            f"The release '{directory.name}' has {len(found)} files; fingerprints are for a release of one file."
        )
    ledger = tuple(ledger_entries(internal / LEDGER))
    if not ledger:
        raise ReleaseError(
            f"The release '{directory.name}' has no entry in its ledger, so nothing says what it was made from."
        )
    masked = read(found[0], schema=public / "schema.toml")
    return ReleasedFile(
        masked=masked,
        file=found[0],
        bounds=_bounds(internal / "schema.toml", masked),
        ledger=ledger,
        internal=internal,
    )


def measured_noise(released: ReleasedFile, original: Microdata) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Return for each numeric column that both files have the original and the masked values of the same records.

    Raises
    ------
    DataError
        When the file is not the one that the release was made from.
    """
    told = parse_json(read_text(released.internal / "provenance.json", "The provenance"), "The provenance")
    if not isinstance(told, dict) or told.get("input_sha256") != original.fingerprint():
        raise DataError(
            "The original is not the file that the release was made from: its content, or how it is read, differs. Read it with "
            "the schema that it was masked with."
        )
    link = Release.read_link(released.internal)
    if len(link) != len(released.masked) or link.max(initial=-1) >= len(original):
        raise DataError("The link of the release does not fit its file and the original.")
    known = np.flatnonzero(link >= 0)
    numeric = [c.name for c in released.masked.schema if c.scale == "numeric" and c.name in original.schema]
    return {
        name: (original.float(name)[link[known]], released.masked.float(name)[known])
        for name in numeric
        if original.schema[name].scale == "numeric"
    }


def _bounds(path: Path, masked: Microdata) -> dict[str, tuple[float | None, float | None]]:
    """Return the declared bounds; the public schema has those of public columns only."""
    schemas: list[Schema] = [masked.schema]
    if path.exists():
        schemas.append(schema_from_toml(path))
    return {c.name: c.bounds for schema in schemas for c in schema if c.bounds is not None}
