"""The shape of a measure of logs: what an anonymised log lost, or what it tells, as a number with a value for each user."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError
from tacita.core.method import Method
from tacita.core.traits import LogMeasureTraits
from tacita.core.vocabulary import Kind
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog

__all__ = ["LogFigure", "LogMeasure"]


@dataclass(frozen=True, eq=False, kw_only=True)
class LogFigure:
    """What a measure found.

    Parameters
    ----------
    value
        The figure.
    per_user
        One value for each user of the original; None where the measure has none.
    parts
        Further figures by name, such as one for each level.
    note
        What to know about it, in one sentence.
    """

    value: float
    per_user: FloatArray | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class LogMeasure(Method):
    """A function from a log and what was made of it to a number.

    A subclass sets ``name``, says by its ``traits`` what its value means, and writes :meth:`measure`.

    Raises
    ------
    MeasureError
        When the profiles are not those of the log; for a measure of topics when a log has none, or both go by different trees.
    """

    kind: ClassVar[Kind] = "log_measure"
    traits: ClassVar[LogMeasureTraits] = LogMeasureTraits()

    def of(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Measure what was made of a log.

        Raises
        ------
        MeasureError
            When the profiles are not those of this log, or when it goes by topics and one of the logs has none.
        """
        if len(anonymised.profile) != len(log.users):
            raise MeasureError(
                f"{self.speaker()}: there must be a profile for each user of the log, {len(log.users)}, "
                f"got {len(anonymised.profile)}."
            )
        if self.traits.needs_topics and (topics is None or anonymised.topics is None):
            raise MeasureError(f"{self.speaker()}: both logs must be classified by a topic index.")
        return self.measure(log, topics, anonymised)

    @abstractmethod
    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Measure it; what is given was checked."""
