"""The queryable database: a question goes from policy to universe, to computation, protection, journal, and becomes an answer."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.core.errors import DataError, ParameterError, TacitaError, TacitaNote, TacitaWarning
from tacita.core.keyed import Key, KeyLike
from tacita.core.traits import STAGES
from tacita.query.answer import Answer
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.version import Version
from tacita.query.compute import compute
from tacita.query.fixed import check_fixed, version_facts
from tacita.query.history import History
from tacita.query.journal.base import QueryJournal
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.journal import open_journal
from tacita.query.kept import KeptAnswers
from tacita.query.models.analyses import load_models
from tacita.query.outcome import Explanation, Outcome, decided, refusal
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.question import Question, RefusalError, journal_form, understand
from tacita.query.replay import REPEATED, WITHDRAWN, answers_that_left, withdrawn
from tacita.query.requests.request import QueryRequest, request_from_plain
from tacita.query.restrictions.across_versions import check_same_people
from tacita.query.restrictions.restriction import Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.data.microdata import Microdata
    from tacita.data.schema import Schema
    from tacita.query.cutpoints.method import Cutpoints

__all__ = ["Database", "Explanation", "Outcome", "open_database"]


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
    previous
        The version that this one takes the place of, with its journal; ``across_versions`` looks at what it answered.

    Notes
    -----
    The same question to the same version has the same answer for ever: all noise comes from the key and the set of
    records. Questions that were answered are given again without being judged anew; they tell nothing that is not told.

    Several processes may share a journal. Its entries are numbered: who finds entries of others before its own
    remembers what they answered, and judges its question by that once more before the answer leaves.

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
        previous: Database | None = None,
    ) -> None:
        self.version, self.policy, self.journal, self.previous = version, policy, journal, previous
        self.history = History(previous=previous)
        self._key, self._now = key, now
        self._lock = threading.RLock()
        self._kept = KeptAnswers()
        self._seen = -1
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
            now, asked = self._now(), None
            try:
                asked = _read(request)
                question = self._understood(asked, user, now)
            except RefusalError as refused:
                made = replace(refusal(refused), request=journal_form(asked))
                return self._entered(made, user, now, (Outcome.of_refusal(refused),))
            outcomes, answer = self._answered(question)
            return self._entered(replace(answer, request=question.canonical), user, now, outcomes, question)

    def _understood(self, request: QueryRequest, user: str, now: float) -> Question:
        """Policy and universe: what is asked, in canonical form."""
        if request.kind not in self.policy.requests:
            raise RefusalError(
                "not_offered", request.kind, hint=f"Requests of kind '{request.kind}' are not answered here."
            )
        return understand(request, self.version, self.policy, self.history, user, now)

    def _answered(self, question: Question) -> tuple[tuple[Outcome, ...], Answer]:
        """Judge, compute and protect."""
        known = self._kept.get(question.text)
        outcomes = self._judged(question, ("request",) if known is not None else ("request", "universe", "history"))
        if known is None and not outcomes:
            outcomes = (_no_rule(),)
        answer = decided(outcomes)
        if answer is not None:
            return outcomes, answer
        if known is not None:
            return (*outcomes, Outcome(REPEATED, Ruling("allow"))), known
        return self._computed(question, outcomes)

    def _computed(self, question: Question, outcomes: tuple[Outcome, ...]) -> tuple[tuple[Outcome, ...], Answer]:
        """Compute and protect what was let pass, and show the result to those restrictions that look at it."""
        try:
            question.result = compute(question)
        except RefusalError as refused:
            return (*outcomes, Outcome.of_refusal(refused)), refusal(refused)
        late = self._judged(question, ("result",))
        return (*outcomes, *late), decided(late) or question.result

    def _judged(self, question: Question, stages: tuple[str, ...], *, is_whole: bool = False) -> tuple[Outcome, ...]:
        """What the restrictions say, stage by stage; after a stage that refuses, later ones are not asked."""
        found: list[Outcome] = []
        for stage in stages:
            for restriction in self.policy.restrictions:
                if restriction.traits.stage == stage:
                    found += _ruling(restriction, question)
            if not is_whole and any(outcome.ruling.decision == "deny" for outcome in found):
                break
        return tuple(found)

    def _entered(
        self,
        answer: Answer,
        user: str,
        now: float,
        outcomes: tuple[Outcome, ...],
        question: Question | None = None,
    ) -> Answer:
        """Write the journal, then let the answer go; what was answered is remembered only after the journal has it."""
        name = self._key.digest("answer", self.version.id, str(answer.request)).hex()[:24]
        made = replace(answer, id=answer.id or name)
        is_answered = made.status == "answered"
        entry = self.journal.append(
            "request",
            user=user,
            request=made.request,
            status=made.status,
            rules=[(o.rule, o.ruling.decision, o.ruling.detail or None) for o in outcomes],
            answer=made.to_plain() if is_answered else None,
            versions={"data": self.version.id, "policy": self.policy.digest[:16]},
        )
        self.history.was_asked(user, now)
        is_alone = self.catch_up(entry)
        if not is_answered or question is None or question.text in self._kept:
            return made
        if not is_alone:  # others have answered since this was judged
            again = self._judged(question, ("history",))
            refused = decided(again)
            if refused is not None:
                back = Outcome(WITHDRAWN, deny(str(entry.number)))
                return self._entered(replace(refused, request=made.request), user, now, (*again, back))
        self.history.remember(question)
        self._kept.keep(question.text, made)
        return made

    # --- for the steward ------------------------------------------------------------------------------------------------

    def explain(self, request: QueryRequest | Mapping[str, Any] | str | bytes, *, user: str = "") -> Explanation:
        """Say what every restriction would say about a question; nothing is answered, and only the journal remembers it.

        Notes
        -----
        For the steward only: a user who sees reasons finds the secret thresholds.
        """
        with self._lock:
            asked = None
            try:
                asked = _read(request)
                question = self._understood(asked, user, self._now())
            except RefusalError as refused:
                self.catch_up(self.journal.append("explain", user=user, request=journal_form(asked), status="refused"))
                return Explanation("refused", (Outcome.of_refusal(refused),))
            outcomes = self._judged(question, tuple(STAGES)[:-1], is_whole=True) or (_no_rule(),)
            answer = decided(outcomes)
            if answer is None:
                outcomes, answer = self._computed(question, outcomes)
            self.catch_up(self.journal.append("explain", user=user, request=question.canonical, status=answer.status))
            return Explanation(answer.status, outcomes, len(question.members))

    def replay(self) -> int:
        """Remember what the journal says was answered to this data version; return how many questions these are.

        Raises
        ------
        DataError
            When an answer of the journal cannot be understood: nothing could be judged by it.
        """
        with self._lock:
            answered = self.history.answered
            held_back = withdrawn(self.journal.entries())
            entries = (self._met(entry) for entry in self.journal.entries())
            for entry in answers_that_left(entries, self.version.id, held_back):
                self._remember(entry)
            return self.history.answered - answered

    def catch_up(self, entry: JournalEntry) -> bool:
        """Remember what others entered into the journal before this entry of ours; return whether nobody did."""
        is_alone = entry.number == self._seen + 1
        if not is_alone:
            others = [other for other in self.journal.entries() if self._seen < other.number < entry.number]
            for other in answers_that_left(others, self.version.id, withdrawn(others)):
                self._remember(other)
        self._seen = entry.number
        return is_alone

    def _met(self, entry: JournalEntry) -> JournalEntry:
        self._seen = max(self._seen, entry.number)
        return entry

    def _remember(self, entry: JournalEntry) -> None:
        """Remember an answer of the journal, whatever the present policy would say of it."""
        try:
            asked = request_from_plain(dict(entry.request or {}))
            question = understand(asked, self.version, self.policy, self.history, entry.user or "", 0.0)
        except TacitaError as error:
            raise DataError(
                f"The answer of entry {entry.number} of the journal cannot be understood any more, so no question can be "
                "judged by it. Open the data with the package and the catalogue that gave it."
            ) from error
        self.history.remember(question)


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
    previous: Database | None = None,
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
        How numeric variables are cut where the catalogue is drafted; by default as the policy says, and coarser where bins would
        show values.
    record_id
        The column that identifies each record.
    table
        Which table of a database.
    now
        The clock, in seconds.
    previous
        The earlier version of the data, opened with the journal that has its answers; the rule ``across_versions``
        looks at these. Both versions need record ids.

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
    if "regress" in chosen.requests:
        load_models()  # while the data are opened, and not while somebody waits for a first answer
    store = open_store(source, schema=schema, record_id=record_id, table=table)
    if isinstance(catalogue, (str, Path)):
        catalogue = Catalogue.read(catalogue)
    if catalogue is None:
        ways = chosen.part("cutpoints") if cutpoints is None else cutpoints
        catalogue = Catalogue.draft(store, cutpoints=ways, coarsen=cutpoints is None)
    version = Version(store, catalogue, secret, strata=_strata(chosen, store.schema.strata, catalogue))
    if (
        not store.schema.keys
        and not store.schema.confidential
        and any(r.name == "row_audit" for r in chosen.restrictions)
    ):
        warnings.warn(
            "The schema gives no column the role of a key or of something confidential, so the rule 'row_audit' has nothing "
            "to audit; give the columns their roles.",
            TacitaNote,
            stacklevel=2,
        )
    version.record_keys  # noqa: B018  hashed while the data are opened, and not while somebody waits for a first answer
    kept = open_journal(journal, key=secret, identities=chosen.identities)
    check_fixed(kept, version, chosen)
    if previous is not None:
        check_same_people(previous.version, version)
    made = Database(version, chosen, kept, key=secret, now=now, previous=previous)
    made.replay()
    versions = {"data": version.id, "policy": chosen.digest[:16]}
    made.catch_up(kept.append("version", request=version_facts(version, chosen), versions=versions))
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


def _read(request: QueryRequest | Mapping[str, Any] | str | bytes) -> QueryRequest:
    """A request from its JSON form; what is none is refused."""
    if isinstance(request, QueryRequest):
        return request
    try:
        return request_from_plain(request)
    except TacitaError as error:
        raise RefusalError("request_form", str(error), hint=str(error)) from None


def _ruling(restriction: Restriction, question: Question) -> list[Outcome]:
    """What a restriction says, if it has something to say; one that cannot judge refuses."""
    try:
        return [Outcome(restriction.name, restriction.judge(question))] if restriction.applies(question) else []
    except Exception as error:  # noqa: BLE001 - a message may quote data, so only its kind is kept
        return [Outcome(restriction.name, deny(f"it could not be judged: {type(error).__name__}"))]


def _no_rule() -> Outcome:
    """Default deny: what no rule has looked at is not answered."""
    return Outcome("no_rule", deny("no restriction of the policy applies to this question"))
