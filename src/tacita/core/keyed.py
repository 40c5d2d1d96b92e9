"""Keyed randomness: numbers that only the holder of a secret key can repeat, found by what they are for.

A *seed* makes work reproducible; a *key* keeps noise secret. The same key and the same labels give the same number for ever,
so the same question about the same records gets the same noise, and nobody without the key can take it out again.
"""

from __future__ import annotations

import hashlib
import hmac
import operator
import os
import secrets
from itertools import pairwise
from pathlib import Path
from typing import NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import IntArray
from tacita.core.errors import FileError, ParameterError, reason_of

__all__ = ["LEAST_BYTES", "Key", "KeyLike", "KeyPart", "write_key_file"]

LEAST_BYTES = 16
"""Keys with fewer bytes can be found by trying them all."""

KEY_BYTES = 32
MOST_BYTES = 4096
KeyPart: TypeAlias = bytes | str | int


class Key:
    """A secret key, and what is drawn from it.

    Parameters
    ----------
    secret
        At least 16 bytes that nobody else knows.

    Raises
    ------
    ParameterError
        When the secret is shorter.

    Notes
    -----
    Every number is HMAC-SHA256 of the key over length-prefixed parts, so parts never run into each other. Longer streams come
    from Philox, whose key is such a digest: quick, and repeatable on every machine; it is not claimed to be a cipher, the
    digest that keys it is out of reach of whoever sees the stream.

    Nothing that is printed shows the secret, and a key cannot be pickled: caches and processes would keep it in the clear.
    :meth:`write` is the one way in which it leaves.

    Examples
    --------
    >>> key = Key(b"0123456789abcdef")
    >>> key.uniform("noise", 7) == Key(b"0123456789abcdef").uniform("noise", 7)
    True
    >>> key
    Key(secret)
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if not isinstance(secret, bytes):
            raise ParameterError(f"'key' must be bytes, a file with a key or a Key, got {type(secret).__name__}.")
        if len(secret) < LEAST_BYTES:
            raise ParameterError(
                f"'key' must have at least {LEAST_BYTES} bytes, got {len(secret)}; draw one with Key.draw()."
            )
        self._secret = secret

    def __repr__(self) -> str:
        return "Key(secret)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and hmac.compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash(self.digest("hash"))

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise ParameterError("A key must not be pickled, since that would write the secret; keep it with Key.write.")

    def __copy__(self) -> Key:
        return self

    def __deepcopy__(self, memo: object) -> Key:
        return self

    # --- where a key comes from --------------------------------------------------------------------------------------

    @classmethod
    def draw(cls) -> Key:
        """Draw a fresh key of 32 bytes from the operating system."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def of(cls, given: KeyLike) -> Key:
        """Return a key from what a user may give: a key, bytes, or the path of a file that holds one.

        Raises
        ------
        ParameterError
            When it is none of these, or too short.
        FileError
            When the file cannot be read. The message does not name it: somebody may have given the key itself as a text.
        """
        if isinstance(given, Key):
            return given
        if isinstance(given, bytes):
            return cls(given)
        if isinstance(given, Path):
            return cls.read(given)
        if isinstance(given, str):
            return cls._read(
                Path(given), "The key file", " A text is the name of a file; a key itself is given as bytes."
            )
        raise ParameterError(f"'key' must be bytes, a file with a key or a Key, got {type(given).__name__}.")

    @classmethod
    def read(cls, path: str | Path) -> Key:
        """Read a key from a file: hexadecimal digits, or the bytes themselves.

        Raises
        ------
        FileError
            When the file cannot be read, or is too short to be a key.
        """
        path = Path(path)
        return cls._read(path, f"The key file '{path.name}'")

    @classmethod
    def _read(cls, path: Path, shown: str, hint: str = "") -> Key:
        """Read a key file that messages call as shown."""
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            raise FileError(f"{shown} cannot be read: {reason_of(error)}.{hint}") from None
        try:
            secret = bytes.fromhex(content.strip().decode("ascii"))
        except ValueError:
            secret = content
        # The length of the file is looked at, not that of the key: the rest of a longer file would be left out silently.
        if len(secret) < LEAST_BYTES or len(content) > MOST_BYTES:
            raise FileError(
                f"{shown} must hold a key of at least {LEAST_BYTES} bytes ({2 * LEAST_BYTES} hexadecimal digits) "
                f"in at most {MOST_BYTES} bytes.{hint}"
            )
        return cls(secret)

    def write(self, path: str | Path) -> Path:
        """Write the key as hexadecimal digits into a new file that only its owner can read; an existing file stays.

        Raises
        ------
        FileError
            When there is such a file already, or it cannot be written; nothing is left of it then.
        """
        return write_key_file(path, self._secret.hex())

    @property
    def is_guessable(self) -> bool:
        """Whether the key looks like one of an example: few different bytes, bytes that count up, or such a word in it."""
        secret = self._secret
        counts_up = all(b - a == 1 for a, b in pairwise(secret))
        words = (b"default", b"changeme", b"secret", b"password", b"example", b"0123456789")
        return len(set(secret)) < 8 or counts_up or any(word in secret.lower() for word in words)

    @property
    def fingerprint(self) -> str:
        """What tells this key from others and says nothing about it: 16 hexadecimal digits."""
        return self.digest("fingerprint")[:8].hex()

    # --- what is drawn from it ---------------------------------------------------------------------------------------

    def digest(self, *parts: KeyPart) -> bytes:
        """Return HMAC-SHA256 of the parts: 32 bytes that look random to everybody else."""
        return hmac.digest(self._secret, b"".join(map(_framed, parts)), hashlib.sha256)

    def derive(self, *labels: str) -> Key:
        """Return a key for one purpose; what is drawn from it says nothing about other purposes."""
        return Key(self.digest("derive", *labels))

    def integer(self, below: int, *parts: KeyPart) -> int:
        """Return a whole number, uniform on 0, ..., ``below`` - 1 (256 bits taken modulo, a bias below 2**-190)."""
        if below < 1:
            raise ParameterError(f"Key.integer: 'below' must be at least 1, got {below}.")
        return int.from_bytes(self.digest(*parts), "big") % below

    def uniform(self, *parts: KeyPart) -> float:
        """Return a number in [0, 1) with 53 bits."""
        return (int.from_bytes(self.digest(*parts)[:8], "big") >> 11) * 2.0**-53

    def generator(self, *parts: KeyPart) -> np.random.Generator:
        """Return a stream of random numbers for these parts."""
        words = np.frombuffer(self.digest(*parts)[:16], dtype="<u8").astype(np.uint64)
        return np.random.Generator(np.random.Philox(key=words))

    def record_keys(self, ids: npt.NDArray[np.uint64]) -> IntArray:
        """Return two keyed hashes of 31 bits for each record, as (n, 2) int64.

        Sums of them over a set of records are exact in 64 bits up to 2**32 records, whoever adds them up and in whatever
        order; two sets with the same two sums, and the same number of records, are the same set but for a chance of about
        2**-62.

        Parameters
        ----------
        ids
            (n,) or (n, 2): what identifies each record, in 64 or 128 bits.

        Raises
        ------
        ParameterError
            When the ids have another shape.

        Notes
        -----
        Each hash is a part of one block of AES under a key of its own. O(n) time, 32 bytes a record while it works.
        """
        if np.ndim(ids) not in (1, 2) or np.shape(ids)[1:] not in ((), (2,)):
            raise ParameterError(f"Key.record_keys: 'ids' must be (n,) or (n, 2), got {np.shape(ids)}.")
        blocks = np.zeros((len(ids), 2), dtype="<u8")
        words = np.asarray(ids, dtype=np.uint64)
        blocks[:, : words.ndim] = words[:, None] if words.ndim == 1 else words
        return (self._encrypted(blocks) >> np.uint64(33)).astype(np.int64)

    def record_order(self, ids: npt.NDArray[np.uint64], *parts: KeyPart) -> npt.NDArray[np.uint64]:
        """Return one keyed number of 64 bits for each record and these parts: the smallest ones are a random choice.

        Parameters
        ----------
        ids
            (n,): what identifies each record.
        parts
            What the choice is for.

        Raises
        ------
        ParameterError
            When the ids have another shape.
        """
        if np.ndim(ids) != 1:
            raise ParameterError(f"Key.record_order: 'ids' must be (n,), got {np.shape(ids)}.")
        blocks = np.zeros((len(ids), 2), dtype="<u8")
        blocks[:, 0] = ids
        return np.ascontiguousarray(Key(self.digest("record order", *parts))._encrypted(blocks)[:, 0])

    def _encrypted(self, blocks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Encrypt each row, a block of 128 bits, on its own: a keyed hash of the row."""
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # loads when used

        cipher = Cipher(algorithms.AES(self.digest("blocks")), modes.ECB()).encryptor()
        return np.frombuffer(cipher.update(blocks.tobytes()) + cipher.finalize(), dtype="<u8").reshape(blocks.shape)


KeyLike: TypeAlias = Key | bytes | str | Path


def _framed(part: KeyPart) -> bytes:
    """Write a part with its kind and length before it, so that different parts never give the same bytes."""
    if isinstance(part, bytes):
        return b"b%d:" % len(part) + part
    if isinstance(part, str):
        text = part.encode("utf-8", "surrogatepass")  # half a pair can stand in JSON
        return b"s%d:" % len(text) + text
    try:
        text = b"%d" % operator.index(part)
    except TypeError:  # 1.2 and 1.9 would be one number
        raise ParameterError(
            f"Key: a part must be bytes, a text or a whole number, got {type(part).__name__}."
        ) from None
    return b"i%d:" % len(text) + text


def write_key_file(path: str | Path, line: str) -> Path:
    """Write one line with a secret into a new file that only its owner can read; an existing file stays.

    Raises
    ------
    FileError
        When there is such a file already, or it cannot be written; nothing is left of it then.
    """
    path = Path(path)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except (OSError, ValueError) as error:
        raise FileError(f"The key file '{path.name}' cannot be written: {reason_of(error)}.") from None
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)  # half a key would be read as another one
        raise FileError(f"The key file '{path.name}' cannot be written: {reason_of(error)}.") from None
    return path
