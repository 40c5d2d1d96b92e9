"""The shape of an information loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tacita.core.vocabulary import Kind
from tacita.data.measure import Measure

__all__ = ["Loss"]


@dataclass(frozen=True, kw_only=True)
class Loss(Measure):
    """How far masked data are from the original; 0 is no loss."""

    kind: ClassVar[Kind] = "loss"
