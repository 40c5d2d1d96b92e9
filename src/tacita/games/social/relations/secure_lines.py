"""Lines between friends: messages that nobody else can read, change, repeat or send in their name; and boxes for one reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tacita.core.errors import DataError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["BOX", "FriendLine", "new_key", "open_box", "public_of", "seal_box"]

_KEY = 32
BOX = _KEY + 16
"""By how many bytes a sealed box is longer than what is in it: the key of its sender, and the tag."""


@dataclass
class FriendLine:
    """One end of a line between two friends, from the private key of one and the public key of the other.

    X25519 and HKDF give a key for each direction, ChaCha20-Poly1305 seals, and counters refuse what comes twice or out of order.

    Parameters
    ----------
    own, other
        Private key of this end, public key of the other one.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> ann, ben = new_key(rng), new_key(rng)
    >>> FriendLine(ben, public_of(ann)).open(FriendLine(ann, public_of(ben)).seal(b"hello"))
    b'hello'
    """

    own: Any = field(repr=False)
    other: bytes
    _sent: int = 0
    _heard: int = 0

    def __post_init__(self) -> None:
        shared, mine = _agree(self.own, self.other), public_of(self.own)
        self._sends = _derived(shared, b"line" + mine + self.other)
        self._hears = _derived(shared, b"line" + self.other + mine)

    def seal(self, message: bytes) -> bytes:
        """Return what is sent over the line for a message."""
        self._sent += 1
        return _cipher(self._sends).encrypt(self._sent.to_bytes(12, "big"), message, None)  # type: ignore[no-any-return]

    def open(self, sealed: bytes) -> bytes:
        """Return the message that comes next.

        Raises
        ------
        DataError
            When it was changed, is not from the friend, or comes twice or out of order.
        """
        from cryptography.exceptions import InvalidTag

        try:
            message = _cipher(self._hears).decrypt((self._heard + 1).to_bytes(12, "big"), sealed, None)
        except InvalidTag:
            raise DataError("A line: a message was changed on its way, or comes twice or out of order.") from None
        self._heard += 1
        return message  # type: ignore[no-any-return]


def new_key(rng: np.random.Generator) -> Any:
    """Draw a private key of X25519."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(rng.bytes(_KEY))


def public_of(private: Any) -> bytes:
    """Return the public key of a private one."""
    return private.public_key().public_bytes_raw()  # type: ignore[no-any-return]


def seal_box(public: bytes, content: bytes, rng: np.random.Generator) -> bytes:
    """Return a box that the owner of a public key alone can open, and that does not tell who sealed it."""
    sender = new_key(rng)
    key = _derived(_agree(sender, public), b"box" + public_of(sender) + public)
    return public_of(sender) + _cipher(key).encrypt(bytes(12), content, None)  # type: ignore[no-any-return]


def open_box(private: Any, box: bytes) -> bytes:
    """Return what is in a box.

    Raises
    ------
    DataError
        When it is not for this key, or was changed.
    """
    from cryptography.exceptions import InvalidTag

    key = _derived(_agree(private, box[:_KEY]), b"box" + box[:_KEY] + public_of(private))
    try:
        return _cipher(key).decrypt(bytes(12), box[_KEY:], None)  # type: ignore[no-any-return]
    except InvalidTag:
        raise DataError("open_box: the box is not for this key, or was changed.") from None


def _agree(private: Any, public: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    try:
        return private.exchange(X25519PublicKey.from_public_bytes(public))  # type: ignore[no-any-return]
    except ValueError:
        raise DataError("A line: a public key is none.") from None


def _derived(shared: bytes, info: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=_KEY, salt=None, info=info).derive(shared)  # type: ignore[no-any-return]


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key)
