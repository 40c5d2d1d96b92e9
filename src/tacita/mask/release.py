"""Release: masked data with a public side that may leave and an internal side that must not."""

from __future__ import annotations

import hashlib
import json
import platform
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tacita.core.errors import FileError, ReleaseError, RepeatedReleaseWarning
from tacita.core.streams import Seed, Streams
from tacita.data.bounds import check_bounds
from tacita.data.microdata import IntArray, Microdata
from tacita.data.pairing import pair_records
from tacita.data.schema_file import schema_to_toml

__all__ = ["Release"]

_LINK, _LEDGER, _PROVENANCE = "link.parquet", "ledger.json", "provenance.json"
_DIGEST_WITH = "tacita-release-1"


@dataclass(frozen=True, eq=False)
class Release:
    """What a recipe made of the data, and what is needed to repeat and to check it.

    Parameters
    ----------
    original
        The data before masking.
    data
        The masked data, still in the order of the original.
    recipe
        The recipe as TOML.
    seed
        The seed; whoever has it can undo the noise, so it stays on the internal side.

    Notes
    -----
    ``public/`` holds the data with shuffled rows and without direct identifiers, and their schema. ``internal/`` holds
    recipe, seed, hashes, versions and the link between original and released rows. A hash of a small file confirms a
    guess of its content, so hashes too are internal. Neither side holds times, paths or names of machines: the same
    recipe and seed give the same bytes.
    """

    original: Microdata
    data: Microdata
    recipe: str
    seed: Seed
    _shuffled: list[Microdata] = field(default_factory=list, repr=False)

    def __repr__(self) -> str:
        return f"Release of {self.data!r}"

    @property
    def public(self) -> Microdata:
        """The data as they may leave: without direct identifiers, rows shuffled."""
        if not self._shuffled:
            kept = self.data.drop(self.data.schema.identifiers)
            order = Streams(self.seed).stream("release", "shuffle").permutation(len(kept))
            self._shuffled.append(kept.take(order.astype(np.int64)))
        return self._shuffled[0]

    @property
    def link(self) -> IntArray:
        """For each released row the row number in the original data (-1 where it has none)."""
        return self._link(self.public)

    def _link(self, released: Microdata) -> IntArray:
        # Not origin_rows: the original may itself be some rows of another file.
        found = np.full(len(released), -1, dtype=np.int64)
        if released.source == self.original.source:
            pair = pair_records(self.original, released, "link")
            found[pair.masked_rows] = pair.rows
        return found

    def write(
        self,
        directory: str | Path,
        *,
        format: str = "csv",
        shuffle: bool = True,
        overwrite: bool = False,
        documents: Mapping[str, bytes] | None = None,
    ) -> Path:
        """Write both sides into a directory, all or nothing.

        Parameters
        ----------
        directory
            Where ``public/`` and ``internal/`` are made.
        format
            Ending of the data file: csv, tsv, parquet, feather, sav or dta.
        shuffle
            Put the rows in random order; without it the position of a row links it to its original.
        overwrite
            Replace an earlier release in the same directory.
        documents
            Further files by their place, such as ``{"public/report.html": b"..."}``.

        Raises
        ------
        ReleaseError
            When a direct identifier would leave, or a document has no side.
        DataError
            When a value lies outside the declared bounds of its column.
        FileError
            When the directory exists or cannot be written; nothing is left half-written.
        """
        from tacita.data.atomic import atomic_directory
        from tacita.data.write import write_release_data

        target = Path(directory)
        released = self.public if shuffle else self.data.drop(self.data.schema.identifiers)
        check_bounds(released)
        for place in documents or {}:
            if place.split("/")[0] not in ("public", "internal"):
                raise ReleaseError(f"A document must stand in public/ or internal/, got '{place}'.")
        entry = self._entry()
        history = _read_ledger(target / "internal" / _LEDGER)
        _warn_of_repetition(entry, [*history, *_neighbours(target)])
        with atomic_directory(target, overwrite=overwrite) as made:
            public, internal = made / "public", made / "internal"
            public.mkdir()
            internal.mkdir(mode=0o700)
            write_release_data(released, public / f"data.{format}")
            _text(public / "schema.toml", schema_to_toml(released.schema))
            _text(internal / "recipe.toml", self.recipe)
            _text(internal / "schema.toml", schema_to_toml(self.original.schema))
            _text(internal / _PROVENANCE, _json(self.provenance()))
            _text(internal / _LEDGER, _json([*(e for e in history if e != entry), entry]))
            pq.write_table(pa.table({"original_row": self._link(released)}), internal / _LINK, compression="zstd")
            for place, content in (documents or {}).items():
                (made / place).parent.mkdir(parents=True, exist_ok=True)
                (made / place).write_bytes(content)
        return target

    # --- what stays inside -------------------------------------------------------------------------------------------------

    def provenance(self) -> dict[str, Any]:
        """Return what is needed to repeat the release: seed, hashes and versions."""
        return {
            "seed": str(self.seed),
            "input_sha256": self.original.fingerprint(),
            "schema_sha256": _sha(schema_to_toml(self.original.schema)),
            "recipe_sha256": _sha(self.recipe),
            "output_sha256": self.public.fingerprint(),
            "records_in": len(self.original),
            "records_out": len(self.data),
            "versions": {
                "python": platform.python_version(),
                **{n: version(n) for n in ("tacita", "numpy", "pyarrow", "numba")},
            },
        }

    def _entry(self) -> dict[str, str]:
        """One line of the ledger: what was released how. The seed itself is not repeated there."""
        return {
            "input_sha256": self.original.fingerprint(),
            "release_sha256": _sha(f"{_DIGEST_WITH}|{self.recipe}|{self.seed}"),
        }

    @staticmethod
    def read_link(internal: str | Path) -> IntArray:
        """Read the link between released and original rows from an ``internal`` directory."""
        path = Path(internal) / _LINK
        try:
            return np.asarray(pq.read_table(path).column("original_row").to_numpy(), dtype=np.int64)
        except (OSError, pa.ArrowInvalid, KeyError) as error:
            raise FileError(f"The link file '{_LINK}' cannot be read from the internal directory.") from error


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _read_ledger(path: Path) -> list[dict[str, str]]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [entry for entry in entries if isinstance(entry, dict)]


def _neighbours(target: Path) -> list[dict[str, str]]:
    """Return the ledger entries of releases that stand beside the new one."""
    found: list[dict[str, str]] = []
    for ledger in sorted(target.parent.glob(f"*/internal/{_LEDGER}")):
        if ledger.parent.parent != target:
            found.extend(_read_ledger(ledger))
    return found


def _warn_of_repetition(entry: dict[str, str], known: list[dict[str, str]]) -> None:
    earlier = {
        e.get("release_sha256")
        for e in known
        if e.get("input_sha256") == entry["input_sha256"] and e.get("release_sha256") != entry["release_sha256"]
    }
    if earlier:
        warnings.warn(
            f"This input was released before with another seed or recipe ({len(earlier)} time(s)). "
            "Several noisy versions of one file average out; publish one of them only.",
            RepeatedReleaseWarning,
            stacklevel=3,
        )
