"""Oblivious transfer, one of five: the recipient gets the item that it chose, and the office does not learn which.

With the group of order q, a generator g, and constants C_1, ..., C_4 whose logarithms nobody knows:

    office:     r,  sends R = g^r;
    recipient:  choice s, random k,  PK_s = g^k,  sends PK_0 = PK_s (s = 0) or C_s / PK_s;
    office:     keys PK_0^r and PK_i^r = C_i^r / PK_0^r,  sends item i encrypted by H(PK_i^r, i, where);
    recipient:  key PK_s^r = R^k.

PK_0 is uniform whatever s is, so that the choice is hidden without any assumption. The recipient knows the logarithm of one key
only, so it opens one item; that also binds it to its choice, which it shows to a judge by k and s.

References
----------
Naor, M., Pinkas, B. (2001). Efficient oblivious transfer protocols. SODA 2001, 448-457: protocol 3.1.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.release.recipients.exchange.group import (
    ELEMENT_BYTES,
    EXPONENT_BITS,
    GENERATOR,
    MODULUS,
    FixedBase,
    element_of,
    inverse,
    power,
)

__all__ = ["ITEMS", "DrawnItem", "Sender", "choose", "commitment", "constants", "open_item"]

ITEMS = 5
"""Items to choose from: one of five has the symbol that is rare at its place, so that its chance is 1/5."""
_TAG = 16


class DrawnItem(NamedTuple):
    """What a recipient drew for one transfer.

    Parameters
    ----------
    item
        Which of the five it wants.
    secret
        k.
    """

    item: int
    secret: int


class Sender:
    """The office's side of all transfers to one recipient.

    Parameters
    ----------
    secret
        Where r comes from; another one for each recipient.
    session
        What names the exchange: constants and keys are of this one only.
    """

    def __init__(self, secret: Key, session: bytes) -> None:
        self._session = session
        # Even, so that an element that is no square tells nothing of r.
        self._r = 2 * (1 + secret.integer(2 ** (EXPONENT_BITS - 1), "r", session))
        self.announced = power(GENERATOR, self._r)
        self._powers = [power(c, self._r) for c in constants(session)]

    def encrypt(self, place: int, asked: int, items: list[bytes]) -> list[bytes]:
        """Return the five items of a transfer, each under its own key. One power in the group."""
        first = power(asked, self._r)
        back = inverse(first)
        keys = [first, *(c * back % MODULUS for c in self._powers)]
        return [
            _locked(_key(key, self._session, place, i), item)
            for i, (key, item) in enumerate(zip(keys, items, strict=True))
        ]


def constants(session: bytes) -> list[int]:
    """Return C_1, ..., C_4."""
    return [element_of(b"constant|%d|" % i + session) for i in range(1, ITEMS)]


def choose(secret: Key, session: bytes, place: int) -> DrawnItem:
    """Draw a choice for one transfer; the same secret gives the same."""
    return DrawnItem(
        item=secret.integer(ITEMS, "item", session, place),
        secret=1 + secret.integer(2**EXPONENT_BITS, "k", session, place),
    )


def commitment(choice: DrawnItem, constants_of_session: list[int], generator: FixedBase) -> int:
    """Return PK_0: what the recipient sends, and is bound to. One power of the generator."""
    own = generator.power(choice.secret)
    return own if choice.item == 0 else constants_of_session[choice.item - 1] * inverse(own) % MODULUS


def open_item(choice: DrawnItem, announced: FixedBase, session: bytes, place: int, locked: list[bytes]) -> bytes:
    """Return the item that was chosen.

    Raises
    ------
    DataError
        When it does not open: it was damaged, or the office sent something else than it should.
    """
    key = _key(announced.power(choice.secret), session, place, choice.item)
    return _unlocked(key, locked[choice.item])


def _key(element: int, session: bytes, place: int, item: int) -> bytes:
    text = element.to_bytes(ELEMENT_BYTES, "big") + b"|%d|%d|" % (place, item) + session
    return hashlib.sha256(b"tacita-transfer-1|" + text).digest()


def _locked(key: bytes, item: bytes) -> bytes:
    stream = hashlib.shake_256(b"pad|" + key).digest(len(item))
    hidden = (int.from_bytes(item, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(item), "big")
    return hmac.digest(key, b"tag|" + hidden, hashlib.sha256)[:_TAG] + hidden


def _unlocked(key: bytes, locked: bytes) -> bytes:
    tag, hidden = locked[:_TAG], locked[_TAG:]
    if not hmac.compare_digest(tag, hmac.digest(key, b"tag|" + hidden, hashlib.sha256)[:_TAG]):
        raise DataError(
            "An item of the answer does not open. Keep the answer and go to the judge: asking the office again would tell it a "
            "choice."
        )
    stream = hashlib.shake_256(b"pad|" + key).digest(len(hidden))
    return (int.from_bytes(hidden, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(hidden), "big")
