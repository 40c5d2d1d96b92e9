"""Publish a protected table: what may leave in ``public/``, everything else in ``internal/``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tacita.core.errors import ReleaseError
from tacita.data.atomic import atomic_directory
from tacita.report.table_page import table_page
from tacita.tables.files.csv_form import as_texts, write_csv_table
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
    """
    if not protected.is_safe and not insist:
        count = 0 if protected.certificate is None else len(protected.certificate.at_risk)
        raise ReleaseError(
            f"The audit of the table failed: {count} cells can be recalculated too closely. Nothing was written; repair "
            "the pattern, or insist and take the responsibility."
        )
    target = Path(directory)
    with atomic_directory(target, overwrite=overwrite) as made:
        public, internal = made / "public", made / "internal"
        public.mkdir()
        internal.mkdir()
        _public_table(protected, public)
        (public / "report.html").write_text(table_page(protected, form="external", title=title), encoding="utf-8")
        _internal_table(protected, internal / "table.csv")
        (internal / "report.html").write_text(table_page(protected, title=title), encoding="utf-8")
        (internal / "summary.json").write_text(_json(protected.to_plain()), encoding="utf-8")
        if protected.certificate is not None:
            (internal / "certificate.json").write_text(_json(protected.certificate.to_plain()), encoding="utf-8")
    return target


def _public_table(protected: Protected, directory: Path) -> None:
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
        extra={name: [words] * len(table) for name, words in failed.items()},
    )
    write_json_table(table, directory / "table.json", hidden=protected.hidden, unsafe=None, secret=False, extra=failed)


def _without_noise(values: FloatArray) -> FloatArray:
    """The values to 15 digits: what a sum of decimal numbers has beyond them comes from the arithmetic."""
    return np.array([float(f"{value:.15g}") for value in values.tolist()])


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
