"""Messages between office and recipient: JSON files, each signed by who wrote it (Ed25519)."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tacita.core.errors import DataError, FileError
from tacita.core.keyed import Key
from tacita.core.metadata import LARGE, parse_json, read_text
from tacita.core.signatures import is_signed, public_part, signature_of

__all__ = ["check_signed", "from_base64", "read_exchange_message", "sign", "to_base64", "write_exchange_message"]


def sign(body: dict[str, Any], key: Key) -> dict[str, Any]:
    """Return a message with the writer's public key and signature.

    Examples
    --------
    >>> message = sign({"kind": "offer"}, Key(b"0123456789abcdef"))
    >>> check_signed(message, "offer", message["by"])["kind"]
    'offer'
    """
    told = {**body, "by": public_part(key)}
    return {**told, "signature": to_base64(signature_of(key, _canonical(told)))}


def check_signed(message: Any, kind: str, by: str | None = None) -> dict[str, Any]:
    """Return a message of a kind whose signature holds.

    Parameters
    ----------
    message
        As it was read.
    kind
        offer, request or answer.
    by
        The public key of who must have signed it; None takes the one that it names.

    Raises
    ------
    DataError
        When it is another kind, was changed, or was signed by somebody else.
    """
    if not isinstance(message, dict) or message.get("kind") != kind:
        raise DataError(f"The message must be {'an' if kind[0] in 'ao' else 'a'} {kind}.")
    signer = message.get("by")
    if by is not None and signer != by:
        raise DataError(f"The {kind} was signed with another key.")
    told = {name: value for name, value in message.items() if name != "signature"}
    try:
        holds = is_signed(signer, _canonical(told), from_base64(message.get("signature")))
    except DataError:
        holds = False
    if not holds:
        raise DataError(f"The signature of the {kind} does not hold: it was changed, or not signed by who it says.")
    return message


def read_exchange_message(path: str | Path, kind: str) -> Any:
    """Read a message as it stands; :func:`check_signed` says whether it holds.

    Raises
    ------
    FileError
        When the file cannot be read or is no JSON.
    """
    what = f"The file of the {kind}"
    found = parse_json(read_text(path, what, limits=LARGE), what, limits=LARGE)
    if not isinstance(found, dict):
        raise FileError(f"{what} '{Path(path).name}' holds no message.")
    return found


def write_exchange_message(message: dict[str, Any], path: str | Path) -> Path:
    """Write a message into a file that its owner alone can read; an earlier one is replaced whole."""
    from tacita.data.atomic import atomic_file

    with atomic_file(path, private=True) as temporary:
        temporary.write_text(json.dumps(message, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return Path(path)


def to_base64(content: bytes) -> str:
    """Return bytes as a text of JSON."""
    return base64.b64encode(content).decode("ascii")


def from_base64(text: object) -> bytes:
    """Read bytes from a text of JSON.

    Raises
    ------
    DataError
        When it is none.
    """
    try:
        return base64.b64decode(str(text).encode("ascii"), validate=True)
    except ValueError:
        raise DataError("A message is damaged: what should be bytes are none.") from None


def _canonical(told: dict[str, Any]) -> bytes:
    return b"tacita-exchange-1|" + json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
