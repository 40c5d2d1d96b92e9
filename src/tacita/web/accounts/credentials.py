"""Tokens and sessions in the store: digests, never secrets."""

from __future__ import annotations

import math
from typing import NamedTuple

from tacita.core.errors import ParameterError
from tacita.web.accounts.store import Statements
from tacita.web.accounts.tokens import TokenFacts, digest_of, is_same_secret

__all__ = [
    "Credential",
    "all_tokens",
    "begin_session",
    "end_session",
    "find_session",
    "find_token",
    "keep_token",
    "revoke_token",
]

_FACTS = "id, user_name, role, organisation, datasets, created, expires, revoked"


class Credential(NamedTuple):
    """The token behind something that somebody showed, and when that ends by itself."""

    facts: TokenFacts
    end: float = math.inf

    def is_valid(self, moment: float) -> bool:
        """Whether it opens anything at a moment, in seconds since 1970."""
        return moment < self.end and self.facts.is_valid(moment)


def keep_token(statements: Statements, facts: TokenFacts, secret: str) -> None:
    """Keep a new token."""
    values = (*facts.to_row(), digest_of(secret))
    marks = ", ".join("?" * len(values))
    statements.change(f"INSERT INTO tacita_tokens ({_FACTS}, digest) VALUES ({marks})", values)


def all_tokens(statements: Statements) -> list[TokenFacts]:
    """Return what is known about every token, the oldest first."""
    rows = statements.rows(f"SELECT {_FACTS} FROM tacita_tokens ORDER BY created, id")
    return [TokenFacts.from_row(row) for row in rows]


def find_token(statements: Statements, number: str, secret: str) -> Credential | None:
    """Return the token of a number, when the secret is the right one."""
    rows = statements.rows(f"SELECT {_FACTS}, digest FROM tacita_tokens WHERE id = ?", (number,))
    is_same = is_same_secret(secret, rows[0][-1] if rows else None)
    return Credential(TokenFacts.from_row(rows[0][:-1])) if is_same else None


def revoke_token(statements: Statements, number: str, moment: float) -> TokenFacts:
    """End a token and its sessions.

    Raises
    ------
    ParameterError
        When there is no such token.
    """
    statements.change("UPDATE tacita_tokens SET revoked = ? WHERE id = ? AND revoked IS NULL", (moment, number))
    statements.change("DELETE FROM tacita_sessions WHERE token = ?", (number,))
    return _facts(statements, number)


def begin_session(statements: Statements, number: str, secret: str, moment: float, end: float) -> None:
    """Keep a new session of a token; those that are over go.

    Raises
    ------
    ParameterError
        When there is no such token, or it has ended.
    """
    if not _facts(statements, number).is_valid(moment):
        raise ParameterError("'visitor' must have a token that is valid, but it has ended or was revoked.")
    statements.change("DELETE FROM tacita_sessions WHERE expires <= ?", (moment,))
    statements.change(
        "INSERT INTO tacita_sessions (digest, token, expires) VALUES (?, ?, ?)", (digest_of(secret), number, end)
    )


def find_session(statements: Statements, secret: str) -> Credential | None:
    """Return the token behind a session."""
    rows = statements.rows("SELECT token, expires FROM tacita_sessions WHERE digest = ?", (digest_of(secret),))
    return Credential(_facts(statements, rows[0][0]), rows[0][1]) if rows else None


def end_session(statements: Statements, secret: str) -> None:
    """Forget a session."""
    statements.change("DELETE FROM tacita_sessions WHERE digest = ?", (digest_of(secret),))


def _facts(statements: Statements, number: str) -> TokenFacts:
    rows = statements.rows(f"SELECT {_FACTS} FROM tacita_tokens WHERE id = ?", (number,))
    if not rows:
        raise ParameterError("'id' must be the number of a token, and there is none of that number; list them.")
    return TokenFacts.from_row(rows[0])
