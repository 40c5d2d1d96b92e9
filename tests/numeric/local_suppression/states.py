"""A state of local suppression for tests: set up from codes, and read back as codes with missing values."""

from __future__ import annotations

import numpy as np

from tacita.numeric.keys.frequencies import Patterns, find_patterns
from tacita.numeric.local_suppression import local_suppression
from tacita.numeric.local_suppression.local_suppression import SuppressionTask
from tacita.numeric.local_suppression.state import Masks, SuppressionState, candidate_masks

__all__ = ["shown", "started"]


def started(codes: np.ndarray, task: SuppressionTask) -> tuple[SuppressionState, Masks, Patterns]:
    """Nothing is suppressed yet; there is room for a row of every record."""
    patterns = find_patterns([(codes[:, j], int(codes[:, j].max()) + 1) for j in range(codes.shape[1])])
    state = local_suppression._start(patterns, task, len(codes), None, None)
    return state, candidate_masks(task.price, [list(view) for view in task.views]), patterns


def shown(codes: np.ndarray, state: SuppressionState, patterns: Patterns) -> np.ndarray:
    """What the records show with the masks of the state."""
    masks = local_suppression._masks_of_records(state, patterns, None)
    gone = (masks[:, None] >> np.arange(codes.shape[1])) & 1
    return np.where(gone == 1, -1, codes)
