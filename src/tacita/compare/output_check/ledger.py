"""The ledger: outputs that left earlier, so that later ones can be compared with them.

One private file for each output: how it was made, which figures were shown, and a fingerprint of the columns that it used. It has
no figures in it. Keep it where the data are: a universe may name single records.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, basis_of
from tacita.compare.output_check.output import Output
from tacita.compare.output_check.output_verdict import OutputCheck
from tacita.compare.output_check.universe import universe_rows
from tacita.core.errors import FileError, TacitaError
from tacita.data.atomic import atomic_file
from tacita.data.microdata import Microdata

__all__ = ["Ledger"]

VERSION = 1


@dataclass(frozen=True)
class Ledger:
    """A directory with a file for each output that left.

    Parameters
    ----------
    place
        The directory; it is made when the first output is entered.
    """

    place: Path

    def entries(self) -> list[dict[str, Any]]:
        """Return what the files say, by name of the file.

        Raises
        ------
        FileError
            When a file is no entry of a ledger.
        """
        if not self.place.exists():
            return []
        if not self.place.is_dir():
            raise FileError(f"The ledger '{self.place.name}' must be a directory.")
        found = []
        for path in sorted(self.place.glob("*.output.json")):
            try:
                entry = json.loads(path.read_text(encoding="utf-8"))
                is_entry = entry["version"] == VERSION and isinstance(entry["output"], dict)
            except (OSError, ValueError, KeyError, TypeError):
                is_entry = False
            if not is_entry:
                raise FileError(f"'{path.name}' of the ledger is damaged or of another version; nothing was checked.")
            found.append(entry)
        return found

    def of_other_versions(self, output: Output, data: Microdata) -> list[str]:
        """Return the names of earlier outputs that used a column of this one when its values were others.

        Nothing can be recomputed for them, and a record that came, left or was corrected since is in the difference of the two.
        """
        used = _columns_of(output, data)
        found = []
        for entry in self.entries():
            columns = tuple(entry["columns"])
            is_here = all(name in data.schema for name in columns)
            if is_here and used & set(columns) and _fingerprint(data, columns) != entry["data"]:
                found.append(str(entry["name"]))
        return found

    def bases(self, data: Microdata) -> tuple[list[tuple[str, OutputBasis]], tuple[str, ...]]:
        """Recompute the earlier outputs of these data; a note says how many are of other data."""
        found: list[tuple[str, OutputBasis]] = []
        prints: dict[tuple[str, ...], str] = {}
        others = 0
        for entry in self.entries():
            columns = tuple(entry["columns"])
            if any(name not in data.schema for name in columns):
                others += 1
                continue
            if columns not in prints:
                prints[columns] = _fingerprint(data, columns)
            if prints[columns] != entry["data"]:
                others += 1
                continue
            basis = self._basis(entry, data)
            if basis is not None:
                found.append((f"{entry['name']} (left earlier)", basis))
        note = f"{others} output(s) of the ledger are of other data, or of a changed version, and were not compared."
        return found, (note,) if others else ()

    def _basis(self, entry: dict[str, Any], data: Microdata) -> OutputBasis | None:
        try:
            output = Output.from_plain(entry["output"])
            if "rows" in entry:
                packed = np.frombuffer(zlib.decompress(base64.b64decode(entry["rows"])), np.uint8)
                output = replace(output, universe=np.unpackbits(packed, count=len(data)).astype(bool))
            basis = basis_of(output, data)
            if basis is None:
                return None
            hidden = {tuple(labels) for labels in entry["hidden"]}
            shown = np.array([basis.label(cell) not in hidden for cell in range(len(basis))], bool)
            return replace(basis, shown=shown)
        except (KeyError, ValueError, TypeError, zlib.error, TacitaError) as error:
            raise FileError("An entry of the ledger cannot be read; nothing was checked.") from error

    def enter(self, check: OutputCheck, names: Iterable[str] | None = None) -> list[Path]:
        """Write the outputs that passed, or those of the given names, and return the files.

        Raises
        ------
        FileError
            When one of the names did not pass, or the directory cannot be written.
        """
        wanted = [one.name for one in check.verdicts if one.state == "pass"] if names is None else list(names)
        for name in wanted:
            if check[name].state != "pass":
                raise FileError(f"'{name}' did not pass, so it did not leave; an exception of the steward can let it.")
        try:
            self.place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"The ledger '{self.place.name}' cannot be made: {error.strerror}.") from error
        written = []
        for output in check.outputs:
            if output.name in wanted and check.data is not None:
                written.append(self._write(output, check.data, [str(one) for one in check[output.name].exceptions]))
        return written

    def _write(self, output: Output, data: Microdata, exceptions: list[str]) -> Path:
        from tacita.compare.output_check.match import match_shown

        used = _columns_of(output, data)
        columns = [name for name in data.names if name in used]
        asked = replace(output, margins=True) if output.kind == "crosstab" and output.shown is not None else output
        basis = basis_of(asked, data)
        basis = None if basis is None else match_shown(basis, data).basis
        entry: dict[str, Any] = {
            "version": VERSION,
            "name": output.name,
            "output": {**asked.to_plain(), "note": ""},
            "columns": columns,
            "data": _fingerprint(data, tuple(columns)),
            "hidden": [] if basis is None else [basis.label(cell) for cell in np.flatnonzero(~basis.shown).tolist()],
            "exceptions": exceptions,
        }
        if output.universe is not None and not isinstance(output.universe, dict):
            rows = universe_rows(data, output.universe, output.owner)
            entry["rows"] = base64.b64encode(zlib.compress(np.packbits(rows).tobytes())).decode("ascii")
        text = json.dumps(entry, ensure_ascii=False, indent=1, sort_keys=True, default=str)
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
        path = self.place / f"{name}.output.json"
        if path.exists():
            return path
        entry["left"] = datetime.datetime.now(datetime.UTC).date().isoformat()
        with atomic_file(path, private=True) as temporary:
            temporary.write_text(json.dumps(entry, ensure_ascii=False, indent=1, default=str), encoding="utf-8")
        return path


def _columns_of(output: Output, data: Microdata) -> set[str]:
    """Return the columns that an output is made of; all of the data where it names none."""
    named = {*output.by, *output.variables, output.values, output.denominator, output.weight, output.time, output.event}
    named |= {output.dependent} | (set(output.universe) if isinstance(output.universe, dict) else set())
    return {name for name in data.names if name in named} or set(data.names)


def _fingerprint(data: Microdata, columns: tuple[str, ...]) -> str:
    return data.select(columns).fingerprint()
