"""Publish a protected table: what may leave in ``public/``, everything else in ``internal/``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np

from tacita.core.errors import ReleaseError
from tacita.data.atomic import atomic_directory
from tacita.report.table_page import table_page
from tacita.tables.protected import Protected

__all__ = ["publish_table"]


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
    are unsafe. ``internal/`` has the true values, the status of each cell with its proven interval, the certificate,
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
        (public / "table.csv").write_text(_public_rows(protected), encoding="utf-8")
        (public / "report.html").write_text(table_page(protected, form="external", title=title), encoding="utf-8")
        (internal / "table.csv").write_text(_internal_rows(protected), encoding="utf-8")
        (internal / "report.html").write_text(table_page(protected, title=title), encoding="utf-8")
        (internal / "summary.json").write_text(_json(protected.to_plain()), encoding="utf-8")
        if protected.certificate is not None:
            (internal / "certificate.json").write_text(_json(protected.certificate.to_plain()), encoding="utf-8")
    return target


def _public_rows(protected: Protected) -> str:
    table = protected.table
    failed = not protected.is_safe
    head = [
        *(d.name for d in table.dimensions),
        *_responses(protected),
        "value",
        "status",
        *(["audit"] if failed else []),
    ]
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(head)
    for cell, (hidden, value) in enumerate(zip(protected.hidden.tolist(), protected.values.tolist(), strict=True)):
        lines.writerow(
            [
                *table.labels(cell),
                *_response(protected, cell),
                "" if hidden else _number(value),
                "hidden" if hidden else "published",
                *(["failed: not safe to publish"] if failed else []),
            ]
        )
    return out.getvalue()


def _internal_rows(protected: Protected) -> str:
    table, found = protected.table, protected.certificate
    low, high = np.full(len(table), np.nan), np.full(len(table), np.nan)
    if found is not None:
        low[found.hidden], high[found.hidden] = found.low, found.high
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    head = [d.name for d in table.dimensions]
    lines.writerow(
        [*head, *_responses(protected), "value", "published", "status", "rules", "attacker_low", "attacker_high"]
    )
    for cell, word in enumerate(protected.status):
        rules = [r for r, hit in zip(protected.unsafe.rules, protected.unsafe.by[cell].tolist(), strict=True) if hit]
        lines.writerow(
            [
                *table.labels(cell),
                *_response(protected, cell),
                _number(float(table.values[cell])),
                "" if protected.hidden[cell] else _number(float(protected.values[cell])),
                word,
                "; ".join(rules),
                _number(float(low[cell])),
                _number(float(high[cell])),
            ]
        )
    return out.getvalue()


def _responses(protected: Protected) -> list[str]:
    return [] if protected.table.parts is None else ["response"]


def _response(protected: Protected, cell: int) -> list[str]:
    parts = protected.table.parts
    return [] if parts is None else [protected.table.responses[int(parts[cell])] or "count"]


def _number(value: float) -> str:
    if not np.isfinite(value):
        return ""
    return str(int(value)) if value == int(value) else repr(value)


def _json(plain: object) -> str:
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
