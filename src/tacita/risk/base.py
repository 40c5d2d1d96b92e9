"""The shape of a disclosure risk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacita.core.vocabulary import Kind
from tacita.data.measure import Measure

__all__ = ["Risk"]


@dataclass(frozen=True, kw_only=True)
class Risk(Measure):
    """What an intruder can learn from masked data; 0 is no risk."""

    kind: ClassVar[Kind] = "risk"
