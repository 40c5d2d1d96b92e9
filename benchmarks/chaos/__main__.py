"""``python -m benchmarks.chaos``: faults under load; the exit status is 1 when anything was lost."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.chaos.disk import run_disk_full
from benchmarks.chaos.kills import run_kills
from benchmarks.server.rows import print_rows
from benchmarks.server.survey import write_survey


def main() -> int:
    """Run the faults and print their table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="how often a process is killed")
    parser.add_argument("--records", type=int, default=100_000, help="records of the survey")
    parser.add_argument("--seed", type=int, default=1, help="what is killed, and when")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tacita-chaos-") as name:
        folder = Path(name)
        source = write_survey(folder, given.records)
        rows = run_kills(folder / "kills", source, kills=given.kills, seed=given.seed)
        rows += run_disk_full(folder / "disk", source, seed=given.seed)
    print_rows("faults: what was done, and what was wrong after it", rows)
    return 1 if any(row["wrong"] for row in rows) else 0


sys.exit(main())
