"""The keeper of the databases: opens them, answers, and does what a steward asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacita.core.errors import FileError, ParameterError, TacitaError
from tacita.core.keyed import Key
from tacita.query.answer import Answer
from tacita.query.database import Database
from tacita.query.in_part import parts_of
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.reading import summarise
from tacita.query.journal.verify import verify
from tacita.query.opening import open_database
from tacita.query.question import RefusalError
from tacita.query.requests.request import QueryRequest, request_from_plain
from tacita.query.requests.tabulate import Tabulate
from tacita.web.engine.jobs import JobQueue
from tacita.web.engine.operator_log import OperatorLog
from tacita.web.engine.port import NOT_UNDERSTOOD, STEWARD_CALLS, DatasetFacts, EngineUnavailableError, Reply
from tacita.web.settings import DatasetSettings, ServerSettings

__all__ = ["Keeper"]

_LOG = OperatorLog()

_LONGEST_HINT = 500
"""Letters of a message about a request; it may quote the request, which may be long."""

_TICKS = 10
"""Quanta between two moments at which a large table tells how far it is."""


class Keeper:
    """The databases of a server.

    Parameters
    ----------
    settings
        What the server is told.
    databases
        The databases, opened.
    """

    def __init__(self, settings: ServerSettings, databases: Mapping[str, Database]) -> None:
        self.settings, self.databases = settings, dict(databases)
        limits = settings.limits
        self.jobs = JobQueue(limits.queue, limits.per_queue, tick=_TICKS * limits.quantum)

    @classmethod
    def open(cls, settings: ServerSettings) -> Keeper:
        """Open every data set; a journal that does not verify, or a key that is not there, opens none.

        Raises
        ------
        FileError, ParameterError, SchemaError, DataError
            When a data set cannot be opened as the settings say.
        """
        return cls(settings, {dataset.name: _opened(dataset) for dataset in settings.datasets})

    def facts(self) -> tuple[DatasetFacts, ...]:
        """Return what is published about the data sets."""
        return tuple(self._facts(dataset) for dataset in self.settings.datasets)

    def _facts(self, dataset: DatasetSettings) -> DatasetFacts:
        db = self.databases[dataset.name]
        schema = db.version.store.schema
        return DatasetFacts(
            name=dataset.name,
            title=dataset.title or dataset.name,
            about=dataset.about,
            version=db.version.id,
            requests=tuple(db.policy.requests),
            variables=tuple(db.catalogue.to_plain()["variables"]),
            open_to=dataset.open_to,
            has_households=schema.household is not None,
            has_weights=schema.weight is not None,
        )

    # --- questions -----------------------------------------------------------------------------------------------------

    def ask(self, dataset: str, body: bytes, *, kind: str, user: str) -> Reply:
        """Answer a question; see :meth:`AnsweringEngine.ask`."""
        db = self._database(dataset)
        try:
            request = _request(body, kind)
        except TacitaError as error:
            said = _shortened(str(error))
            refused = RefusalError("request_form", said, hint=said)
            return _told(_safely(lambda: db.refuse(refused, user=user)), dataset)
        if isinstance(request, Tabulate) and self._is_large(db, request):
            return self.jobs.put(user, dataset, lambda: self._reply(db, dataset, request, user))
        return self._reply(db, dataset, request, user)

    def _is_large(self, db: Database, request: Tabulate) -> bool:
        """Whether a table is so large that it has to wait; by published metadata only."""
        limits, cells = self.settings.limits, 1
        for name in request.by:
            cells *= db.catalogue[name].size if name in db.catalogue else 1
        if request.each is None or request.each not in db.catalogue:
            return cells > limits.cells
        classes = db.catalogue[request.each].all_classes
        return sum(1 for _ in parts_of(request, {}, classes)) > limits.parts

    def _reply(self, db: Database, dataset: str, request: QueryRequest, user: str) -> Reply:
        return _told(_safely(lambda: db.ask(request, user=user)), dataset)

    def answer(self, id: str, *, datasets: Sequence[str], user: str) -> Reply | None:
        """Give an answer again; see :meth:`AnsweringEngine.answer`."""
        for name in datasets:
            db = self.databases.get(name)
            if db is not None and db.asked.knows(id):
                found = _safely(lambda db=db: db.answer(id, user=user))  # type: ignore[misc]
                return None if found is None else _told(found, name)
        return None

    def knows(self, id: str, *, datasets: Sequence[str]) -> bool:
        """Whether there is an answer of this id."""
        return any(name in self.databases and self.databases[name].asked.knows(id) for name in datasets)

    def job(self, id: str, *, user: str) -> Reply | None:
        """Return how far a large table is."""
        return self.jobs.state(id, user)

    def _database(self, name: str) -> Database:
        if name not in self.databases:
            raise ParameterError("There is no such data set.")
        return self.databases[name]

    # --- the steward ---------------------------------------------------------------------------------------------------

    def steward(self, dataset: str, call: str, given: Mapping[str, Any]) -> Any:
        """Do something for a steward; see :meth:`AnsweringEngine.steward`.

        ``journal`` (``last``, ``status``, ``rule``) gives the last entries, ``refusals`` how often each rule said what,
        ``reviews`` what waits for a person, ``decide`` (``number``, ``allow``, ``steward``, ``why``) decides about it,
        ``explain`` (``request``, ``steward``) what every rule would say, ``verify`` whether the journal is whole, ``tell``
        (``closed``, ``why``, ``steward``) enters that the data set was closed or opened.
        """
        db = self._database(dataset)
        if call not in STEWARD_CALLS:
            raise ParameterError("A steward cannot do that.")
        return {
            "journal": self._journal,
            "refusals": self._refusals,
            "reviews": lambda db, _: [review.to_plain() for review in db.reviews.listed()],
            "decide": self._decide,
            "explain": lambda db, given: db.explain(given["request"], user=str(given.get("steward", ""))).to_plain(),
            "verify": self._verify,
            "tell": self._tell,
        }[call](db, given)

    def _journal(self, db: Database, given: Mapping[str, Any]) -> Any:
        entries: Iterable[JournalEntry] = db.journal.entries()
        for name in ("status", "kind"):
            if given.get(name):
                entries = [entry for entry in entries if getattr(entry, name) == given[name]]
        if given.get("rule"):
            entries = [entry for entry in entries if any(said.rule == given["rule"] for said in entry.rules)]
        last = min(max(int(given.get("last", 50)), 1), 1000)
        return [entry.to_plain() for entry in summarise(entries, last=last).last]

    def _refusals(self, db: Database, _given: Mapping[str, Any]) -> Any:
        found = summarise(db.journal.entries(), last=0)
        return {"entries": found.entries, "statuses": found.statuses, "rules": found.rules}

    def _decide(self, db: Database, given: Mapping[str, Any]) -> Any:
        why, steward = str(given.get("why", "")), str(given["steward"])
        return db.decide(int(given["number"]), allow=bool(given["allow"]), steward=steward, why=why).to_plain()

    def _verify(self, db: Database, _given: Mapping[str, Any]) -> Any:
        dataset = next(d for d in self.settings.datasets if self.databases[d.name] is db)
        return verify(dataset.journal, key=Key.read(dataset.key)).to_plain()

    def _tell(self, db: Database, given: Mapping[str, Any]) -> Any:
        said = {"closed": bool(given["closed"]), "why": str(given.get("why", ""))}
        return {"number": _safely(lambda: db.tell("switch", user=str(given["steward"]), request=said)).number}


def _opened(dataset: DatasetSettings) -> Database:
    """Open one data set; its journal is verified from the first entry to the last before anything is answered."""
    key = Key.read(dataset.key)
    if Path(dataset.key).stat().st_mode & 0o007:
        _LOG.say(
            f"Warning: everybody on this machine can read the key '{Path(dataset.key).name}' of data set '{dataset.name}'; take "
            "that right away (chmod 600), and draw a new key if somebody may have read it."
        )
    if Path(dataset.journal).exists() and Path(dataset.journal).stat().st_size:
        found = verify(dataset.journal, key=key)
        if found.state == "broken" and not _is_only_torn(found.flaws):
            raise FileError(
                f"The journal '{Path(dataset.journal).name}' must verify before data set '{dataset.name}' is opened, but it does "
                "not; 'tacita journal verify' shows where."
            )
    before = None if dataset.previous is None else _version(dataset, dataset.previous, key)
    return _version(dataset, dataset.source, key, previous=before)


def _version(dataset: DatasetSettings, source: str, key: Key, *, previous: Database | None = None) -> Database:
    """Open one version of the data; all of them have one journal."""
    return open_database(
        source,
        schema=dataset.schema,
        policy=dataset.policy,
        key=key,
        journal=dataset.journal,
        catalogue=dataset.catalogue,
        record_id=dataset.record_id,
        table=dataset.table,
        previous=previous,
    )


def _is_only_torn(flaws: Sequence[Any]) -> bool:
    """Whether the only flaw is an incomplete last line, as a process leaves that is killed; opening sets it aside."""
    return len(flaws) == 1 and "the last line is incomplete" in flaws[0].what


def _request(body: bytes, kind: str) -> QueryRequest:
    """Read a request whose kind stands in the address; in the text it may be left out."""
    if not _has_kind(body):
        stripped = body.strip()
        if stripped[:1] == b"{":
            rest = stripped[1:].lstrip()
            body = b'{"kind":%b%b%b' % (json.dumps(kind).encode(), b"" if rest[:1] == b"}" else b",", rest)
    found = request_from_plain(body)
    if found.kind != kind:
        raise ParameterError(f"'kind' must be '{kind}' here, got '{found.kind}'.")
    return found


def _shortened(text: str) -> str:
    """Cut what is too long to be read; half of a pair of code units is no text."""
    return text[:_LONGEST_HINT].encode("utf-8", "replace").decode("utf-8") + (
        "..." if len(text) > _LONGEST_HINT else ""
    )


def _has_kind(body: bytes) -> bool:
    """Whether a text says its kind itself; a variable may be called so, too."""
    if b'"kind"' not in body:
        return False
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return True  # it is refused for what it is
    return not isinstance(given, dict) or "kind" in given


def _safely(ask: Callable[[], Any]) -> Any:
    """Ask; where the journal cannot be written, nothing leaves and the server is unavailable."""
    try:
        return ask()
    except FileError as error:
        _LOG.say(f"Nothing is answered: {error}")
        raise EngineUnavailableError("The journal cannot be written, so nothing is answered.") from error


def _told(answer: Answer, dataset: str) -> Reply:
    return Reply(
        status=answer.status,
        body=answer.to_json().encode("utf-8"),
        id=answer.id,
        reasons=answer.reasons,
        dataset=dataset,
        is_timed=_is_timed(answer),
    )


def _is_timed(answer: Answer) -> bool:
    """Whether rules that look at data have refused something: the whole, or parts of a table."""
    if answer.status == "answered":
        return bool(answer.parts and answer.parts["refused"])
    return not NOT_UNDERSTOOD.issuperset(answer.reasons)
