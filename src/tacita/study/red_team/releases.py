"""Scenes of several releases: versions of a table, from inside too, counts beside totals, and a chain of files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tacita.attack.judge.answers import Answers
from tacita.attack.judge.stage_file import as_it_leaves
from tacita.attack.releases import AcrossReleases, FilesTogether, PlainTable, joint_system
from tacita.attack.targets import FileTarget, ReleasesTarget
from tacita.compare.red_team.plain_releases import plain_cells, plain_table
from tacita.compare.red_team.stage_table import largest_in, published_cells
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


def _from_seats(*, is_new: bool) -> Any:
    """Return a scene of two versions of a table that are each audited from every seat, and may hide others."""

    def make(seed: int) -> tuple[ReleasesTarget, Answers]:
        table = firms_of_regions(seed)
        unsafe = PPercent(p=10).judge(table)
        other = replace(table, cost=np.random.default_rng(seed).uniform(1.0, 20.0, len(table))) if is_new else table
        made = [
            published_cells(Suppress(cost=cost).protect(one, unsafe))  # type: ignore[arg-type]
            for cost, one in (("value", table), ("own" if is_new else "value", other))
        ]
        names = ("first version", "second version")
        system = joint_system([plain_cells(name, one, people="firms") for name, one in zip(names, made, strict=True)])
        cells = np.array([cell for _, cell in system.victims])
        largest = largest_in(table, cells)
        truth = {"cell": np.asarray(table.values[cells], np.float64)}
        if largest is not None:
            truth["contributor"] = largest[1]
        return system.target, Answers(truth=truth, baseline={"cell": 0.0}, near=0.1)

    return make


def _with_means(*, are_hidden: bool) -> Any:
    """Return a scene of suppressed totals beside means and counts of the same cells."""

    def make(seed: int) -> tuple[ReleasesTarget, Answers]:
        table = firms_of_regions(seed)
        made = Suppress().protect(table, PPercent(p=10).judge(table))
        counts = np.asarray(table.counts, np.float64)
        means = np.where(made.hidden & are_hidden, np.nan, table.values / np.maximum(counts, 1.0))
        nobody = np.zeros(len(table), bool)
        told = [
            plain_cells("totals", published_cells(made)),
            replace(plain_table("means", table, means, wanted=nobody), statistic="mean"),
            replace(plain_table("counts", table, counts, wanted=nobody), measure=""),
        ]
        return _put_together(told, np.asarray(table.values, np.float64))

    return make


def _one_more(base: float) -> Any:
    """Return a scene of counts and totals of groups that differ by one person; totals may be rounded to multiples of a base."""

    def make(seed: int) -> tuple[ReleasesTarget, Answers]:
        rng = np.random.default_rng(seed)
        counts, totals, own = [], [], dict[str, float]()
        for place in (f"p{number:02}" for number in range(40)):
            most = int(rng.integers(7, 30))
            amounts = np.round(rng.lognormal(7, 0.5, most + 1))
            own[place] = float(amounts[-1])
            for classes, people in ((["a"], most), (["a", "b"], most + 1)):
                who = {"place": [place], "kind": classes}
                total = float(amounts[:people].sum())
                counts.append((who, float(people)))
                totals.append((who, base * round(total / base) if base else total))
        system = joint_system(
            [
                PlainTable.of_answers("counts", counts),
                PlainTable.of_answers("totals", totals, measure="income", reach=base / 2),
            ]
        )
        places = [next(iter(group["place"])) for group in system.groups if group is not None]
        return system.target, Answers(truth={"cell": np.array([own[place] for place in places])})

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


_ACROSS: tuple[tuple[str, bool, Any, str], ...] = (
    (
        "a second version with another pattern",
        True,
        _versions(is_new=True),
        "What one version hides the other shows; the audit of each knows nothing of the other.",
    ),
    (
        "a second version with the same pattern",
        False,
        _versions(is_new=False),
        "Nothing is shown twice that was hidden once.",
    ),
    (
        "two audited versions with other costs, from every seat of both",
        True,
        _from_seats(is_new=True),
        "Each is audited from every seat for itself; together they tell sums that neither tells.",
    ),
    (
        "an audited version twice, from every seat of both",
        False,
        _from_seats(is_new=False),
        "A contributor has the same seat in both.",
    ),
    (
        "suppressed totals, with means and counts of all cells",
        True,
        _with_means(are_hidden=False),
        "A mean times a count is the total.",
    ),
    (
        "suppressed totals, means hidden with them, counts of all cells",
        False,
        _with_means(are_hidden=True),
        "Where the total is hidden its mean is hidden too.",
    ),
    (
        "exact counts beside totals of groups that differ by one",
        True,
        _one_more(0.0),
        "The counts say that one person makes the difference of two totals.",
    ),
    (
        "exact counts beside such totals, to multiples of 1000",
        False,
        _one_more(1000.0),
        "Two rounded totals leave a difference within 1000 either way, which is more than most people have.",
    ),
)
"""Everything that was released, in one system: what it is, whether it is known to be broken, and why."""

SCENES: tuple[Scene, ...] = (
    *(
        Scene(attack=AcrossReleases(), defence=defence, weak=weak, make=make, why=why)
        for defence, weak, make, why in _ACROSS
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
