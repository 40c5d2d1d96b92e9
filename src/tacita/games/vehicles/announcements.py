"""Announcements: which dangers are announced in time, which lies are believed, and how many each announcer may have been.

Every driver who is willing endorses a danger as soon as she sees it. A message counts when it has ``threshold`` endorsements
within the deadline. What an endorsement is depends on the scheme; all are computed from the same sightings, so that they can be
compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.streams import Seed, Streams, check_seed
from tacita.games.vehicles.traffic import Sightings

__all__ = ["Announcements", "Endorsing", "announce", "counted_steps"]

_NEVER = -1


@dataclass(frozen=True, kw_only=True)
class Endorsing(Parameterised):
    """Who endorses, and when a message counts.

    Parameters
    ----------
    scheme
        threshold: each car holds one share of a signature, and a message counts when different shares sign it. anonymous: nobody
        sees who endorses, nor whether it is the same car again. named: each car signs with a key of its own.
    threshold
        t: so many endorsements make a message count.
    shares
        Different shares of the threshold signature; each car holds one of them, so that several cars hold the same.
    selfish
        Share of the honest cars that never announce, but listen.
    malicious
        Share of the cars that lie: they endorse what was invented and nothing else.
    attackers
        near: only malicious cars near the place endorse its lie. pooled: they have put their shares together beforehand, and one
        of them near the place is enough.
    deadline
        Seconds from the beginning of a danger within which its message must count.

    Raises
    ------
    ParameterError
        When the scheme is that of shares and there are fewer of them than the threshold.

    Notes
    -----
    The paper gives credit to a message with more endorsements than a threshold; here the threshold is what is enough.
    """

    scheme: Literal["threshold", "anonymous", "named"] = "threshold"
    threshold: Annotated[int, Interval(1, 400)] = 4
    shares: Annotated[int, Interval(1, 400)] = 60
    selfish: Annotated[float, Interval(0, 1)] = 0.2
    malicious: Annotated[float, Interval(0, 1)] = 0.02
    attackers: Literal["near", "pooled"] = "near"
    deadline: Annotated[float, Interval(1, 86400)] = 60.0

    def check(self) -> None:
        """Refuse a threshold that no message can reach."""
        if self.scheme == "threshold" and self.threshold > self.shares:
            raise ParameterError(
                f"Endorsing: 'threshold' must be at most 'shares', {self.shares}, got {self.threshold}: no message would count."
            )


@dataclass(frozen=True, eq=False, repr=False)
class Announcements:
    """What became of the dangers.

    Parameters
    ----------
    sightings, endorsing
        What was seen, and the rules.
    voice
        (cars,): the number under which an endorsement of a car counts once: its share, or the car itself.
    is_malicious, is_selfish
        (cars,): what the drivers are.
    is_judged
        (dangers,): whether the deadline lies within what was watched; no figure speaks of the others.
    endorses
        (sightings,): whether the car endorsed the danger, within the deadline.
    counted_at
        (dangers,): the step at which the message counted, -1 where it did not.
    """

    sightings: Sightings
    endorsing: Endorsing
    voice: IntArray
    is_malicious: BoolArray
    is_selfish: BoolArray
    is_judged: BoolArray
    endorses: BoolArray
    counted_at: IntArray

    def __repr__(self) -> str:
        return f"Announcements of {int(self._real.sum())} dangers and {int(self._lies.sum())} lies"

    @property
    def _real(self) -> BoolArray:
        return self.is_judged & self.sightings.is_real

    @property
    def _lies(self) -> BoolArray:
        return self.is_judged & ~self.sightings.is_real

    @property
    def functionality(self) -> float:
        """Share of real dangers that were announced in time; NaN where none is judged."""
        return _mean(self.counted_at[self._real] >= 0)

    @property
    def warned(self) -> float:
        """Share of the cars that came near a real danger after its message counted; NaN where no car came."""
        seen = self.sightings
        real = self._real[seen.danger]
        at = self.counted_at[seen.danger]
        return _mean(((at >= 0) & (seen.step > at))[real])

    @property
    def believed(self) -> float:
        """Share of the lies that counted: what security must keep small; NaN where nobody lied."""
        return _mean(self.counted_at[self._lies] >= 0)

    @property
    def believed_at_most(self) -> float:
        """What the share of believed lies is at most, with 95 percent confidence (Clopper and Pearson); NaN where nobody lied.

        Lies are taken as independent, which those of one car are not quite.
        """
        from scipy.stats import beta  # loads when used

        lies, believed = int(self._lies.sum()), int((self.counted_at[self._lies] >= 0).sum())
        if not lies:
            return float("nan")
        return 1.0 if believed == lies else float(beta.ppf(0.95, believed + 1, lies - believed))

    @property
    def crowds(self) -> IntArray:
        """(endorsements of real dangers,): how many cars endorsed the same message, the car itself among them."""
        return self._crowds(self.sightings.danger)

    @property
    def crowd(self) -> float:
        """Mean size of the crowd in which an announcer stands; 1 where her name is on the message."""
        return _mean(self._known(self.crowds))

    @property
    def entropy(self) -> float:
        """Mean over endorsements of H = log2(crowd): the bits that whoever reads a message lacks to know an announcer."""
        return _mean(np.log2(self._known(self.crowds)))

    @property
    def listener_entropy(self) -> float:
        """The same against one who stands at the place and hears when each car endorses: only those of one look are a crowd."""
        seen = self.sightings
        return _mean(np.log2(self._known(self._crowds(seen.danger * (int(seen.step.max(initial=0)) + 1) + seen.step))))

    @property
    def holders(self) -> float:
        """How many cars hold the same share in the mean: the crowd that is left against whoever sees single shares."""
        cars = len(self.voice)
        return cars / self.endorsing.shares if self.endorsing.scheme == "threshold" else 1.0

    def _crowds(self, group: IntArray) -> IntArray:
        mine = self.endorses & self._real[self.sightings.danger]
        _, back, sizes = np.unique(group[mine], return_inverse=True, return_counts=True)
        return np.asarray(sizes[back.reshape(-1)], np.int64)

    def _known(self, sizes: IntArray) -> IntArray:
        return np.ones_like(sizes) if self.endorsing.scheme == "named" else sizes

    def as_plain(self) -> dict[str, Any]:
        """Return the figures, ready for JSON."""
        return {
            "scheme": self.endorsing.scheme,
            "dangers": int(self._real.sum()),
            "lies": int(self._lies.sum()),
            "announced_in_time": self.functionality,
            "warned": self.warned,
            "crowd": self.crowd,
            "entropy_bits": self.entropy,
            "listener_entropy_bits": self.listener_entropy,
            "cars_with_one_share": self.holders,
            "lies_believed": self.believed,
            "lies_believed_at_most": self.believed_at_most,
        }


def announce(sightings: Sightings, endorsing: Endorsing, seed: Seed | None = None) -> Announcements:
    """Let drivers endorse what they see, and count.

    Parameters
    ----------
    sightings
        Which car saw what when.
    endorsing
        Scheme, threshold and drivers.
    seed
        Draws who is selfish or malicious and which share a car holds; that of the traffic where it is left out. A larger share of
        selfish cars has the cars of a smaller one among them.

    Complexity
    ----------
    O(sightings log sightings).

    References
    ----------
    Domingo-Ferrer (2011), section 6; Daza et al. (2009).

    Examples
    --------
    >>> from tacita.games.vehicles.traffic import Traffic, drive
    >>> seen = drive(Traffic(roads="ring", length=10, density=30, minutes=20), seed=1)
    >>> lax = announce(seen, Endorsing(scheme="anonymous", malicious=0.05))
    >>> strict = announce(seen, Endorsing(scheme="threshold", malicious=0.05))
    >>> lax.believed > strict.believed, lax.functionality >= strict.functionality
    (True, True)
    """
    drawn = sightings.seed if seed is None else check_seed(seed, owner="announce")
    rng = Streams(drawn).within("vehicles", "drivers").stream("roles")
    chances = rng.random((3, sightings.traffic.cars))
    malicious = chances[0] < endorsing.malicious
    selfish = ~malicious & (chances[1] < endorsing.selfish)
    is_shared = endorsing.scheme == "threshold"
    own = np.floor(chances[2] * endorsing.shares) if is_shared else np.arange(len(malicious))
    voice = np.asarray(own, np.int64)
    steps = max(round(endorsing.deadline / sightings.traffic.step), 1)
    real = sightings.is_real[sightings.danger]
    honest = ~(malicious | selfish)
    in_time = sightings.step - sightings.appears[sightings.danger] < steps
    endorses = in_time & np.where(real, honest[sightings.car], malicious[sightings.car])
    counted = counted_steps(
        sightings.danger[endorses], voice[sightings.car[endorses]], sightings.step[endorses],
        len(sightings.is_real), endorsing.threshold,
    )  # fmt: skip
    if _one_is_enough(endorsing, malicious, voice):
        first = counted_steps(
            sightings.danger[endorses], voice[sightings.car[endorses]], sightings.step[endorses], len(counted), 1
        )
        counted = np.where(sightings.is_real, counted, first)
    is_judged = sightings.appears + steps <= sightings.traffic.steps
    return Announcements(sightings, endorsing, voice, malicious, selfish, is_judged, endorses, counted)


def counted_steps(danger: IntArray, voice: IntArray, step: IntArray, dangers: int, threshold: int) -> IntArray:
    """Return (dangers,): the step at which a message has so many different voices, -1 where it never has.

    Parameters
    ----------
    danger, voice, step
        (endorsements,): of what, under which number, and when; in any order.
    dangers
        How many there are.
    threshold
        How many different voices it takes.

    Complexity
    ----------
    O(endorsements log endorsements).

    Examples
    --------
    >>> of, voice, at = np.array([0, 0, 0, 1]), np.array([7, 7, 8, 7]), np.array([2, 3, 5, 4])
    >>> counted_steps(of, voice, at, 2, 2).tolist()
    [5, -1]
    """
    order = np.lexsort((step, voice, danger))
    danger, voice, step = danger[order], voice[order], step[order]
    new = np.ones(len(danger), np.bool_)
    new[1:] = (danger[1:] != danger[:-1]) | (voice[1:] != voice[:-1])
    danger, step = danger[new], step[new]
    order = np.lexsort((step, danger))
    danger, step = danger[order], step[order]
    rank = np.arange(len(danger)) - np.searchsorted(danger, danger)
    found = np.full(dangers, _NEVER, np.int64)
    last = rank == threshold - 1
    found[danger[last]] = step[last]
    return found


def _one_is_enough(endorsing: Endorsing, malicious: BoolArray, voice: IntArray) -> bool:
    """Whether a single liar near a place makes a lie count: by endorsing again and again, or with the shares of the others."""
    if endorsing.scheme == "anonymous":
        return True
    pooled = endorsing.attackers == "pooled"
    return pooled and len(np.unique(voice[malicious])) >= endorsing.threshold


def _mean(values: BoolArray | FloatArray | IntArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
