"""Multicast in a tree of thousands: each holder plays her best reply by backward induction, and leaked copies are traced.

In each round a source sends one content to a few receivers, who forward it. All know how often leaked copies were traced before;
whoever expects no tracing forwards bare or leaks, until the record of the rounds says otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.progress import track
from tacita.core.streams import Seed, Streams, check_seed
from tacita.games.oblivion.forwarding_game import Forwarding
from tacita.games.oblivion.offices import accused
from tacita.games.oblivion.tracing_rates import CopyAttack, colluding_word

__all__ = ["Decisions", "Multicast", "MulticastRound", "best_replies", "parents_of", "play_multicast"]

MARKS, BARES, STOPS = 0, 1, 2
_MOST_CODE = 2**29
"""Symbols of all codewords of a round."""


@dataclass(frozen=True, kw_only=True)
class Multicast(Parameterised):
    """A tree of receivers, and how often content is sent through it.

    Parameters
    ----------
    receivers
        How many there are.
    branching
        To how many the source sends, and each forwarder may forward.
    rounds
        How many contents are sent, one after the other.
    coalition
        Leakers of one depth who put their copies together; the code is made for as many.
    attack
        What they do where their copies differ.
    length
        Positions of the code of one hop; None for as many as the receivers and the coalition need.
    false_accusation
        Chance that any innocent receiver is named for one copy.
    belief, doubt
        The chance of being traced that all expect before the first round, and how many found copies of the record weigh as much.
    spread
        Costs, prices and gains of the receivers lie within this share around those of the settings.
    traced_at_most
        Copies of each round that are traced for real; the others count by the share of these.

    Raises
    ------
    ParameterError
        When there are fewer receivers than the source sends to, or the codewords would not fit.

    Examples
    --------
    >>> Multicast(receivers=1000, coalition=2).code_length
    164
    """

    receivers: Annotated[int, Interval(1, 1_000_000)] = 3000
    branching: Annotated[int, Interval(1, 1000)] = 4
    rounds: Annotated[int, Interval(1, 1000)] = 8
    coalition: Annotated[int, Interval(1, 16)] = 2
    attack: CopyAttack = "mix"
    length: Annotated[int, Interval(8, 100_000)] | None = None
    false_accusation: Annotated[float, Interval(0, 0.5, "neither")] = 1e-3
    belief: Annotated[float, Interval(0, 1)] = 0.0
    doubt: Annotated[float, Interval(0, None, "neither")] = 1000.0
    spread: Annotated[float, Interval(0, 1)] = 0.5
    traced_at_most: Annotated[int, Interval(1, 10_000)] = 20

    def check(self) -> None:
        """Refuse a tree without a hop, and codewords that do not fit into memory."""
        if self.receivers < self.branching:
            raise ParameterError("Multicast: 'receivers' must be at least 'branching'.")
        if self.receivers * self.code_length > _MOST_CODE:
            raise ParameterError(
                f"Multicast: {self.receivers:,} codewords of {self.code_length:,} symbols do not fit; take fewer receivers or a "
                "shorter 'length'."
            )

    @property
    def code_length(self) -> int:
        """Positions of the code of one hop."""
        from tacita.numeric.fingerprints.tardos import length_needed  # loads when used

        return self.length or length_needed(self.receivers, self.coalition, self.false_accusation, 0.05)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Best replies of all holders, for each way in which a copy may have come.

    Parameters
    ----------
    when_marked, when_bare
        (receivers,): 0 marks, 1 bare, 2 stops; for a copy with her marks, and for a bare one.
    leaks_marked, leaks_bare
        (receivers,): whether she leaks such a copy.
    liability
        (receivers,): leaks to expect below her that point at her, if she forwards bare.
    """

    when_marked: IntArray
    when_bare: IntArray
    leaks_marked: BoolArray
    leaks_bare: BoolArray
    liability: FloatArray


