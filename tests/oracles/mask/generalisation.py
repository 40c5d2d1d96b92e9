"""Slow, obvious versions of what the lattice search and local recoding do: plain loops over all nodes and records."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

Row = tuple[int, ...]


def groups(rows: Sequence[Row], ups: Sequence[Sequence[Sequence[int]]], levels: Row) -> dict[Row, list[int]]:
    """Return the records of each combination of generalised values."""
    found: dict[Row, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        found[tuple(ups[j][levels[j]][value] for j, value in enumerate(row))].append(i)
    return found


def breaks_model(values: Sequence[int], overall: Sequence[int], model: dict[str, Any], persons: float = 0.0) -> bool:
    """Whether a group with these confidential values breaks k-anonymity, l-diversity or another model.

    ``persons`` are those of the population in the group.
    """
    if len(values) < model["k"] or persons < model.get("k_map", 0) - 1e-9:
        return True
    if "presence" in model and len(values) > model["presence"][1] * persons + 1e-9:
        return True
    if "beta" in model:
        for v in set(values):
            p, q = values.count(v) / len(values), overall.count(v) / len(overall)
            most = min(model["beta"], -math.log(q)) if model.get("is_enhanced") else model["beta"]
            if (p - q) / q > most + 1e-9:
                return True
    counts, least = Counter(values), model.get("l", 1)
    if least > 1:
        form = model.get("form", "distinct")
        ordered = sorted(counts.values(), reverse=True)
        if form == "distinct" and len(counts) < least:
            return True
        if form == "entropy":
            entropy = -sum(c / len(values) * math.log(c / len(values)) for c in ordered)
            if math.exp(entropy) < least * (1 - 1e-9):
                return True
        if form == "recursive" and not ordered[0] < model["c"] * sum(ordered[int(least) - 1 :]):
            return True
    if model.get("t", 1) < 1:
        whole, top = Counter(overall), max(overall)
        gaps = [counts[v] / len(values) - whole[v] / len(overall) for v in range(top + 1)]
        if model["distance"] == "equal":
            distance = sum(abs(gap) for gap in gaps) / 2
        else:
            distance = sum(abs(sum(gaps[: i + 1])) for i in range(top + 1)) / max(top, 1)
        if distance > model["t"] + 1e-9:
            return True
    return False


def loss_of(
    rows: Sequence[Row],
    ups: Any,
    losses: Any,
    levels: Row,
    bad: set[int],
    found: dict[Row, list[int]],
    kind: str,
    k: int,
    gs_factor: float = 0.5,
    fulls: Any = None,
) -> float:
    """Return the loss of one node; a suppressed cell loses 1, or what ``fulls`` say of its value."""
    n = len(rows)
    if kind in ("granularity", "precision", "entropy"):
        total = 0.0
        for i, row in enumerate(rows):
            cells = [losses[j][levels[j]][value] for j, value in enumerate(row)]
            whole = [1.0 if fulls is None else fulls[j][value] for j, value in enumerate(row)]
            lost, full = sum(cells) / len(cells), sum(whole) / len(whole)
            if i in bad:
                total += lost + (full - lost) * (2 * gs_factor if gs_factor < 0.5 else 1.0)
            else:
                total += lost * (1.0 if gs_factor <= 0.5 else 1.0 - 2 * (gs_factor - 0.5))
        return total / n
    kept = [members for members in found.values() if members[0] not in bad]
    if kind == "discernibility":
        return float(sum(len(members) ** 2 for members in kept) + len(bad) * n)
    return n / (len(kept) + bool(bad)) / k


def best_node(
    rows: Sequence[Row],
    values: Sequence[int],
    ups: Any,
    losses: Any,
    model: dict[str, Any],
    limit: int,
    kind: str,
    *,
    weights: Sequence[float] | None = None,
    gs_factor: float = 0.5,
    fulls: Any = None,
) -> tuple[float, int]:
    """Try all nodes; return the least loss and the number of acceptable nodes. Records stand for as many persons as weights."""
    best, accepted = math.inf, 0
    each = [0.0] * len(rows) if weights is None else weights
    for levels in itertools.product(*(range(len(up)) for up in ups)):
        found = groups(rows, ups, levels)
        persons = {key: sum(each[i] for i in members) for key, members in found.items()}
        least = model.get("presence", (0.0, 1.0))[0]
        if any(len(members) < least * persons[key] - 1e-9 for key, members in found.items()):
            continue
        bad = {
            i
            for key, members in found.items()
            if breaks_model([values[i] for i in members], values, model, persons[key])
            for i in members
        }
        if len(bad) <= limit:
            accepted += 1
            best = min(best, loss_of(rows, ups, losses, levels, bad, found, kind, model["k"], gs_factor, fulls))
    return best, accepted


def local_loss(rows: Sequence[Row], losses: Any, levels: Sequence[Row]) -> float:
    """Return the mean cell loss when each record has levels of its own."""
    cells = [losses[j][levels[i][j]][value] for i, row in enumerate(rows) for j, value in enumerate(row)]
    return sum(cells) / len(cells)
