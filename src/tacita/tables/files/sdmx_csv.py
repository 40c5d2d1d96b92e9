"""Tables of counts as SDMX-CSV, with the flags of observations: low reliability, suppressed, confidential."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import ParameterError, did_you_mean
from tacita.data.atomic import atomic_file
from tacita.tables.files.csv_form import as_texts
from tacita.tables.files.read_write import check_free
from tacita.tables.model.grid import shape_of
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected

__all__ = ["sdmx_rows", "write_sdmx"]

Codes = Mapping[str, Mapping[str, str | None]]
_FLOW = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*:[A-Za-z0-9_][A-Za-z0-9_@$-]*\(\d+\.\d+(\.\d+)?\)")
_COLUMN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CODE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_@$-]*")
_OWN = ("OBS_VALUE", "OBS_STATUS", "CONF_STATUS")
NORMAL, UNRELIABLE, SUPPRESSED = "A", "U", "Q"
"""Of the code list CL_OBS_STATUS: normal value, low reliability, missing value that was suppressed."""
FREE, CONFIDENTIAL = "F", "C"
"""Of the code list CL_CONF_STATUS: free for publication, confidential."""


def sdmx_rows(
    given: Table | Protected,
    names: Mapping[str, str],
    *,
    codes: Codes | None = None,
    unreliable: BoolArray | Sequence[bool] | None = None,
    flags: Mapping[str, Sequence[str] | npt.NDArray[np.str_]] | None = None,
) -> dict[str, list[str]]:
    """Return the cells of a table as columns of an SDMX-CSV file.

    Parameters
    ----------
    given
        The table. Of what a protector made, the published values are taken; a plain table is taken as it is.
    names
        For each dimension the column that it becomes, such as ``{"sex": "SEX"}``.
    codes
        For each dimension that has other codes there, the codes: ``{"sex": {"Total": "T"}}``. A code that becomes None is left
        out, with its cells; one that is not named stays as it is.
    unreliable
        (n,): cells that are flagged as of low reliability.
    flags
        Further columns, each with a text for each cell of the table; empty for cells that the table does not list.

    Returns
    -------
    dict
        The dimensions, ``OBS_VALUE``, ``OBS_STATUS`` (A normal, U low reliability, Q suppressed), ``CONF_STATUS`` (F free,
        C confidential), and the further columns.

    Raises
    ------
    ParameterError
        When a dimension has no column, or a code is none of SDMX: letters, digits, ``_``, ``@``, ``$`` and ``-``.

    Notes
    -----
    All cells of the grid are written, those that the table does not list as 0: a list that has only some of the zeros would tell
    which cells are truly empty. A hidden cell has no value and the flag C whether it is unsafe or protects another: the further
    codes of CL_CONF_STATUS for the two kinds would tell an attacker which is which.
    """
    table = given.as_published().table if isinstance(given, Protected) else given
    hidden = given.hidden if isinstance(given, Protected) else np.zeros(len(table), bool)
    for dimension in table.dimensions:
        if dimension.name not in names:
            raise ParameterError(f"sdmx_rows: 'names' must have a column for the dimension '{dimension.name}'.")
    _check_columns([*names.values(), *(flags or {})], owner="sdmx_rows")
    weak = np.zeros(len(table), bool) if unreliable is None else np.asarray(unreliable, bool)
    extra = {name: np.asarray(list(texts), dtype=object) for name, texts in (flags or {}).items()}
    for name, column in {"unreliable": weak, **extra}.items():
        if column.shape != (len(table),):
            raise ParameterError(f"sdmx_rows: '{name}' must have one entry for each of the {len(table)} cells.")
    sizes, strides = shape_of(table.dimensions)
    size = int(np.prod(sizes))
    place = table.codes @ strides
    made, kept = _labels(table, names, codes or {}, size, sizes, strides)
    status = np.where(hidden, SUPPRESSED, np.where(weak, UNRELIABLE, NORMAL))
    columns = {
        "OBS_VALUE": (as_texts(table.values, hidden, "."), "0"),
        "OBS_STATUS": (status, NORMAL),
        "CONF_STATUS": (np.where(hidden, CONFIDENTIAL, FREE), FREE),
        **{name: (texts, "") for name, texts in extra.items()},
    }
    for name, (texts, absent) in columns.items():
        whole = np.full(size, absent, dtype=object)
        whole[place] = texts
        made[name] = list(map(str, whole[kept]))
    return made


def _labels(
    table: Table, names: Mapping[str, str], codes: Codes, size: int, sizes: IntArray, strides: IntArray
) -> tuple[dict[str, list[str]], BoolArray]:
    """Return the codes of all cells of the grid that are not left out, and which those are."""
    own = [dimension.name for dimension in table.dimensions]
    for name in codes:
        if name not in own:
            raise ParameterError(f"sdmx_rows: 'codes' names '{name}', which is no dimension.{did_you_mean(name, own)}")
    kept, every, texts = np.ones(size, bool), np.arange(size), {}
    for axis, dimension in enumerate(table.dimensions):
        other = codes.get(dimension.name, {})
        new = [other.get(code, code) for code in dimension.codes]
        if any(code is not None and not _CODE.fullmatch(code) for code in new):
            raise ParameterError(
                f"sdmx_rows: 'codes' must give each code of '{dimension.name}' one of SDMX: letters, digits, _."
            )
        there = [code for code in new if code is not None]
        if len(set(there)) < len(there):
            raise ParameterError(f"sdmx_rows: 'codes' must give each code of '{dimension.name}' one of its own.")
        place = (every // strides[axis]) % sizes[axis]
        kept &= np.array([code is not None for code in new])[place]
        texts[names[dimension.name]] = np.array(new, dtype=object)[place]
    return {name: list(column[kept]) for name, column in texts.items()}, kept


def write_sdmx(
    rows: Mapping[str, Sequence[str]] | Sequence[Mapping[str, Sequence[str]]],
    path: str | Path,
    *,
    dataflow: str,
    constants: Mapping[str, str] | None = None,
    overwrite: bool = False,
) -> Path:
    """Write observations as SDMX-CSV 1.0, whole or not at all.

    Parameters
    ----------
    rows
        What :func:`sdmx_rows` made, of one table or of several with the same columns, one after the other.
    path
        Where to; the name must end in .csv.
    dataflow
        The dataflow of the file, such as ``ESTAT:CENSUS_GRID(1.0)``: agency, name and version.
    constants
        Further dimensions with one code, such as ``{"TIME_PERIOD": "2021"}``.
    overwrite
        Whether a file that is there may be replaced.

    Raises
    ------
    ParameterError
        When the tables have other columns, an observation stands twice, or a name is none of SDMX.
    FileError
        When the file is there already.

    Notes
    -----
    The first column is ``DATAFLOW``, then come the dimensions, ``OBS_VALUE`` and the attributes. Which columns and codes a
    dataflow has stands in its data structure definition; this function does not know it.

    References
    ----------
    SDMX Technical Working Group, SDMX-CSV Data Message 1.0, field guide.

    Examples
    --------
    >>> import tempfile, tacita as tc
    >>> table = tc.tables.table_from_cells({"sex": ["Total", "f"], "value": [3, 3]}, [tc.tables.Dimension.flat("sex", ["f"])])
    >>> rows = sdmx_rows(table, {"sex": "SEX"}, codes={"sex": {"Total": "T", "f": "F"}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = write_sdmx(rows, f"{folder}/made.csv", dataflow="TA:CENSUS(1.0)", constants={"TIME_PERIOD": "2021"})
    ...     print(made.read_text())
    DATAFLOW,SEX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS
    TA:CENSUS(1.0),T,2021,3,A,F
    TA:CENSUS(1.0),F,2021,3,A,F
    <BLANKLINE>
    """
    parts = [rows] if isinstance(rows, Mapping) else list(rows)
    if not _FLOW.fullmatch(dataflow):
        raise ParameterError("write_sdmx: 'dataflow' must be agency, name and version, such as ESTAT:CENSUS_GRID(1.0).")
    if not parts or any(list(part) != list(parts[0]) for part in parts):
        raise ParameterError("write_sdmx: 'rows' must be of at least one table, and all must have the same columns.")
    fixed = dict(constants or {})
    head = list(parts[0])
    _check_columns([*head[: head.index("OBS_VALUE")], *fixed], owner="write_sdmx")
    if any(not _CODE.fullmatch(code) for code in fixed.values()):
        raise ParameterError("write_sdmx: 'constants' must be codes of SDMX: letters, digits, _.")
    columns = {name: [text for part in parts for text in part[name]] for name in head}
    own = head[: head.index("OBS_VALUE")]
    if len(set(zip(*(columns[name] for name in own), strict=True))) < len(columns["OBS_VALUE"]):
        raise ParameterError(
            "write_sdmx: 'rows' must have each observation once; leave out the codes that tables share."
        )
    target = Path(path)
    if target.suffix.lower() != ".csv":
        raise ParameterError(f"write_sdmx: the name of the file must end in .csv, got '{target.name}'.")
    check_free(target, overwrite)
    order = ["DATAFLOW", *own, *fixed, *head[len(own) :]]
    same = {name: [code] * len(columns["OBS_VALUE"]) for name, code in {"DATAFLOW": dataflow, **fixed}.items()}
    with atomic_file(target) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(order)
        writer.writerows(zip(*({**columns, **same}[name] for name in order), strict=True))
    return target


def _check_columns(names: Sequence[str], *, owner: str) -> None:
    for name in names:
        if not _COLUMN.fullmatch(name) or name in (*_OWN, "DATAFLOW"):
            raise ParameterError(
                f"{owner}: '{name}' cannot be the name of a column; it must have letters, digits and _ only."
            )
    if len(set(names)) < len(names):
        raise ParameterError(f"{owner}: two columns have the same name.")
