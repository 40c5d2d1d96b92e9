"""Confidentiality via camouflage: unlimited questions about a confidential column, each answered by an interval.

The true column is hidden in a set of candidate columns, and an answer is the range of the statistic over all of them: the
truth is always inside, and no number of answers rules out a single candidate. In come a confidential column, a secret key and
what every respondent is promised; out come intervals. Read ``camouflage.py`` first, then ``intervals.py``.
"""

from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.camouflage.hull import Hull
from tacita.query.camouflage.insiders import insider_bounds
from tacita.query.camouflage.intervals import STATISTICS, CamouflageStatistic, interval
from tacita.query.camouflage.outward import Bounds
from tacita.query.camouflage.regression import coefficient_intervals, predictor_interval, residual_variance_interval

__all__ = [
    "STATISTICS",
    "Bounds",
    "Camouflage",
    "CamouflageStatistic",
    "Hull",
    "coefficient_intervals",
    "insider_bounds",
    "interval",
    "predictor_interval",
    "residual_variance_interval",
]
