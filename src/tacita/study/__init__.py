"""The experiments of the papers, one registered file each. Importing this room registers them all."""

from tacita.study import calibration, multiplicative_noise, outliers, ranking  # noqa: F401 - each enters its study
from tacita.study.base import Study, StudyFinding, StudyOptions, StudyResult, StudyTable, find_study, studies

__all__ = ["Study", "StudyFinding", "StudyOptions", "StudyResult", "StudyTable", "find_study", "studies"]
