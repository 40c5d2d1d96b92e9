"""The queryable database: a question goes from policy to universe, to computation, protection, journal, and becomes an answer."""

from __future__ import annotations

import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.core.errors import DataError, ParameterError, TacitaError, TacitaWarning
from tacita.core.keyed import Key, KeyLike
from tacita.core.traits import STAGES
from tacita.query.answer import Answer, Status
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.version import Version
from tacita.query.compute import compute
from tacita.query.fixed import check_fixed, version_facts
from tacita.query.history import History
from tacita.query.journal.base import QueryJournal
from tacita.query.journal.journal import open_journal
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.question import Question, RefusalError, understand
from tacita.query.requests.request import QueryRequest, request_from_plain
from tacita.query.restrictions.restriction import Ruling

if TYPE_CHECKING:
    from tacita.data.microdata import Microdata
    from tacita.data.schema import Schema
    from tacita.query.cutpoints.method import Cutpoints

__all__ = ["Database", "Explanation", "Outcome", "open_database"]

_MOST_KEPT = 4096


@dataclass(frozen=True)
class Outcome:
    """What one restriction said about a question."""

    rule: str
    ruling: Ruling


@dataclass(frozen=True)
class Explanation:
    """What every restriction would say about a question: for the steward, since it tells thresholds to whoever asks long enough.

    Parameters
    ----------
    status
        What the answer would be.
    outcomes
        Restrictions by stage, with their decisions and reasons.
    records
        Number of records of the universe; None where it was not found.
    """

    status: Status
    outcomes: tuple[Outcome, ...]
    records: int | None = None

    def to_plain(self) -> dict[str, Any]:
        """Return the explanation ready for JSON."""
        rows = [{"rule": o.rule, "decision": o.ruling.decision, "detail": o.ruling.detail} for o in self.outcomes]
        return {"status": self.status, "records": self.records, "rules": rows}


