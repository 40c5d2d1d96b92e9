"""Risks: what an intruder can learn from a release. One measure family a file; importing this room registers them all.

In come original and masked data, or one file with its keys; out comes a number, 0 for no risk, with a value for each record
where that has meaning. Read ``base.py`` first, then ``linkage.py`` and ``strongest.py``.
"""

from tacita.risk.agreement_linkage import AgreementLinkage
from tacita.risk.attribute_disclosure import AttributeDisclosure
from tacita.risk.base import Risk
from tacita.risk.combinations import CombinationRule
from tacita.risk.diversity import BetaLikeness, DeltaDisclosure, LDiversity, TCloseness
from tacita.risk.file_risk import FileRisk
from tacita.risk.individual_risk import HouseholdRisk, IndividualRisk
from tacita.risk.intervals import IntervalDisclosure, RankIntervals, SdIntervals
from tacita.risk.k_anonymity import KAnonymity
from tacita.risk.linkage import DistanceLinkage
from tacita.risk.log_linear_risk import LogLinearRisk
from tacita.risk.probabilistic_linkage import ProbabilisticLinkage
from tacita.risk.rank_swap_linkage import RankSwapLinkage
from tacita.risk.ratio_linkage import RatioLinkage
from tacita.risk.replay_linkage import ReplayLinkage
from tacita.risk.strongest import Strongest, StrongestAttack
from tacita.risk.suda import Suda, SudaScores
from tacita.risk.synthetic.citizen_match import CitizenMatch
from tacita.risk.synthetic.correct_attribution import Dcap, Tcap
from tacita.risk.synthetic.nearest_person import NearestPerson
from tacita.risk.synthetic.replicated_uniques import ReplicatedUniques
from tacita.risk.unchanged import UnchangedValues
from tacita.risk.uniqueness import PopulationUniqueness
from tacita.risk.window_linkage import RankOrderLinkage, RoundingLinkage

__all__ = [
    "AgreementLinkage",
    "AttributeDisclosure",
    "BetaLikeness",
    "CitizenMatch",
    "CombinationRule",
    "Dcap",
    "DeltaDisclosure",
    "DistanceLinkage",
    "FileRisk",
    "HouseholdRisk",
    "IndividualRisk",
    "IntervalDisclosure",
    "KAnonymity",
    "LDiversity",
    "LogLinearRisk",
    "NearestPerson",
    "PopulationUniqueness",
    "ProbabilisticLinkage",
    "RankIntervals",
    "RankOrderLinkage",
    "RankSwapLinkage",
    "RatioLinkage",
    "ReplayLinkage",
    "ReplicatedUniques",
    "Risk",
    "RoundingLinkage",
    "SdIntervals",
    "Strongest",
    "StrongestAttack",
    "Suda",
    "SudaScores",
    "TCloseness",
    "Tcap",
    "UnchangedValues",
]


def __dir__() -> list[str]:
    """Return the risks alone; the other names of the room are in ``__all__`` and in the reference."""
    return [
        name for name in __all__ if isinstance(it := globals()[name], type) and issubclass(it, Risk) and it is not Risk
    ]
