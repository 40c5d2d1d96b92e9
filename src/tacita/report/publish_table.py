"""Publish a protected table: what may leave in ``public/``, everything else in ``internal/``."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacita.core.errors import DataError, ReleaseError
from tacita.data.atomic import atomic_directory
from tacita.report.table_page import table_page
from tacita.tables.files.csv_form import as_texts, check_names, write_csv_table
from tacita.tables.files.json_form import write_json_table
from tacita.tables.protected import Protected

__all__ = ["publish_table"]

FloatArray = npt.NDArray[np.float64]


def publish_table(
    protected: Protected,
    directory: str | Path,
    *,
    title: str = "Protected table",
    insist: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write a protected table with its reports.

    ``public/table.csv`` has the codes, the values that may be seen, and whether a cell is hidden; never which hidden cells
    are unsafe. ``public/table.json`` has the same with all sums between the cells, so that anybody can audit it.
    ``internal/`` has the true values, the status of each cell with its proven interval, the certificate,
    and the full report.

    Values that were changed get the decimals of the original ones, so that these do not tell which cells were changed;
    where no such table keeps the sums and the levels, all cells are written with equally many decimals, and a note says so.

    Parameters
    ----------
    protected
        What a protector made.
    directory
        Where ``public/`` and ``internal/`` are made.
    title
        Heading of the reports.
    insist
        Write a table that failed its audit; the file and the reports then say so.
    overwrite
        Replace an earlier one in the same directory.

    Raises
    ------
    ReleaseError
        When the audit failed and the user does not insist. Nothing is written then.
    ParameterError
        When a dimension has the name of another column of the file.
    """
    if not protected.is_safe and not insist:
        raise ReleaseError(
            f"The audit of the table failed: {len(protected.at_risk)} unsafe cells are known too closely. Nothing was "
            "written; repair the pattern, or insist and take the responsibility."
        )
    check_names(protected.table.dimensions)
    protected, decimals = _with_even_decimals(protected)
    target = Path(directory)
    with atomic_directory(target, overwrite=overwrite) as made:
        public, internal = made / "public", made / "internal"
        public.mkdir()
        internal.mkdir()
        _public_table(protected, public, decimals)
        (public / "report.html").write_text(table_page(protected, form="external", title=title), encoding="utf-8")
        _internal_table(protected, internal / "table.csv")
        (internal / "report.html").write_text(table_page(protected, title=title), encoding="utf-8")
        (internal / "summary.json").write_text(_json(protected.to_plain()), encoding="utf-8")
        if protected.certificate is not None:
            (internal / "certificate.json").write_text(_json(protected.certificate.to_plain()), encoding="utf-8")
    return target


def _public_table(protected: Protected, directory: Path, decimals: int | None) -> None:
    """Codes, the values that may be seen, and whether a cell is hidden; nothing tells unsafe cells from the others."""
    table = protected.as_published().table
    table = table.with_values(_without_noise(table.values))
    failed = {} if protected.is_safe else {"audit": "failed: not safe to publish"}
    write_csv_table(
        table,
        directory / "table.csv",
        hidden=protected.hidden,
        unsafe=None,
        secret=False,
        include=(),
        decimals=decimals,
        extra={name: [words] * len(table) for name, words in failed.items()},
    )
    write_json_table(table, directory / "table.json", hidden=protected.hidden, unsafe=None, secret=False, extra=failed)


def _without_noise(values: FloatArray) -> FloatArray:
    """The values to 15 digits: what a sum of decimal numbers has beyond them comes from the arithmetic."""
    return np.array([float(f"{value:.15g}") for value in values.tolist()])


# --- decimals of changed values -----------------------------------------------------------------------------------------


