"""Messages that are signed for real: the cars of a simulation put their shares together, and every signature is verified."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameters import coerce
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.games.vehicles.announcements import Announcements
from tacita.games.vehicles.threshold_rsa import KeyShare, ThresholdKey, combine_shares, deal_key, sign_share

__all__ = ["SignedMessages", "sign_announcements"]


@dataclass(frozen=True)
class SignedMessages:
    """What the signatures said, to be held against what was counted.

    Parameters
    ----------
    real, lies
        Messages about real dangers and lies that counted, and were signed and verified.
    too_few
        Messages that did not count, tried with the shares that there were, and refused.
    repeated
        Lies of a single car that sent its share again and again, tried, and refused.
    """

    real: int
    lies: int
    too_few: int
    repeated: int

    def as_plain(self) -> dict[str, int]:
        """Return it ready for JSON."""
        return asdict(self)


def sign_announcements(found: Announcements, *, at_most: int = 20) -> SignedMessages:
    """Sign messages of a simulation with the shares of the cars that endorsed them.

    Parameters
    ----------
    found
        A simulation by the scheme of shares.
    at_most
        Messages of each kind that are tried; about fifty a second can be.

    Raises
    ------
    ParameterError
        When the scheme is another one, or a signature said something else than the count of shares: that would be a fault.

    Complexity
    ----------
    O(threshold) powers for each message.

    Examples
    --------
    >>> from tacita.games.vehicles.announcements import Endorsing, announce
    >>> from tacita.games.vehicles.traffic import Traffic, drive
    >>> seen = drive(Traffic(roads="ring", length=5, density=20, minutes=20), seed=1)
    >>> sign_announcements(announce(seen, Endorsing(threshold=3, shares=9)), at_most=2)
    SignedMessages(real=2, lies=0, too_few=2, repeated=2)
    """
    if found.endorsing.scheme != "threshold":
        raise ParameterError("sign_announcements: the scheme must be 'threshold'; the others have no shares.")
    at_most = coerce(at_most, Annotated[int, Interval(1)], owner="sign_announcements", name="at_most")
    seen, rule = found.sightings, found.endorsing
    key, dealt = _dealt(seen.seed, rule.threshold, rule.shares)
    endorsed = np.bincount(seen.danger[found.endorses], minlength=len(seen.is_real)) > 0
    counted, lie = found.counted_at >= 0, ~seen.is_real
    tried = [
        np.flatnonzero(kind)[:at_most] for kind in (counted & ~lie, counted & lie, endorsed & ~counted, endorsed & lie)
    ]
    totals = [0, 0, 0, 0]
    with task("Signing", float(sum(map(len, tried)))) as running:
        for kind, dangers in enumerate(tried):
            for danger in dangers:
                voices = _voices(found, int(danger))
                voices = voices[:1].repeat(rule.threshold) if kind == 3 and rule.threshold > 1 else voices
                if _is_signed(key, dealt, int(danger), voices) != (kind < 2 or rule.threshold == 1):
                    raise ParameterError("sign_announcements: a signature contradicts the count of shares.")
                totals[kind] += 1
                running.advance()
    return SignedMessages(*totals)


@functools.lru_cache(maxsize=4)
def _dealt(seed: Seed, threshold: int, shares: int) -> tuple[ThresholdKey, tuple[KeyShare, ...]]:
    rng = Streams(seed).within("vehicles", "key").stream("rsa", str(threshold), str(shares))
    return deal_key(threshold, shares, rng)


def _voices(found: Announcements, danger: int) -> IntArray:
    """The shares of the cars that endorse a danger, as they come; of a pooled lie those of all liars."""
    seen = found.sightings
    if not seen.is_real[danger] and found.endorsing.attackers == "pooled":
        return np.asarray(np.unique(found.voice[found.is_malicious]), np.int64)
    mine = found.endorses & (seen.danger == danger)
    return np.asarray(found.voice[seen.car[mine]], np.int64)


def _is_signed(key: ThresholdKey, dealt: tuple[KeyShare, ...], danger: int, voices: IntArray) -> bool:
    message = f"danger {danger}".encode()
    used: list[Any] = list(dict.fromkeys(voices.tolist()))[: key.threshold]
    # A share that comes again is handed over again: that it counts once is for the signature to say.
    sent = used if len(used) == key.threshold else voices[: key.threshold].tolist()
    parts = [sign_share(key, dealt[voice], message, proof=False) for voice in sent]
    try:
        signature = combine_shares(key, message, parts)
    except ParameterError:
        return False
    return key.verifies(message, signature)