class Database:
    """A data version that answers statistical questions under a policy, and never gives out a record.

    ``ask`` is a pipeline: the question is brought to its canonical form (*policy*, *universe*), judged by the
    restrictions stage by stage, *computed*, *protected*, entered into the *journal*, and only then answered. Nothing
    leaves before the journal has it.

    Parameters
    ----------
    version
        The data version.
    policy
        What is answered, and how.
    journal
        Where questions and answers are entered.
    key
        The secret of the database.
    now
        The clock, in seconds.

    Notes
    -----
    The same question to the same version has the same answer for ever: all noise comes from the key and the set of
    records. Questions that were answered are given again without being judged anew; they tell nothing that is not told.

    One question is answered at a time, whatever thread it comes from.
    """

    def __init__(
        self,
        version: Version,
        policy: Policy,
        journal: QueryJournal,
        *,
        key: Key,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.version, self.policy, self.journal = version, policy, journal
        self.history = History()
        self._key, self._now = key, now
        self._lock = threading.RLock()
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        if policy.part("camouflage") is None and version.catalogue.names == ():
            raise DataError("The catalogue has no variable that could be asked for.")
        for name in policy.strata:
            version.catalogue[name]

    def __repr__(self) -> str:
        variables = len(self.version.catalogue.names)
        return f"Database: {len(self.version)} records, {variables} variables, policy '{self.policy.name}'"

    @property
    def catalogue(self) -> Catalogue:
        """What is published about the data."""
        return self.version.catalogue

    # --- asking ----------------------------------------------------------------------------------------------------------

    def ask(self, request: QueryRequest | Mapping[str, Any] | str | bytes, *, user: str = "") -> Answer:
        """Answer a question, refuse it, or leave it to a person.

        Parameters
        ----------
        request
            A request, or its JSON form.
        user
            Who asks; the journal keeps a pseudonym, or nothing where the policy says so.

        Returns
        -------
        Answer
            What leaves. A refusal names rules and nothing else.

        Raises
        ------
        FileError
            When the journal cannot be written; then nothing leaves.
        """
        with self._lock:
            now = self._now()
            try:
                question = self._understood(request, user, now)
            except RefusalError as refused:
                self.history.was_asked(user, now)
                return self._entered(_plain(request), user, (_outcome(refused),), _refusal(refused))
            outcomes, answer = self._answered(question)
            self.history.was_asked(user, now)
            return self._entered(question.canonical, user, outcomes, answer, question)

    def _understood(self, request: Any, user: str, now: float) -> Question:
        """Policy and universe: what is asked, in canonical form."""
        if not isinstance(request, QueryRequest):
            try:
                request = request_from_plain(request)
            except TacitaError as error:
                raise RefusalError("request_form", str(error), hint=str(error)) from None
        if request.kind not in self.policy.requests:
            raise RefusalError("not_offered", request.kind, hint=f"Requests of kind '{request.kind}' are not answered here.")
        return understand(request, self.version, self.policy, self.history, user, now)

    def _answered(self, question: Question) -> tuple[tuple[Outcome, ...], Answer]:
        """Judge, compute and protect."""
        known = self._kept.get(question.text)
        stages = ("request",) if known is not None else ("request", "universe", "history")
        outcomes = self._judged(question, stages)
        if not outcomes:  # default deny: what no rule has looked at is not answered
            outcomes = (Outcome("no_rule", Ruling("deny", "no restriction of the policy applies to this question")),)
        answer = _decided(outcomes)
        if answer is not None:
            return outcomes, answer
        if known is not None:
            self._kept.move_to_end(question.text)
            return (*outcomes, Outcome("answered_before", Ruling("allow"))), known
        try:
            return outcomes, compute(question)
        except RefusalError as refused:
            return (*outcomes, _outcome(refused)), _refusal(refused)

    def _judged(self, question: Question, stages: tuple[str, ...], *, is_whole: bool = False) -> tuple[Outcome, ...]:
        """What the restrictions say, stage by stage; after a stage that refuses, later ones are not asked."""
        found: list[Outcome] = []
        for stage in stages:
            for restriction in self.policy.restrictions:
                if restriction.traits.stage == stage and restriction.applies(question):
                    found.append(Outcome(restriction.name, restriction.judge(question)))
            if not is_whole and any(outcome.ruling.decision == "deny" for outcome in found):
                break
        return tuple(found)

    def _entered(
        self,
        request: dict[str, Any],
        user: str,
        outcomes: tuple[Outcome, ...],
        answer: Answer,
        question: Question | None = None,
    ) -> Answer:
        """Write the journal, then let the answer go; what was answered is remembered only after the journal has it."""
        name = answer.id or self._key.digest("answer", self.version.id, str(request)).hex()[:24]
        made = replace(answer, request=request, id=name)
        self.journal.append(
            "request",
            user=user,
            request=request,
            status=made.status,
            rules=[(o.rule, o.ruling.decision, o.ruling.detail or None) for o in outcomes],
            answer=made.to_plain() if made.status == "answered" else None,
            versions={"data": self.version.id, "policy": self.policy.digest[:16]},
        )
        if made.status == "answered" and question is not None and question.text not in self._kept:
            self.history.remember(question)
            self._kept[question.text] = made
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made

    # --- for the steward ------------------------------------------------------------------------------------------------

    def explain(self, request: QueryRequest | Mapping[str, Any] | str | bytes, *, user: str = "") -> Explanation:
        """Say what every restriction would say about a question; nothing is answered, the journal notes that it was asked.

        Notes
        -----
        For the steward only: a user who sees reasons finds the secret thresholds.
        """
        with self._lock:
            try:
                question = self._understood(request, user, self._now())
            except RefusalError as refused:
                return Explanation("refused", (_outcome(refused),))
            outcomes = self._judged(question, tuple(STAGES), is_whole=True)
            answer = _decided(outcomes) if outcomes else Answer(status="refused")
            if answer is None:
                try:
                    compute(question)
                    answer = Answer(status="answered")
                except RefusalError as refused:
                    outcomes, answer = (*outcomes, _outcome(refused)), _refusal(refused)
            self.journal.append("explain", user=user, request=question.canonical, status=answer.status)
            return Explanation(answer.status, outcomes, len(question.members))

    def replay(self) -> int:
        """Remember what the journal says was answered to this data version; return how many questions these are."""
        count = 0
        for entry in self.journal.entries():
            if entry.kind != "request" or entry.status != "answered" or entry.versions.get("data") != self.version.id:
                continue
            try:
                question = self._understood(entry.request, entry.user or "", 0.0)
            except RefusalError:  # the policy no longer offers it: what left has left, but nothing can be audited
                continue
            if question.text not in self._kept:
                self.history.remember(question)
                count += 1
        return count


def open_database(
    source: Microdata | str | Path,
    *,
    schema: Schema | str | Path | None = None,
    policy: PolicyLike = "mas",
    key: KeyLike | None = None,
    journal: QueryJournal | str | Path | None = None,
    catalogue: Catalogue | str | Path | None = None,
    cutpoints: Cutpoints | Mapping[str, Cutpoints] | None = None,
    record_id: str | None = None,
    table: str | None = None,
    now: Callable[[], float] = time.time,
) -> Database:
    """Open data for statistical questions; records never leave.

    Parameters
    ----------
    source
        Microdata, a file (Parquet, DuckDB, CSV, SPSS, ...) or ``postgresql://...``. It is only read.
    schema
        Its schema, or a schema file.
    policy
        A policy, a file, or a preset: ``mas``, ``tables``, ``audited``, ``camouflage``, ``dp``, ``internal``.
    key
        The secret that all noise comes from: bytes, a file, or a key. Never change it within a data version: two keys
        are two draws of the noise, whose mean is closer to the truth. Without one a key is drawn, and answers differ
        when the data are opened again.
    journal
        A file that every question is entered into before its answer leaves; None keeps the journal in memory.
    catalogue
        What is published about the data, or a file of it; by default it is drafted.
    cutpoints
        How numeric variables are cut where the catalogue is drafted; by default as the policy says.
    record_id
        The column that identifies each record.
    table
        Which table of a database.
    now
        The clock, in seconds.

    Raises
    ------
    FileError, SchemaError, ParameterError, DataError
        When source, schema, policy, key, catalogue or journal cannot be used; nothing is written then.

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(2000, seed=1), policy="tables", key=b"an example's key")
    >>> answer = db.ask(tc.query.Tabulate(by=["sex"]), user="ann")
    >>> answer.status, answer.table.shape
    ('answered', (2,))
    """
    from tacita.data.store.opening import open_store

    chosen = Policy.of(policy)
    secret = Key.draw() if key is None else Key.of(key)
    if key is None and journal is not None:
        raise ParameterError(
            "'key' must be given where a journal is kept: without it answers could not be given again."
        )
    store = open_store(source, schema=schema, record_id=record_id, table=table)
    if isinstance(catalogue, (str, Path)):
        catalogue = Catalogue.read(catalogue)
    if catalogue is None:
        catalogue = Catalogue.draft(store, cutpoints=chosen.part("cutpoints") if cutpoints is None else cutpoints)
    version = Version(store, catalogue, secret, strata=_strata(chosen, store.schema.strata, catalogue))
    kept = open_journal(journal, key=secret, identities=chosen.identities)
    check_fixed(kept, version, chosen)
    made = Database(version, chosen, kept, key=secret, now=now)
    made.replay()
    kept.append(
        "version", request=version_facts(version, chosen), versions={"data": version.id, "policy": chosen.digest[:16]}
    )
    return made


def _strata(policy: Policy, declared: tuple[str, ...], catalogue: Catalogue) -> tuple[str, ...]:
    """The strata that records are dropped within: those of the policy, else the design strata of the schema."""
    named = policy.strata or tuple(name for name in declared if name in catalogue and catalogue[name].classes)
    if not named and policy.subsample is not None:
        warnings.warn(
            "No stratum is named, so records are dropped from each universe as a whole; a universe that is padded with a "
            "large region then keeps its small part as it is. Name the geography in 'strata' of the policy.",
            TacitaWarning,
            stacklevel=3,
        )
    return named


def _decided(outcomes: tuple[Outcome, ...]) -> Answer | None:
    """The answer that restrictions alone give: any deny wins, then any review; None where the question is to be computed."""
    for decision, status in (("deny", "refused"), ("review", "review")):
        reasons = tuple(o.rule for o in outcomes if o.ruling.decision == decision)
        if reasons:
            return Answer(status=status, reasons=reasons)  # type: ignore[arg-type]
    return None


def _refusal(refused: RefusalError) -> Answer:
    return Answer(status="refused", reasons=(refused.rule,), hint=refused.hint)


def _outcome(refused: RefusalError) -> Outcome:
    return Outcome(refused.rule, Ruling("deny", refused.detail))


def _plain(request: Any) -> dict[str, Any]:
    """What the journal keeps of a question that was not understood: nothing that a hostile text could put there."""
    if isinstance(request, QueryRequest):
        return request.to_plain()
    return {"kind": "unreadable"}
