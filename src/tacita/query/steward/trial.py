"""Trials: the same records and the same rules with an empty memory, so that a steward can ask without anything being counted."""

from __future__ import annotations

import itertools

from tacita.core.keyed import Key
from tacita.query.database import Database
from tacita.query.journal.memory import MemoryJournal
from tacita.query.policy.policy import Policy
from tacita.query.requests import KINDS_OF_REQUEST
from tacita.query.restrictions.table_size import TableSize

__all__ = ["exact_policy", "trial_of"]

_DAY = 86_400.0
_KEPT_PARTS = ("models", "correlations", "cutpoints")
"""Parts that say what is computed, not how it is protected."""


def exact_policy(like: Policy | None = None) -> Policy:
    """Return a policy that answers everything exactly: the truth that a policy is measured against, never for users.

    Parameters
    ----------
    like
        A policy whose limits on models are kept, so that its models have the same terms.

    Examples
    --------
    >>> exact_policy().cells.name
    'plain'
    """
    parts = {} if like is None else {word: part for word, part in like.parts.items() if word in _KEPT_PARTS}
    everything = TableSize(dimensions=100, cells=1_000_000, meeting=100)
    return Policy(name="exact", requests=tuple(sorted(KINDS_OF_REQUEST)), restrictions=(everything,), parts=parts)


def trial_of(db: Database, policy: Policy | None = None) -> Database:
    """Return a database on the same data version that remembers nothing yet and writes no journal to disk.

    Noise is that of the version, so its answers are those that users get; budgets, auditors and counts start afresh,
    and questions come a day apart, so that nobody waits.

    Parameters
    ----------
    db
        The database that is tried; nothing of it changes.
    policy
        Another policy on the same version.

    Notes
    -----
    Its answers are real answers: what leaves must leave through the database itself, which writes them down.
    """
    days = itertools.count()
    chosen = db.policy if policy is None else policy
    made = Database(
        db.version,
        chosen,
        MemoryJournal(keep=10),
        key=Key.draw(),
        now=lambda: _DAY * next(days),
        previous=db.previous,
    )
    made.replay()
    return made
