"""The accounts of a server: tokens, sessions, budgets, and the switch that closes a data set."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Self

from tacita.core.errors import ParameterError
from tacita.web.accounts import datasets as switch
from tacita.web.accounts.budget import BudgetRule, Reservation, SpendingRow
from tacita.web.accounts.copies import copy_accounts
from tacita.web.accounts.credentials import (
    Credential,
    all_tokens,
    begin_session,
    end_session,
    find_session,
    find_token,
    keep_token,
    revoke_token,
)
from tacita.web.accounts.place import Place, open_accounts_store
from tacita.web.accounts.remembered import ShortMemory
from tacita.web.accounts.spending import Asked, check_asked, reserve_all, spent_so_far
from tacita.web.accounts.store import AccountsStore, Statements
from tacita.web.accounts.tokens import (
    NewToken,
    TokenFacts,
    digest_of,
    draw_secret,
    draw_token,
    is_secret,
    split_token,
)
from tacita.web.accounts.visitor import Role, Visitor, check_name

__all__ = ["CLOSED_SECONDS", "TOKEN_SECONDS", "Accounts", "open_accounts"]

TOKEN_SECONDS = 2.0
"""How long a process may go on to believe in a token or a session that another process has ended."""
CLOSED_SECONDS = 0.5
"""How long a process may go on to believe that a data set is open, or closed."""

_LONGEST_SESSION = 24 * 31
_LONGEST_REASON = 2000


def open_accounts(place: Place, *, now: Callable[[], float] = time.time, create: bool = True) -> Accounts:
    """Open the accounts of a server.

    Parameters
    ----------
    place
        The name of an SQLite file, or the address of a PostgreSQL database, ``postgresql://USER@HOST/NAME``.
    now
        The clock, in seconds since 1970.
    create
        Whether to make the file and its tables where there are none. Only its owner can read a new file.

    Returns
    -------
    Accounts
        The accounts.

    Raises
    ------
    FileError
        When the file is none of accounts or of a later form, or there is none and ``create`` is false.
    ParameterError
        When the place is neither, or the driver of PostgreSQL is not installed.
    AccountsUnavailable
        When it cannot be reached.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open_accounts(f"{folder}/accounts.sqlite") as accounts:
    ...     made = accounts.new_token(user="ann", role="researcher", datasets=("survey",))
    ...     accounts.who(made.text).user
    'ann'
    """
    return Accounts(open_accounts_store(place, create=create), now=now)


class Accounts:
    """Who may use the server, and how much; for all threads of a process, beside other processes.

    Parameters
    ----------
    store
        Where they are kept; :func:`open_accounts` opens one.
    now
        The clock, in seconds since 1970.

    Notes
    -----
    Every method raises ``AccountsUnavailable`` when the store cannot be reached; the next call tries again.
    """

    def __init__(self, store: AccountsStore, *, now: Callable[[], float] = time.time) -> None:
        self._store, self._now = store, now
        self._known = ShortMemory[Credential](TOKEN_SECONDS)
        self._closed = ShortMemory[dict[str, switch.ClosedDataset]](CLOSED_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give up the connection to the store."""
        self._store.close()

    # --- tokens ----------------------------------------------------------------------------------------------------------

    def new_token(
        self,
        *,
        user: str,
        role: Role,
        organisation: str = "",
        datasets: tuple[str, ...],
        expires: datetime | None = None,
    ) -> NewToken:
        """Make a token.

        Parameters
        ----------
        user
            Name of the user; several tokens may stand for one.
        role
            ``public``, ``researcher`` or ``steward``.
        organisation
            Where the user belongs to; empty for nowhere.
        datasets
            Names of the data sets that he may see; ``("*",)`` for all.
        expires
            When the token ends, with a time zone; None for never.

        Returns
        -------
        NewToken
            The token, which is kept nowhere, and what is kept of it.

        Raises
        ------
        ParameterError
            When a name cannot be one, there is no such role, or the token would have ended already.
        """
        made = draw_token(
            user=user, role=role, organisation=organisation, datasets=datasets, expires=expires, moment=self._now()
        )
        _, secret = split_token(made.text) or ("", "")
        self._store.write(lambda s: keep_token(s, made.facts, secret))
        return made

    def tokens(self) -> list[TokenFacts]:
        """Return what is known about every token, the oldest first."""
        return self._store.read(all_tokens)

    def revoke(self, id: str) -> TokenFacts:
        """End a token and its sessions: here at once, in other processes within ``TOKEN_SECONDS``.

        Parameters
        ----------
        id
            The number of the token. One that is revoked already stays so, with its time.

        Raises
        ------
        ParameterError
            When there is no such token.
        """
        facts = self._store.write(lambda s: revoke_token(s, id, self._now()))
        self._known.clear()
        return facts

    def who(self, text: str, *, address: str = "") -> Visitor | None:
        """Return whom a token stands for.

        Parameters
        ----------
        text
            The token, or whatever somebody sent in its place.
        address
            Where it came from.

        Returns
        -------
        Visitor or None
            None when it is no token, or one that has ended or was revoked.
        """
        parts = split_token(text)
        if parts is None:
            return None
        return self._visitor(digest_of(text), lambda s: find_token(s, *parts), address)

    # --- sessions --------------------------------------------------------------------------------------------------------

    def new_session(self, visitor: Visitor | str, hours: float = 8) -> str:
        """Begin a session, for the cookie of a page.

        Parameters
        ----------
        visitor
            A visitor with a token, or the number of a token.
        hours
            How long the session lasts; it ends with its token in any case.

        Returns
        -------
        str
            The secret of the session; only its SHA-256 is kept.

        Raises
        ------
        ParameterError
            When there is no such token, it has ended, or a session cannot be that long.
        """
        if not 0 < hours <= _LONGEST_SESSION:
            raise ParameterError(f"'hours' must be in (0, {_LONGEST_SESSION}], got {hours}.")
        token = visitor.token if isinstance(visitor, Visitor) else visitor
        secret, moment = draw_secret(), self._now()
        self._store.write(lambda s: begin_session(s, token, secret, moment, moment + 3600 * hours))
        return secret

    def session(self, text: str, *, address: str = "") -> Visitor | None:
        """Return whose session it is.

        Parameters
        ----------
        text
            The secret of the session, or whatever somebody sent in its place.
        address
            Where it came from.

        Returns
        -------
        Visitor or None
            None when there is no such session, or it has ended, or its token has.
        """
        if not is_secret(text):
            return None
        return self._visitor(digest_of(text), lambda s: find_session(s, text), address)

    def end_session(self, text: str) -> None:
        """End a session; whatever is none, or has ended, is passed over."""
        if is_secret(text):
            self._store.write(lambda s: end_session(s, text))
            self._known.clear()

    def _visitor(self, digest: str, find: Callable[[Statements], Credential | None], address: str) -> Visitor | None:
        """Return the visitor of something that is remembered or found; its end is looked at every time."""
        known = self._known.get(digest)
        if known is None:
            known = self._store.read(find)
            if known is None:
                return None
            self._known.put(digest, known)
        return known.facts.visitor(address) if known.is_valid(self._now()) else None

    # --- budgets ---------------------------------------------------------------------------------------------------------

    def reserve(
        self, visitor: Visitor, dataset: str, questions: int = 1, rules: Iterable[BudgetRule] = ()
    ) -> Reservation:
        """Reserve some questions, before the work on them starts; see :meth:`reserve_many`."""
        return self.reserve_many([(visitor, dataset, questions)], rules)[0]

    def reserve_many(self, asked: Iterable[Asked], rules: Iterable[BudgetRule]) -> list[Reservation]:
        """Reserve questions for several requests in one transaction.

        Parameters
        ----------
        asked
            For each request who asks, the data set, and how many questions.
        rules
            The budgets. Those that are about the visitor must all suffice; otherwise none is charged.

        Returns
        -------
        list of Reservation
            One for each request, in their order. What the first was granted is gone for the second.

        Raises
        ------
        ParameterError
            When a visitor, a data set or a number cannot be one.
        AccountsUnavailable
            When it could not be counted; then nothing is granted.

        Notes
        -----
        When this returns, what was granted is on the disk. It is never given back, whatever becomes of the question: an
        attacker would make questions fail. A process that is killed here has at most counted what it did not grant.

        A clock that jumps back gives no budget again: the latest period that was seen goes on to count. After a jump forward
        the period that it jumped to is the current one until the clock comes there, with one budget for all that time;
        :meth:`reset_periods` puts that right once the clock is right.

        O(requests times rules), one flush of the disk.
        """
        wanted, rules = check_asked(asked), tuple(rules)
        if not wanted or not rules:
            return [Reservation(True)] * len(wanted)
        moment = self._now()
        return self._store.write(lambda s: reserve_all(s, wanted, rules, moment))

    def spending(self, dataset: str | None = None) -> list[SpendingRow]:
        """Return what was spent of every budget: scope, subject, data set, period, questions.

        Parameters
        ----------
        dataset
            One data set; None for all.

        Notes
        -----
        Hours are kept for a week, days for 400 days, months for ever.
        """
        return self._store.read(lambda s: spent_so_far(s, dataset))

    def reset_periods(self) -> None:
        """Forget the latest periods that were seen, after a clock had jumped forward and was put right.

        What was spent in earlier periods is still counted there, so no budget is given again.
        """
        self._store.write(lambda s: s.change("DELETE FROM tacita_periods"))

    # --- the steward's switch --------------------------------------------------------------------------------------------

    def close_dataset(self, name: str, by: str, why: str) -> None:
        """Close a data set, until somebody opens it; every process sees it within a second.

        Parameters
        ----------
        name
            The data set.
        by
            Who closes it.
        why
            The reason, for those who ask later.
        """
        reason = " ".join(str(why).split())[:_LONGEST_REASON]
        check_name(name, "name"), check_name(by, "by")
        self._store.write(lambda s: switch.close_one(s, name, by, reason, self._now()))
        self._closed.clear()

    def open_dataset(self, name: str, by: str) -> None:
        """Open a data set that is closed; who closed and opened it is kept.

        Raises
        ------
        ParameterError
            When it is not closed.
        """
        check_name(by, "by")
        self._store.write(lambda s: switch.open_one(s, name, by, self._now()))
        self._closed.clear()

    def closed(self) -> dict[str, switch.ClosedDataset]:
        """Return the data sets that are closed, each with who closed it and why."""
        found = self._closed.get("")
        if found is None:
            found = self._store.read(switch.closed_now)
            self._closed.put("", found)
        return dict(found)

    # --- copies ----------------------------------------------------------------------------------------------------------

    def backup(self, path: str | Path) -> Path:
        """Write a copy of one consistent state into a new SQLite file, while the accounts are in use.

        See :func:`tacita.web.accounts.copies.copy_accounts`; ``restore_accounts`` reads it.
        """
        return copy_accounts(self._store, path)
