"""The experiments of the papers, one registered file each. Importing this room registers them all.

In come the paper's data, a file of the user or a sample; out come our numbers beside the paper's. Read ``base.py`` first, then
``ranking.py``.
"""

from tacita.study import calibration, census, multiplicative_noise, outliers, ranking  # noqa: F401 - each enters its study
from tacita.study.base import Study, StudyFinding, StudyOptions, StudyResult, StudyTable, find_study, studies

__all__ = ["Study", "StudyFinding", "StudyOptions", "StudyResult", "StudyTable", "find_study", "studies"]
