"""The ledger of releases: everything that left of one population, read from disk, with the truth from its internal side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacita.attack.judge.answers import NEAR, Answers
from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import MARGIN
from tacita.attack.releases.across_releases import HurtingReleases, hurting_releases
from tacita.attack.releases.joint_system import JointSystem, joint_system
from tacita.attack.releases.plain_table import PlainTable
from tacita.attack.targets import ReleasesTarget
from tacita.compare.red_team.plain_releases import (
    AnswersMade,
    counts_of_file,
    open_columns,
    plain_answers,
    plain_cells,
    plain_table,
)
from tacita.compare.red_team.same_contributors import have_same_contributors
from tacita.compare.red_team.stage_table import largest_in, read_published
from tacita.core.arrays import FloatArray
from tacita.core.errors import AttackError, FileError, TacitaError
from tacita.core.metadata import parse_json, read_text
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tacita.data.schema import Schema
from tacita.release.recipe import Recipe
from tacita.solve.cell_intervals import cell_intervals
from tacita.tables.files.json_form import read_json_table
from tacita.tables.files.read_counts import read_counts
from tacita.tables.model.table import Table

__all__ = ["ANSWERS", "ReleasesLedger", "attack_ledger", "read_ledger"]

ANSWERS = "tacita answers"
"""What a file of answers calls itself that also says how they were made."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ReleasesLedger:
    """Everything that was released of one population.

    Parameters
    ----------
    target
        For attackers: what left, in one system.
    answers
        The true values of the victims, from the internal sides.
    left_out
        What could not be used, in words.
    next_release
        The name of the release that has not left yet; None where all have.
    guards
        For each victim the least that its largest contributor must seem to be able to have, from every other seat; NaN where
        nobody is sought.
    """

    target: ReleasesTarget
    answers: Answers
    left_out: tuple[str, ...] = ()
    next_release: str | None = None
    guards: FloatArray | None = field(default=None, repr=False)

    def hurting(self) -> tuple[HurtingReleases, ...]:
        """Return the releases that tell cells together, to outsiders and to contributors; where one is to leave next, its own."""
        return hurting_releases(self.target, next_release=self.next_release, guards=self.guards)

    def words(self) -> str:
        """Return what a data steward must know before the next release leaves."""
        found = [one.words() for one in self.hurting()]
        lines = found or ["No release tells cells together with another."]
        return "\n".join([*lines, *(f"Not used: {line}" for line in self.left_out)])


@dataclass(eq=False)
class _Read:
    """What was read so far."""

    tables: list[PlainTable] = field(default_factory=list)
    truths: list[FloatArray | None] = field(default_factory=list)
    largest: list[FloatArray | None] = field(default_factory=list)
    people: list[Table] = field(default_factory=list)
    files: dict[str, Microdata] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def add(self, table: PlainTable, truth: FloatArray | None = None, largest: FloatArray | None = None) -> None:
        self.tables.append(table)
        self.truths.append(truth)
        self.largest.append(largest)

    def name_of_people(self, name: str, table: Table) -> str:
        """Return a name for the contributors of a table: that of an earlier table that has the same ones by the same numbers."""
        found = next((at for at, other in enumerate(self.people) if have_same_contributors(table, other)), None)
        if found is None:
            found = len(self.people)
            self.people.append(table)
            if found:
                self.left_out.append(
                    f"{name}: nothing shows that its contributors are those of another table; they have seats of their own."
                )
        return f"people {found}"