@dataclass(frozen=True)
class MulticastRound:
    """What became of one content.

    Parameters
    ----------
    belief
        The chance of being traced that all expected.
    reached
        Share of the receivers who got it.
    marked, bare, stopped
        Shares of those who could forward and did so with marks, bare, or not at all.
    leaked, found
        How many copies leaked, and were found.
    traced, innocent
        Shares of the found copies for which somebody was named who is to blame, and for which somebody else was; NaN for none.
    by_depth
        For each depth the share of holders who forwarded with marks; NaN where nobody held a copy.
    """

    belief: float
    reached: float
    marked: float
    bare: float
    stopped: float
    leaked: int
    found: int
    traced: float
    innocent: float
    by_depth: tuple[float, ...]

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {**vars(self), "by_depth": list(self.by_depth)}


def parents_of(receivers: int, branching: int) -> tuple[IntArray, IntArray]:
    """Return (receivers,) twice: who forwards to each, -1 for the source, and how many hops away from it she is.

    Examples
    --------
    >>> parents_of(6, 2)[0].tolist(), parents_of(6, 2)[1].tolist()
    ([-1, -1, 0, 0, 1, 1], [1, 1, 2, 2, 2, 2])
    """
    parent = np.arange(receivers, dtype=np.int64) // branching - 1
    depth = np.ones(receivers, np.int64)
    first, size, hop = 0, branching, 1
    while first < receivers:
        depth[first : first + size] = hop
        first, size, hop = first + size, size * branching, hop + 1
    return parent, depth


def best_replies(
    settings: Forwarding, parent: IntArray, depth: IntArray, own: FloatArray, is_opportunist: BoolArray, belief: float
) -> Decisions:
    """Return what each holder does, from the leaves upwards.

    With E_i the leaks to expect from a holder of a bare copy that point above her, and a her own costs:

        E_i = opportunists + sum over children of E_j if she would forward a bare copy bare;
        marks: children (reward - cost_i);    bare: children (price_i - bare_cost) - found belief penalty sum E_j;    stops: 0.

    Parameters
    ----------
    settings
        What the players win and lose in the mean.
    parent, depth
        The tree; parents stand before their children.
    own
        (3, receivers): cost of marking, price of a bare copy and gain from leaking of each.
    is_opportunist
        (receivers,): whether she leaks where it pays.
    belief
        The chance of being traced that all expect.

    Complexity
    ----------
    O(receivers).
    """
    n = len(parent)
    children = np.bincount(parent[parent >= 0], minlength=n)
    mark, bare = settings.reward - own[0], own[1] - settings.bare_cost
    when_bare = np.where(children == 0, STOPS, _best(mark, bare))
    expected, liability = np.full(n, settings.opportunists), np.zeros(n)
    for hop in range(int(depth.max()), 1, -1):
        here = np.flatnonzero(depth == hop)
        expected[here] += np.where(when_bare[here] == BARES, liability[here], 0.0)
        liability += np.bincount(parent[here], expected[here], minlength=n)
    risk = settings.found * belief * settings.penalty
    when_marked = np.where(children == 0, STOPS, _best(children * mark, children * bare - risk * liability))
    return Decisions(when_marked, when_bare, is_opportunist & (own[2] > risk), is_opportunist, liability)


def _best(mark: FloatArray, bare: FloatArray) -> IntArray:
    """The best of marking, forwarding bare and stopping; of two that are equal the first."""
    return np.where((mark >= bare) & (mark >= 0), MARKS, np.where(bare >= 0, BARES, STOPS)).astype(np.int64)


def play_multicast(tree: Multicast, settings: Forwarding, seed: Seed) -> tuple[MulticastRound, ...]:
    """Send contents through the tree, one after the other, and trace what leaks.

    Parameters
    ----------
    tree, settings
        The tree, and what its receivers win and lose; the chance of tracing in the settings is not used: the code is.
    seed
        Draws receivers, codewords and who is found.

    Complexity
    ----------
    O(rounds x receivers x length) for the codewords and for each copy that is traced.

    Examples
    --------
    >>> found = play_multicast(Multicast(receivers=200, rounds=2, length=200), Forwarding(penalty=50), seed=1)
    >>> found[0].marked < found[1].marked
    True
    """
    streams = Streams(check_seed(seed, owner="play_multicast")).within("oblivion", "multicast")
    parent, depth = parents_of(tree.receivers, tree.branching)
    rng = streams.stream("receivers")
    around = 1 + tree.spread * (2 * rng.random((3, tree.receivers)) - 1)
    own = np.array([[settings.cost], [settings.price], [settings.gain]]) * around
    is_opportunist = rng.random(tree.receivers) < settings.opportunists
    rounds: list[MulticastRound] = []
    named, seen = 0.0, 0
    for number in track(range(tree.rounds), "Sending"):
        belief = (tree.doubt * tree.belief + named) / (tree.doubt + seen)
        chosen = best_replies(settings, parent, depth, own, is_opportunist, belief)
        made = _send(tree, settings, chosen, parent, depth, belief, streams.within(str(number)))
        rounds.append(made)
        if made.found:
            named, seen = named + made.found * made.traced, seen + made.found
    return tuple(rounds)


