"""The outcome of a comparison for a census: one row for each way, every figure with its unit."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from tacita.data.frames import frame_from_arrow

__all__ = ["CensusComparison", "CensusWay"]


@dataclass(frozen=True, kw_only=True)
class CensusWay:
    """One way, and what was measured of it.

    Parameters
    ----------
    way
        Its name.
    reason
        Why it cannot be done for these data; empty where it can. Then there are no figures.
    mean, largest
        Mean and largest distance of published counts to the truth, in records, over the cells that are published and have
        a true or a published count; shared cells count as often as they stand.
    hidden
        Percentage of these cells that are not published.
    small
        Published cells with a count from 1 to k - 1.
    open_small
        Percentage of the truly small cells that are published as they are.
    is_additive
        Whether all sums hold.
    differ
        Cells that stand in several tables with different counts.
    averaging
        By how many percent the mean over tables is nearer to the truth than one table, over shared cells.
    fitting
        By how many percent counts fitted to the sums are nearer to the truth than published ones, over all cells.
    found
        Percentage of the small cells tried whose count a linear programme settles; the reader knows the way, its bounds, the
        published tables and that true sums hold.
    tried
        Small cells that were tried.
    seconds
        Time of the way itself, without the attacks.
    notes
        Certificates and warnings.
    """

    way: str
    reason: str = ""
    mean: float | None = None
    largest: int | None = None
    hidden: float | None = None
    small: int | None = None
    open_small: float | None = None
    is_additive: bool | None = None
    differ: int | None = None
    averaging: float | None = None
    fitting: float | None = None
    found: float | None = None
    tried: int = 0
    seconds: float = field(default=0.0, compare=False)
    notes: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...]:
        """Return the row as it is shown, under :attr:`CensusComparison.heads`."""
        if self.reason:
            return (self.way, *["–"] * 10, f"{self.seconds:.1f}")
        sums = "–" if self.is_additive is None else "yes" if self.is_additive else "no"
        return (
            self.way,
            _shown(self.mean, 2),
            _shown(self.largest),
            _shown(self.hidden, 1),
            _shown(self.small),
            _shown(self.open_small, 1),
            sums,
            _shown(self.differ),
            _shown(self.averaging, 1),
            _shown(self.fitting, 1),
            _shown(self.found, 1),
            f"{self.seconds:.1f}",
        )


@dataclass(frozen=True, kw_only=True)
class CensusComparison:
    """All ways on one set of tables; for the owner's eyes, because it says how far counts are from the truth.

    Parameters
    ----------
    ways
        The rows.
    tables
        The declared tables.
    records
        Number of records.
    cells
        Cells of all tables together that somebody is in; a cell that tables share counts once.
    shared
        Those of them that stand in several tables.
    small_cells
        Those of them with fewer than ``k`` records.
    k
        Smallest count but 0 that may be shown.
    settings
        What the ways were done with, in words.
    notes
        How to read the figures, and who attacks.
    """

    ways: tuple[CensusWay, ...]
    tables: tuple[tuple[str, ...], ...]
    records: int
    cells: int
    shared: int
    small_cells: int
    k: int
    settings: str
    notes: tuple[str, ...] = ()
    frame_kind: str = field(default="pyarrow", repr=False, compare=False)

    @property
    def title(self) -> str:
        """What was compared, in one line."""
        many = "1 table" if len(self.tables) == 1 else f"{len(self.tables)} tables"
        return (
            f"{many} of {self.records:,} records: {self.cells:,} cells, {self.shared:,} in several tables, "
            f"{self.small_cells:,} with fewer than {self.k} records"
        )

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the columns, with their units."""
        return (
            "way",
            "mean deviation (records)",
            "largest (records)",
            "hidden (%)",
            "small left (cells)",
            "small shown (%)",
            "sums hold",
            "shared differ (cells)",
            "averaging gains (%)",
            "fitting gains (%)",
            "small solved (%)",
            "time (s)",
        )

    def __getitem__(self, way: str) -> CensusWay:
        return next(row for row in self.ways if row.way == way)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands below the table: how to read it, and what each way has to say."""
        told = [f"{row.way}: not done. {row.reason}" for row in self.ways if row.reason]
        told += [f"{row.way}: {note}" for row in self.ways for note in row.notes]
        return (self.settings, *self.notes, *told)

    def to_plain(self) -> dict[str, Any]:
        """Return the comparison ready for JSON."""
        return {
            "tables": [list(table) for table in self.tables],
            "records": self.records,
            "cells": self.cells,
            "shared": self.shared,
            "small_cells": self.small_cells,
            "k": self.k,
            "settings": self.settings,
            "notes": list(self.notes),
            "units": dict(_UNITS),
            "ways": [{**asdict(row), "notes": list(row.notes)} for row in self.ways],
        }

    def to_frame(self) -> Any:
        """Return one row for each way as a frame of the kind that the data came from; units are in the docs of the rows."""
        rows = [{**asdict(row), "notes": " ".join(row.notes)} for row in self.ways]
        return frame_from_arrow(pa.Table.from_pylist(rows, schema=_ROW_TYPES), self.frame_kind)

    @property
    def lines(self) -> tuple[str, ...]:
        """The table line by line, heads first."""
        heads, rows = _folded(self.heads), [row.words() for row in self.ways]
        lines = [[part[line] for part in heads] for line in range(len(heads[0]))] + [list(row) for row in rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
        return tuple(
            "  ".join(
                text.ljust(width) if column == 0 else text.rjust(width)
                for column, (text, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def __str__(self) -> str:
        return "\n".join([self.title, *self.lines, *(f"- {remark}" for remark in self.remarks)])

    __repr__ = __str__


_UNITS = {
    "mean": "records",
    "largest": "records",
    "hidden": "% of cells",
    "small": "cells",
    "open_small": "% of truly small cells",
    "differ": "cells",
    "averaging": "% of the error of one table",
    "fitting": "% of the error of the published counts",
    "found": "% of the cells tried",
    "tried": "cells",
    "seconds": "s",
}

_ROW_TYPES = pa.schema(
    [
        ("way", pa.string()),
        ("reason", pa.string()),
        *((name, pa.float64()) for name in ("mean", "largest", "hidden", "small", "open_small")),
        ("is_additive", pa.bool_()),
        *((name, pa.float64()) for name in ("differ", "averaging", "fitting", "found", "tried", "seconds")),
        ("notes", pa.string()),
    ]
)


def _shown(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def _folded(heads: tuple[str, ...]) -> list[list[str]]:
    """Fold heads into lines of about nine letters, all with the same number of lines."""
    folded = []
    for head in heads:
        lines = [""]
        for word in head.split():
            if lines[-1] and len(lines[-1]) + len(word) >= 9:
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        folded.append(lines)
    most = max(len(lines) for lines in folded)
    return [[*[""] * (most - len(lines)), *lines] for lines in folded]
