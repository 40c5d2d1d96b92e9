"""The red team: attackers against files, tables, servers, generators and whole series of releases.

In come what left (a file, cells, a callable that answers) and what the attacker knows beside it; out come claims of what he
learned, which ``judge/`` holds against the truth. An attacker never sees the truth, and nothing of the rooms that protect.
Read ``attacker.py`` first, then ``targets.py``.
"""

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.files import (
    DistanceLink,
    GroupMate,
    KeyMatch,
    MethodGuess,
    Minimality,
    NoiseFilter,
    PramInversion,
    ProbabilisticLink,
    RankSwapIntersection,
    ReleaseLink,
    TwoReleaseAverage,
)
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import Grade
from tacita.attack.judge.graded import grade
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.red_team_risk import RedTeam
from tacita.attack.judge.stage_file import stage_file
from tacita.attack.judge.stage_generator import stage_generator
from tacita.attack.judge.stage_log import stage_log
from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.judge.trial import attack_once
from tacita.attack.logs import (
    GroupMateQueries,
    KnownQueries,
    KnownTopics,
    LogTarget,
    OwnQueries,
    TimeTrace,
    TwoLogReleases,
    VanitySearch,
)
from tacita.attack.queries import (
    AttackSearch,
    DoubleTracker,
    EquivalentCells,
    GeneralTracker,
    IndividualTracker,
    ManySplits,
    Padding,
    RefusalReading,
    RepeatedQuestion,
    UnionTracker,
    UniverseDifference,
    VersionDifference,
)
from tacita.attack.reconstruction import (
    BlockReconstruction,
    BlockStatistic,
    BlockTarget,
    SubsetSums,
    SumsTarget,
)
from tacita.attack.regression import (
    ArtificialOutliers,
    CovarianceAttack,
    FitDifference,
    MadeColumn,
    ModelQuestion,
    RegressionTarget,
    SaturatedModel,
    SplitLeverage,
    StrategicDummies,
)
from tacita.attack.releases import (
    AcrossReleases,
    FilesTogether,
    HurtingReleases,
    JointSystem,
    PlainDimension,
    PlainTable,
    hurting_releases,
    joint_system,
)
from tacita.attack.synthetic import (
    AttributeCap,
    ClosestRecord,
    Linkability,
    ShadowAttribute,
    ShadowMembership,
    SinglingOut,
)
from tacita.attack.tables import BoundedNoise, FittedCounts, HiddenCells, RoundedCells, TableDifference
from tacita.attack.targets import (
    AttackTarget,
    FileTarget,
    GeneratorTarget,
    KnownStep,
    OracleTarget,
    ReleasesTarget,
    ServerTarget,
    TableTarget,
)

__all__ = [
    "AcrossReleases",
    "Answers",
    "ArtificialOutliers",
    "AttackSearch",
    "AttackTarget",
    "Attacker",
    "AttributeCap",
    "BlockReconstruction",
    "BlockStatistic",
    "BlockTarget",
    "BoundedNoise",
    "Claims",
    "ClosestRecord",
    "CovarianceAttack",
    "DistanceLink",
    "DoubleTracker",
    "EquivalentCells",
    "FileTarget",
    "FilesTogether",
    "FitDifference",
    "FittedCounts",
    "GeneralTracker",
    "GeneratorTarget",
    "Grade",
    "GroupMate",
    "GroupMateQueries",
    "HiddenCells",
    "HurtingReleases",
    "IndividualTracker",
    "JointSystem",
    "KeyMatch",
    "KnownQueries",
    "KnownStep",
    "KnownTopics",
    "Linkability",
    "LogTarget",
    "MadeColumn",
    "ManySplits",
    "MethodGuess",
    "Minimality",
    "ModelQuestion",
    "NoiseFilter",
    "OracleTarget",
    "OwnQueries",
    "Padding",
    "PlainDimension",
    "PlainTable",
    "PramInversion",
    "ProbabilisticLink",
    "RankSwapIntersection",
    "RedTeam",
    "RefusalReading",
    "RegressionTarget",
    "ReleaseLink",
    "ReleasesTarget",
    "RemoteLimits",
    "RepeatedQuestion",
    "RoundedCells",
    "SaturatedModel",
    "ServerTarget",
    "ShadowAttribute",
    "ShadowMembership",
    "SinglingOut",
    "SplitLeverage",
    "StrategicDummies",
    "SubsetSums",
    "SumsTarget",
    "TableDifference",
    "TableTarget",
    "TimeTrace",
    "TwoLogReleases",
    "TwoReleaseAverage",
    "UnionTracker",
    "UniverseDifference",
    "VanitySearch",
    "VersionDifference",
    "attack_once",
    "grade",
    "hurting_releases",
    "joint_system",
    "stage_file",
    "stage_generator",
    "stage_log",
    "stage_regression",
]
