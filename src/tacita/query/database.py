"""The queryable database: a question goes from policy to universe, to computation, protection, journal, and becomes an answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from tacita.core.errors import DataError, ParameterError, TacitaError
from tacita.core.keyed import Key
from tacita.core.traits import STAGES
from tacita.query.answer import Answer
from tacita.query.asked import AskedQuestions
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.version import Version
from tacita.query.compute import compute
from tacita.query.history import History
from tacita.query.in_part import IN_PARTS, answer_in_part
from tacita.query.journal.base import QueryJournal
from tacita.query.journal.entry import JournalEntry
from tacita.query.journal.turn import JournalTurn
from tacita.query.kept import KeptAnswers
from tacita.query.outcome import Explanation, Outcome, decided, refusal
from tacita.query.policy.policy import Policy
from tacita.query.question import Question, RefusalError, journal_form, understand
from tacita.query.replay import REPEATED, answers_that_left
from tacita.query.requests.request import QueryRequest, request_from_plain
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import Restriction, Ruling, deny
from tacita.query.reviews import DECISION, Review, Reviews

__all__ = ["Database", "Explanation", "Outcome"]


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
        The clock, in seconds since 1970.
    previous
        The version that this one takes the place of, with its journal; ``across_versions`` looks at what it answered.

    Notes
    -----
    The same question to the same version has the same answer for ever: all noise comes from the key and the set of
    records. Questions that were answered are given again without being judged anew; they tell nothing that is not told.

    Several processes may share a journal, and several threads a database. Questions are understood and computed side by
    side; then each takes its turn at the journal, remembers what others have answered meanwhile, is judged by that once
    more, and is entered.
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
        self._cuts: tuple[int, ...] = ()
        self.asked, self.reviews = AskedQuestions(), Reviews()
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
        now, asked = self._now(), None
        try:
            asked = _read(request)
            question = self._understood(asked, user, now)
        except RefusalError as refused:
            return self.refuse(refused, asked, user=user)
        if isinstance(asked, Tabulate) and asked.each is not None:
            return answer_in_part(self, asked, question.canonical, user)
        generation, outcomes, answer = self._answered(question)
        made = replace(answer, request=question.canonical)
        return self._entered(made, user, now, outcomes, question, generation)

    def refuse(self, refused: RefusalError, request: QueryRequest | None = None, *, user: str = "") -> Answer:
        """Refuse what was not understood, and enter it; None is what is no request at all."""
        made = replace(refusal(refused), request=journal_form(request))
        return self._entered(made, user, self._now(), (Outcome.of_refusal(refused),))

    def _understood(self, request: QueryRequest, user: str, now: float) -> Question:
        """Policy and universe: what is asked, in canonical form."""
        if request.kind not in self.policy.requests:
            raise RefusalError(
                "not_offered", request.kind, hint=f"Requests of kind '{request.kind}' are not answered here."
            )
        return understand(request, self.version, self.policy, self.history, self._asker(user), now)

    def _asker(self, user: str) -> str:
        """Who asks, as the journal calls him: so that waits go on when the database is opened again."""
        return self.journal.pseudonym(user) or user

    def _answered(self, question: Question) -> tuple[int, tuple[Outcome, ...], Answer]:
        """Judge, compute and protect; also say which state of the history it was judged by."""
        with self._lock:
            known, generation = self._kept.get(question.text), self.history.changes
        if known is not None:
            outcomes = self.reviews.settled(question.text, self._judged(question, ("request",)))
            return generation, outcomes, decided(outcomes) or known
        outcomes = self._judged(question, ("request", "universe"))
        if not _is_denied(outcomes):
            with self._lock:
                outcomes, generation = (*outcomes, *self._judged(question, ("history",))), self.history.changes
        outcomes = self.reviews.settled(question.text, outcomes or (_no_rule(),))
        answer = decided(outcomes)
        if answer is not None:
            return generation, outcomes, answer
        return generation, *self._computed(question, outcomes)

    def _computed(self, question: Question, outcomes: tuple[Outcome, ...]) -> tuple[tuple[Outcome, ...], Answer]:
        """Compute and protect what was let pass, and show the result to those restrictions that look at it."""
        try:
            question.result = compute(question)
        except RefusalError as refused:
            return (*outcomes, Outcome.of_refusal(refused)), refusal(refused)
        late = self.reviews.settled(question.text, self._judged(question, ("result",)))
        return (*outcomes, *late), decided(late) or question.result

    def _judged(self, question: Question, stages: tuple[str, ...], *, is_whole: bool = False) -> tuple[Outcome, ...]:
        """What the restrictions say, stage by stage; after a stage that refuses, later ones are not asked."""
        found: list[Outcome] = []
        for stage in stages:
            for restriction in self.policy.restrictions:
                if restriction.traits.stage == stage:
                    found += _ruling(restriction, question)
            if not is_whole and _is_denied(found):
                break
        return tuple(found)

    def _entered(
        self,
        answer: Answer,
        user: str,
        now: float,
        outcomes: tuple[Outcome, ...],
        question: Question | None = None,
        generation: int = 0,
    ) -> Answer:
        """Write the journal, then let the answer go.

        In one turn at the journal, which nobody else has meanwhile, whatever others entered is remembered, the question is
        judged by it once more, and its answer is entered and remembered. What costs time, computing before and waiting for
        the disk after, lies outside.
        """
        with self._lock, self.journal.turn() as turn:
            self._catch_up(turn)
            is_new = question is not None and answer.status == "answered"
            if is_new and question is not None and question.text in self._kept:  # by now, perhaps from another thread
                outcomes, is_new = (*outcomes, Outcome(REPEATED, Ruling("allow"))), False
            if is_new and question is not None and self.history.changes != generation:
                again = self.reviews.settled(question.text, self._judged(question, ("history",)))
                refused = decided(again)
                if refused is not None:
                    answer, outcomes, is_new = replace(refused, request=answer.request), again, False
            made = replace(answer, id=self._name(answer.request))
            entry = turn.write(
                user=user,
                request=made.request,
                status=made.status,
                rules=[(o.rule, o.ruling.decision, o.ruling.detail or None) for o in outcomes],
                answer=made.to_plain() if made.status == "answered" else None,
                versions={"data": self.version.id, "policy": self.policy.digest[:16]},
            )
            self._seen = entry.number
            self.history.was_asked(self._asker(user), now)
            self._noted(entry, made.id)
            if is_new and question is not None:
                self.history.remember(question)
                self._kept.keep(question.text, made)
        self.journal.settle(entry)
        return made

    def enter_parts(self, answer: Answer, request: Mapping[str, Any], user: str) -> Answer:
        """Enter a table that was asked for in parts; its parts were judged, entered and remembered before it."""
        made = replace(answer, request=dict(request), id=self._name(request))
        plain = made.to_plain() if made.status == "answered" else None
        rules = [(rule, "deny", None) for rule in made.reasons]
        self.tell(IN_PARTS, user=user, request=made.request, status=made.status, rules=rules, answer=plain)
        return made

    def _name(self, request: Mapping[str, Any]) -> str:
        """The id of an answer: who has not been told it cannot guess it."""
        return self._key.digest("answer", self.version.id, _text(request)).hex()[:32]

    def answer(self, id: str, *, user: str = "") -> Answer | None:
        """Give an answer again, by its id; None where no question of this data version has it.

        Notes
        -----
        The question is asked again, so the journal has it; what waited for a person and was allowed is answered now.
        """
        request = self.asked.request(id, self.journal)
        return None if request is None else self.ask(request, user=user)

    # --- for the steward ------------------------------------------------------------------------------------------------

    def explain(self, request: QueryRequest | Mapping[str, Any] | str | bytes, *, user: str = "") -> Explanation:
        """Say what every restriction would say about a question; nothing is answered, and only the journal remembers it.

        Notes
        -----
        For the steward only: a user who sees reasons finds the secret thresholds.
        """
        asked = None
        try:
            asked = _read(request)
            question = self._understood(asked, user, self._now())
        except RefusalError as refused:
            self.tell("explain", user=user, request=journal_form(asked), status="refused")
            return Explanation("refused", (Outcome.of_refusal(refused),))
        with self._lock:
            outcomes = self._judged(question, tuple(STAGES)[:-1], is_whole=True) or (_no_rule(),)
        answer = decided(outcomes)
        if answer is None:
            outcomes, answer = self._computed(question, outcomes)
        self.tell("explain", user=user, request=question.canonical, status=answer.status)
        return Explanation(answer.status, outcomes, len(question.members))

    def again(self, request: QueryRequest | Mapping[str, Any]) -> Answer:
        """Compute once more what was answered before, without judging it and without entering it.

        Raises
        ------
        ParameterError
            When it cannot be understood or computed any more.

        Notes
        -----
        For the steward only: no rule looks at it. Whatever is keyed comes out as it left; noise that is drawn anew does not.
        """
        try:
            question = self._understood(_read(request), "", self._now())
            found = compute(question)
        except RefusalError as refused:
            raise ParameterError(f"The question cannot be answered again: {refused}.") from None
        return replace(found, request=question.canonical, id=self._name(question.canonical))

    def decide(self, number: int, *, allow: bool, steward: str, why: str = "") -> Review:
        """Allow or refuse what was left to a person; the journal keeps who decided, as a pseudonym, and why.

        An allowed question is answered when it is asked again, or fetched by its id; rules that refuse still win.

        Parameters
        ----------
        number
            Number of the entry of the journal that waits.
        allow
            Whether it may be answered.
        steward
            Who decides.
        why
            The reason, for the journal.

        Raises
        ------
        ParameterError
            When nothing of that number waits.
        """
        with self._lock:
            with self.journal.turn() as turn:
                self._catch_up(turn)  # it may have been asked, or decided, by another process
                waiting = self.reviews.waiting(number)
                entry = turn.write(
                    DECISION,
                    user=steward,
                    request=waiting.request,
                    status="allowed" if allow else "denied",
                    rules=[("review", "allow" if allow else "deny", why or None)],
                    versions={"data": self.version.id, "policy": self.policy.digest[:16]},
                )
                self._seen = entry.number
            self.journal.settle(entry)  # a decision that the journal does not have is none
            return self.reviews.decided(entry) or waiting

    def tell(self, kind: str, **said: Any) -> JournalEntry:
        """Enter something that is no question into the journal, such as a new version or what a steward did."""
        versions = {"data": self.version.id, "policy": self.policy.digest[:16]}
        with self._lock, self.journal.turn() as turn:
            self._catch_up(turn)
            entry = turn.write(kind, versions=versions, **said)
            self._met(entry)
        self.journal.settle(entry)
        return entry

    # --- what the journal says ---------------------------------------------------------------------------------------------

    def replay(self) -> int:
        """Remember what the journal says was answered to this data version; return how many questions these are.

        Raises
        ------
        DataError
            When an answer of the journal cannot be understood: nothing could be judged by it.
        """
        with self._lock:
            answered = self.history.answered
            for entry in answers_that_left(map(self._met, self.journal.entries()), self.version.id):
                self._remember(entry)
            return self.history.answered - answered

    def _catch_up(self, turn: JournalTurn) -> None:
        """Remember what others have entered into the journal since our last entry."""
        if turn.cuts != self._cuts:  # some answers never left, and what follows from them is not free
            self._seen, self._cuts = -1, turn.cuts
            self._kept, self.asked, self.reviews = KeptAnswers(), AskedQuestions(), Reviews()
            self.history.forget()
        for other in answers_that_left(map(self._met, turn.since(self._seen)), self.version.id):
            self._remember(other)

    def _met(self, entry: JournalEntry) -> JournalEntry:
        self._seen = max(self._seen, entry.number)
        if entry.kind == "request" and entry.user:
            self.history.was_asked(entry.user, datetime.fromisoformat(entry.time).timestamp())
        if entry.versions.get("data") == self.version.id and entry.request is not None:
            self._noted(entry, self._name(entry.request))
        return entry

    def _noted(self, entry: JournalEntry, name: str) -> None:
        """Keep what was asked by its id, and what waits for a person."""
        if entry.kind in ("request", IN_PARTS) and entry.status in ("answered", "review"):
            self.asked.note(name, entry)
        self.reviews.note(entry)

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


def _text(request: Mapping[str, Any]) -> str:
    return json.dumps(request, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _is_denied(outcomes: Iterable[Outcome]) -> bool:
    return any(outcome.ruling.decision == "deny" for outcome in outcomes)


def _no_rule() -> Outcome:
    """Default deny: what no rule has looked at is not answered."""
    return Outcome("no_rule", deny("no restriction of the policy applies to this question"))
