"""The handshake Noise_XK_25519_ChaChaPoly_SHA256 and the two ciphers that come out of it; nothing here touches a socket.

The caller knows whom it calls; the called one learns who calls, and nobody else does::

    <- s                 the caller has the public key of the called one from the roster
    -> e, es             48 bytes: only the called one can answer this
    <- e, ee             48 bytes: the caller knows now who answers
    -> s, se             64 bytes: the called one knows now who calls

Keys of a conversation come from keys drawn for it alone (e, e), so whoever steals a private key later reads nothing of what was
said before. A message of another conversation, a second copy, or one out of order does not decrypt: each direction counts its
messages and the count is the nonce.
"""

from __future__ import annotations

import hashlib
from typing import Any

from tacita.core.errors import DataError, ParameterError
from tacita.games.peers.keys import KEY_LENGTH, PeerKey

__all__ = ["HANDSHAKE_LENGTHS", "MOST_MESSAGES", "TAG", "BrokenRulesError", "LineCipher", "NoiseCalled", "NoiseCaller"]

_PROTOCOL = b"Noise_XK_25519_ChaChaPoly_SHA256"  # 32 bytes, so it is its own hash (Noise, section 5.2)
TAG = 16
"""Bytes that a message is longer by when it is encrypted."""
HANDSHAKE_LENGTHS = (48, 48, 64)
"""Bytes of the three messages of a handshake without payloads."""
MOST_MESSAGES = 2**32
"""Messages of one direction; a conversation ends there, long before a nonce could come again."""


