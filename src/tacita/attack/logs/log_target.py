"""The target of attacks on query logs: what left, and what somebody knows of what his victims asked, and when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from tacita.attack.targets import AttackTarget, KnownStep
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError
from tacita.data.query_log.same_texts import lines_of_users, texts_in_use

if TYPE_CHECKING:
    from tacita.data.directory.classified import Classified
    from tacita.data.query_log.query_log import QueryLog

__all__ = ["LogTarget"]


@dataclass(frozen=True, eq=False, kw_only=True)
class LogTarget(AttackTarget):
    """A released query log, and somebody who knows a little of what people in it asked.

    Parameters
    ----------
    released
        The log as it left. Its users are called profiles: each stands for one real user or for several.
    known
        Lines that a neighbour knows; its users are the victims.
    own
        All lines of each victim, as he himself has them, or whoever has his browser; None where nobody attacks with these.
    mates
        Other people who are in the log and attack together, each with all of his own lines; None for nobody.
    mate_of
        For each victim the places in ``mates`` of those who stand behind the same profile; one column each, -1 for none.
    seen
        When somebody saw a victim search, line by line, without what he asked; None where nobody saw it.
    steps
        What he knows of the method; empty where nothing was told.
    earlier
        Other releases of the same log.
    topics
        What a public directory says of the texts of ``released``; None where he has no directory.
    interests
        What the queries in ``known`` are about, for somebody who knows no more than that: a sparse matrix of victims x
        categories of the tree; None where nobody attacks with that.
    """

    released: QueryLog
    known: QueryLog
    own: QueryLog | None = None
    mates: QueryLog | None = None
    mate_of: IntArray | None = None
    seen: QueryLog | None = None
    steps: tuple[KnownStep, ...] = ()
    earlier: tuple[QueryLog, ...] = ()
    topics: Classified | None = None
    interests: Any = None

    def __post_init__(self) -> None:
        n = len(self.known.users)
        for name in ("own", "seen"):
            log = getattr(self, name)
            if log is not None and len(log.users) != n:
                raise AttackError(f"A target: '{name}' must have one user for each victim, {n}, got {len(log.users)}.")
        if self.mate_of is not None and len(self.mate_of) != n:
            raise AttackError(f"A target: 'mate_of' must have one row for each victim, {n}, got {len(self.mate_of)}.")
        if self.topics is not None and self.topics.texts != len(self.released.texts):
            raise AttackError("A target: 'topics' must have a row for each text of the released log.")

    @property
    def victims(self) -> int:
        return len(self.known.users)

    @property
    def k(self) -> int:
        """For how many users each profile stands, by what is known of the method; 1 where nothing is."""
        told = [step.parameters.get("k") for step in self.steps]
        return max([1, *(value for value in told if isinstance(value, int) and not isinstance(value, bool))])

    @property
    def askers(self) -> int:
        """How many users of a group must have asked a query before it is released, by what is known of the method."""
        told = [step.parameters.get("askers", 2) for step in self.steps if step.parameters.get("mode") == "safe"]
        return max([1, *(value for value in told if isinstance(value, int) and not isinstance(value, bool))])

    def among(self, chosen: IntArray) -> Self:
        return replace(
            self,
            known=texts_in_use(lines_of_users(self.known, chosen)),
            own=None if self.own is None else texts_in_use(lines_of_users(self.own, chosen)),
            seen=None if self.seen is None else texts_in_use(lines_of_users(self.seen, chosen)),
            mate_of=None if self.mate_of is None else self.mate_of[chosen],
            interests=None if self.interests is None else self.interests[chosen],
        )
