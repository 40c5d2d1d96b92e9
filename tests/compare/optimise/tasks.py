"""A small task of post-masking for tests: correlated numbers, noise on them, and no rule but the columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.compare.optimise.masked_rules import MaskedRules
from tacita.compare.optimise.post_masking import PostMaskingTask, chosen_cells

__all__ = ["free_rules", "noisy_task"]


def free_rules(d: int, *, keep_zeros: bool = False) -> MaskedRules:
    """Columns without bounds, whole numbers, totals and chains."""
    no_limit, names = np.full(d, np.inf), tuple(f"v{j}" for j in range(d))
    return MaskedRules(names, -no_limit, no_limit, np.zeros(d, dtype=bool), (), (), keep_zeros)


def noisy_task(n: int = 80, d: int = 3, *, share: float = 0.8) -> PostMaskingTask:
    """Noise of half a standard deviation on log-normal numbers that have one part in common."""
    rng = np.random.default_rng(7)
    x = np.exp(0.5 * (rng.normal(size=(n, d)) + rng.normal(size=(n, 1)))) + 1
    y = x + 0.5 * x.std(axis=0) * rng.normal(size=x.shape)
    task = PostMaskingTask.of(x, y, free_rules(d), known=2, reading="raw")
    return replace(task, movable=chosen_cells(task, share=share, of="values"))
