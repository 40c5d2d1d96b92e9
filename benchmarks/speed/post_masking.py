"""Post-masking optimisation: steps of the hill climber, time to the paper's E, and gradients against climbing on a large file."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import tacita as tc
from benchmarks.tables import ratio_of
from tacita.compare.optimise.masked_rules import MaskedRules
from tacita.compare.optimise.moment_search import climb_moments, descend_moments
from tacita.compare.optimise.post_masking import PostMasked, PostMaskingTask, StopLimits, chosen_cells
from tacita.compare.optimise.primed_score import score_parts
from tacita.mask.swap.rank_swap import rank_swap

__all__ = ["run"]

FloatArray = npt.NDArray[np.float64]
DATA = Path(os.environ.get("TACITA_REFERENCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def run(quick: bool) -> list[dict[str, Any]]:
    """Time both searches from the same start; the start itself (nearest originals of all records) is timed apart."""
    rows = []
    if (DATA / "census.csv").exists():
        files = _census()
        rows += [_rate(*files, share) for share in (0.1, 0.3, 0.5)]
        rows += [_time_to_target(*files, name) for name in ("hill_climbing", "gradient")]
    rows += _large(10_000 if quick else 50_000)
    return rows


def _census() -> tuple[FloatArray, FloatArray]:
    """The file of the paper, and the file rank-swapped with its parameter 14 (E 0.39)."""
    data = tc.read(DATA / "census.csv")
    masked = tc.mask.RankSwap(columns=data.names, p=14).apply(data, seed=2)
    return np.ascontiguousarray(data.floats(data.names)), np.ascontiguousarray(masked.floats(data.names))


def _skewed(n: int, d: int) -> FloatArray:
    """Log-normal columns on three factors; every third has many values near 0, where relative errors are large."""
    rng = np.random.default_rng(1)
    factors = rng.standard_normal((n, 3)) @ rng.standard_normal((3, d)) / np.sqrt(3)
    x = np.exp(0.7 * (factors + 0.4 * rng.standard_normal((n, d))) + 7)
    x[:, ::3] *= rng.random((n, len(range(0, d, 3)))) ** 3
    return np.rint(x) + 1


def _swapped(x: FloatArray, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    return np.column_stack([rank_swap(np.ascontiguousarray(column), p=14, rng=rng) for column in x.T])


def _task(x: FloatArray, y: FloatArray, share: float) -> PostMaskingTask:
    d = x.shape[1]
    names = tuple(f"v{j}" for j in range(d))
    rules = MaskedRules(names, np.full(d, -np.inf), np.full(d, np.inf), np.zeros(d, dtype=np.bool_), (), ())
    task = PostMaskingTask.of(x, y, rules, known=(d + 1) // 2, reading="raw")
    return replace(task, movable=chosen_cells(task, share=share, of="records"))


def _error(task: PostMaskingTask, found: PostMasked) -> float:
    nearest = task.nearest_of(found.values)
    return score_parts(task.x, found.values, known=1, nearest=nearest).e


def _searches(task: PostMaskingTask, limits: StopLimits) -> dict[str, Callable[[], PostMasked]]:
    return {
        "hill_climbing": lambda: climb_moments(task, limits, target_ratio=0.5, step=3.0, words_seed=1),
        "gradient": lambda: descend_moments(task, limits, target_ratio=0.5),
    }


def _once(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def _best(work: Callable[[], PostMasked], repeats: int = 3) -> tuple[PostMasked, float]:
    work()  # compiles
    timings = [_once(work) for _ in range(repeats)]
    return min(timings, key=lambda timing: timing[1])


def _rate(x: FloatArray, y: FloatArray, share: float) -> dict[str, Any]:
    task = _task(x, y, share)
    found, seconds = _best(_searches(task, StopLimits(None, 200_000, None))["hill_climbing"])
    return {
        "case": f"census, q = {share}: steps of the climber a second",
        "n": len(x),
        "seconds": seconds,
        "steps/s": found.steps / seconds,
        "target": ">= 300 000",
    }


def _time_to_target(x: FloatArray, y: FloatArray, name: str) -> dict[str, Any]:
    task = _task(x, y, 0.1)
    found, seconds = _best(_searches(task, StopLimits(0.09, 5_000_000, None))[name])
    return {
        "case": f"census, q = 0.1: {name} to E <= 0.09",
        "n": len(x),
        "seconds": seconds,
        "E": _error(task, found),
        "target": "< 0.3 s",
    }


def _large(n: int) -> list[dict[str, Any]]:
    x = _skewed(n, 13)
    small = _task(x[:2000], _swapped(x[:2000], 1), 0.1)
    for search in _searches(small, StopLimits(None, 1000, None)).values():
        search()  # compiles
    task, start = _once(lambda: _task(x, _swapped(x, 1), 0.1))
    before = score_parts(task.x, task.y, known=1, nearest=task.nearest).e
    limits = StopLimits(0.3 * before, 100_000_000, None)
    case = f"log-normal x 13, q = 0.1, E from {before:.3g} to {0.3 * before:.3g}"
    rows: list[dict[str, Any]] = [{"case": f"{case}: common start", "n": n, "seconds": start}]
    times = {}
    for name, search in _searches(task, limits).items():
        found, times[name] = _once(search)
        rows.append({"case": f"{case}: {name}", "n": n, "seconds": times[name], "E": _error(task, found)})
    target = "" if n < 50_000 else ">= 10"
    rows.append(
        {
            "case": "climbing / gradient",
            "n": n,
            "ratio": ratio_of(times["hill_climbing"], times["gradient"]),
            "target": target,
        }
    )
    whole = ratio_of(start + times["hill_climbing"], start + times["gradient"])
    rows.append({"case": "climbing / gradient, common start included", "n": n, "ratio": whole})
    return rows