def _send(
    tree: Multicast,
    settings: Forwarding,
    chosen: Decisions,
    parent: IntArray,
    depth: IntArray,
    belief: float,
    streams: Streams,
) -> MulticastRound:
    n, hops = len(parent), int(depth.max())
    marked_by = np.full(n, -1, np.int64)  # whose marks the copy of each bears; -1 for no copy
    does = np.full(n, STOPS, np.int64)
    for hop in range(1, hops + 1):
        here = np.flatnonzero(depth == hop)
        if hop == 1:
            marked_by[here] = here
        else:
            above = parent[here]
            got = marked_by[above] >= 0
            marked_by[here] = np.where(
                got & (does[above] == MARKS), here, np.where(got & (does[above] == BARES), marked_by[above], -1)
            )
        own = marked_by[here] == here
        does[here] = np.where(own, chosen.when_marked[here], chosen.when_bare[here])
    holds, is_marked = marked_by >= 0, marked_by == np.arange(n)
    leaks = np.flatnonzero(holds & np.where(is_marked, chosen.leaks_marked, chosen.leaks_bare))
    found = leaks[streams.stream("found").random(len(leaks)) < settings.found]
    traced, innocent = _trace(tree, marked_by[found], depth, streams)
    has_children = np.bincount(parent[parent >= 0], minlength=n) > 0
    decides = holds & has_children
    shares = [_share(does[decides] == what) for what in (MARKS, BARES, STOPS)]
    by_depth = tuple(_share(does[decides & (depth == hop)] == MARKS) for hop in range(1, hops + 1))
    return MulticastRound(
        belief, float(holds.mean()), shares[0], shares[1], shares[2], len(leaks), len(found), traced, innocent, by_depth
    )


def _trace(tree: Multicast, points_at: IntArray, depth: IntArray, streams: Streams) -> tuple[float, float]:
    """Share of found copies that are traced to somebody to blame, and to somebody else; coalitions stand at one depth."""
    from tacita.numeric.fingerprints.tardos import draw_biases, draw_codewords  # loads when used

    if not len(points_at):
        return math.nan, math.nan
    rng = streams.stream("tracing")
    blamed = rng.permutation(np.unique(points_at))
    blamed = blamed[np.argsort(depth[blamed], kind="stable")]
    groups = [
        group for hop in np.unique(depth[blamed]) for group in _in_groups(blamed[depth[blamed] == hop], tree.coalition)
    ]
    kept = [groups[i] for i in rng.permutation(len(groups))[: tree.traced_at_most]]
    named = wrong = 0
    for hop in sorted({int(depth[group[0]]) for group in kept}):
        members = np.flatnonzero(depth == hop)
        p = draw_biases(tree.code_length, tree.coalition, rng)
        words = draw_codewords(p, len(members), rng)
        for group in kept:
            if depth[group[0]] == hop:
                places = np.searchsorted(members, group)
                who, _, _ = accused(colluding_word(words[places], tree.attack, rng), words, p, tree.false_accusation)
                named += bool(np.isin(who, places).any())
                wrong += bool((~np.isin(who, places)).any())
    return named / len(kept), wrong / len(kept)


def _in_groups(blamed: IntArray, size: int) -> list[IntArray]:
    return [blamed[start : start + size] for start in range(0, len(blamed), size)]


def _share(held: BoolArray) -> float:
    return float(held.mean()) if len(held) else math.nan
