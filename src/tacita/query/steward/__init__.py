"""What a data steward does with a database: measure policies, publish answers beforehand, change versions, give out a stand-in.

In come a database, or data and policies, and a workload; out come utility, risk and what refusals tell, files of
answers, audits and files to look at. Nothing here is for users: most of it tells what policies hide. Read
``workload.py`` first, then ``utility.py``.
"""

from tacita.query.steward.answers_again import AnswersAgain, answers_again
from tacita.query.steward.attack_database import attack_database
from tacita.query.steward.comparison import PolicyMap, PolicyRow, compare_policies
from tacita.query.steward.dry_run import DryRun, dry_run
from tacita.query.steward.linear_attacker import PolicyRisk, policy_risk
from tacita.query.steward.refusals import (
    RefusalOracle,
    ThresholdSearch,
    refusal_oracle,
    small_cell,
    small_piece,
    small_total,
    threshold_search,
)
from tacita.query.steward.stand_in import stand_in
from tacita.query.steward.static import StaticRelease, static_answers
from tacita.query.steward.trial import exact_policy, trial_of
from tacita.query.steward.utility import PolicyUtility, policy_utility, true_answers
from tacita.query.steward.versions import ClosePair, VersionAudit, audit_versions
from tacita.query.steward.workload import Workload, random_workload

__all__ = [
    "AnswersAgain",
    "ClosePair",
    "DryRun",
    "PolicyMap",
    "PolicyRisk",
    "PolicyRow",
    "PolicyUtility",
    "RefusalOracle",
    "StaticRelease",
    "ThresholdSearch",
    "VersionAudit",
    "Workload",
    "answers_again",
    "attack_database",
    "audit_versions",
    "compare_policies",
    "dry_run",
    "exact_policy",
    "policy_risk",
    "policy_utility",
    "random_workload",
    "refusal_oracle",
    "small_cell",
    "small_piece",
    "small_total",
    "stand_in",
    "static_answers",
    "threshold_search",
    "trial_of",
    "true_answers",
]