def _with_even_decimals(protected: Protected) -> tuple[Protected, int | None]:
    """Give changed values the decimals that the original ones have, or say how many all cells are written with.

    A value of three decimals among others of two has been changed. Rounded tables are left alone: all their cells
    are multiples of the base, whether they were changed or not.
    """
    shown = ~protected.hidden
    true, now = _without_noise(protected.table.values[shown]), _without_noise(protected.values[shown])
    wanted, there = _decimals(true), _decimals(now)
    if np.array_equal(true, now) or there <= wanted or wanted > _MOST or protected.method.startswith("round("):
        return protected, None
    found = _at_decimals(protected, wanted)
    if found is not None:
        note = f"Changed values are published with {wanted} decimals, as the original ones; more would tell which they are."
        return replace(protected, values=found, notes=(*protected.notes, note)), None
    note = (
        f"No table with {wanted} decimals, as the original values have, keeps the sums and the levels. All cells are written "
        f"with {min(there, _MOST)} decimals; zeros at the end may tell which cells were not changed."
    )
    return replace(protected, notes=(*protected.notes, note)), min(there, _MOST)


def _decimals(values: FloatArray) -> int:
    """Return how many decimals the values have at most."""
    return max((max(0, -int(Decimal(f"{value:.15g}").normalize().as_tuple().exponent)) for value in values), default=0)


def _at_decimals(protected: Protected, decimals: int) -> FloatArray | None:
    """Return the nearest table of so many decimals whose sums, bounds and levels hold; None when none is found."""
    from tacita.tables.controlled_rounding import controlled_rounding

    problem, scale = protected.problem, 10.0**decimals
    units = protected.values * scale
    if np.abs(units).max(initial=0.0) > _EXACT_WHOLE:
        return None
    whole = np.rint(units)
    units = np.where(np.abs(units - whole) <= 1e-6 + 1e-12 * np.abs(units), whole, units)
    low, high = problem.lower * scale, problem.upper * scale
    is_up = problem.unsafe & (protected.values > problem.values)
    is_down = problem.unsafe & (protected.values < problem.values)
    low = np.where(is_up, np.maximum(low, (problem.values + problem.above) * scale), low)
    high = np.where(is_down, np.minimum(high, (problem.values - problem.below) * scale), high)
    low, high = np.ceil(low - 1e-6), np.floor(high + 1e-6)
    low, high = np.where(problem.locked, units, low), np.where(problem.locked, units, high)
    if np.any(low > high):
        return None
    try:
        found = controlled_rounding(
            problem.relations, units, base=1.0, lower=low, upper=high, time_limit=_SECONDS
        ).values
    except DataError:
        return None
    holds = np.all(found >= low) and np.all(found <= high) and not np.any(problem.relations.matrix @ found)
    return found / scale if holds else None


_MOST = 6
"""Values with more decimals have no number of decimals of their own: those that were changed look like the others."""
_EXACT_WHOLE = 2.0**50
_SECONDS = 30.0


# --- the owner's side ------------------------------------------------------------------------------------------------------


def _internal_table(protected: Protected, path: Path) -> None:
    """Everything about every cell: true value, what is published, levels, rules, and the proven interval."""
    table, found = protected.table, protected.certificate
    low, high = np.full(len(table), np.nan), np.full(len(table), np.nan)
    if found is not None:
        low[found.hidden], high[found.hidden] = found.low, found.high
    nothing = np.zeros(len(table), bool)
    named = [
        "; ".join(rule for rule, hit in zip(protected.unsafe.rules, row, strict=True) if hit)
        for row in protected.unsafe.by.tolist()
    ]
    write_csv_table(
        table,
        path,
        hidden=protected.hidden,
        unsafe=protected.unsafe,
        secret=True,
        include=() if table.counts is None else ("count",),
        extra={
            "published": as_texts(protected.values, protected.hidden, "."),
            "rules": named,
            "attacker_low": as_texts(low, nothing, "."),
            "attacker_high": as_texts(np.where(np.isfinite(high), high, np.nan), nothing, "."),
        },
    )


def _json(plain: object) -> str:
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
