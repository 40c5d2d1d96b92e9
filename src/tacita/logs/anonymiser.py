"""The shape of an anonymiser: parameters in a frozen dataclass, one function from a log to a log of profiles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError
from tacita.core.method import Method
from tacita.core.streams import Seed, Streams, check_seed, draw_seed
from tacita.core.traits import AnonymiserTraits
from tacita.core.vocabulary import Kind
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.logs.safety.log_certificate import LogCertificate

__all__ = ["AnonymisedLog", "Anonymiser"]


@dataclass(frozen=True, eq=False, kw_only=True)
class AnonymisedLog:
    """What an anonymiser made of a log, and what is needed to measure it; the log may leave, the rest stays inside.

    Parameters
    ----------
    log
        The log of profiles: its users are what is released in the place of users.
    profile
        For each user of the original the profile that stands for him, as a place in ``log.users``; -1 where none does.
    method
        How it was made, with the parameters.
    topics
        What the directory says of the texts of ``log``; None where the method had no directory.
    removed
        How many lines of the original did not leave, by the reason.
    notes
        What the owner should know about it, one sentence each.
    certificate
        What was found when the promises were recounted; None where the method makes none.
    stages
        How many seconds each stage of the work took; it differs from run to run and stays inside.
    seed
        What everything was drawn from; whoever has it can undo what was drawn. None where it is not known.
    made_by
        The anonymiser; None where it is not known.
    """

    log: QueryLog
    profile: Codes
    method: str
    topics: Classified | None = None
    removed: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    certificate: LogCertificate | None = None
    stages: Mapping[str, float] = field(default_factory=dict)
    seed: Seed | None = field(default=None, repr=False)
    made_by: Anonymiser | None = None

    def __post_init__(self) -> None:
        if len(self.profile) and self.profile.max() >= len(self.log.users):
            raise DataError("AnonymisedLog: 'profile' must hold places of the released users.")

    def __repr__(self) -> str:  # who stands behind which profile is not to be seen
        profiles = len(self.log.users)
        return f"AnonymisedLog of {len(self.log)} lines, {profiles} profiles for {len(self.profile)} users, by {self.method}"

    @property
    def stands_for(self) -> IntArray:
        """For how many users each profile stands."""
        return np.bincount(self.profile[self.profile >= 0], minlength=len(self.log.users)).astype(np.int64)

    @property
    def smallest(self) -> int:
        """The fewest users that a profile stands for; 0 where nothing was released."""
        return int(self.stands_for.min(initial=np.iinfo(np.int64).max)) if len(self.log.users) else 0


@dataclass(frozen=True, kw_only=True)
class Anonymiser(Method):
    """A function from a query log to a log of profiles.

    A subclass sets ``name``, claims by its ``traits`` what holds for whatever it makes, declares its parameters as annotated
    fields and writes :meth:`make`. ``faces`` names the attacks of the red team that whatever it releases must be shown.
    """

    kind: ClassVar[Kind] = "anonymiser"
    faces: ClassVar[tuple[str, ...]] = ("own_queries", "known_queries", "known_topics", "vanity_search")
    traits: ClassVar[AnonymiserTraits] = AnonymiserTraits()

    def apply(self, log: QueryLog, topics: Classified | None = None, *, seed: Seed | None = None) -> AnonymisedLog:
        """Return the anonymised log.

        Parameters
        ----------
        log
            The log; it stays as it is.
        topics
            What a directory says of the texts of the log, one row a text, for methods that go by topics.
        seed
            Makes the result repeatable; whoever has it can undo what was drawn. Without it 128 bits are drawn from the system.

        Raises
        ------
        DataError
            When the log is empty or has fewer users than a profile must stand for, or when topics are lacking or are those of
            another log.
        """
        if not len(log):
            raise DataError(f"{self.speaker()}: the log has no line.")
        if self.traits.needs_topics and topics is None:
            raise DataError(f"{self.speaker()}: 'topics' must be given; classify the log with a topic index.")
        if topics is not None and topics.texts != len(log.texts):
            raise DataError(
                f"{self.speaker()}: 'topics' must have a row for each different query, {len(log.texts)}, got {topics.texts}."
            )
        k = getattr(self, "k", 1)
        if self.traits.groups_users and len(log.users) < k:
            raise DataError(f"{self.speaker()}: there must be at least k = {k} users, got {len(log.users)}.")
        # The parameters are among the labels: two releases of one seed must not share what was drawn.
        drawn = draw_seed() if seed is None else check_seed(seed, owner=self.speaker())
        return replace(self.make(log, topics, Streams(drawn).within(self.words())), seed=drawn, made_by=self)

    @abstractmethod
    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Make the log of profiles; what is given was checked."""

    def words(self) -> str:
        """Return the method with its parameters, as it stands in a report."""
        return f"{self.name}({', '.join(f'{one.name}={getattr(self, one.name)}' for one in self.parameters())})"
