"""Publish a protected table: what may leave in ``public/``, everything else in ``internal/``."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tacita.core.errors import ReleaseError
from tacita.core.streams import warn_short_seed
from tacita.data.atomic import atomic_directory
from tacita.data.disk.documents import put_documents
from tacita.report.table_page import table_page
from tacita.tables.files.csv_form import as_texts, check_names, write_csv_table
from tacita.tables.files.json_form import write_json_table
from tacita.tables.model.means import means as means_of
from tacita.tables.protect.even_decimals import with_even_decimals, without_noise
from tacita.tables.protect.protected import Protected

__all__ = ["KIND", "publish_table"]

KIND = "published table"
"""What the list of files calls such a directory."""


def publish_table(
    protected: Protected,
    directory: str | Path,
    *,
    title: str = "Protected table",
    insist: bool = False,
    overwrite: bool = False,
    means: bool = False,
    inputs: Sequence[str | Path] = (),
) -> Path:
    """Write a protected table with its reports.

    ``public/table.csv`` has the codes, the values that may be seen, and whether a cell is hidden; never which hidden cells
    are unsafe. ``public/table.json`` has the same with all sums between the cells, so that anybody can audit it.
    ``internal/`` has the true values, the status of each cell with its proven interval, the certificate,
    and the full report; its ``table.json`` has the contributors too, so that the table can be attacked later, also together
    with others.

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
        Replace an earlier table in the same directory. Anything else is not replaced: a directory without the list of files
        that a table has, one with files that are not on it, one that holds an input, or the current directory.
    means
        Write ``public/means.csv`` too: the mean of each cell of a pair of count and total
        (:func:`tacita.tables.model.tabulate.tabulate_means`), as it follows from their published values,
        where both are published.
    inputs
        Files that the table was made from.

    Raises
    ------
    ReleaseError
        When the audit failed and the user does not insist. Nothing is written then.
    ParameterError
        When a dimension has the name of another column of the file.
    FileError
        When the directory exists or cannot be written; nothing is left half-written.

    Warns
    -----
    TacitaWarning
        When values were drawn with a seed that can be found by trying.

    Notes
    -----
    Only the owner may enter ``internal/`` and read its files, whatever the umask (0700 and 0600).
    """
    if not protected.is_safe and not insist:
        raise ReleaseError(
            f"The audit of the table failed: {len(protected.at_risk)} unsafe cells are known too closely. Nothing was "
            "written; repair the pattern, or insist and take the responsibility."
        )
    check_names(protected.table.dimensions)
    protected, decimals = with_even_decimals(protected)
    target = Path(directory)
    with atomic_directory(target, overwrite, kind=KIND, private=["internal"], inputs=inputs) as made:
        public, internal = made / "public", made / "internal"
        public.mkdir()
        internal.mkdir(mode=0o700)
        _public_table(protected, public, decimals)
        if means:
            _public_means(protected, public / "means.csv")
        put_documents(made, {"public/report.html": table_page(protected, form="external", title=title).encode("utf-8")})
        _internal_table(protected, internal / "table.csv")
        write_json_table(
            protected.table, internal / "table.json", hidden=protected.hidden, unsafe=protected.unsafe, secret=True
        )
        seed = {} if protected.seed is None else {"seed": str(protected.seed)}
        kept = {"summary.json": _json(protected.to_plain() | seed), "report.html": table_page(protected, title=title)}
        if protected.certificate is not None:
            kept["certificate.json"] = _json(protected.certificate.to_plain())
        put_documents(made, {f"internal/{name}": text.encode("utf-8") for name, text in kept.items()})
    if protected.seed is not None:
        warn_short_seed(protected.seed, owner="publish_table")
    return target


def _public_table(protected: Protected, directory: Path, decimals: int | None) -> None:
    """Codes, the values that may be seen, and whether a cell is hidden; nothing tells unsafe cells from the others."""
    table = protected.as_published().table
    table = table.with_values(without_noise(table.values))
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


def _public_means(protected: Protected, path: Path) -> None:
    """Codes and means; a mean is hidden where its count or its total is."""
    found = means_of(protected.as_published().table, protected.hidden)
    names = [dimension.name for dimension in found.table.dimensions]
    texts = as_texts(found.values, found.hidden, ".")
    status = np.where(found.hidden, "hidden", np.where(found.is_empty, "empty", "published"))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*names, "mean", "status"])
        for cell, (text, word) in enumerate(zip(texts, status.tolist(), strict=True)):
            writer.writerow([*found.labels(cell), text, word])


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
