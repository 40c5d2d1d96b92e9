"""Anonymised query logs measured and judged.

In come a log, what was made of it, and limits; out come a card with every measure that applies, and a verdict. Read
``measure_log.py`` first.
"""

from tacita.compare.logs.judge_log import LogVerdict, judge_log
from tacita.compare.logs.measure_log import LogCard, measure_log

__all__ = ["LogCard", "LogVerdict", "judge_log", "measure_log"]