class BrokenRulesError(DataError):
    """Somebody at the other end of a line broke the rules, or the line broke; ``kind`` is what is counted."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class LineCipher:
    """One direction of a conversation: ChaCha20-Poly1305 under one key, with a count of messages as the nonce.

    Parameters
    ----------
    key
        32 bytes, used by this object alone.
    """

    __slots__ = ("_cipher", "_count")

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # loads when used

        self._cipher: Any = ChaCha20Poly1305(key)
        self._count = 0

    def __repr__(self) -> str:
        return "LineCipher(secret)"

    def encrypt(self, plain: bytes, beside: bytes = b"") -> bytes:
        """Return the next message, encrypted; ``beside`` is authenticated and not encrypted."""
        made: bytes = self._cipher.encrypt(self._nonce(), plain, beside)
        self._count += 1
        return made

    def decrypt(self, message: bytes, beside: bytes = b"") -> bytes:
        """Return what the next message says.

        Raises
        ------
        BrokenRulesError
            When it is not the next message of this conversation, or was changed on its way.
        """
        from cryptography.exceptions import InvalidTag  # loads when used

        try:
            plain: bytes = self._cipher.decrypt(self._nonce(), message, beside)
        except InvalidTag:
            raise BrokenRulesError("forged", "A message was not the next one of this conversation.") from None
        self._count += 1
        return plain

    def _nonce(self) -> bytes:
        if self._count >= MOST_MESSAGES:
            raise BrokenRulesError("spent", "A conversation has used up its messages; it must be begun anew.")
        return bytes(4) + self._count.to_bytes(8, "little")  # Noise, section 12.3


class _Transcript:
    """The state that both sides mix everything into (Noise, section 5.2)."""

    def __init__(self, prologue: bytes, called: bytes) -> None:
        self.digest = self.chain = _PROTOCOL
        self.cipher: LineCipher | None = None
        self.mix(prologue)
        self.mix(called)  # the message before the first: <- s

    def mix(self, data: bytes) -> None:
        self.digest = hashlib.sha256(self.digest + data).digest()

    def mix_shared(self, own: PeerKey, theirs: bytes) -> None:
        try:
            shared = own.shared_with(theirs)
        except ParameterError:
            raise BrokenRulesError("forged", "A handshake brought a key that is none.") from None
        self.chain, key = _two_keys(self.chain, shared)
        self.cipher = LineCipher(key)

    def write(self, plain: bytes) -> bytes:
        made = plain if self.cipher is None else self.cipher.encrypt(plain, self.digest)
        self.mix(made)
        return made

    def read(self, message: bytes) -> bytes:
        plain = message if self.cipher is None else self.cipher.decrypt(message, self.digest)
        self.mix(message)
        return plain

    def split(self) -> tuple[LineCipher, LineCipher]:
        first, second = _two_keys(self.chain, b"")
        return LineCipher(first), LineCipher(second)


def _two_keys(chain: bytes, shared: bytes) -> tuple[bytes, bytes]:
    """HKDF of Noise, section 4.3: RFC 5869 with the chain as salt and nothing as info."""
    from cryptography.hazmat.primitives.hashes import SHA256  # loads when used
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    made: bytes = HKDF(SHA256(), 2 * KEY_LENGTH, salt=chain, info=b"").derive(shared)
    return made[:KEY_LENGTH], made[KEY_LENGTH:]


class NoiseCaller:
    """The side that calls: :meth:`first`, then :meth:`third` of what came back, then :attr:`ciphers`.

    Parameters
    ----------
    own
        The private key of the caller.
    called
        The public key of whom it calls.
    prologue
        What both must agree on beforehand: the name and version of the protocol.
    ephemeral
        For tests with published numbers only; None draws a fresh one.
    """

    def __init__(self, own: PeerKey, called: bytes, prologue: bytes, *, ephemeral: PeerKey | None = None) -> None:
        self._own, self._called = own, called
        self._fresh = ephemeral or PeerKey.draw()
        self._state = _Transcript(prologue, called)

    def first(self, payload: bytes = b"") -> bytes:
        """Return ``-> e, es``."""
        self._state.mix(self._fresh.public)
        self._state.mix_shared(self._fresh, self._called)
        return self._fresh.public + self._state.write(payload)

    def third(self, second: bytes, payload: bytes = b"") -> tuple[bytes, bytes]:
        """Read ``<- e, ee`` and return ``-> s, se``, with the payload that came."""
        theirs = _key_in_front(second)
        self._state.mix(theirs)
        self._state.mix_shared(self._fresh, theirs)
        came = self._state.read(second[KEY_LENGTH:])
        said = self._state.write(self._own.public)
        self._state.mix_shared(self._own, theirs)
        return said + self._state.write(payload), came

    def ciphers(self) -> tuple[LineCipher, LineCipher]:
        """Return the ciphers for sending and for receiving, after :meth:`third`; once."""
        return self._state.split()


class NoiseCalled:
    """The side that is called: :meth:`second` of the first message, :meth:`last` of the third, then :attr:`ciphers`.

    Parameters
    ----------
    own, prologue, ephemeral
        As for :class:`NoiseCaller`.
    """

    def __init__(self, own: PeerKey, prologue: bytes, *, ephemeral: PeerKey | None = None) -> None:
        self._own = own
        self._fresh = ephemeral or PeerKey.draw()
        self._state = _Transcript(prologue, own.public)
        self._theirs = b""

    def second(self, first: bytes, payload: bytes = b"") -> tuple[bytes, bytes]:
        """Read ``-> e, es`` and return ``<- e, ee``, with the payload that came."""
        self._theirs = _key_in_front(first)
        self._state.mix(self._theirs)
        self._state.mix_shared(self._own, self._theirs)
        came = self._state.read(first[KEY_LENGTH:])
        self._state.mix(self._fresh.public)
        self._state.mix_shared(self._fresh, self._theirs)
        return self._fresh.public + self._state.write(payload), came

    def last(self, third: bytes) -> tuple[bytes, bytes]:
        """Read ``-> s, se`` and return the public key of the caller, with the payload that came.

        Raises
        ------
        BrokenRulesError
            When the caller does not own the key that it shows.
        """
        sealed = KEY_LENGTH + TAG
        if len(third) < sealed + TAG:
            raise BrokenRulesError("forged", "A handshake is too short.")
        caller = self._state.read(third[:sealed])
        self._state.mix_shared(self._fresh, caller)
        return caller, self._state.read(third[sealed:])

    def ciphers(self) -> tuple[LineCipher, LineCipher]:
        """Return the ciphers for sending and for receiving, after :meth:`last`; once."""
        receiving, sending = self._state.split()
        return sending, receiving


def _key_in_front(message: bytes) -> bytes:
    if len(message) < KEY_LENGTH + TAG:
        raise BrokenRulesError("forged", "A handshake is too short.")
    return message[:KEY_LENGTH]
