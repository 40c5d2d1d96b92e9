"""What must hold after faults: every answer has its entry, budgets count it, and the same question has the same answer."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.chaos.askers import Askers
from benchmarks.server.http_client import HttpConnection
from benchmarks.server.survey import DATASET
from tacita.core.keyed import Key
from tacita.query.journal.entry import canonical_json
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import verify
from tacita.web.accounts import open_accounts

__all__ = ["violations"]


def violations(folder: Path, asked: Askers, url: str, *, journal: Path, accounts: str = "") -> list[str]:
    """Return what does not hold; the server must run, and nobody else ask it.

    Parameters
    ----------
    folder
        Where the key and the accounts are.
    asked
        Everybody who asked since the journal began.
    url
        The server as it runs now.
    journal, accounts
        Where these are.
    """
    entered = Counter(
        canonical_json(dict(entry.request)) for entry in read_entries(journal, status="answered") if entry.request
    )
    got: Counter[bytes] = Counter()
    for bodies in asked.answers.values():
        for body, times in bodies.items():
            got[canonical_json(json.loads(body)["request"])] += times
    found = _count("answers without an entry", (got - entered).total())
    found += _count("questions with two answers", sum(len(bodies) > 1 for bodies in asked.answers.values()))
    found += _count("replies of another shape", asked.misshapen)
    spent = _spent(accounts or str(folder / "accounts.sqlite"))
    if not asked.received <= spent <= asked.sent:
        found.append(f"spent {spent}, but received {asked.received} and sent {asked.sent}")
    found += _count("answers that changed", asyncio.run(_changed(url, asked)))
    state: Any = verify(journal, key=Key.read(folder / "key")).state
    return found if state == "verified" else [*found, f"the journal is {state}"]


def _count(what: str, number: int) -> list[str]:
    return [f"{what}: {number}"] if number else []


def _spent(accounts: str) -> int:
    with open_accounts(accounts, create=False) as opened:
        return sum(row.spent for row in opened.spending() if row.dataset == DATASET)


async def _changed(url: str, asked: Askers) -> int:
    """Ask everything once more; return how many answers are not byte for byte what they were."""
    connection, changed = HttpConnection(url), 0
    for question, bodies in asked.answers.items():
        reply = await connection.post("/tabulate", question)
        changed += reply.body not in bodies
    connection.close()
    return changed
