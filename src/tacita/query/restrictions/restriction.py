"""The shape of a restriction: parameters in a frozen dataclass, one function from a question to a decision."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tacita.core.method import Method
from tacita.core.traits import RestrictionTraits
from tacita.core.vocabulary import Kind

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["ALLOW", "Decision", "Restriction", "Ruling", "deny", "review"]

Decision = Literal["allow", "deny", "review"]


@dataclass(frozen=True)
class Ruling:
    """What a restriction says about a question.

    Parameters
    ----------
    decision
        ``allow``, ``deny``, or ``review``: a person decides.
    detail
        Why, for the journal and the steward; the user sees the name of the restriction only.
    """

    decision: Decision
    detail: str = ""


ALLOW = Ruling("allow")


def deny(detail: str) -> Ruling:
    """Refuse, and say why to the steward."""
    return Ruling("deny", detail)


def review(detail: str) -> Ruling:
    """Leave it to a person, and say why."""
    return Ruling("review", detail)


@dataclass(frozen=True, kw_only=True)
class Restriction(Method):
    """A function from a question to a decision.

    A subclass sets ``name``, says by its ``traits`` what it looks at, declares its parameters as annotated fields and
    writes :meth:`judge`. Where it has to remember what was answered it also writes :meth:`record`, and keeps its memory
    in the history of the database, never in itself.

    Complexity
    ----------
    O(v) for v variables of the question, and nothing in the number of records, unless the restriction says more.

    Returns
    -------
    Ruling
        The decision, with a reason for the journal.
    """

    kind: ClassVar[Kind] = "restriction"
    traits: ClassVar[RestrictionTraits]

    @abstractmethod
    def judge(self, question: Question) -> Ruling:
        """Say whether a question may be answered; nothing is changed by asking."""

    def record(self, question: Question) -> None:
        """Remember a question that was answered; the default remembers nothing."""
        del question

    def applies(self, question: Question) -> bool:
        """Whether the restriction has something to say about this kind of request."""
        del question
        return True
