"""The cheapest safe suppression pattern, by trying every set of cells."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from tacita.tables.protect.problem import Problem
from tests.oracles.tables.audit import seen_from, verdicts

__all__ = ["cheapest_pattern_oracle", "interval_oracle", "is_safe_oracle"]


def interval_oracle(problem: Problem, hidden: np.ndarray, cell: int, known: np.ndarray) -> tuple[float, float]:
    """What an attacker who knows some cells learns about one: two linear programmes over whole tables."""
    fixed = ~hidden
    fixed[known] = True
    bounds = [
        (value, value) if fix else (low, None if np.isinf(high) else high)
        for value, fix, low, high in zip(problem.values, fixed, problem.lower, problem.upper, strict=True)
    ]
    rows = problem.relations.matrix.toarray()
    ends = []
    for sign in (1.0, -1.0):
        aim = np.zeros(problem.size)
        aim[cell] = sign
        found = linprog(aim, A_eq=rows, b_eq=np.zeros(len(rows)), bounds=bounds, method="highs")
        ends.append(sign * found.fun if found.status == 0 else -sign * np.inf)
    return ends[0], ends[1]


def is_safe_oracle(problem: Problem, hidden: np.ndarray) -> bool:
    """Whether every unsafe cell is protected from the outsider and from every seat."""
    if np.any(problem.unsafe & ~hidden) or np.any(hidden & ~problem.unsafe & ~problem.can_hide):
        return False
    for cell in np.flatnonzero(problem.unsafe):
        for seat in (None, *range(len(problem.seats))):
            known = np.empty(0, int) if seat is None else problem.seats.known(seat)
            if cell in known:
                continue
            seen = problem if seat is None else seen_from(problem, seat)
            low, high = interval_oracle(seen, hidden, int(cell), known)
            if verdicts(problem, low, high, int(cell), seat):
                return False
    return True


def cheapest_pattern_oracle(problem: Problem) -> float:
    """Return the least cost over all patterns; infinity where none is safe."""
    free = np.flatnonzero(problem.can_hide & ~problem.unsafe)
    base = float(problem.cost[problem.unsafe].sum())
    everything = problem.unsafe | problem.can_hide
    if not is_safe_oracle(problem, everything):
        return float("inf")
    best = float(problem.cost[everything].sum())
    sets = [list(chosen) for count in range(len(free) + 1) for chosen in combinations(free.tolist(), count)]
    sets.sort(key=lambda chosen: float(problem.cost[chosen].sum()))
    unsafe: list[set[int]] = []  # what is unsafe with more cells hidden is unsafe with fewer
    for chosen in sets:
        cost = base + float(problem.cost[chosen].sum())
        if cost >= best:
            break
        if any(more.issuperset(chosen) for more in unsafe):
            continue
        hidden = problem.unsafe.copy()
        hidden[chosen] = True
        if is_safe_oracle(problem, hidden):
            return cost
        unsafe.append(_grown(problem, hidden, free))
    return best


def _grown(problem: Problem, hidden: np.ndarray, free: np.ndarray) -> set[int]:
    """Hide as many more cells as leave the pattern unsafe."""
    grown = hidden.copy()
    for cell in free:
        if not grown[cell]:
            grown[cell] = True
            grown[cell] = not is_safe_oracle(problem, grown)
    return set(np.flatnonzero(grown).tolist())
