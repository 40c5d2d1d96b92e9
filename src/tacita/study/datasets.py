"""The data a study runs on: reference files by name, the user's own files, or a sample that is always there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tacita.core.errors import DataError, FileError, ParameterError
from tacita.core.selectors import Selector
from tacita.data.microdata import Microdata
from tacita.data.samples.reference_files import reference_directory, reference_path

__all__ = ["REFERENCE", "StudyData", "reference_directory", "study_data"]

_EIA = ("RES", "COM", "IND", "OTH", "TOT")
REFERENCE: dict[str, tuple[str, ...]] = {
    "census": (),
    # The paper drops the first five columns, which are identifiers; one name is spelled with an R more.
    "eia": tuple(f"{part}{what}" for part in _EIA for what in ("REVENUE", "SALES")),
}
"""The reference files of the field that studies know by name, and the columns they use; empty for all."""
_SPELLED = {"OTHSALES": "OTHRSALES"}

_SAMPLE_SIZE, _SAMPLE_SEED = 1000, 2004
_SAMPLE_COLUMNS = ("employees", "turnover", "exports", "wages", "profit")


@dataclass(frozen=True, eq=False)
class StudyData:
    """Data with a name and the columns that are masked and compared."""

    name: str
    data: Microdata
    columns: tuple[str, ...]


def study_data(wanted: Sequence[str], columns: Sequence[str] = (), *, default: Sequence[str] = ()) -> list[StudyData]:
    """Find and read the data of a study.

    Parameters
    ----------
    wanted
        ``census`` or ``eia`` for reference files, ``sample`` for the built-in sample, otherwise paths of data files.
    columns
        Columns of the user's own files to use; by default all numeric ones.
    default
        What to take when nothing is wanted: those of these names whose files are there, and otherwise the sample.
    """
    if not wanted:
        wanted = [name for name in default if reference_path(f"{name}.csv") is not None] or ["sample"]
    if len(set(wanted)) < len(wanted):
        raise ParameterError("A study: the same data are named twice.")
    found = [_one(name, tuple(columns)) for name in wanted]
    if len({entry.name for entry in found}) < len(found):
        raise ParameterError("A study: two files have the same name; rename one, because figures are named after them.")
    return found


def _one(wanted: str, columns: tuple[str, ...]) -> StudyData:
    from tacita.data.read import read
    from tacita.data.samples import business_survey

    if wanted == "sample":
        return StudyData("sample", business_survey(_SAMPLE_SIZE, seed=_SAMPLE_SEED), columns or _SAMPLE_COLUMNS)
    if wanted in REFERENCE:
        path = reference_path(f"{wanted}.csv")
        if path is None:
            raise FileError(
                f"The reference data '{wanted}' are not there. Set TACITA_REFERENCE_DATA to the directory that has "
                f"{wanted}.csv, or give the path of a file, or 'sample'."
            )
        columns = columns or tuple(_SPELLED.get(name, name) for name in REFERENCE[wanted])
        return _checked(wanted, read(path), columns)
    return _checked(Path(wanted).stem, read(wanted), columns)


def _checked(name: str, data: Microdata, columns: tuple[str, ...]) -> StudyData:
    """Resolve the columns and refuse a file on which the methods of the papers cannot run."""
    rule = columns or Selector("numeric columns")
    names = data.schema.resolve(rule, owner="A study", scales=frozenset({"numeric"}))
    if len(data) < 100:
        raise DataError(f"A study needs at least 100 records, got {len(data)} in '{name}'.")
    lacking = [column for column in names if data.is_missing(column).any()]
    if lacking:
        raise DataError(
            f"The studies compare complete records, but in '{name}' values are missing in {', '.join(lacking)}. "
            "Name other columns with --column, or complete the file first."
        )
    return StudyData(name, data, names)