def read_ledger(directory: str | Path, *, next_release: str | Path | None = None, near: float = NEAR) -> ReleasesLedger:
    """Read everything that was released of one population.

    Parameters
    ----------
    directory
        A directory with one directory for each release, as ``tacita table``, ``tacita mask`` and ``publish_counts`` write them:
        with ``public/`` and ``internal/``. Answers of a database stand in files that end with ``.json``, one answer or a list of
        them in their JSON form.
    next_release
        A release that has not left yet, at another place; the ledger then says whether it may leave beside the others.
    near
        How near a value must be to count as known, as a share of the true value.

    Returns
    -------
    ReleasesLedger
        One system of all releases. The victims are the unsafe cells of all tables, or the hidden ones where nobody says which are
        unsafe.

    Raises
    ------
    FileError
        When the directory is none, or nothing in it can be used.

    Notes
    -----
    Of a file of records the columns with classes are used that no step of its recipe works on. A journal of a server has no
    answers, only their digests: :func:`tacita.query.steward.answers_again` makes them again. What cannot be used is said, and
    never passed over.
    """
    place = Path(directory)
    if not place.is_dir():
        raise FileError(f"The ledger '{place.name}' must be a directory of releases.")
    found, found_next = _Read(), None
    for path in sorted(place.iterdir()):
        if not path.name.startswith("."):
            _take(path, path.stem if path.is_file() else path.name, found)
    if next_release is not None:
        path = Path(next_release)
        found_next = path.name if path.name not in {table.release for table in found.tables} else f"{path.name} (next)"
        before = len(found.tables)
        _take(path, found_next, found)
        if len(found.tables) == before:
            raise FileError(f"The next release '{path.name}' cannot be used: {' '.join(found.left_out[-1:])}")
    if not found.tables:
        raise FileError(f"The ledger '{place.name}' has nothing that can be used. {' '.join(found.left_out)}")
    system = joint_system(found.tables, files=found.files)
    if found_next is not None and found_next not in system.target.names:
        raise FileError(f"The next release cannot be put together with the others. {' '.join(system.left_out)}")
    truth = {"cell": _truth(found, system)}
    amounts = np.array([_of_table(found.largest, i, at) for i, at in system.victims], np.float64)
    if system.target.tables.sought is not None:
        truth["contributor"] = amounts
    return ReleasesLedger(
        target=system.target,
        answers=Answers(truth=truth, baseline={"cell": 0.0}, near=near),
        left_out=(*found.left_out, *system.left_out),
        next_release=found_next,
        guards=(1.0 + near) * amounts,
    )


def _of_table(listed: Sequence[FloatArray | None], table: int, cell: int) -> float:
    known = listed[table] if table >= 0 else None
    return np.nan if known is None else float(known[cell])


def _truth(found: _Read, system: JointSystem) -> FloatArray:
    """Return the true value of each victim: from the internal side of its table, or as all internal sides tell it together."""
    truth = np.array([_of_table(found.truths, i, at) for i, at in system.victims], np.float64)
    people = np.array([i < 0 for i, _ in system.victims], bool)
    if not people.any():
        return truth
    lower, upper = system.target.tables.lower.copy(), system.target.tables.upper.copy()
    for i, cells in system.cells.items():
        true, table = found.truths[i], found.tables[i]
        if true is None and table.reach is None and table.statistic == "total":
            true = table.values  # shown as it is
        if true is not None:
            there = ~np.isnan(true)
            lower[cells[there]] = upper[cells[there]] = true[there]
    ends = cell_intervals(system.target.tables.relations, lower, upper, system.target.tables.wanted[people])
    if ends is not None:
        near = ends[1] - ends[0] <= 1e-6 * np.maximum(np.abs(ends[1]), 1.0)
        truth[people] = np.where(near, ends[0], np.nan)
    return truth


def _take(path: Path, name: str, found: _Read) -> None:
    """Read one release; what cannot be used is said."""
    try:
        if (path / "public" / "table.json").is_file():
            _take_table(path, name, found)
        elif (path / "public" / "about.json").is_file():
            counts = read_counts(path / "public")
            for table, reach in zip(counts.tables, counts.reaches, strict=True):
                nobody = np.zeros(len(table), bool)
                found.add(plain_table(name, table, table.values, wanted=nobody, reach=reach.astype(np.float64)))
        elif (path / "public").is_dir() and (path / "internal" / "recipe.toml").is_file():
            _take_file(path, name, found)
        elif path.is_file() and path.suffix == ".json":
            told = parse_json(read_text(path, "The answers"), "The answers")
            answers, made = _listed(told)
            answered, lost = plain_answers(name, answers, made)
            for answer in answered:
                found.add(answer)
            found.left_out += lost
        elif path.is_file() and path.suffix in (".journal", ".jsonl"):
            found.left_out.append(
                f"{name}: a journal has no answers, only their digests; 'tacita journal answers' makes them again."
            )
        else:
            found.left_out.append(f"{name}: it is no published table, no release of records and no file of answers.")
    except TacitaError as error:
        found.left_out.append(f"{name}: {error}")


