"""Cutpoints: numeric variables as bins, the only form in which users may choose ranges of them.

In come the values of a variable and a method of cutting; out come its published bins, which code values and know what users may
choose. A method sorts once, then works on distinct values, so ties are never split. Read ``bins.py`` first, then ``method.py``;
the methods stand one a file, and ``fineness.py`` says where bins are so narrow that they show values.
"""

from __future__ import annotations

from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.comparison import BinCounts, compare_cutpoints, normal_comparison
from tacita.query.cutpoints.fineness import Fineness, too_fine, warn_if_too_fine
from tacita.query.cutpoints.fixed_width import FixedWidth
from tacita.query.cutpoints.given import Given
from tacita.query.cutpoints.increasing_width import IncreasingWidth
from tacita.query.cutpoints.method import Cutpoints, MadeFromData
from tacita.query.cutpoints.minimum_width import MinimumWidth
from tacita.query.cutpoints.named import METHODS, cutpoints_from_plain, cutpoints_to_plain, named_cutpoints
from tacita.query.cutpoints.partitioned import Partitioned
from tacita.query.cutpoints.tree import BinNode

__all__ = [
    "METHODS",
    "BinCounts",
    "BinNode",
    "Bins",
    "Cutpoints",
    "Fineness",
    "FixedWidth",
    "Given",
    "IncreasingWidth",
    "MadeFromData",
    "MinimumWidth",
    "Partitioned",
    "compare_cutpoints",
    "cutpoints_from_plain",
    "cutpoints_to_plain",
    "named_cutpoints",
    "normal_comparison",
    "too_fine",
    "warn_if_too_fine",
]
