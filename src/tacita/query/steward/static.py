"""The static server: answers that were decided beforehand and published as files; after that there is nothing to remember."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tacita.core.errors import FileError, TacitaError
from tacita.core.metadata import LARGE, parse_json, read_text
from tacita.data.atomic import atomic_directory
from tacita.data.disk.documents import put_documents
from tacita.data.formats.formulas import neutral_texts
from tacita.query.answer import Answer
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.database import Database
from tacita.query.requests import QueryRequest, request_from_plain
from tacita.query.steward.workload import Workload
from tacita.query.tables.cell_table import CellTable
from tacita.query.universe.canonical import boxes_of, canonical_request

__all__ = ["KIND", "StaticRelease", "StoredPart", "static_answers"]

KIND = "static answers"
"""What the list of files calls such a directory."""

_FORM = "tacita static answers 1"


@dataclass(frozen=True, eq=False)
class StoredPart:
    """A model or a plot that was read back from a file: the numbers that were published, without their computation.

    Parameters
    ----------
    plain
        The JSON form.
    """

    plain: Mapping[str, Any] = field(repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.plain[name]

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        return dict(self.plain)


@dataclass(frozen=True, eq=False)
class StaticRelease:
    """Answers that are there for everybody, and nothing else.

    Parameters
    ----------
    catalogue
        The published variables; with them every wording of a question finds its answer.
    answers
        By the text of the canonical request.
    refused
        For the steward: canonical requests that were not answered, with the names of the rules. Empty where the public
        side was read.

    Notes
    -----
    Asking costs nothing and tells nothing new, so there is no journal, no user and no budget. What was safe to give out
    as a whole stays so however often it is asked for.
    """

    catalogue: Catalogue
    answers: Mapping[str, Answer] = field(repr=False)
    refused: tuple[tuple[Mapping[str, Any], tuple[str, ...]], ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.answers)

    def __repr__(self) -> str:
        return f"StaticRelease: {len(self.answers)} answers"

    def ask(self, request: QueryRequest | Mapping[str, Any] | str | bytes) -> Answer:
        """Look an answer up; what was not prepared is refused with ``not_offered``."""
        asked: dict[str, Any] = {"kind": "unreadable"}
        try:
            read = request if isinstance(request, QueryRequest) else request_from_plain(request)
            asked = canonical_request(read, boxes_of(read.where, self.catalogue), self.catalogue)
            found = self.answers.get(_text(asked))
        except TacitaError:
            found = None
        return Answer(status="refused", reasons=("not_offered",), request=asked) if found is None else found

    # --- files ----------------------------------------------------------------------------------------------------------

    def write(self, directory: str | Path, *, overwrite: bool = False) -> Path:
        """Write the release, whole or not at all.

        ``public/`` has the catalogue, an index, and each answer as JSON, tables as CSV too. ``internal/`` has the
        questions that were refused, with the names of the rules: that a rule refused tells something about the data.

        Parameters
        ----------
        directory
            Where ``public/`` and ``internal/`` are made.
        overwrite
            Replace an earlier static release in the same place.

        Raises
        ------
        FileError
            When the directory exists or cannot be written; nothing is left half-written.
        """
        target = Path(directory)
        public, index = self._public()
        documents = {
            "public/index.json": _json({"form": _FORM, "answers": index}),
            "public/catalogue.json": _json(self.catalogue.to_plain()),
            **public,
            "internal/refused.json": _json([{"request": r, "rules": list(rules)} for r, rules in self.refused]),
        }
        with atomic_directory(target, overwrite, kind=KIND, private=["internal"]) as made:
            (made / "public").mkdir()
            (made / "internal").mkdir(mode=0o700)
            put_documents(made, documents)
        return target

    def _public(self) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
        """The files of all answers, numbered in the order of their texts: the order of asking tells nothing."""
        documents: dict[str, bytes] = {}
        index = []
        for number, text in enumerate(sorted(self.answers), 1):
            answer, name = self.answers[text], f"answers/{number:05d}"
            row = {"request": answer.request, "file": f"{name}.json"}
            documents[f"public/{name}.json"] = _json(answer.to_plain())
            if answer.table is not None:
                documents[f"public/{name}.csv"] = _csv(answer.table.to_rows())
                row["table"] = f"{name}.csv"
            index.append(row)
        return documents, index

    @classmethod
    def read(cls, path: str | Path) -> StaticRelease:
        """Read the public side of a release; ``path`` is its directory, or ``public/`` itself.

        Raises
        ------
        FileError
            When a file is missing or is none of a static release.
        """
        folder = Path(path)
        folder = folder / "public" if (folder / "public").is_dir() else folder
        index = _parsed(folder / "index.json", "The index")
        if not isinstance(index, dict) or index.get("form") != _FORM or not isinstance(index.get("answers"), list):
            raise FileError("The index is none of a static release.")
        try:
            catalogue = Catalogue.from_plain(_parsed(folder / "catalogue.json", "The catalogue"))
            found = [_answer(_parsed(folder / _place(row), "An answer")) for row in index["answers"]]
        except (KeyError, TypeError, ValueError) as error:
            raise FileError("The static release cannot be read: a file of it has another form.") from error
        except FileError:
            raise
        except TacitaError as error:
            raise FileError(f"The static release cannot be read: {error}") from error
        return cls(catalogue, {_text(answer.request): answer for answer in found})


def static_answers(db: Database, requests: Workload | Iterable[QueryRequest], *, user: str = "static") -> StaticRelease:
    """Ask a list of questions once, and keep the answers for everybody.

    Parameters
    ----------
    db
        The database. The questions are real ones: its policy judges them in their order, and its journal has them.
    requests
        The questions.
    user
        Whom the journal names.

    Returns
    -------
    StaticRelease
        The answers, and what was refused for the steward.

    Raises
    ------
    FileError
        When the journal cannot be written.

    Notes
    -----
    Once it is written, the release needs no journal: it answers from its files. The list is asked through the database
    all the same, since these answers are part of what everybody knows about this data version.

    References
    ----------
    Gomatam, S., Karr, A. F., Reiter, J. P. and Sanil, A. P. (2005), Data dissemination and disclosure limitation in a
    world without microdata: static and dynamic servers.

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(500, seed=1), policy="tables", key=b"an example's key")
    >>> release = static_answers(db, [tc.query.Tabulate(by=["sex"])])
    >>> release.ask({"kind": "tabulate", "by": ["sex"]}).status, release.ask({"kind": "tabulate", "by": ["region"]}).reasons
    ('answered', ('not_offered',))
    """
    answers: dict[str, Answer] = {}
    refused: dict[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {}
    for request, _ in Workload.of(requests):
        answer = db.ask(request, user=user)
        text = _text(answer.request)
        if answer.status == "answered":
            answers[text] = answer
        else:
            refused[text] = (answer.request, answer.reasons)
    return StaticRelease(db.catalogue, answers, tuple(refused.values()))


def _text(request: Mapping[str, Any]) -> str:
    return json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _json(plain: Any) -> bytes:
    return (json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def _csv(rows: Mapping[str, list[Any]]) -> bytes:
    """A table as CSV; texts that a spreadsheet would run get an apostrophe."""
    columns = [neutral_texts([name, *("" if v is None else str(v) for v in values)]) for name, values in rows.items()]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(zip(*columns, strict=True))
    return out.getvalue().encode("utf-8")


def _parsed(path: Path, what: str) -> Any:
    return parse_json(read_text(path, what, limits=LARGE), what, limits=LARGE)


def _place(row: Mapping[str, Any]) -> str:
    """The file of an answer: its plain name in the folder of answers, so that an index leads nowhere else."""
    name = str(row["file"])
    if not name.startswith("answers/") or "/" in name.removeprefix("answers/") or ".." in name or "\\" in name:
        raise FileError("The index names a file that is none of the answers.")
    return name


def _answer(plain: Mapping[str, Any]) -> Answer:
    """An answer from what was published of it."""
    if plain["status"] != "answered":
        raise FileError("A file of answers has something else than an answer.")
    table, interval = plain.get("table"), plain.get("interval")
    model, plots = (None if plain.get(part) is None else StoredPart(plain[part]) for part in ("model", "plots"))
    return Answer(
        status="answered",
        request=dict(plain["request"]),
        id=str(plain["id"]),
        value=plain.get("value"),
        quantiles=plain.get("quantiles"),
        notes=tuple(plain.get("notes", ())),
        interval=None if interval is None else (float(interval[0]), float(interval[1])),
        table=None if table is None else _table(table),
        model=model,
        plots=plots,
    )


def _table(plain: Mapping[str, Any]) -> CellTable:
    by = tuple(plain["by"])
    classes = {name: tuple(plain["classes"][name]) for name in by}
    shape = tuple(len(classes[name]) for name in by)

    def cells(values: list[Any]) -> Any:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64).reshape(shape)

    errors = plain.get("standard_errors")
    return CellTable(by, classes, plain["statistic"], cells(plain["values"]), None if errors is None else cells(errors))
