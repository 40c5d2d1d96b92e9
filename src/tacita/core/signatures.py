"""Signatures: who holds a secret key signs bytes, and whoever has its public part can tell (Ed25519)."""

from __future__ import annotations

from typing import Any

from tacita.core.keyed import Key

__all__ = ["is_signed", "public_part", "signature_of"]


def public_part(key: Key) -> str:
    """Return the public key that goes with a secret one, as hexadecimal digits; it says nothing about the secret."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return str(_signer(key).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex())


def signature_of(key: Key, content: bytes) -> bytes:
    """Return the signature below some bytes: 64 bytes, the same each time.

    Examples
    --------
    >>> key = Key(b"0123456789abcdef")
    >>> is_signed(public_part(key), b"text", signature_of(key, b"text"))
    True
    >>> is_signed(public_part(key), b"another text", signature_of(key, b"text"))
    False
    """
    return bytes(_signer(key).sign(content))


def is_signed(public: object, content: bytes, signature: bytes) -> bool:
    """Whether a signature holds; a public key that is none signs nothing."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(str(public))).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def _signer(key: Key) -> Any:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key.digest("signatures", "ed25519"))
