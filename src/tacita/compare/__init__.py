"""Comparing releases: measure them, score them, judge them, choose between them.

In come original and masked data; out come scorecards, verdicts and frontiers. Read ``evaluate.py`` first, then
``scorecard.py``.
"""

from tacita.compare.assess import assess
from tacita.compare.assessment import Assessment
from tacita.compare.evaluate import evaluate
from tacita.compare.optimise.optimise import optimise
from tacita.compare.optimise.optimised import Optimised
from tacita.compare.parts import Part
from tacita.compare.score import Score
from tacita.compare.scorecard import Scorecard

__all__ = ["Assessment", "Optimised", "Part", "Score", "Scorecard", "assess", "evaluate", "optimise"]
