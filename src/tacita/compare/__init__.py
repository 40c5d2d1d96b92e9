"""Comparing releases: measure them, score them, choose between them."""

from tacita.compare.evaluate import evaluate
from tacita.compare.scorecard import Scorecard

__all__ = ["Scorecard", "evaluate"]
