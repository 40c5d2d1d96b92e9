"""Tables to attack: made of few firms or persons, protected badly and well."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

import tacita as tc
from tacita.attack.judge.answers import Answers
from tacita.attack.targets import TableTarget
from tacita.compare.red_team.stage_table import published_cells, stage_table
from tacita.tables.protect.protected import Protected

__all__ = ["counts_target", "firms_table", "staged_firms", "suppressed"]


@cache
def firms_table(seed: int = 1, regions: int = 30) -> tc.tables.Table:
    """Return turnover by branch and region: in two branches of most regions one firm is nearly all there is."""
    rng = np.random.default_rng(seed)
    rows = []
    for region in range(regions):
        size = float(np.exp(rng.normal(6, 1.5)))
        others = (0.9, 0.01) if region % 3 else (0.5, 0.4, 0.4)
        for branch, firms in (("a", (1.0, 0.01)), ("b", others), ("c", (0.8, 0.8, 0.7, 0.7)), ("d", (0.5, 0.5, 0.4))):
            rows += [(f"r{region:02}", branch, round(size * share * rng.uniform(0.95, 1.05), 2)) for share in firms]
    columns = dict(zip(("region", "branch", "turnover"), map(list, zip(*rows, strict=True)), strict=True))
    return tc.tabulate(tc.Microdata.from_frame(pa.table(columns)), ["region", "branch"], "turnover")


@cache
def suppressed(seats: str, seed: int = 1) -> Protected:
    """Return the table of firms, suppressed so that these seats are held; the p % rule with p = 10."""
    table = firms_table(seed)
    unsafe = tc.tables.PPercent(p=10).judge(table)
    return tc.tables.Suppress(seats=seats).protect(table, unsafe)  # type: ignore[arg-type]


def staged_firms(how: str, seed: int = 1) -> tuple[TableTarget, Answers]:
    """Return a target and its truth; ``how`` names the seats that are held, or is "unsafe only" where nothing else is hidden."""
    made = published_cells(suppressed("none" if how == "unsafe only" else how, seed))
    if how == "unsafe only":
        made = replace(made, hidden=made.unsafe)
    return stage_table(made, near=0.1)


def counts_target(shown: np.ndarray, rows: sp.csr_array, reach: float, wanted: np.ndarray) -> TableTarget:
    """Return a table of counts that were changed by at most ``reach``."""
    n = len(shown)
    return TableTarget(
        relations=sp.csr_matrix(rows),
        shown=np.asarray(shown, np.float64),
        wanted=wanted,
        lower=np.zeros(n),
        upper=np.full(n, np.inf),
        reach=reach,
        holds_sums=False,
        is_count=True,
    )
