"""How much of the interests remains, and how long it takes, by size of the groups, levels and categories: Figures 3 and 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.progress import task
from tacita.logs.measures.semantic_remain import SemanticRemain
from tacita.logs.microaggregation.grouped_profiles import GroupedProfiles
from tacita.logs.rivals.random_groups import RandomGroups
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.study.query_logs.material import CATEGORIES, LEVELS, LogMaterial

__all__ = ["SIZES", "Remain", "remain"]

SIZES = (2, 3, 4, 5)
"""k of the paper's experiments."""
PAPER: dict[str, Any] = {"mode": "paper", "partition": "paper"}
_STAGES = ("interests", "groups", "profiles")


@dataclass(frozen=True, eq=False)
class Remain:
    """What the experiments of section 4.2 found; percentages and seconds.

    Parameters
    ----------
    by_level
        (categories, k, L): semantic remain at level L when L levels are used, the paper's way; Figure 3.
    seconds
        (categories, k, L): processor seconds of classifying, grouping and aggregating; Figure 4.
    all_levels
        (ways, k, level): semantic remain at each level when all five are used with five categories: the paper's groups, groups
        at random, the improved partition, and the safe mode.
    smallest
        (k): fewest users that stand behind a profile, over all ways.
    """

    by_level: FloatArray
    seconds: FloatArray
    all_levels: FloatArray
    smallest: FloatArray


WAYS: tuple[tuple[str, type[GroupedProfiles], dict[str, Any]], ...] = (
    ("paper", SemanticMicroaggregation, PAPER),
    ("groups at random", RandomGroups, {"mode": "paper"}),
    ("improved partition", SemanticMicroaggregation, {"mode": "paper", "partition": "improved"}),
    ("safe mode", SemanticMicroaggregation, {"mode": "safe", "partition": "improved"}),
)
"""What is compared at all levels."""


def remain(found: LogMaterial, seed: int) -> Remain:
    """Anonymise a log in every way of the paper's experiments, and measure what remains."""
    by_level = np.zeros((len(CATEGORIES), len(SIZES), LEVELS))
    seconds = np.zeros_like(by_level)
    all_levels = np.zeros((len(WAYS), len(SIZES), LEVELS))
    smallest = np.full(len(SIZES), np.inf)
    with task("Grouping users", len(SIZES) * (len(CATEGORIES) * LEVELS + len(WAYS))) as running:
        for c, categories in enumerate(CATEGORIES):
            for j, k in enumerate(SIZES):
                for depth in range(1, LEVELS + 1):
                    topics = found.topics(categories, depth)
                    made = SemanticMicroaggregation(k=k, **PAPER).apply(found.log, topics, seed=seed)
                    by_level[c, j, depth - 1] = _levels(found, topics, made)[depth - 1]
                    seconds[c, j, depth - 1] = found.classified[categories][1] * depth / LEVELS + sum(
                        made.stages[stage] for stage in _STAGES
                    )
                    running.advance()
        topics = found.topics(CATEGORIES[-1])
        for way, (_, kind, parameters) in enumerate(WAYS):
            for j, k in enumerate(SIZES):
                made = kind(k=k, **parameters).apply(found.log, topics, seed=seed)
                all_levels[way, j] = _levels(found, topics, made)
                asking = np.bincount(made.profile[made.profile >= 0], minlength=len(made.log.users))
                smallest[j] = min(smallest[j], float(asking.min(initial=len(found.log.users))))
                running.advance()
    return Remain(by_level, seconds, all_levels, smallest)


def _levels(found: LogMaterial, topics: Any, made: Any) -> FloatArray:
    parts = SemanticRemain().of(found.log, topics, made).parts
    return np.array([parts[f"level_{level}"] for level in range(1, topics.depth + 1)])
