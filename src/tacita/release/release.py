"""Release: masked data with a public side, which is judged before it leaves, and an internal side that must stay."""

from __future__ import annotations

import hashlib
import json
import platform
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tacita.core.arrays import IntArray
from tacita.core.errors import FileError, ReleaseError, TacitaWarning
from tacita.core.streams import Seed, Streams
from tacita.data.bounds import check_bounds
from tacita.data.disk.documents import check_places, put_documents
from tacita.data.disk.outputs import check_directory
from tacita.data.formats.formulas import Formulas
from tacita.data.limits import Limits
from tacita.data.made.joined import joined_records
from tacita.data.memory import give_back
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.public_side import as_public
from tacita.data.schema import Schema
from tacita.data.schema_file import schema_to_toml
from tacita.release.ledger import LEDGER, entries_beside, ledger_entries, warn_of_repetition
from tacita.release.put_together import put_together
from tacita.release.renumber import Renumbering, renumber, renumbered_columns
from tacita.release.traces import Trace, find_traces

__all__ = ["KIND", "Release"]

_LINK, _NUMBERS, _PROVENANCE = "link.parquet", "numbers.parquet", "provenance.json"
_DIGEST_WITH = "tacita-release-1"
KIND = "release"
"""What the list of files calls such a directory."""
NOT_JUDGED: Mapping[str, Any] = {"state": "not judged"}
"""The verdict on a release that was compared with no limits."""


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
        The steps of the recipe as TOML.
    seed
        The seed; whoever has it can undo the noise, so it stays on the internal side.
    limits
        What the recipe asks of a release that is to leave.
    others
        Further files that the same recipe drew and that leave together with this one, such as the M files of multiple imputation.
    number
        Which of them this one is, from 1.

    Notes
    -----
    ``public/`` holds the data with shuffled rows, with new numbers for households and the like and without direct
    identifiers, and a schema that describes only what these records have. ``internal/`` holds recipe, seed, hashes,
    versions, the verdict, and the link between original and released rows and numbers. A hash of a small file confirms a
    guess of its content, so hashes too are internal. Neither side holds times, paths or names of machines: the same
    recipe and seed give the same bytes. The order of the rows and the new numbers depend on seed and recipe, so that two
    releases with one seed do not line up. Records that a synthesiser made stand in a file that says so,
    ``data.synthetic.csv``. Several copies stand in ``data.1.csv``, ``data.2.csv`` and so on beside one schema; rows and numbers
    of each are in an order of their own.
    """

    original: Microdata
    data: Microdata
    recipe: str
    seed: Seed
    limits: Limits = field(default_factory=Limits)
    others: tuple[Release, ...] = ()
    number: int = 1
    _made: dict[bool, tuple[Microdata, Renumbering]] = field(default_factory=dict, repr=False)
    _digests: dict[tuple[bool, bool], str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if any(other.data.schema != self.data.schema for other in self.others):
            raise ReleaseError("The copies of a release must have the same columns with the same descriptions.")

    def __repr__(self) -> str:
        return f"Release of {self.data!r}" + (f" in {len(self.copies)} copies" if self.others else "")

    @property
    def copies(self) -> tuple[Release, ...]:
        """The file and the others that leave with it; each is a release of its own, with its own order and link."""
        return (self, *self.others)

    @property
    def files(self) -> tuple[Microdata, ...]:
        """The data of all copies as they are written: what :func:`tacita.analyse` takes."""
        return tuple(copy.public for copy in self.copies)

    @cached_property
    def together(self) -> Microdata:
        """What somebody has who uses all copies at once; the data, where there is one only. See :func:`put_together`."""
        return put_together([copy.data for copy in self.copies])

    @cached_property
    def public(self) -> Microdata:
        """The data as they are written: rows shuffled, households renumbered, no direct identifiers, nothing unused."""
        return self.leaving.take(self._order())

    @property
    def leaving(self) -> Microdata:
        """The records of :attr:`public` in the order of the original; they share their memory with the data."""
        return self._unshuffled()[0]

    @property
    def renumbering(self) -> Renumbering:
        """Which new number of a household, cluster or the like stands for which old one; internal like the link."""
        return self._unshuffled()[1]

    def _unshuffled(self, *, renumbered: bool = True) -> tuple[Microdata, Renumbering]:
        if renumbered not in self._made:
            streams, found = Streams(self.seed), Renumbering()
            kept = self.data.drop(self.data.schema.identifiers)
            if renumbered:
                labels = self._labels("renumber")
                kept, found = renumber(kept, lambda names: streams.stream(*labels, names))
            self._made[renumbered] = (as_public(kept), found)
        return self._made[renumbered]

    def _order(self) -> IntArray:
        """Return which record stands in each row of the shuffled file."""
        drawn = Streams(self.seed).stream(*self._labels("shuffle")).permutation(len(self.data))
        return np.asarray(drawn, dtype=np.int64)

    def _labels(self, purpose: str) -> tuple[str, ...]:
        """Name what something is drawn for; no two copies share it."""
        return ("release", purpose, self.recipe, *([f"copy {self.number}"] if self.number > 1 else []))

    @cached_property
    def traces(self) -> tuple[Trace, ...]:
        """Columns without a role that single out records or tell the order of the file; a release warns of them."""
        kept = self.data.drop(self.data.schema.identifiers)
        return find_traces(self.original, kept, without=renumbered_columns(kept))

    @property
    def link(self) -> IntArray:
        """For each released row the row number in the original data (-1 where it has none)."""
        return self._link(self.leaving, self._order())

    def _link(self, released: Microdata, order: IntArray | None) -> IntArray:
        """Return the row in the original of each released record, in an order; by default in theirs."""
        is_ours, every = released.source == self.original.source, len(released)
        if is_ours and released.has_all_rows and self.original.has_all_rows and len(self.original) == every:
            return np.arange(every, dtype=np.int64) if order is None else order  # each is where it was
        # Not origin_rows: the original may itself be some rows of another file.
        found = np.full(every, -1, dtype=np.int64)
        if is_ours:
            pair = pair_records(self.original, released, "link")
            found[pair.masked_rows] = pair.rows
        return found if order is None else found[order]

    def write(
        self,
        directory: str | Path,
        *,
        format: str = "csv",
        shuffle: bool = True,
        renumber: bool = True,
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
            Ending of the data file: csv, tsv, parquet, feather, sav or dta.
        shuffle
            Put the rows in random order; without it the position of a row links it to its original.
        renumber
            Give households, clusters and the like new numbers, drawn at random; without it the numbers of the original
            leave, which is recorded. :attr:`renumbering` names the columns.
        overwrite
            Replace an earlier release in the same directory. Anything else is not replaced: a directory without the list
            of files that a release has, one with files that are not on it, one that holds the files this release is
            made from, or the current directory.
        documents
            Further files by their place, such as ``{"public/report.html": b"..."}``: plain names below ``public/`` or
            ``internal/``, none of them that of a file which a release has anyway.
        verdict
            What :func:`tacita.judge` found, in its plain form; :func:`tacita.publish` gives it. It is recorded.
        formulas
            What a CSV file does about texts that a spreadsheet would run: ``"keep"``, ``"warn"`` or ``"neutralise"``; see
            :func:`tacita.data.write.write`.
        inputs
            Files that the release was made from, besides those that the data were read from.

        Raises
        ------
        ReleaseError
            When a direct identifier would leave, a document has no side or a name that leads elsewhere, the recipe has
            limits and no verdict is given, or the verdict is *failed* and nobody says why the release is written
            nevertheless.
        DataError
            When a value lies outside the declared bounds of its column.
        FileError
            When the directory exists or cannot be written; nothing is left half-written.

        Warns
        -----
        TacitaWarning
            When a column without a role singles out most records or tells the order of the file (:attr:`traces`).
        RepeatedReleaseWarning
            When the same input was released before with another seed or recipe.

        Notes
        -----
        Only the owner may enter ``internal/`` and read its files, whatever the umask (0700 and 0600).
        """
        from tacita.data.atomic import atomic_directory
        from tacita.data.write import write_release_data

        target, more = Path(directory), dict(documents or {})
        if not format.isalnum():
            raise ReleaseError(f"'format' must be the ending of a file, such as csv, got {format!r}.")
        check_places(more)
        self._check_verdict(verdict)
        sources = (*self.original.files, *inputs)
        for copy in self.copies:
            check_bounds(copy.data)
        check_directory(target, KIND, overwrite=overwrite, inputs=sources)
        for copy in self.copies:
            _warn_of_traces(copy.traces)
        entry = self._entry(verdict or NOT_JUDGED)
        history = ledger_entries(target / "internal" / LEDGER)
        warn_of_repetition(entry, [*history, *entries_beside(target)])
        with atomic_directory(target, overwrite, kind=KIND, private=["internal"], inputs=sources) as made:
            public, internal = made / "public", made / "internal"
            public.mkdir()
            internal.mkdir(mode=0o700)
            self._let_go()
            for copy, name in zip(self.copies, self._names(), strict=True):
                released, order = copy._unshuffled(renumbered=renumber)[0], copy._order() if shuffle else None
                write_release_data(released, public / f"data{name}.{format}", formulas=formulas, rows=order)
                del order
            _text(public / "schema.toml", schema_to_toml(self._public_schema(renumbered=renumber)))
            _text(internal / "recipe.toml", self._recipe_file(), private=True)
            _text(internal / "schema.toml", schema_to_toml(self.original.schema), private=True)
            told = self.provenance(shuffle=shuffle, renumber=renumber, verdict=verdict)
            _text(internal / _PROVENANCE, _json(told), private=True)
            _text(internal / LEDGER, _json([*(e for e in history if e != entry), entry]), private=True)
            for copy in self.copies:
                copy._write_link(internal, shuffle=shuffle, renumber=renumber)
            put_documents(made, more)
        return target

    def _names(self) -> list[str]:
        """Return what stands between ``data`` and the ending of each file: nobody should take a synthetic one for another."""
        kind, most = ".synthetic" if self.data.is_synthetic else "", len(self.copies)
        return [kind] if most == 1 else [f"{kind}.{copy.number:0{len(str(most))}d}" for copy in self.copies]

    def _public_schema(self, *, renumbered: bool) -> Schema:
        """Return one schema for all files: what the records of any copy use."""
        left = [copy._unshuffled(renumbered=renumbered)[0] for copy in self.copies]
        if len(left) == 1:
            return left[0].schema
        return as_public(joined_records(left, self.data.schema.select(left[0].names))).schema

    def _write_link(self, internal: Path, *, shuffle: bool, renumber: bool) -> None:
        """Write which row comes from which record, and which number stands for which; for later copies into files of theirs."""
        from tacita.data.atomic import new_file

        released, numbers = self._unshuffled(renumbered=renumber)
        link, ending = self._link(released, self._order() if shuffle else None), ".parquet"
        ending = f".{self.number}{ending}" if self.number > 1 else ending
        with new_file((internal / _LINK).with_suffix(ending), private=True) as file:
            pq.write_table(pa.table({"original_row": link}), file, compression="zstd")
        del link
        give_back(len(released))
        if numbers.columns:
            with new_file((internal / _NUMBERS).with_suffix(ending), private=True) as file:
                pq.write_table(numbers.to_arrow(), file, compression="zstd")

    def _recipe_file(self) -> str:
        limits = self.limits.to_toml()
        return f"{self.recipe}\n{limits}" if limits else self.recipe

    # --- what stays inside -------------------------------------------------------------------------------------------------

    def provenance(
        self, *, shuffle: bool = True, renumber: bool = True, verdict: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return what is needed to repeat the release, and how it was judged: seed, hashes, versions, verdict.

        Parameters
        ----------
        shuffle, renumber, verdict
            As given to :meth:`write`.
        """
        numbers = self._unshuffled(renumbered=renumber)[1]
        return {
            "seed": str(self.seed),
            "input_sha256": self.original.fingerprint(),
            "schema_sha256": _sha(schema_to_toml(self.original.schema)),
            "recipe_sha256": _sha(self._recipe_file()),
            "output_sha256": self._digest(shuffle=shuffle, renumber=renumber),
            **self._of_others(shuffle=shuffle, renumber=renumber),
            "records_in": len(self.original),
            "records_out": len(self.data),
            "rows_shuffled": shuffle,
            "renumbered": list(numbers.columns),
            "numbers_kept": [] if renumber else list(self.renumbering.columns),
            "verdict": dict(verdict or NOT_JUDGED),
            "versions": {
                "python": platform.python_version(),
                **{n: version(n) for n in ("tacita", "numpy", "pyarrow")},
            },
        }

    def _digest(self, *, shuffle: bool, renumber: bool) -> str:
        """Return the hash of the data as they are written; reports and files ask for the same one."""
        how = shuffle, renumber
        if how not in self._digests:
            released = self._unshuffled(renumbered=renumber)[0]
            self._digests[how] = released.fingerprint(self._order() if shuffle else None)
        return self._digests[how]

    def _let_go(self) -> None:
        """Forget what was counted in the data: to write them takes memory too."""
        for data in (self.original, *(copy.data for copy in self.copies)):
            data.forget()
        give_back(len(self.original))

    def _of_others(self, *, shuffle: bool, renumber: bool) -> dict[str, Any]:
        """Return how many copies leave, and the hashes of those after the first."""
        if not self.others:
            return {}
        hashes = [copy._digest(shuffle=shuffle, renumber=renumber) for copy in self.others]
        return {"copies": len(self.copies), "further_outputs_sha256": hashes}

    def _entry(self, verdict: Mapping[str, Any]) -> dict[str, str]:
        """One line of the ledger: what was released how, and how it was judged. The seed itself is not repeated there."""
        entry = {
            "input_sha256": self.original.fingerprint(),
            "release_sha256": _sha(
                f"{_DIGEST_WITH}|{self.recipe}|{self.seed}" + (f"|{len(self.copies)}" if self.others else "")
            ),
            "verdict": str(verdict["state"]),
        }
        return {**entry, "because": str(verdict["because"])} if verdict.get("because") else entry

    def _check_verdict(self, verdict: Mapping[str, Any] | None) -> None:
        if verdict is None and self.limits:
            raise ReleaseError(
                "The recipe of this release has limits, so it must be judged before it is written; 'publish' does both."
            )
        if verdict is not None and verdict["state"] == "failed" and not verdict.get("because"):
            raise ReleaseError(
                "The release failed against its limits and is not written. Mask more, or insist and say because of what."
            )

    @staticmethod
    def read_link(internal: str | Path) -> IntArray:
        """Read the link between released and original rows from an ``internal`` directory."""
        path = Path(internal) / _LINK
        try:
            # Opened here: given a path, the library would make columns of directories called key=value.
            with path.open("rb") as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
                rows = file.read(columns=["original_row"]).column("original_row")
            rows.validate(full=True)
            return np.asarray(rows.cast(pa.int64()).to_numpy(), dtype=np.int64)
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
            raise FileError(f"The link file '{_LINK}' cannot be read from the internal directory.") from None

    @staticmethod
    def read_renumbering(internal: str | Path) -> Renumbering:
        """Read from an ``internal`` directory which new number stands for which; empty where none was given."""
        path = Path(internal) / _NUMBERS
        if not path.exists():
            return Renumbering()
        try:
            with path.open("rb") as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
                return Renumbering.from_arrow(file.read())
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
            raise FileError(f"The file '{_NUMBERS}' cannot be read from the internal directory.") from None


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _text(path: Path, text: str, *, private: bool = False) -> None:
    from tacita.data.atomic import new_file

    with new_file(path, private=private) as file:
        file.write(text.encode("utf-8"))


def _warn_of_traces(traces: tuple[Trace, ...]) -> None:
    if traces:
        warnings.warn(
            f"{' '.join(map(str, traces))} Give such a column the role 'identifier' (then it stays inside) or 'cluster' (then "
            "it is renumbered), mask it, or leave it out.",
            TacitaWarning,
            stacklevel=3,
        )