def _listed(told: Any) -> tuple[list[Mapping[str, Any]], AnswersMade]:
    """Return answers, and how they were made where the file says it."""
    made = AnswersMade()
    if isinstance(told, Mapping) and told.get("form") == ANSWERS:
        complete, reach = told.get("complete"), told.get("reach")
        made = AnswersMade(
            exact=told.get("exact") is not False,
            weighted=told.get("weighted"),
            reach=float(reach) if isinstance(reach, (int, float)) else None,
            complete=tuple(map(str, complete)) if isinstance(complete, list) else None,
        )
        told = told.get("answers")
    answers = told if isinstance(told, list) else [told]
    if not all(isinstance(answer, Mapping) for answer in answers):
        raise FileError("it has no answers in their JSON form.")
    return answers, made


def _take_table(path: Path, name: str, found: _Read) -> None:
    if (path / "internal" / "table.json").is_file():
        cells = read_published(path)
        people = None if cells.table.is_frequency else found.name_of_people(name, cells.table)
        wanted = np.flatnonzero(cells.unsafe)
        largest = None if cells.table.is_frequency else largest_in(cells.table, wanted)
        amounts = np.full(len(cells.table), np.nan)
        if largest is not None:
            amounts[wanted] = largest[1]
        found.add(plain_cells(name, cells, people=people), np.asarray(cells.table.values, np.float64), amounts)
        return
    left = read_json_table(path / "public" / "table.json")
    hidden = np.isnan(left.table.values) if left.hidden is None else left.hidden
    found.add(plain_table(name, left.table, np.where(hidden, np.nan, left.table.values), wanted=hidden))
    found.left_out.append(
        f"{name}: without its internal side its hidden cells are wanted, and nobody can judge what is said."
    )


def _take_file(path: Path, name: str, found: _Read) -> None:
    files = sorted((path / "public").glob("data.*"))
    if not files:
        raise AttackError("it has no file of records in public/.")
    data = read(files[0], schema=path / "public" / "schema.toml")
    recipe = Recipe.read(path / "internal" / "recipe.toml")
    table = counts_of_file(name, data, open_columns(data, recipe, Schema.read(path / "internal" / "schema.toml")))
    found.files[name] = data
    if table is None:
        raise AttackError("no column with classes is as it was, so that it has no counts to be used.")
    found.add(table)


def attack_ledger(
    directory: str | Path,
    *,
    next_release: str | Path | None = None,
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    near: float = NEAR,
) -> Campaign:
    """Run every attack that applies against all releases of one population together.

    Parameters
    ----------
    directory, next_release, near
        As in :func:`read_ledger`.
    attacks, without
        Names of the only attacks to run, and of attacks to leave out.
    seed
        Repeats everything.
    seconds
        About how long it may take.
    margin
        By how much an attack may beat guessing.

    Returns
    -------
    Campaign
        One grade for each attack, and a verdict; its notes name the releases that hurt each other, and what was not used.
    """
    ledger = read_ledger(directory, next_release=next_release, near=near)
    attackers = applicable("releases", attacks=attacks, without=without)
    return campaign(
        "releases",
        lambda: (ledger.target, ledger.answers, None),
        target=f"{len(ledger.target.names)} releases together",
        attackers=attackers,
        seed=seed,
        seconds=seconds,
        margin=margin,
        scenario="everything that was released, and that it is of one population; from outside, and from "
        f"{len(ledger.target.tables.seats)} seats of contributors",
        notes=tuple(ledger.words().splitlines()),
    )
