"""Tokens: a text that is shown once, and what is kept of it.

A token is ``tacita_NUMBER_SECRET``. The number finds its row; of the secret, 256 bits from the operating system, only SHA-256 is
kept. A secret of that length needs no slow hash: nobody can try them out.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from tacita.core.errors import ParameterError
from tacita.web.accounts.visitor import ANONYMOUS, EVERY, Role, Visitor, check_name, check_role

__all__ = [
    "NewToken",
    "TokenFacts",
    "digest_of",
    "draw_secret",
    "draw_token",
    "is_same_secret",
    "is_secret",
    "split_token",
    "utc",
]

_NUMBER_BYTES, _SECRET_BYTES = 8, 32
_TOKEN = re.compile(rf"tacita_([0-9a-f]{{{2 * _NUMBER_BYTES}}})_([0-9a-f]{{{2 * _SECRET_BYTES}}})", re.ASCII)
_SECRET = re.compile(rf"[0-9a-f]{{{2 * _SECRET_BYTES}}}", re.ASCII)
_NO_DIGEST = "0" * 64
_MOST_DATASETS = 1000


@dataclass(frozen=True)
class TokenFacts:
    """What is known about a token; not the token.

    Parameters
    ----------
    id
        Its number, 16 hexadecimal digits.
    user, role, organisation, datasets
        Whom it stands for, and what he may see.
    created
        When it was made.
    expires
        When it ends; None for never.
    revoked
        When it was revoked; None when it was not.
    """

    id: str
    user: str
    role: Role
    organisation: str
    datasets: tuple[str, ...]
    created: datetime
    expires: datetime | None = None
    revoked: datetime | None = None

    def is_valid(self, moment: float) -> bool:
        """Whether the token opens anything at a moment, in seconds since 1970."""
        return self.revoked is None and (self.expires is None or moment < self.expires.timestamp())

    def visitor(self, address: str = "") -> Visitor:
        """Return the visitor that the token stands for."""
        return Visitor(self.user, self.role, self.organisation, self.datasets, address, self.id)

    def to_plain(self) -> dict[str, Any]:
        """Return the plain form; times as texts."""
        plain = {**asdict(self), "datasets": list(self.datasets)}
        for name in ("created", "expires", "revoked"):
            moment: datetime | None = getattr(self, name)
            plain[name] = None if moment is None else moment.isoformat(timespec="seconds")
        return plain

    # --- in a store ------------------------------------------------------------------------------------------------------

    def to_row(self) -> tuple[Any, ...]:
        """Return the values of its row, without the digest."""
        times = [None if t is None else t.timestamp() for t in (self.created, self.expires, self.revoked)]
        return (self.id, self.user, self.role, self.organisation, json.dumps(self.datasets), *times)

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> TokenFacts:
        """Read the values of a row."""
        number, user, role, organisation, datasets, created, expires, revoked = row
        ends = [None if t is None else utc(t) for t in (expires, revoked)]
        return cls(number, user, role, organisation, tuple(json.loads(datasets)), utc(created), *ends)


@dataclass(frozen=True)
class NewToken:
    """A token that was made just now.

    Parameters
    ----------
    text
        The token itself; it is shown once and kept nowhere.
    facts
        What is kept.
    """

    text: str = field(repr=False)
    facts: TokenFacts


def draw_token(
    *,
    user: str,
    role: str,
    organisation: str,
    datasets: Sequence[str],
    expires: datetime | None,
    moment: float,
) -> NewToken:
    """Draw a fresh token; nothing is kept of it yet.

    Raises
    ------
    ParameterError
        When a name cannot be one, there is no such role, or the token would have ended already.
    """
    if check_name(user, "user").startswith(ANONYMOUS):
        raise ParameterError(f"'user' must not begin with '{ANONYMOUS}': those are visitors without a token.")
    if not isinstance(datasets, tuple | list) or not 1 <= len(datasets) <= _MOST_DATASETS:
        raise ParameterError(f"'datasets' must be 1 to {_MOST_DATASETS} names, or ('{EVERY}',) for all.")
    if expires is not None and expires.tzinfo is None:
        raise ParameterError("'expires' must have a time zone; use datetime.now(UTC) + timedelta(days=90).")
    if expires is not None and expires.timestamp() <= moment:
        raise ParameterError("'expires' must lie in the future.")
    facts = TokenFacts(
        id=secrets.token_hex(_NUMBER_BYTES),
        user=user,
        role=check_role(role),
        organisation=check_name(organisation, "organisation", may_be_empty=True),
        datasets=tuple(check_name(name, "datasets") for name in datasets),
        created=utc(moment),
        expires=None if expires is None else expires.astimezone(UTC),
    )
    return NewToken(f"tacita_{facts.id}_{draw_secret()}", facts)


def draw_secret() -> str:
    """Return 256 bits from the operating system as hexadecimal digits."""
    return secrets.token_hex(_SECRET_BYTES)


def is_secret(text: object) -> bool:
    """Whether a text has the form of what :func:`draw_secret` returns."""
    return isinstance(text, str) and _SECRET.fullmatch(text) is not None


def split_token(text: object) -> tuple[str, str] | None:
    """Return number and secret of a token; None for whatever has not the form of one, however long it is."""
    found = _TOKEN.fullmatch(text) if isinstance(text, str) else None
    return None if found is None else (found[1], found[2])


def digest_of(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def is_same_secret(secret: str, digest: str | None) -> bool:
    """Whether a secret is the one that a digest was made of, in a time that does not tell how near it was."""
    is_same = hmac.compare_digest(digest_of(secret), digest or _NO_DIGEST)
    return is_same and digest is not None


def utc(moment: float) -> datetime:
    """Return a moment, in seconds since 1970, as a time in UTC."""
    return datetime.fromtimestamp(moment, UTC)
