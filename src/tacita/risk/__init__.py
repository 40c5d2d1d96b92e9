"""Risks: what an intruder can learn from a release. One measure family a file; importing this room registers them all."""

from tacita.risk.attribute_disclosure import AttributeDisclosure
from tacita.risk.base import Risk
from tacita.risk.combinations import CombinationRule
from tacita.risk.diversity import BetaLikeness, DeltaDisclosure, LDiversity, TCloseness
from tacita.risk.file_risk import FileRisk
from tacita.risk.individual_risk import HouseholdRisk, IndividualRisk
from tacita.risk.intervals import IntervalDisclosure, RankIntervals, SdIntervals
from tacita.risk.k_anonymity import KAnonymity
from tacita.risk.linkage import DistanceLinkage
from tacita.risk.probabilistic_linkage import ProbabilisticLinkage
from tacita.risk.rank_swap_linkage import RankSwapLinkage
from tacita.risk.suda import Suda
from tacita.risk.unchanged import UnchangedValues
from tacita.risk.uniqueness import PopulationUniqueness

__all__ = [
    "AttributeDisclosure",
    "BetaLikeness",
    "CombinationRule",
    "DeltaDisclosure",
    "DistanceLinkage",
    "FileRisk",
    "HouseholdRisk",
    "IndividualRisk",
    "IntervalDisclosure",
    "KAnonymity",
    "LDiversity",
    "PopulationUniqueness",
    "ProbabilisticLinkage",
    "RankIntervals",
    "RankSwapLinkage",
    "Risk",
    "SdIntervals",
    "Suda",
    "TCloseness",
    "UnchangedValues",
]
