"""For users of synthetic data: results of several files put together.

In come estimates with their variances, or files and a model; out come one estimate, its standard error and its interval. Read
``combine.py`` first.
"""

from tacita.compare.synthesis.analyse import analyse
from tacita.compare.synthesis.combine import Combined, combine

__all__ = ["Combined", "analyse", "combine"]
