"""What the server sees of its engine: facts about data sets, replies to questions, and what a steward may do."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from tacita.core.errors import TacitaError

__all__ = [
    "NOT_UNDERSTOOD",
    "STEWARD_CALLS",
    "AnsweringEngine",
    "DatasetFacts",
    "EngineUnavailableError",
    "Reply",
    "refused",
]

STEWARD_CALLS = ("journal", "refusals", "reviews", "decide", "explain", "verify", "tell")
"""What a steward may ask of the engine beside questions; see :meth:`Keeper.steward`."""


NOT_UNDERSTOOD = frozenset(
    {
        "request_form",
        "unknown_variable",
        "unknown_class",
        "variable_use",
        "not_offered",
        "universe_complexity",
        "table_size",
    }
)
"""Rules that look at the question and at published metadata only: they tell at once."""


class EngineUnavailableError(TacitaError):
    """The engine cannot answer now: it starts, has ended, or cannot write its journal."""


@dataclass(frozen=True, kw_only=True)
class DatasetFacts:
    """What is published about a data set.

    Parameters
    ----------
    name, title, about
        Its name in addresses, and what people read.
    version
        Id of the data version.
    requests
        Kinds of questions that are answered.
    variables
        The catalogue, ready for JSON.
    open_to
        The role that may ask.
    unit
        Whether households can be counted beside persons.
    has_weights
        Whether the records stand for more people than themselves.
    """

    name: str
    title: str
    about: str
    version: str
    requests: tuple[str, ...]
    variables: tuple[dict[str, Any], ...] = field(repr=False)
    open_to: str = "public"
    has_households: bool = False
    has_weights: bool = False

    def to_plain(self) -> dict[str, Any]:
        """Return the facts ready for JSON."""
        return asdict(self) | {"requests": list(self.requests), "variables": list(self.variables)}

    @classmethod
    def from_plain(cls, given: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_plain` gives."""
        listed = {"requests": tuple(given["requests"]), "variables": tuple(given["variables"])}
        return cls(**{**given, **listed})


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the engine says to a question.

    Parameters
    ----------
    status
        ``answered``, ``refused``, ``review``, ``queued`` or ``running``.
    body
        The answer as JSON.
    id
        Id of the answer, or of the job of a large table.
    reasons
        Rules that refused it.
    dataset
        The data set.
    is_timed
        Whether how long it took may tell something about the data: refusals by rules that look at them.
    """

    status: str
    body: bytes = field(repr=False)
    id: str = ""
    reasons: tuple[str, ...] = ()
    dataset: str = ""
    is_timed: bool = False


def refused(rule: str, hint: str = "") -> bytes:
    """Return a refusal as JSON: the one shape of everything that is not answered.

    Examples
    --------
    >>> refused("not_found")
    b'{"hint":"","id":"","reasons":["not_found"],"request":{},"status":"refused"}'
    """
    said = {"status": "refused", "id": "", "request": {}, "reasons": [rule], "hint": hint}
    return json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


class AnsweringEngine(ABC):
    """Who answers, wherever it runs."""

    @abstractmethod
    async def facts(self) -> tuple[DatasetFacts, ...]:
        """Return what is published about the data sets."""

    @abstractmethod
    async def ask(self, dataset: str, body: bytes, *, kind: str, user: str) -> Reply:
        """Answer a question, refuse it, leave it to a person, or put it into the queue.

        Parameters
        ----------
        dataset
            Name of the data set; it is one of :meth:`facts`.
        body
            The request as JSON; its ``kind`` may be left out.
        kind
            The kind of request.
        user
            Who asks.

        Raises
        ------
        EngineUnavailableError
            When nothing can be answered now; nothing has left.
        """

    @abstractmethod
    async def answer(self, id: str, *, datasets: Sequence[str], user: str) -> Reply | None:
        """Give an answer again, if it is about one of some data sets; None where there is none."""

    @abstractmethod
    async def knows(self, id: str, *, datasets: Sequence[str]) -> bool:
        """Whether there is an answer of this id about one of some data sets."""

    @abstractmethod
    async def job(self, id: str, *, user: str) -> Reply | None:
        """Return how far a large table is, or its answer; None where this user has no such job."""

    @abstractmethod
    async def steward(self, dataset: str, call: str, given: Mapping[str, Any]) -> Any:
        """Do something for a steward, one of :data:`STEWARD_CALLS`; plain values come back.

        Raises
        ------
        ParameterError
            When it cannot be done as it was asked for.
        """

    @abstractmethod
    async def close(self) -> None:
        """End."""
