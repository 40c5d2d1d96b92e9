"""Keys of peers: a private one in a file that only its owner can read, a public one that everybody may know."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path
from typing import NoReturn

from tacita.core.errors import FileError, ParameterError, reason_of
from tacita.core.keyed import write_key_file

__all__ = ["KEY_LENGTH", "PeerKey", "fingerprint_of", "public_key_of", "read_public_key"]

KEY_LENGTH = 32
"""Bytes of a private and of a public key of X25519."""
_FORM = "tacita-peer-key-1"
_MOST_BYTES = 4096
_PUBLIC = re.compile(r"[0-9a-f]{64}")


class PeerKey:
    """The private key of a peer or of the back end: 32 bytes of X25519.

    Parameters
    ----------
    secret
        32 bytes that nobody else knows.

    Raises
    ------
    ParameterError
        When they are not 32 bytes.

    Notes
    -----
    Nothing that is printed shows the secret, and a key cannot be pickled. :meth:`write` is the one way in which it leaves.
    Drawn by the operating system, never from a seed.

    Examples
    --------
    >>> key = PeerKey.draw()
    >>> key, len(key.public)
    (PeerKey(secret), 32)
    """

    __slots__ = ("_secret", "public")

    def __init__(self, secret: bytes) -> None:
        if not isinstance(secret, bytes) or len(secret) != KEY_LENGTH:
            raise ParameterError(f"PeerKey: 'secret' must be {KEY_LENGTH} bytes; PeerKey.draw() makes one.")
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey  # loads when used

        self._secret = X25519PrivateKey.from_private_bytes(secret)
        self.public: bytes = self._secret.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return "PeerKey(secret)"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise ParameterError(
            "A key must not be pickled, since that would write the secret; keep it with PeerKey.write."
        )

    @classmethod
    def draw(cls) -> PeerKey:
        """Draw a fresh key from the operating system."""
        return cls(os.urandom(KEY_LENGTH))

    def shared_with(self, public: bytes) -> bytes:
        """Return the secret that this key and the owner of a public key have in common (X25519).

        Raises
        ------
        ParameterError
            When the public key is none: its length is wrong, or what is shared would be zero whoever asks.
        """
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey  # loads when used

        try:
            shared: bytes = self._secret.exchange(X25519PublicKey.from_public_bytes(public))
        except ValueError:
            raise ParameterError("PeerKey: this is no public key that can be talked to.") from None
        return shared

    # --- files ------------------------------------------------------------------------------------------------------------

    def write(self, path: str | Path) -> Path:
        """Write the key into a new file that only its owner can read; a file that is there stays.

        Raises
        ------
        FileError
            When there is such a file already, or it cannot be written; nothing is left of it then.
        """
        return write_key_file(path, f"{_FORM} {self._secret.private_bytes_raw().hex()}")

    @classmethod
    def read(cls, path: str | Path) -> PeerKey:
        """Read a key that :meth:`write` wrote.

        Raises
        ------
        FileError
            When the file cannot be read, is no such key, or others than its owner may read it.
        """
        path = Path(path)
        facts, content = _start_of(path, "The key file")
        if os.name == "posix" and facts.st_mode & 0o077:
            raise FileError(
                f"The key file '{path.name}' must be readable by its owner only; say 'chmod 600 {path.name}', and draw a new key "
                "if somebody else may have read it."
            )
        form, _, digits = content.decode("ascii", "replace").strip().partition(" ")
        if form != _FORM or not _PUBLIC.fullmatch(digits):
            raise FileError(f"The file '{path.name}' must hold a private key that 'tacita games peer key' made.")
        return cls(bytes.fromhex(digits))


def public_key_of(text: object, where: str) -> bytes:
    """Return the bytes of a public key that is written as 64 hexadecimal digits.

    Raises
    ------
    ParameterError
        When it is not; the message names the place.
    """
    plain = text.strip().lower() if isinstance(text, str) else ""
    if not _PUBLIC.fullmatch(plain):
        raise ParameterError(
            f"{where}: 'key' must be a public key, 64 hexadecimal digits as in the file that ends in .pub."
        )
    return bytes.fromhex(plain)


def read_public_key(path: str | Path) -> bytes:
    """Read a public key from the file beside a private one.

    Raises
    ------
    FileError
        When it cannot be read, or holds something else.
    """
    path = Path(path)
    _, content = _start_of(path, "The file")
    try:
        return public_key_of(content.decode("ascii", "replace"), f"'{path.name}'")
    except ParameterError:
        raise FileError(f"The file '{path.name}' must hold a public key: 64 hexadecimal digits.") from None


def fingerprint_of(public: bytes) -> str:
    """Return what two people can read to each other to see that they mean the same public key: 16 hexadecimal digits."""
    return hashlib.sha256(b"tacita-peer-fingerprint" + public).hexdigest()[:16]


def _start_of(path: Path, what: str) -> tuple[os.stat_result, bytes]:
    """Return what the system says of a file, and its first bytes."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited for, perhaps for ever
            raise FileError(f"{what} '{path.name}' cannot be read: it is a directory, or something else than a file.")
        with path.open("rb") as file:
            return os.fstat(file.fileno()), file.read(_MOST_BYTES)
    except FileError:
        raise
    except (OSError, ValueError) as error:
        raise FileError(f"{what} '{path.name}' cannot be read: {reason_of(error)}.") from None
