"""Risks: what an intruder can learn from a release. One measure family a file; importing this room registers them all."""

from tacita.risk.base import Risk
from tacita.risk.intervals import RankIntervals, SdIntervals
from tacita.risk.linkage import DistanceLinkage

__all__ = ["DistanceLinkage", "RankIntervals", "Risk", "SdIntervals"]
