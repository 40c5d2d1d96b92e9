"""Scenes of several releases: versions of a table that hide other cells, a file beside a table, and a chain of files."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.attack.judge.answers import Answers
from tacita.attack.judge.stage_file import as_it_leaves
from tacita.attack.releases import AcrossReleases, FilesTogether, PlainTable, joint_system
from tacita.attack.targets import FileTarget, ReleasesTarget
from tacita.compare.red_team.plain_releases import plain_cells, plain_table
from tacita.compare.red_team.stage_table import published_cells
from tacita.core.arrays import FloatArray
from tacita.data.samples.business import business_survey
from tacita.mask.swap.rank_swap import RankSwap
from tacita.study.red_team.scene import Scene
from tacita.study.red_team.tables import firms_of_regions
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.suppression.suppress import Suppress

__all__ = ["SCENES"]


def _put_together(tables: list[PlainTable], truth: FloatArray) -> tuple[ReleasesTarget, Answers]:
    """Return a target of tables that have the same cells, and the truth about its victims."""
    system = joint_system(tables)
    values = np.array([truth[cell] for _, cell in system.victims])
    return system.target, Answers(truth={"cell": values}, baseline={"cell": 0.0})


def _versions(*, is_new: bool) -> Any:
    """Return a scene of a table that is published twice, the second time with another pattern or with the same."""

    def make(seed: int) -> tuple[ReleasesTarget, Answers]:
        table = firms_of_regions(seed)
        made = Suppress().protect(table, PPercent(p=10).judge(table))
        first = plain_cells("first version", published_cells(made))
        hidden = made.hidden.copy()
        if is_new:  # the second time the same number of other cells is hidden beside the unsafe ones
            order = np.random.default_rng(seed).permutation(len(table))
            spare = [cell for cell in order.tolist() if not made.hidden[cell]]
            gone = np.flatnonzero(made.hidden & ~made.unsafe.cells)
            hidden[gone], hidden[spare[: len(gone)]] = False, True
        shown = np.where(hidden, np.nan, table.values)
        second = plain_table("second version", table, shown, wanted=made.unsafe.cells)
        return _put_together([first, second], np.asarray(table.values, np.float64))

    return make


def _chain(p: float) -> Any:
    """Return a scene of three files that share one column with the next; these columns are swapped in two of the files."""

    def make(seed: int) -> tuple[FileTarget, Answers]:
        true = business_survey(300, seed=seed)
        data = RankSwap(columns=["wages", "energy"], p=p).apply(true, seed=seed) if p else true
        order = np.random.default_rng(seed).permutation(len(true))
        target = FileTarget(
            released=as_it_leaves(data.select(["energy", "profit"]).take(order)),
            known=as_it_leaves(true.select(["employees", "founded"])),
            wanted=("profit",),
            earlier=(
                as_it_leaves(true.select(["wages", "energy"])),
                as_it_leaves(data.select(["employees", "founded", "wages"])),
            ),
        )
        truth = {"identity": np.argsort(order), "profit": true.numbers("profit")}
        return target, Answers(truth=truth, baseline={"identity": 1 / len(true)})

    return make


SCENES: tuple[Scene, ...] = (
    Scene(
        attack=AcrossReleases(),
        defence="a second version with another pattern",
        weak=True,
        make=_versions(is_new=True),
        why="What one version hides the other shows; the audit of each knows nothing of the other.",
    ),
    Scene(
        attack=AcrossReleases(),
        defence="a second version with the same pattern",
        weak=False,
        make=_versions(is_new=False),
        why="Nothing is shown twice that was hidden once.",
    ),
    Scene(
        attack=FilesTogether(),
        defence="none: three files share a column with the next",
        weak=True,
        make=_chain(0.0),
        why="The shared columns lead from what is known to a file that has none of it.",
    ),
    Scene(
        attack=FilesTogether(),
        defence="shared columns swapped, p = 90",
        weak=False,
        make=_chain(90.0),
        why="A record of one file is nowhere near its own in the next.",
    ),
)
