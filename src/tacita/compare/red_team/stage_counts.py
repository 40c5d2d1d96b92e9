"""The scene of a set of tables of changed counts: every cell once, what is possible of it, and the truth with the judge."""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tacita.attack.judge.answers import Answers, best_constant
from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import MARGIN
from tacita.attack.targets import TableTarget
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import FileError
from tacita.core.streams import Seed
from tacita.tables.files.read_counts import CountSet, read_counts
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.readers.joint_cells import cell_numbers, published_counts, read_tables

__all__ = ["attack_counts", "read_true_counts", "stage_counts"]

_OWNER = "attack_counts"


def stage_counts(
    published: Sequence[Table | Protected],
    true: Sequence[Table],
    *,
    reaches: int | Sequence[IntArray],
    below: int | None = 3,
) -> tuple[TableTarget, Answers]:
    """Give an attacker a set of tables of changed counts, and keep the truth.

    Parameters
    ----------
    published
        The tables as they leave; what they share may be another count in each.
    true
        The same tables with true counts.
    reaches
        How far a count may be from the true one: one bound, or one for each cell of each table.
    below
        Counts that are shown from 1 to less than this and the bound are wanted: they may stand for few people. None wants all.

    Returns
    -------
    target
        Every cell once, shown with the mean of what the tables have of it.
    answers
        The true counts. What a reader guesses is the published count, or the best count for all.
    """
    joint = read_tables(published, owner=_OWNER)
    lower, upper, sums, times = (
        np.zeros(len(joint)),
        np.full(len(joint), np.inf),
        np.zeros(len(joint)),
        np.zeros(len(joint)),
    )
    widest = 0.0
    for i, given in enumerate(published):
        table, values = published_counts(given)
        place = np.searchsorted(joint.numbers, cell_numbers(joint.dimensions, table.dimensions, table.codes))
        reach: FloatArray = np.broadcast_to(
            np.asarray(reaches if isinstance(reaches, int) else reaches[i], np.float64), values.shape
        )
        np.maximum.at(lower, place, np.where(values > 0, np.maximum(values - reach, 1), 0))
        np.minimum.at(upper, place, values + reach)
        sums[place] += values
        times[place] += 1
        widest = max(widest, float(reach.max(initial=0.0)))
    shown = np.divide(sums, times, out=np.zeros(len(joint)), where=times > 0)
    upper = np.where(times > 0, upper, joint.most + widest)
    wanted = np.flatnonzero((shown > 0) & (joint.least < (np.inf if below is None else below + widest)))
    truth = joint.counts(true).astype(np.float64)[wanted]
    alone = float((np.floor(shown[wanted] + 0.5) == truth).mean()) if len(wanted) else 0.0
    rows = joint.relations
    target = TableTarget(
        relations=rows.matrix.tocsr(),
        shown=shown,
        wanted=wanted,
        lower=lower,
        upper=upper,
        reach=widest + np.abs(joint.most - joint.least),
        holds_sums=not len(rows.violated(shown)),
        is_count=True,
    )
    return target, Answers(
        truth={"cell": truth}, baseline={"cell": max(alone, best_constant(truth, near=0.0))}, near=0.0
    )


def read_true_counts(directory: str | Path, counts: CountSet) -> list[Table]:
    """Read the true counts of a published set from its internal side.

    Raises
    ------
    FileError
        When a table is not there, or has other cells than the published one.
    """
    found = []
    for number, table in enumerate(counts.tables, 1):
        path = Path(directory) / "internal" / f"table-{number}.csv"
        if not path.is_file():
            raise FileError(f"'{Path(directory).name}' has no internal side with '{path.name}'.")
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        names = [dimension.name for dimension in table.dimensions]
        try:
            true = {tuple(row[name] for name in names): float(row["true"]) for row in rows}
            values = np.array([true[table.labels(cell)] for cell in range(len(table))])
        except (KeyError, ValueError, TypeError):
            raise FileError(f"'internal/{path.name}' must have the true count of each published cell.") from None
        found.append(table.with_values(values))
    return found


def attack_counts(
    directory: str | Path,
    *,
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    near: float = 0.0,
) -> Campaign:
    """Run every attack that applies against a set of tables of changed counts, as ``publish_counts`` wrote it.

    Parameters
    ----------
    directory
        The set, with its public and its internal side.
    attacks, without, seed, seconds, margin
        As in :func:`tacita.attack_table`.
    near
        How near a count must be to count as known, as a share; 0 for the count itself.

    Returns
    -------
    Campaign
        One grade for each attack, and a verdict.

    Raises
    ------
    FileError
        When a side of the set cannot be read.
    """
    counts = read_counts(Path(directory) / "public")
    target, answers = stage_counts(counts.tables, read_true_counts(directory, counts), reaches=counts.reaches)
    answers = replace(answers, near=near)
    return campaign(
        "table",
        lambda: (target, answers, None),
        target=f"{len(counts.tables)} tables of counts",
        attackers=applicable("table", faces=set(), attacks=attacks, without=without),
        seed=seed,
        seconds=seconds,
        margin=margin,
        scenario="all published counts with their marks, the bound of the noise, and that true counts add up",
        notes=(
            f"The victims are the {target.victims} cells that may have few people; one counts as known when it is told to the "
            "last person. A reader who takes published counts as they are guesses as well as the baseline says.",
        ),
    )
