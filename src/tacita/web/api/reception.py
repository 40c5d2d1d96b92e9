"""The reception: every question, from a program or from a page, passes here, and is refused here before data are touched."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar

from tacita.core.errors import ParameterError
from tacita.web.accounts.accounts import Accounts
from tacita.web.accounts.budget import SpendingRow
from tacita.web.accounts.datasets import ClosedDataset
from tacita.web.accounts.store import AccountsUnavailable
from tacita.web.accounts.visitor import Visitor, check_role
from tacita.web.api.budget_queue import BudgetQueue
from tacita.web.api.departure import Departure
from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.question_cost import questions_in
from tacita.web.api.under_way import HeldPlace, QuestionsUnderWay
from tacita.web.engine.port import AnsweringEngine, DatasetFacts, EngineUnavailableError, Reply
from tacita.web.settings import ServerSettings

__all__ = ["Reception"]

T = TypeVar("T")

_NO_DATASET = "There is no such data set, or it asks for a token that you have not given."
_LATER = 5


class Reception:
    """Who is let in, with what.

    Parameters
    ----------
    settings
        What the server is told.
    engine
        Who answers.
    accounts
        Who may ask, and how much.

    Notes
    -----
    The order is fixed: who asks, what he may see, whether the data set is open, how many questions he has under way, his budget;
    then the engine. A budget is reserved before the engine is asked, and stays spent whatever becomes of the question.
    """

    def __init__(self, settings: ServerSettings, engine: AnsweringEngine, accounts: Accounts) -> None:
        self.settings, self.engine, self.accounts = settings, engine, accounts
        self.budgets = BudgetQueue(accounts, settings.budgets)
        self.under_way = QuestionsUnderWay(settings.limits)
        self.departure = Departure(settings.limits.quantum)
        self._closed: tuple[float, dict[str, ClosedDataset]] = (-math.inf, {})

    # --- who, and what he may see ----------------------------------------------------------------------------------------

    async def visitor(self, *, token: str | None = None, session: str | None = None, address: str = "") -> Visitor:
        """Return who asks: by his token, else by the session of a page, else nobody in particular.

        Raises
        ------
        HttpRefusalError
            401 when a token is given and is not one.
        """
        if token is not None:
            found = await self._stored(asyncio.to_thread(self.accounts.who, token, address=address))
            if found is None:
                raise HttpRefusalError(401, "token", "The token is not one, has expired, or was revoked.")
            return found
        if session:
            known = await self._stored(asyncio.to_thread(self.accounts.session, session, address=address))
            if known is not None:
                return known
        return Visitor.anonymous(address)

    async def datasets(self, visitor: Visitor) -> tuple[DatasetFacts, ...]:
        """Return the data sets that a visitor may see."""
        try:
            facts = await self.engine.facts()
        except EngineUnavailableError as error:
            raise _unavailable() from error
        return tuple(one for one in facts if visitor.may(check_role(one.open_to)) and visitor.may_see(one.name))

    async def dataset(self, visitor: Visitor, name: str | None) -> DatasetFacts:
        """Return a data set by its name; without one, the only data set that there is.

        Raises
        ------
        HttpRefusalError
            404 when there is none that he may see.
        """
        seen = await self.datasets(visitor)
        if name is None and len(seen) == 1:
            return seen[0]
        for one in seen:
            if one.name == name:
                return one
        if name is None:
            raise HttpRefusalError(400, "dataset", "Name the data set.")
        raise HttpRefusalError(404, "unknown_dataset", _NO_DATASET)

    async def closed(self) -> dict[str, ClosedDataset]:
        """Return the data sets that a steward has closed; known for at most a second."""
        asked, found = self._closed
        now = time.monotonic()
        if now - asked > 1.0:
            found = await self._stored(asyncio.to_thread(self.accounts.closed))
            self._closed = (now, found)
        return found

    # --- questions -------------------------------------------------------------------------------------------------------

    async def ask(self, visitor: Visitor, dataset: str | None, kind: str, body: bytes) -> Reply:
        """Ask the engine; a refusal by a rule that looks at data leaves at a moment that tells nothing.

        Parameters
        ----------
        visitor
            Who asks.
        dataset
            Name of the data set; None for the only one.
        kind
            Kind of request.
        body
            The request as JSON.

        Raises
        ------
        HttpRefusalError
            When it is refused before the engine is asked, or the engine cannot be reached.
        """
        begun = self.departure.now()
        if len(body) > self.settings.limits.body:
            raise HttpRefusalError(413, "body_size", f"A request may have {self.settings.limits.body:,} bytes at most.")
        facts = await self.dataset(visitor, dataset)
        await self._check_open(facts.name)
        with self.under_way.one_more(visitor.user) as place:
            await self._pay(visitor, facts, body)
            reply = await self._patiently(self.engine.ask(facts.name, body, kind=kind, user=visitor.user), place)
        if reply.is_timed:
            await self.departure.hold(begun)
        return reply

    async def answer(self, visitor: Visitor, id: str) -> Reply:
        """Give an answer again.

        Raises
        ------
        HttpRefusalError
            404 when there is none that he may see.
        """
        begun = self.departure.now()
        with self.under_way.one_more(visitor.user) as place:
            names = [one.name for one in await self._open_datasets(visitor)]
            reply = await self._patiently(self.engine.answer(id, datasets=names, user=visitor.user), place)
        if reply is None:
            raise HttpRefusalError(404, "unknown_answer", "There is no such answer.")
        if reply.is_timed:
            await self.departure.hold(begun)
        return reply

    async def knows(self, visitor: Visitor, id: str) -> bool:
        """Whether there is an answer of this id that he may see."""
        names = [one.name for one in await self._open_datasets(visitor)]
        return await self._patiently(self.engine.knows(id, datasets=names))

    async def job(self, visitor: Visitor, id: str) -> Reply:
        """Return how far a large table is, or its answer; the queue itself tells that at a few moments only.

        Raises
        ------
        HttpRefusalError
            404 when it is none of his, or about a data set that he may not see any more; 503 while that is closed.
        """
        reply = await self._patiently(self.engine.job(id, user=visitor.user))
        if reply is None or reply.dataset not in [one.name for one in await self.datasets(visitor)]:
            raise HttpRefusalError(404, "unknown_job", "There is no such table in the queue; ask for it again.")
        await self._check_open(reply.dataset)
        return reply

    async def steward(self, visitor: Visitor, dataset: str, call: str, given: Mapping[str, Any]) -> Any:
        """Do something for a steward.

        Raises
        ------
        HttpRefusalError
            404 for everybody else; 400 when it cannot be done as it was asked for.
        """
        self.check_steward(visitor)
        facts = await self.dataset(visitor, dataset)
        try:
            return await self._patiently(self.engine.steward(facts.name, call, {**given, "steward": visitor.user}))
        except (ParameterError, KeyError, ValueError) as error:
            raise HttpRefusalError(400, "request_form", str(error)) from error

    @staticmethod
    def check_steward(visitor: Visitor) -> None:
        """Raise unless the visitor is a steward; others are not told that there is something."""
        if not visitor.may("steward"):
            raise HttpRefusalError(404, "not_found", "There is nothing at this address.")

    # --- limits ----------------------------------------------------------------------------------------------------------

    async def _check_open(self, dataset: str) -> None:
        if dataset in await self.closed():
            raise HttpRefusalError(503, "closed", "This data set is closed at present.", retry_after=3600)

    async def _open_datasets(self, visitor: Visitor) -> list[DatasetFacts]:
        closed = await self.closed()
        return [one for one in await self.datasets(visitor) if one.name not in closed]

    async def _pay(self, visitor: Visitor, facts: DatasetFacts, body: bytes) -> None:
        cost = questions_in(body, facts)
        given = await self._stored(self.budgets.reserve(visitor, facts.name, cost))
        if not given.granted:
            hint = f"The budget of questions for this {given.scope} is used up."
            raise HttpRefusalError(429, f"budget_{given.scope}", hint, retry_after=given.retry_after)

    async def _stored(self, work: Awaitable[T]) -> T:
        try:
            return await work
        except AccountsUnavailable as error:
            raise _unavailable() from error

    async def _patiently(self, work: Awaitable[T], place: HeldPlace | None = None) -> T:
        """Wait for the engine as long as anybody has to; what it has begun it ends all the same."""
        begun = asyncio.ensure_future(work)
        try:
            return await asyncio.wait_for(asyncio.shield(begun), self.settings.limits.seconds)
        except TimeoutError as error:
            hint = "The answer took too long; ask for less, or again later."
            raise HttpRefusalError(503, "time_limit", hint, retry_after=_LATER) from error
        except EngineUnavailableError as error:
            raise _unavailable() from error
        finally:
            if not begun.done():
                begun.add_done_callback(_forget)
                if place is not None:
                    place.holds_until(begun)

    # --- sessions, and the steward's switch ------------------------------------------------------------------------------

    async def begin_session(self, token: str, *, address: str) -> str | None:
        """Begin a session of the pages; None where the token is none, has ended, or was revoked."""
        try:
            found = await self._stored(asyncio.to_thread(self.accounts.who, token, address=address))
            return None if found is None else await self._stored(asyncio.to_thread(self.accounts.new_session, found))
        except ParameterError:  # it has ended this very moment
            return None

    async def end_session(self, session: str) -> None:
        """End a session; whatever is none is passed over."""
        await self._stored(asyncio.to_thread(self.accounts.end_session, session))

    async def close_dataset(self, visitor: Visitor, dataset: str, why: str) -> None:
        """Close a data set: first of all nothing is answered any more, then its journal is told.

        Raises
        ------
        HttpRefusalError
            404 for everybody but its stewards; 503 when the journal could not be told. It is closed all the same.
        """
        self.check_steward(visitor)
        facts = await self.dataset(visitor, dataset)
        await self._stored(asyncio.to_thread(self.accounts.close_dataset, facts.name, visitor.user, why))
        self._closed = (-math.inf, {})
        await self.steward(visitor, facts.name, "tell", {"closed": True, "why": why})

    async def open_dataset(self, visitor: Visitor, dataset: str, why: str) -> None:
        """Open a data set again: its journal is told before anything is answered.

        Raises
        ------
        HttpRefusalError
            404 for everybody but its stewards; 400 when it is not closed; 503 when the journal cannot be told.
        """
        self.check_steward(visitor)
        facts = await self.dataset(visitor, dataset)
        self._closed = (-math.inf, {})
        if facts.name not in await self.closed():
            raise HttpRefusalError(400, "not_closed", "The data set is open already.")
        await self.steward(visitor, facts.name, "tell", {"closed": False, "why": why})
        try:
            await self._stored(asyncio.to_thread(self.accounts.open_dataset, facts.name, visitor.user))
        except ParameterError as error:
            raise HttpRefusalError(400, "not_closed", "The data set is open already.") from error
        self._closed = (-math.inf, {})

    async def spending(self, visitor: Visitor) -> list[SpendingRow]:
        """Return what was spent of the budgets of all data sets that a steward sees."""
        self.check_steward(visitor)
        names = {facts.name for facts in await self.datasets(visitor)}
        found = await self._stored(asyncio.to_thread(self.accounts.spending))
        return [row for row in found if row.dataset in names]


def _unavailable() -> HttpRefusalError:
    return HttpRefusalError(503, "unavailable", "Nothing can be answered now; ask again later.", retry_after=_LATER)


def _forget(done: asyncio.Future[Any]) -> None:
    """Take the outcome of work that nobody waits for any more."""
    if not done.cancelled():
        done.exception()
