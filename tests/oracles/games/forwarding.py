"""Forwarded content with recursion, one holder at a time: whose marks a copy bears, what everybody wins, replies in a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tacita.games.oblivion.forwarding_game import Forwarding

__all__ = ["chain_payoffs", "expected_leaks", "is_equilibrium", "reply", "walk"]


def chain_payoffs(a: Forwarding, actions: Sequence[str], last: str) -> list[float]:
    """Total payoffs of source, forwarders and receiver after the source sent: a list of events, summed up."""
    total = [0.0] * (len(actions) + 2)
    leaks: list[tuple[int, float]] = []  # whom the copy points at, and how likely it leaks

    def handed(i: int, points_at: int) -> None:
        total[0] += a.spread
        total[i] += a.value
        bare = points_at != i
        if bare:
            total[i] -= a.price
        if i == len(actions) + 1:
            leaks.append((points_at, float(last == "leak" or (last == "leak if bare" and bare))))
            total[i] += leaks[-1][1] * a.gain
            return
        leaks.append((points_at, a.opportunists * bare))
        total[i] += leaks[-1][1] * a.gain
        if actions[i - 1] == "mark":
            total[i] += a.reward - a.cost
            handed(i + 1, i + 1)
        elif actions[i - 1] == "bare":
            total[i] += a.price - a.bare_cost
            handed(i + 1, points_at)

    handed(1, 1)
    reached = len(leaks)
    for points_at, chance in leaks:
        total[0] -= a.harm * chance
        for j in range(1, reached + 1):
            total[j] -= a.found * a.penalty * chance * (a.tracing if j == points_at else a.innocent)
    return total


def is_equilibrium(a: Forwarding, actions: Sequence[str], last: str) -> bool:
    """Whether nobody gains by doing something else; a source who withholds has nothing, as have all others."""
    now = chain_payoffs(a, actions, last)
    if now[0] < 0:
        return False
    for i in range(len(actions)):
        for other in ("mark", "bare", "stop"):
            changed = [*actions[:i], other, *actions[i + 1 :]]
            if chain_payoffs(a, changed, last)[i + 1] > now[i + 1] + 1e-9:
                return False
    return all(chain_payoffs(a, actions, other)[-1] <= now[-1] + 1e-9 for other in ("obey", "leak if bare", "leak"))


# --- the tree -------------------------------------------------------------------------------------------------------------

Tree = Mapping[int, Sequence[int]]


def expected_leaks(tree: Tree, i: int, a: Forwarding, cost: Sequence[float], price: Sequence[float]) -> float:
    """Leaks to expect from i, who holds a bare copy, and from those below her whose copies point at the same one."""
    total = a.opportunists
    if tree[i] and reply(tree, i, a, cost, price, 0.0, marked=False) == "bare":
        total += sum(expected_leaks(tree, j, a, cost, price) for j in tree[i])
    return total


def reply(
    tree: Tree, i: int, a: Forwarding, cost: Sequence[float], price: Sequence[float], belief: float, *, marked: bool
) -> str:
    """The best of marking, forwarding bare and stopping."""
    k = len(tree[i])
    if not k:
        return "stop"
    risk = a.found * belief * a.penalty if marked else 0.0
    liability = sum(expected_leaks(tree, j, a, cost, price) for j in tree[i]) if risk else 0.0
    worth = {"mark": k * (a.reward - cost[i]), "bare": k * (price[i] - a.bare_cost) - risk * liability, "stop": 0.0}
    return max(worth, key=lambda what: worth[what])


def walk(tree: Tree, roots: Sequence[int], replies: Mapping[tuple[int, bool], str]) -> dict[int, int]:
    """Whose marks the copy of each holder bears."""
    held: dict[int, int] = {}
    waiting = [(i, i) for i in roots]
    while waiting:
        i, points_at = waiting.pop()
        held[i] = points_at
        does = replies[i, points_at == i]
        if does != "stop":
            waiting += [(j, j if does == "mark" else points_at) for j in tree[i]]
    return held
