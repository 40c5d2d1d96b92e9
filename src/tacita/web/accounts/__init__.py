"""Accounts of the server: who may use it, and how much.

In come texts of tokens, addresses and rules of budgets; out come visitors, sessions and reservations. They are kept in an SQLite
file or in a PostgreSQL database. Read ``accounts.py`` first, then ``visitor.py`` and ``budget.py``; no file here knows HTTP.
"""

from tacita.web.accounts.accounts import Accounts, open_accounts
from tacita.web.accounts.budget import BudgetRule, Reservation, SpendingRow
from tacita.web.accounts.copies import restore_accounts
from tacita.web.accounts.datasets import ClosedDataset
from tacita.web.accounts.store import AccountsUnavailable
from tacita.web.accounts.tokens import NewToken, TokenFacts
from tacita.web.accounts.visitor import Role, Visitor, address_range

__all__ = [
    "Accounts",
    "AccountsUnavailable",
    "BudgetRule",
    "ClosedDataset",
    "NewToken",
    "Reservation",
    "Role",
    "SpendingRow",
    "TokenFacts",
    "Visitor",
    "address_range",
    "open_accounts",
    "restore_accounts",
]
