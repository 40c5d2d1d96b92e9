"""The page of faults for the documentation: what was done, what must hold, and what was found."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from typing import Any

from benchmarks.server.rows import markdown_rows

__all__ = ["faults_page"]


def faults_page(rows: Sequence[dict[str, Any]], *, records: int) -> str:
    """Return the table of faults as a page in Markdown.

    Examples
    --------
    >>> print(faults_page([{"fault": "disk full", "times": 1, "wrong": ""}], records=1000).splitlines()[0])
    # Benchmarks: faults
    """
    done = sum(row["times"] for row in rows if row["fault"].startswith("kill"))
    others = sum(row["times"] for row in rows if not row["fault"].startswith(("kill", "after")))
    found = sum(bool(row["wrong"]) for row in rows)
    return "\n".join(
        [
            "# Benchmarks: faults",
            "",
            f"A survey of {records:,} records behind `tacita serve`, asked all the time by eight visitors over loopback, while "
            f"its processes are killed ({done} times, `kill -9`) and what it needs is taken away and given back ({others} "
            "faults). Whatever fails, the server answers nothing that it cannot enter, says so in its one shape with status "
            "503, and comes back by itself.",
            "",
            "After every fault these must hold: each answer that was received has its entry in the journal; the journal "
            "verifies from the first entry to the last; the budget counts at least the questions that were answered and at "
            "most those that were asked; every question has one answer, and the same one, byte for byte, when it is asked "
            "again; every reply has a status that was expected, and the one shape; where no process was killed, no connection "
            "was lost. The column `wrong` says what did not hold: "
            f"{'nothing' if not found else f'something in {found} rows'}.",
            "",
            *markdown_rows(rows),
            "",
            f"Written by `make chaos` on {datetime.date.today().isoformat()} with {os.cpu_count()} cores, Python "
            f"{platform.python_version()}.",
            "",
        ]
    )
