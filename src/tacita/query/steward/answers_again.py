"""Answers again: what a database has told, made once more from its journal, its data and its key, to be looked at together."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.core.errors import TacitaError
from tacita.core.keyed import KeyLike
from tacita.core.progress import task
from tacita.data.atomic import atomic_file
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.database import Database
from tacita.query.journal.memory import MemoryJournal
from tacita.query.journal.reading import read_entries
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.rounding import RoundTo
from tacita.query.opening import open_database
from tacita.query.policy.policy import PolicyLike
from tacita.query.replay import answers_that_left

if TYPE_CHECKING:
    from tacita.data.microdata import Microdata
    from tacita.data.schema import Schema

__all__ = ["AnswersAgain", "answers_again"]

FORM = "tacita answers"
"""What such a file calls itself; the ledger of releases reads it."""
_CHANGED = ("numbers", "privacy", "input", "camouflage", "subsample")
"""Parts of a policy under which numbers without a remark are not the true ones."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AnswersAgain:
    """What left, as far as it could be made again.

    Parameters
    ----------
    answers
        The answers in their JSON form, each question once.
    lost
        Why others could not be made again, and how many these are.
    exact, weighted, reach, complete
        How the answers were made, as readers know it: whether numbers without a remark are true ones, whether totals and means of
        tables stand for more people than there are records, how far counts may be from the true ones (None for no bound), and the
        variables that every record has a value of.
    """

    answers: tuple[Mapping[str, Any], ...] = field(repr=False)
    lost: Mapping[str, int]
    exact: bool
    weighted: bool
    reach: float | None
    complete: tuple[str, ...]

    def words(self) -> str:
        """Return what came of it, for the data steward."""
        lines = [f"{len(self.answers)} answers were made again; their digests are those of the journal."]
        return "\n".join([*lines, *(f"{count} were not: {why}." for why, count in self.lost.items())])

    def to_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {
            "form": FORM,
            "exact": self.exact,
            "weighted": self.weighted,
            "reach": self.reach,
            "complete": list(self.complete),
            "lost": dict(self.lost),
            "answers": [dict(answer) for answer in self.answers],
        }

    def write(self, path: str | Path) -> Path:
        """Write the answers to a file that its owner alone can read: all of them together may tell more than anybody was told."""
        place = Path(path)
        with atomic_file(place, private=True) as temporary:
            text = json.dumps(self.to_plain(), ensure_ascii=False, allow_nan=False, sort_keys=True)
            temporary.write_text(text + "\n", encoding="utf-8", newline="\n")
        return place


def answers_again(
    journal: str | Path,
    source: Microdata | str | Path,
    *,
    key: KeyLike,
    schema: Schema | str | Path | None = None,
    policy: PolicyLike = "mas",
    catalogue: Catalogue | str | Path | None = None,
    record_id: str | None = None,
    table: str | None = None,
) -> AnswersAgain:
    """Make the answers of a journal again, so that they can be put beside other releases.

    A journal keeps a digest of each answer and not the answer. All that is keyed comes out the same for ever, so whoever has the
    data and the key can compute it once more; the digest shows that it is what left.

    Parameters
    ----------
    journal
        The journal; it is only read.
    source, schema, policy, key, catalogue, record_id, table
        What the database was opened with, as for :func:`tacita.query.open`.

    Returns
    -------
    AnswersAgain
        The answers, and why others are lacking: those to another version of the data, under another policy, and those whose noise
        was drawn anew (differential privacy), which nobody can repeat.

    Raises
    ------
    FileError
        When the journal cannot be read.

    Notes
    -----
    Nothing is judged, and nothing is entered into the journal. A table that was asked for part by part is there as its parts.

    Complexity
    ----------
    One computation for each different question.

    Examples
    --------
    >>> import tempfile, tacita as tc
    >>> people, key = tc.samples.household_survey(500, seed=1), b"the key of an example"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     db = tc.query.open(people, policy="tables", key=key, journal=f"{folder}/journal")
    ...     left = db.ask({"kind": "tabulate", "by": ["sex"]}).to_plain()
    ...     found = answers_again(f"{folder}/journal", people, policy="tables", key=key)
    >>> found.answers == (left,), found.reach
    (True, 5.0)
    """
    db = open_database(
        source, schema=schema, policy=policy, key=key, catalogue=catalogue, record_id=record_id, table=table
    )
    sealed = MemoryJournal(key=key)
    answers: list[Mapping[str, Any]] = []
    lost: dict[str, int] = {}
    every = list(read_entries(journal))
    others = [
        e for e in every if e.kind == "request" and e.status == "answered" and e.versions.get("data") != db.version.id
    ]
    if others:
        lost["they are about another version of the data"] = len(others)
    left = list(answers_that_left(every, db.version.id))
    with task("Answering again", len(left)) as running:
        for entry in left:
            asked = dict(entry.request or {})
            found = _made_again(db, asked, entry.versions.get("policy", ""))
            if isinstance(found, str) or sealed.answer_digest(asked, found) != entry.answer:
                why = found if isinstance(found, str) else _why_other(db)
                lost[why] = lost.get(why, 0) + 1
            else:
                answers.append(found)
            running.advance()
    return AnswersAgain(answers=tuple(answers), lost=lost, **_how_made(db))


def _made_again(db: Database, asked: Mapping[str, Any], policy: str) -> dict[str, Any] | str:
    """Return an answer, or why there is none."""
    if policy != db.policy.digest[:16]:
        return "they were given under another policy"
    try:
        return db.again(asked).to_plain()
    except TacitaError:
        return "the question is not understood any more"


def _why_other(db: Database) -> str:
    if db.policy.part("privacy") is not None:
        return "noise of differential privacy is drawn anew and cannot be repeated"
    return "another answer than the one that left comes out: the catalogue or the package is another one"


def _how_made(db: Database) -> dict[str, Any]:
    """Return how readers know that numbers were made."""
    policy, version = db.policy, db.version
    cells = policy.part("cells")
    reach = float(cells.bound) if isinstance(cells, CellKeyNoise) else None
    if isinstance(cells, RoundTo):
        reach = float(cells.base - 1)
    numeric = [column.name for column in version.store.schema if column.scale == "numeric"]
    return {
        "exact": not any(policy.part(name) is not None for name in _CHANGED),
        "weighted": version.weights is not None,
        "reach": reach,
        "complete": tuple(name for name in numeric if name in version.catalogue and not version.has_missing(name)),
    }
