"""The experiments of the papers, one registered file each. Importing this room registers them all.

In come the paper's data, a file of the user or a sample; out come our numbers beside the paper's. Read ``base.py`` first, then
``ranking.py``.
"""

from tacita.study import (  # noqa: F401 - each enters its study
    averaging,
    calibration,
    census,
    multiplicative_noise,
    outliers,
    post_masking,
    ranking,
    regression_attacks,
    synthetic_coverage,
)
from tacita.study.base import Study, StudyFinding, StudyOptions, StudyResult, StudyTable, find_study, studies
from tacita.study.games import delta_coprivacy as _delta_coprivacy  # noqa: F401 - enters its study
from tacita.study.query_logs import study as _query_logs  # noqa: F401 - enters its study
from tacita.study.red_team import matrix  # noqa: F401 - enters its study

__all__ = ["Study", "StudyFinding", "StudyOptions", "StudyResult", "StudyTable", "find_study", "studies"]
