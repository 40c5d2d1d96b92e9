"""The steward's switch: a data set that is closed answers nobody, until somebody opens it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tacita.core.errors import ParameterError
from tacita.web.accounts.store import Statements
from tacita.web.accounts.tokens import utc

__all__ = ["ClosedDataset", "close_one", "closed_now", "open_one"]


@dataclass(frozen=True)
class ClosedDataset:
    """Why a data set is closed.

    Parameters
    ----------
    by
        Who closed it.
    why
        His reason.
    since
        When.
    """

    by: str
    why: str
    since: datetime


def closed_now(statements: Statements) -> dict[str, ClosedDataset]:
    """Return the data sets that are closed."""
    found = statements.rows(
        "SELECT dataset, closed_by, why, since FROM tacita_closures WHERE ended IS NULL ORDER BY since DESC"
    )
    return {name: ClosedDataset(by, why, utc(since)) for name, by, why, since in found}


def close_one(statements: Statements, name: str, by: str, why: str, moment: float) -> None:
    """Close a data set; one that is closed already stays so, for the reason that it has."""
    if name not in closed_now(statements):
        statements.change(
            "INSERT INTO tacita_closures (dataset, since, closed_by, why) VALUES (?, ?, ?, ?)", (name, moment, by, why)
        )


def open_one(statements: Statements, name: str, by: str, moment: float) -> None:
    """Open a data set that is closed; who did so, and when, is kept.

    Raises
    ------
    ParameterError
        When it is not closed.
    """
    changed = statements.change(
        "UPDATE tacita_closures SET ended = ?, ended_by = ? WHERE dataset = ? AND ended IS NULL", (moment, by, name)
    )
    if not changed:
        raise ParameterError("'name' must be that of a data set that is closed; Accounts.closed lists them.")
