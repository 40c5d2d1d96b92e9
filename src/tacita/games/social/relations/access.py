"""Access to a resource by indirect relationships: the owner learns whether each on the path is trusted enough, and no trust.

The trust in a requester is the product of the trusts along a path of friends; a resource asks for a least trust. On a scale of
logarithms the product is a sum. The owner O hands the limit to the friend Nk who brought the request, under encryption, and each
friend takes off what he trusts the next one less than wholly::

    requester A   -- request ----------------------->  over her friends N1 ... Nk to the owner O
    friend Nj     <- limit:   E(L - w_O - ... ) -----  owner, or the friend before him
    friend Nj     -- tests:   E(r_v (limit - w_j - v)) for v = 0 ... M, shuffled; to O, and their first parts to A
    requester A   -- shares:  her half of the decryption -----> O, who sees one test hold 0, or none
    friend Nj     -- limit - w_j ------------------->  the next friend, and in the end A
    requester A   <- answer in a box for A alone ---  owner O

E is under the product of the keys of O and of A, so that neither of them can open anything alone, and what both open together
says of the limit that is left only whether it is below zero. All messages of one kind have one length, whatever the trusts; an
answer that refuses looks like one that grants.

Who gets in: whoever handles a limit was found worthy by the one before him, so that by a lie he wins for others what he could
hand on to them anyway. The requester adds nothing, and cannot make up shares, for he does not see the second parts.

Who learns what: each party alone learns nothing else, and an owner who lies to learn more gets one bit for each test too, if need
be another one than was agreed. The owner and the friends learn how long the path is. The owner together with a friend on the way
can learn the limit that is left there.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Seed, Streams, draw_seed
from tacita.games.social.relations.elgamal import Ciphertext, group_of
from tacita.games.social.relations.secure_lines import FriendLine, new_key, open_box, public_of, seal_box

__all__ = ["Access", "Relationships", "Seen", "request_access"]

_SECRET = 32


class Seen(NamedTuple):
    """One message as a party saw it, after taking it from the line."""

    kind: str
    sender: str
    parts: dict[str, bytes]


@dataclass(frozen=True)
class Relationships:
    """Who trusts whom, how much; each level is known to the one who trusts alone.

    Parameters
    ----------
    trusts
        ``{(truster, trusted): level}``, above 0 and at most 1. Two are friends when one of them trusts the other.
    step
        Trusts are rounded down to powers of exp(-step): by at most so much, as a share, for each friend on a path.
    most
        M: the smallest trust that can be asked for is exp(-step most); so many tests there are, and one.
    bits
        Of the group: 2048 or 3072; fewer for tests.

    Examples
    --------
    >>> known = Relationships({("Owner", "Ben"): 0.9, ("Ben", "Ann"): 0.8}, most=40, bits=768)
    >>> request_access(known, "Ann", "Owner", least_trust=0.7, seed=1).granted
    True
    >>> request_access(known, "Ann", "Owner", least_trust=0.8, seed=1).granted
    False
    """

    trusts: Mapping[tuple[str, str], float] = field(repr=False)
    step: float = 0.01
    most: int = 128
    bits: int = 2048

    def __post_init__(self) -> None:
        if isinstance(self.most, bool) or not isinstance(self.most, int) or not 1 <= self.most <= 4096:
            raise ParameterError("Relationships: 'most' must be a whole number from 1 to 4096.")
        if isinstance(self.step, bool) or not isinstance(self.step, (int, float)) or not 1e-4 <= self.step <= 1:
            raise ParameterError("Relationships: 'step' must be between 0.0001 and 1.")
        group_of(self.bits)
        for pair, level in self.trusts.items():
            if (
                not isinstance(pair, tuple)
                or len(pair) != 2
                or not all(isinstance(name, str) and name for name in pair)
            ):
                raise DataError("Relationships: 'trusts' must be of pairs of names; something else is among them.")
            if pair[0] == pair[1]:
                raise DataError("Relationships: 'trusts' must not hold a person's trust in himself.")
            if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 < level <= 1:
                raise DataError("Relationships: every level of 'trusts' must be above 0 and at most 1.")

    def friends(self) -> dict[str, list[str]]:
        """Return the friends of everybody, in the order of their names."""
        found: dict[str, set[str]] = {}
        for one, other in self.trusts:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
        return {name: sorted(own) for name, own in sorted(found.items())}

    def weight(self, truster: str, trusted: str) -> int | None:
        """Return ``ceil(-log(trust) / step)``; None where there is no trust."""
        level = self.trusts.get((truster, trusted))
        return None if level is None else math.ceil(-math.log(level) / self.step - 1e-9)


@dataclass(frozen=True, kw_only=True)
class Access:
    """What became of a request.

    Parameters
    ----------
    granted
        What the requester found in the answer.
    secret
        The key of the resource, where it is granted.
    seen
        For every party all messages that it saw, in order.
    path
        Whom the request went over, the requester first and the owner last: for whoever simulates, no party knows it.
    """

    granted: bool
    secret: bytes | None = field(repr=False)
    seen: dict[str, tuple[Seen, ...]] = field(repr=False)
    path: tuple[str, ...] = field(repr=False)


def request_access(
    known: Relationships, requester: str, owner: str, *, least_trust: float, seed: Seed | None = None
) -> Access:
    """Ask for a resource over friends of friends, as a simulation of all parties.

    The owner's friends hear of the resource, tell their friends, and so on; each keeps from whom he heard first. The request goes
    back that way.

    Parameters
    ----------
    known
        Who trusts whom; a party is handed its own trusts alone.
    requester, owner
        Who asks, and whose resource it is.
    least_trust
        What the product of the trusts on the way must reach.
    seed
        Repeats keys and messages, for tests; without it they are drawn from the system.

    Raises
    ------
    DataError
        When somebody is not known, or no way leads from one to the other.
    ParameterError
        When the least trust is not on the scale.

    Complexity
    ----------
    4 (M + 1) powers in the group for each friend on the way, and O(M) elements to each party.

    Notes
    -----
    The paper of 2008 multiplies trusts under a privacy homomorphism and lets the owner decrypt the product. Here he learns one
    bit for each friend on the path. On a path of one friend the product would be that friend's trust.

    References
    ----------
    Domingo-Ferrer, J., Viejo, A., Sebe, F. and Gonzalez-Nicolas, U. (2008), Privacy homomorphisms for social networks with
    private relationships, Computer Networks 52, 3007-3016.
    """
    friends = known.friends()
    for name in (requester, owner):
        if name not in friends:
            raise DataError("request_access: 'requester' and 'owner' must have friends; one of them has none.")
    if requester == owner:
        raise DataError("request_access: 'requester' and 'owner' must be two.")
    limit = _limit(known, least_trust)
    run = _Run(known, friends, draw_seed() if seed is None else seed)
    path = run.advertise(requester, owner)
    return run.ask(path, limit)


def _limit(known: Relationships, least_trust: float) -> int:
    smallest = math.exp(-known.step * known.most)
    if isinstance(least_trust, bool) or not isinstance(least_trust, (int, float)) or not smallest <= least_trust <= 1:
        raise ParameterError(f"request_access: 'least_trust' must be between {smallest:.3g} and 1 on this scale.")
    return math.floor(-math.log(least_trust) / known.step + 1e-9)


class _Run:
    """All parties of one request: what each holds, and the lines between them."""

    def __init__(self, known: Relationships, friends: dict[str, list[str]], seed: Seed) -> None:
        self.known, self.friends, self.group = known, friends, group_of(known.bits)
        streams = Streams(seed).within("request_access")
        self.rng = {name: streams.stream("party", name) for name in friends}
        self.seen: dict[str, list[Seen]] = {name: [] for name in friends}
        keys = {name: new_key(rng) for name, rng in self.rng.items()}
        self.lines = {
            (one, other): FriendLine(keys[one], public_of(keys[other])) for one, own in friends.items() for other in own
        }

    def tell(self, sender: str, receiver: str, kind: str, **parts: bytes) -> None:
        """Send a message over the line of two friends; the receiver keeps what he saw."""
        names, sizes = list(parts), [len(part) for part in parts.values()]
        opened = self.lines[receiver, sender].open(self.lines[sender, receiver].seal(b"".join(parts.values())))
        cut = np.cumsum([0, *sizes])
        found = {name: opened[cut[i] : cut[i + 1]] for i, name in enumerate(names)}
        self.seen[receiver].append(Seen(kind, sender, found))

    def heard(self, receiver: str, kind: str) -> dict[str, bytes]:
        """Return the last message of a kind that a party saw."""
        return next(seen.parts for seen in reversed(self.seen[receiver]) if seen.kind == kind)

    # --- the resource is made known -----------------------------------------------------------------------------------------

    def advertise(self, requester: str, owner: str) -> tuple[str, ...]:
        """Let everybody hear of the resource; return the way from the requester to the owner."""
        rng = self.rng[owner]
        self.resource, self.secret = rng.bytes(16), self.group.exponent(rng)
        public = self.group.power(2, self.secret)
        from_whom: dict[str, str] = {owner: owner}
        waiting = deque([owner])
        while waiting:
            name = waiting.popleft()
            for friend in self.friends[name]:
                if friend != from_whom[name]:
                    self.tell(name, friend, "resource", resource=self.resource, key=self._bytes(public))
                    if friend not in from_whom:
                        from_whom[friend] = name
                        waiting.append(friend)
        if requester not in from_whom:
            raise DataError("request_access: no way leads from the requester to the owner.")
        path = [requester]
        while path[-1] != owner:
            path.append(from_whom[path[-1]])
        return tuple(path)

    # --- the request -------------------------------------------------------------------------------------------------------

    def ask(self, path: tuple[str, ...], limit: int) -> Access:
        """Play the protocol along a path."""
        requester, last, owner = path[0], path[-2], path[-1]
        box, half = new_key(self.rng[requester]), self.group.exponent(self.rng[requester])
        mine = self.group.power(2, half)
        self.joint = self._number(self.heard(requester, "resource")["key"]) * mine % self.group.p
        for sender, receiver in itertools.pairwise(path):
            self.tell(sender, receiver, "request", resource=self.resource, box=public_of(box), key=self._bytes(mine))
        # What the owner trusts the friend who brings the request; below zero no test can hold 0.
        own = self.known.weight(owner, last)
        rest = -1 if own is None or own > limit else limit - own
        is_enough = rest >= 0
        held = self.group.encrypt(self.joint, rest, self.rng[owner])
        self.tell(owner, last, "limit", held=self._bytes(*held))
        for place in range(len(path) - 2, 0, -1):
            # No "and" that stops: all tests are made, so that nobody on the way learns where the trust ran out.
            is_enough = self._step(path, place, half) & is_enough
        self._relay(path, "done", resource=self.resource)
        return self._answer(path, box, is_enough)

    def _step(self, path: tuple[str, ...], place: int, half: int) -> bool:
        """Let one friend take off his trust in the next one, and test what is left; return whether it is enough."""
        friend, following, owner = path[place], path[place - 1], path[-1]
        trust = self.known.weight(friend, following)
        # Without trust what is left is below zero, and looks like anything else.
        taken = self.known.most + 1 if trust is None else min(trust, self.known.most + 1)
        held = self._ciphertext(self.heard(friend, "limit")["held"])
        left = self.group.add(held, self.group.encrypt(self.joint, -taken, self.rng[friend]))
        firsts, seconds = (self._bytes(*parts) for parts in zip(*self._tests(left, friend), strict=True))
        self._relay(path[place:], "tests", firsts=firsts, seconds=seconds)
        self._relay(path[place::-1], "firsts", firsts=firsts)
        self._relay(path, "shares", shares=self._shares(path[0], half))
        self.tell(friend, following, "limit", held=self._bytes(*left))
        return self._decide(owner)

    def _relay(self, path: tuple[str, ...], kind: str, **parts: bytes) -> None:
        """Hand a message on along a path."""
        for sender, receiver in itertools.pairwise(path):
            self.tell(sender, receiver, kind, **parts)

    def _shares(self, requester: str, half: int) -> bytes:
        """Return the requester's half of the decryption of the last tests."""
        wanted = self._numbers(self.heard(requester, "firsts")["firsts"])
        return self._bytes(*(self.group.power(a, half) for a in wanted))

    def _tests(self, left: Ciphertext, friend: str) -> list[Ciphertext]:
        """Return blinded ciphertexts of (left - v) for v = 0 ... M, shuffled: one holds 0 unless it is below zero."""
        made, half, rng = [], self.group.power(2, -1), self.rng[friend]
        for _ in range(self.known.most + 1):
            made.append(self.group.blind(left, rng))
            left = Ciphertext(left.a, left.b * half % self.group.p)  # holds one less
        return [made[place] for place in rng.permutation(len(made))]

    def _decide(self, owner: str) -> bool:
        """Return whether one of the tests holds 0, from both halves of the decryption."""
        tests = self.heard(owner, "tests")
        every = zip(
            self._numbers(tests["firsts"]),
            self._numbers(tests["seconds"]),
            self._numbers(self.heard(owner, "shares")["shares"]),
            strict=True,
        )
        group = self.group
        # All are opened, so that the time does not tell which one it was.
        found = [a > 1 and b == group.power(a, self.secret) * share % group.p for a, b, share in every]
        return any(found)

    def _answer(self, path: tuple[str, ...], box: object, is_enough: bool) -> Access:
        owner, requester = path[-1], path[0]
        key = self.rng[owner].bytes(_SECRET)
        content = bytes([is_enough]) + (key if is_enough else bytes(_SECRET))
        sealed = seal_box(self.heard(owner, "request")["box"], content, self.rng[owner])
        self._relay(path[::-1], "answer", box=sealed)
        opened = open_box(box, self.heard(requester, "answer")["box"])
        return Access(
            granted=bool(opened[0]),
            secret=opened[1:] if opened[0] else None,
            seen={name: tuple(seen) for name, seen in self.seen.items()},
            path=path,
        )

    # --- numbers as bytes ---------------------------------------------------------------------------------------------------

    def _bytes(self, *numbers: int) -> bytes:
        return b"".join(number.to_bytes(self.group.size, "big") for number in numbers)

    def _numbers(self, text: bytes) -> list[int]:
        size = self.group.size
        return [int.from_bytes(text[i : i + size], "big") for i in range(0, len(text), size)]

    def _number(self, text: bytes) -> int:
        return int.from_bytes(text, "big")

    def _ciphertext(self, text: bytes) -> Ciphertext:
        a, b = self._numbers(text)
        return Ciphertext(a, b)
