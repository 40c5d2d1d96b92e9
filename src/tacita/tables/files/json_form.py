"""Tables as JSON: dimensions, cells and relations without loss; the contributors only where the file stays inside."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import FileError, ParameterError, TacitaError
from tacita.core.metadata import LARGE, parse_json, read_text
from tacita.core.traits import ABOUT
from tacita.data.atomic import atomic_file
from tacita.tables.files.read_write import TableFile
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.derived_sums import derive_sums, untold_sums
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table
from tacita.tables.rules.inside import Inside
from tacita.tables.rules.unsafe import Unsafe, about_by_name

__all__ = ["read_json_table", "table_from_plain", "table_to_plain", "write_json_table"]


FORM = "tacita table"
VERSION = 1
BOUNDS = ("lower", "upper")
FLOATS = (*BOUNDS, "shadow", "cost")
FLAGS = ("asks", "waives")
"""What each contributor said, by its number."""


def write_json_table(
    table: Table,
    path: Path,
    *,
    hidden: BoolArray | None,
    unsafe: Unsafe | None,
    secret: bool,
    extra: Mapping[str, str] | None = None,
) -> Path:
    """Write a table, with further remarks. See :func:`tacita.tables.files.read_write.write_table`."""
    plain = table_to_plain(table, hidden=hidden, unsafe=unsafe, secret=secret) | dict(extra or {})
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(plain, ensure_ascii=False, allow_nan=False), encoding="utf-8", newline="\n")
    return path


def read_json_table(path: Path) -> TableFile:
    """Read a table that :func:`write_json_table` wrote."""
    text = read_text(path, "The table", encodings=("utf-8",), limits=LARGE)
    plain = parse_json(text, f"The table '{path.name}'", limits=LARGE)
    if not isinstance(plain, dict) or plain.get("form") != FORM:
        raise FileError(f"'{path.name}' is JSON, but no table; its 'form' must be '{FORM}'.")
    if plain.get("version") != VERSION:
        raise FileError(f"'{path.name}' has another version of the form than {VERSION}; write it again.")
    try:
        return table_from_plain(plain)
    except TacitaError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        raise FileError(f"'{path.name}' lacks parts of a table, or they do not fit together.") from None


# --- a table as plain lists --------------------------------------------------------------------------------------------


def table_to_plain(
    table: Table, *, hidden: BoolArray | None = None, unsafe: Unsafe | None = None, secret: bool = False
) -> dict[str, Any]:
    """Return a table ready for JSON; what must not leave is null, or not there at all."""
    gone = hidden if hidden is not None and not secret else np.zeros(len(table), bool)
    rows = table.relations
    plain: dict[str, Any] = {
        "form": FORM,
        "version": VERSION,
        "secret": secret,
        "dimensions": [
            {"name": d.name, "codes": list(d.codes), "sums": [[total, list(parts)] for total, parts in d.sums]}
            for d in table.dimensions
        ],
        "response": table.response,
        "responses": list(table.responses),
        "codes": table.codes.tolist(),
        "values": _floats(table.values, gone),
        "relations": {"start": rows.start.tolist(), "cells": rows.cells.tolist(), "signs": rows.signs.tolist()},
    }
    if table.parts is not None:
        plain["parts"] = table.parts.tolist()
    if table.structural is not None:
        plain["structural"] = np.flatnonzero(table.structural).tolist()
    if hidden is not None:
        plain["hidden"] = np.flatnonzero(hidden).tolist()
    plain |= {name: _floats(side) for name, side in _numbers(table, secret).items()}
    if secret:  # counts and sizes tell of hidden cells, and of values that were adjusted
        if table.counts is not None:
            plain["counts"] = table.counts.tolist()
        for name in ("units", "holdings"):
            found = getattr(table, name)
            if found is not None:
                plain[name] = {
                    "counts": found.counts.tolist(),
                    "amounts": found.amounts.tolist(),
                    "weights": found.weights.tolist(),
                    "owners": found.owners.tolist(),
                    **{flag: _flags(getattr(found, flag)) for flag in FLAGS if getattr(found, flag) is not None},
                }
        if unsafe is not None:
            plain["unsafe"] = _unsafe_to_plain(unsafe, table)
    return plain


def _numbers(table: Table, secret: bool) -> dict[str, FloatArray]:
    """Bounds, shadow and cost; in a public file only bounds that no value can have been made into: none, and zero."""
    there = {name: getattr(table, name) for name in FLOATS if getattr(table, name) is not None}
    if secret:
        return there
    told = {}
    for name in BOUNDS:
        if name in there:
            side = np.where(there[name] < 0, -np.inf, there[name]) if name == "lower" else there[name]
            told[name] = np.where(np.isinf(side) | (side == 0), side, np.nan)
    return {name: side for name, side in told.items() if not np.isnan(side).all()}


def table_from_plain(plain: Mapping[str, Any]) -> TableFile:
    """Return the table that plain lists describe.

    Notes
    -----
    Nothing that follows from another part of the file is taken from it. Sums follow from the dimensions: those that are
    not listed are added, and a sum with some of its parts must be listed, which says that the others are empty. A cell
    without a value is not published, whether it is called hidden or not.
    """
    dimensions = tuple(
        Dimension(d["name"], tuple(d["codes"]), tuple((total, tuple(parts)) for total, parts in d["sums"]))
        for d in plain["dimensions"]
    )
    values = _array(plain["values"])
    n, rows = len(values), plain.get("relations") or {"start": [0], "cells": [], "signs": []}
    relations = Relations(
        np.array(rows["start"], np.int64), np.array(rows["cells"], np.int64), np.array(rows["signs"], np.float64), n
    )
    codes = np.array(plain["codes"], np.int64).reshape(n, len(dimensions))
    parts = None if "parts" not in plain else _sized(np.array(plain["parts"], np.int64), n)
    _check(dimensions, codes, relations)
    _check_responses(plain, parts)
    relations, notes = _all_sums(dimensions, codes, parts, relations)
    table = Table(
        dimensions,
        codes,
        values,
        relations,
        response=plain["response"],
        parts=parts,
        responses=tuple(plain["responses"]),
        counts=None if "counts" not in plain else _sized(np.array(plain["counts"], np.int64), n),
        units=_contributions(plain.get("units"), n),
        holdings=_contributions(plain.get("holdings"), n),
        structural=_marked(plain.get("structural"), n),
        sources=(),
        **_with_blanks({name: _sized(_array(plain[name]), n) for name in FLOATS if name in plain}, values),
    )
    unsafe = None if "unsafe" not in plain else _unsafe_from_plain(plain["unsafe"], table)
    is_secret = plain.get("secret") is True
    hidden = _marked(plain.get("hidden"), n)
    blank = np.isnan(values)
    published = ~blank & (np.ones(n, bool) if hidden is None else ~hidden)
    _check_values(table, published)
    notes += untold_sums(table, published)
    if hidden is not None and bool((blank & ~hidden).any()):
        notes.append(
            f"{int((blank & ~hidden).sum())} cells have no value and are not called hidden: they count as hidden."
        )
    if blank.any() or hidden is not None:
        hidden = blank if hidden is None else hidden | blank
    return TableFile(table, hidden, unsafe, notes=tuple(notes), is_secret=is_secret)


def _all_sums(
    dimensions: tuple[Dimension, ...],
    codes: IntArray,
    parts: IntArray | None,
    stated: Relations,
) -> tuple[Relations, list[str]]:
    """All sums between the cells, and what is to be said about those of the file."""
    try:
        found = derive_sums(dimensions, codes, parts, stated)
    except ParameterError as error:
        raise FileError(f"The cells of the file do not make a table. {error}") from None
    if len(found.cut):
        raise FileError(
            f"{len(found.cut)} sums have only some of their parts in the file, and it does not list them as sums of these: "
            "list the cells that are missing, or the sums without those that are empty."
        )
    notes = []
    if found.added:
        notes.append(f"{found.added} sums that follow from the dimensions are not in the file; they were added.")
    if found.trusted:
        notes.append(f"{found.trusted} sums follow from no dimension; they are those of the file.")
    return found.relations, notes


def _check_responses(plain: Mapping[str, Any], parts: IntArray | None) -> None:
    names = plain["responses"]
    fits = isinstance(names, list) and all(isinstance(name, str) for name in names)
    fits = fits and len(set(names)) == len(names) and isinstance(plain["response"], str)
    if fits and parts is not None:
        fits = bool(((parts >= 0) & (parts < len(names))).all())
    if not fits:
        raise FileError("The responses of the file must have names of their own, and every cell one of them.")


def _check_values(table: Table, published: BoolArray) -> None:
    """Raise when what is published contradicts what everybody knows beforehand."""
    if not np.isfinite(table.values[published]).all():
        raise FileError("A published cell of the file is infinite.")
    low, high = table.bounds
    size = 1e-6 * np.maximum(np.abs(table.values), 1.0)
    off = published & ((table.values < low - size) | (table.values > high + size))
    if off.any():
        raise FileError(
            f"{int(off.sum())} published cells of the file lie outside the bounds that it gives them, or are not zero although "
            "they are called empty by structure."
        )


def _check(dimensions: tuple[Dimension, ...], codes: IntArray, relations: Relations) -> None:
    sizes = [len(dimension.codes) for dimension in dimensions]
    fits = (codes >= 0).all() and (codes < sizes).all()
    ends = relations.start
    fits &= (
        ends[0] == 0 and ends[-1] == len(relations.cells) == len(relations.signs) and bool((np.diff(ends) >= 0).all())
    )
    fits &= not len(relations.cells) or (relations.cells.min() >= 0 and relations.cells.max() < relations.size)
    if not fits:
        raise FileError("The codes or the relations of the file point to what is not there.")


def _sized(array: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    if array.shape != (n,):
        raise FileError(f"A list of the file must have one entry for each of the {n} cells.")
    return array


def _contributions(plain: Mapping[str, Any] | None, n: int) -> Contributions | None:
    if plain is None:
        return None
    return Contributions(
        _sized(np.array(plain["counts"], np.int64), n),
        np.array(plain["amounts"], np.float64).reshape(n, -1),
        np.array(plain["weights"], np.float64).reshape(n, -1),
        np.array(plain["owners"], np.int64).reshape(n, -1),
        **{flag: np.array(plain[flag], bool) for flag in FLAGS if flag in plain},
    )


def _flags(said: BoolArray) -> list[bool]:
    return list(np.asarray(said, bool).tolist())


def _with_blanks(numbers: dict[str, FloatArray], values: FloatArray) -> dict[str, FloatArray]:
    """Put what everybody knows of any cell in place of bounds that the file does not tell."""
    if "lower" in numbers:
        low = numbers["lower"]
        is_negative = bool((low < 0).any() or (values < 0).any())
        numbers["lower"] = np.where(np.isnan(low), -np.inf if is_negative else 0.0, low)
    if "upper" in numbers:
        numbers["upper"] = np.where(np.isnan(numbers["upper"]), np.inf, numbers["upper"])
    return numbers


def _marked(cells: list[int] | None, n: int) -> BoolArray | None:
    if cells is None:
        return None
    found = np.zeros(n, bool)
    found[cells] = True
    return found


def _unsafe_to_plain(unsafe: Unsafe, table: Table) -> dict[str, Any]:
    return {
        "cells": np.flatnonzero(unsafe.cells).tolist(),
        "below": _floats(unsafe.below),
        "above": _floats(unsafe.above),
        "sliding": _floats(unsafe.sliding),
        "rules": list(unsafe.rules),
        "about": list(unsafe.about),
        "by": unsafe.by.tolist(),
        "locked": np.flatnonzero(unsafe.locked).tolist(),
        **_inside_to_plain(unsafe, table),
    }


def _inside_to_plain(unsafe: Unsafe, table: Table) -> dict[str, Any]:
    """What is asked from contributors' places, with the numbers of contributors and holdings in place of seats."""
    inside, members = unsafe.inside, table.members
    if inside is None or members is None:
        return {}
    return {
        "inside": {
            "most": [_floats(side) for side in inside.most.T],
            "cells": inside.cells.tolist(),
            "owners": members.numbers[inside.seats].tolist(),
            "holdings": members.is_holding[inside.seats].tolist(),
            "levels": [_floats(side) for side in inside.levels.T],
        }
    }


