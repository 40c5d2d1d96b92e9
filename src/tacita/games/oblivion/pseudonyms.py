"""Pseudonyms: a registrar knows who is behind a key, and opens it for a signed finding and the holder's own receipt alone.

References
----------
Pfitzmann, B., Waidner, M. (1997). Anonymous fingerprinting. Advances in Cryptology - Eurocrypt '97, LNCS 1233, 88-102.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.errors import DataError, ParameterError

__all__ = ["Holder", "PseudonymCertificate", "Registrar", "Signer", "signature_holds"]


class Signer:
    """A key of Ed25519 that signs lists of texts and numbers.

    Parameters
    ----------
    rng
        Where the key comes from: in a simulation from the seed, so that whoever knows it can sign too.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(rng.bytes(32))

    def __repr__(self) -> str:
        return f"Signer {self.public.hex()[:8]}"

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return bytes(self._key.public_key().public_bytes_raw())

    def sign(self, *parts: Any) -> bytes:
        """Sign some texts and numbers, in their order."""
        return bytes(self._key.sign(_told(parts)))


def signature_holds(public: bytes, signature: bytes, *parts: Any) -> bool:
    """Return whether a signature is that of a public key, of these parts.

    Examples
    --------
    >>> signer = Signer(np.random.default_rng(1))
    >>> signed = signer.sign("receipt", 7)
    >>> signature_holds(signer.public, signed, "receipt", 7), signature_holds(signer.public, signed, "receipt", 8)
    (True, False)
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _told(parts))
    except (InvalidSignature, ValueError):
        return False
    return True


def _told(parts: tuple[Any, ...]) -> bytes:
    plain = [part.hex() if isinstance(part, bytes) else part for part in parts]
    return json.dumps(plain, ensure_ascii=True, separators=(",", ":")).encode()


@dataclass(frozen=True)
class PseudonymCertificate:
    """That a registrar knows who is behind a key; it does not say who.

    Parameters
    ----------
    pseudonym
        The public key of the holder.
    signature
        Of the registrar.
    """

    pseudonym: bytes
    signature: bytes = field(repr=False)


@dataclass(frozen=True)
class Holder:
    """A receiver with a pseudonym of hers, and its certificate."""

    signer: Signer
    certificate: PseudonymCertificate


class Registrar:
    """Enrols people under pseudonyms, several for each if they like, and keeps who they are.

    Parameters
    ----------
    rng
        Where the registrar's key comes from.

    Examples
    --------
    >>> registrar = Registrar(np.random.default_rng(1))
    >>> holder = registrar.enrol("Ada", np.random.default_rng(2))
    >>> registrar.knows(holder.certificate), "Ada" in repr(holder)
    (True, False)
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._signer = Signer(rng)
        self._names: dict[bytes, str] = {}
        self._office = b""

    def __repr__(self) -> str:
        return f"Registrar of {len(self._names)} pseudonyms"

    @property
    def public(self) -> bytes:
        """The key that certificates are checked with."""
        return self._signer.public

    def enrol(self, name: str, rng: np.random.Generator) -> Holder:
        """Give somebody a pseudonym: a fresh key, certified without the name.

        Parameters
        ----------
        name
            Who it is; it stays with the registrar.
        rng
            Where the key of the pseudonym comes from.
        """
        if not isinstance(name, str) or not name:
            raise ParameterError("Registrar: 'name' must be a text that is not empty.")
        signer = Signer(rng)
        if signer.public in self._names:
            raise ParameterError("Registrar: the pseudonym is taken; draw another one.")
        self._names[signer.public] = name
        return Holder(signer, PseudonymCertificate(signer.public, self._signer.sign("pseudonym", signer.public)))

    def knows(self, certificate: PseudonymCertificate) -> bool:
        """Return whether a certificate is one of this registrar."""
        return signature_holds(self.public, certificate.signature, "pseudonym", certificate.pseudonym)

    def trust(self, office: bytes) -> None:
        """Say whose findings open a pseudonym: the public key of the code office."""
        self._office = office

    def resolve(self, pseudonym: bytes, receipt: tuple[bytes, tuple[Any, ...]], finding: bytes) -> str:
        """Return who is behind a pseudonym, for a receipt that she signed and a finding that the code office signed.

        Parameters
        ----------
        pseudonym
            Whom a trace points at.
        receipt
            Her signature for the copy, and what it is of.
        finding
            The code office's signature of the pseudonym and of the receipt's signature.

        Raises
        ------
        DataError
            When the pseudonym is unknown, or one of the signatures does not hold: then no name is told.
        """
        signed, parts = receipt
        if pseudonym not in self._names:
            raise DataError("Registrar: the pseudonym is not one of this registrar.")
        if not signature_holds(pseudonym, signed, *parts):
            raise DataError("Registrar: the receipt is not signed by the pseudonym; no name is told.")
        if not signature_holds(self._office, finding, "finding", pseudonym, signed):
            raise DataError(
                "Registrar: the finding is not signed by the code office for this receipt; no name is told."
            )
        return self._names[pseudonym]