def _inside_from_plain(plain: Mapping[str, Any] | None, table: Table) -> Inside | None:
    members = table.members
    if plain is None or members is None:
        return None
    owners, of_holding = np.array(plain["owners"], np.int64), np.array(plain["holdings"], bool)
    cells, levels = (
        np.array(plain["cells"], np.int64),
        np.array([_array(side) for side in plain["levels"]]).reshape(3, -1),
    )
    if (
        not (len(cells) == len(owners) == len(of_holding) == levels.shape[1])
        or not ((cells >= 0) & (cells < len(table))).all()
    ):
        raise FileError("The levels from inside of the file point to what is not there.")
    seats = np.where(of_holding, members.find(owners, holdings=True), members.find(owners, holdings=False))
    kept = seats >= 0
    most = np.stack([_sized(_array(side), len(table)) for side in plain["most"]], axis=1)
    # Whoever is in a cell and not listed for it was stood for by others: a holding of its own, or larger ones.
    stood_for = np.zeros((len(members.cells), 3))
    return Inside.of(
        most,
        np.concatenate([members.cells, cells[kept]]),
        np.concatenate([members.of_entry, seats[kept]]),
        np.concatenate([stood_for, levels.T[kept]]),
    )


def _unsafe_from_plain(plain: Mapping[str, Any], table: Table) -> Unsafe:
    n = len(table)
    cells, locked = _marked(plain["cells"], n), _marked(plain["locked"], n)
    below, above, sliding = (_sized(_array(plain[side]), n) for side in ("below", "above", "sliding"))
    by = np.array(plain["by"], bool).reshape(n, -1)
    rules = tuple(plain["rules"])
    about = tuple(plain.get("about", about_by_name(rules)))  # files of before said it by the names of the rules
    if len(about) != len(rules) or not set(about) <= set(ABOUT):
        raise FileError("The rules of the file must each be about one of the attacks " + ", ".join(ABOUT) + ".")
    return Unsafe(
        _sized(np.asarray(cells), n),
        below,
        above,
        sliding,
        rules,
        by,
        _sized(np.asarray(locked), n),
        _inside_from_plain(plain.get("inside"), table),
        about,
    )


# --- numbers that JSON has no word for -----------------------------------------------------------------------------------


def _floats(values: FloatArray, gone: BoolArray | None = None) -> list[float | str | None]:
    blanks = np.zeros(len(values), bool) if gone is None else gone
    return [None if b or math.isnan(v) else _word(v) for v, b in zip(values.tolist(), blanks.tolist(), strict=True)]


def _word(value: float) -> float | str:
    return value if math.isfinite(value) else "inf" if value > 0 else "-inf"


def _array(plain: list[float | str | None]) -> FloatArray:
    return np.array([math.nan if value is None else float(value) for value in plain], np.float64)
