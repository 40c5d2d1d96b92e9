"""What a server is told: its data sets, budgets, limits and addresses, from a file that a steward edits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Self

from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.parameterised import Parameterised
from tacita.web.accounts.budget import BudgetRule
from tacita.web.accounts.visitor import ROLES, Role, check_role

__all__ = ["BUDGETS", "DatasetSettings", "ServerLimits", "ServerSettings"]

BUDGETS = (
    BudgetRule(scope="user", questions=5000, per="day"),
    BudgetRule(scope="organisation", questions=20_000, per="day"),
    BudgetRule(scope="address", questions=500, per="day"),
)
"""How much may be asked where the settings say nothing about users, organisations or addresses."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_FILES = ("source", "previous", "schema", "policy", "key", "journal", "catalogue")


@dataclass(frozen=True, kw_only=True)
class DatasetSettings(Parameterised):
    """One data set of a server.

    Parameters
    ----------
    name
        Its name in addresses: small letters, digits, ``-`` and ``_``.
    source
        The data: a file or ``postgresql://...``.
    key
        File with the secret key. It must be there: answers have to stay the same when the server starts again.
    journal
        File of the journal; it is made where there is none.
    schema
        Schema file of the data.
    policy
        A preset or a policy file.
    catalogue
        Catalogue file; without one it is drafted from the data at every start.
    record_id, table
        As for opening a database.
    previous
        The data of the version before this one; the rule ``across_versions`` looks at what was answered about them.
    title, about
        What people read on the pages.
    open_to
        The role that may ask: ``public``, ``researcher`` or ``steward``.
    """

    name: str
    source: str
    key: str
    journal: str
    schema: str | None = None
    policy: str = "mas"
    catalogue: str | None = None
    record_id: str | None = None
    table: str | None = None
    previous: str | None = None
    title: str = ""
    about: str = ""
    open_to: str = "public"

    def check(self) -> None:
        """Check the name and the role."""
        if not _NAME.fullmatch(self.name):
            raise ParameterError(
                f"DatasetSettings: 'name' must have small letters, digits, '-' and '_' only, got {self.name[:60]!r}."
            )
        check_role(self.open_to)

    @property
    def role(self) -> Role:
        """The role that may ask."""
        return check_role(self.open_to)


@dataclass(frozen=True, kw_only=True)
class ServerLimits(Parameterised):
    """What is refused before data are touched.

    Parameters
    ----------
    body
        Bytes of a request.
    cells
        Cells of a table that is answered at once; a larger one waits in the queue.
    parts
        Parts of a table that are asked for at once; with more the table waits in the queue.
    seconds
        Longest time that a visitor waits for an answer. The work is ended and entered all the same.
    patience
        Seconds within which a request must have arrived, and each piece of a response been taken.
    at_once
        Questions that are worked on at the same time.
    waiting
        Questions that may wait for that.
    per_visitor
        Of both, questions of one user or one range of addresses.
    queue
        Large tables that may wait.
    per_queue
        Of these, tables of one user or one range of addresses.
    quantum
        Refusals leave so many seconds after they came in, or twice as many, four times, and so on, so that the time tells
        nothing.
    """

    body: Annotated[int, Interval(1024, 1 << 20)] = 1 << 18
    cells: Annotated[int, Interval(1)] = 50_000
    parts: Annotated[int, Interval(0)] = 20
    seconds: Annotated[float, Interval(0.1)] = 60.0
    patience: Annotated[float, Interval(0.1)] = 20.0
    at_once: Annotated[int, Interval(1, 64)] = 4
    waiting: Annotated[int, Interval(0)] = 256
    per_visitor: Annotated[int, Interval(1)] = 64
    queue: Annotated[int, Interval(0)] = 64
    per_queue: Annotated[int, Interval(0)] = 4
    quantum: Annotated[float, Interval(0)] = 0.05


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """A server.

    Parameters
    ----------
    datasets
        Its data sets.
    accounts
        Where tokens and budgets are kept: a file, or ``postgresql://...``.
    title
        What its pages are called.
    budgets
        How much may be asked. A file that has a budget for users only leaves the default ones for others.
    limits
        What is refused before data are touched.
    hosts
        Names that the server is called by; others are refused. Empty: any name on loopback, and none elsewhere.
    is_demo
        Whether the pages say that this is a demonstration, with a key that everybody has.
    """

    datasets: tuple[DatasetSettings, ...]
    accounts: str
    title: str = "Tacita"
    budgets: tuple[BudgetRule, ...] = BUDGETS
    limits: ServerLimits = ServerLimits()
    hosts: tuple[str, ...] = ()
    is_demo: bool = False

    def __post_init__(self) -> None:
        names = [dataset.name for dataset in self.datasets]
        if not names or len(set(names)) < len(names):
            raise ParameterError("A server must have at least one data set, and each name once.")

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a settings file; names of files in it are taken from the directory that it lies in.

        Raises
        ------
        FileError, ParameterError
            When it cannot be read, or says something that settings cannot say.
        """
        path = Path(path)
        return cls.from_plain(parse_toml(read_text(path, "The settings"), "The settings"), beside=path.parent)

    @classmethod
    def from_plain(cls, given: Mapping[str, Any], *, beside: Path = Path()) -> Self:
        """Build settings from plain values."""
        known = {"title", "accounts", "hosts", "dataset", "budget", "limits"}
        for name in given:
            if name not in known:
                raise ParameterError(f"The settings have no '{name[:60]}'.{did_you_mean(name, sorted(known))}")
        datasets = _tables(given, "dataset")
        limits = given.get("limits", {})
        if not isinstance(limits, Mapping) or not all(isinstance(h, str) for h in given.get("hosts", [])):
            raise ParameterError("The settings must have 'hosts' as a list of names and 'limits' as a table.")
        accounts = given.get("accounts", "accounts.sqlite")
        made = tuple(_beside(DatasetSettings.from_plain(dict(row)), beside) for row in datasets)
        return cls(
            datasets=made,
            accounts=_placed(str(accounts), beside),
            title=str(given.get("title", "Tacita")),
            budgets=_budgets(_tables(given, "budget")),
            limits=ServerLimits.from_plain(dict(limits)),
            hosts=tuple(given.get("hosts", ())),
        )

    def dataset(self, name: str) -> DatasetSettings | None:
        """Return a data set by its name."""
        return next((dataset for dataset in self.datasets if dataset.name == name), None)


def _tables(given: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = given.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ParameterError(f"The settings must write '{name}' as [[{name}]].")
    return rows


def _budgets(rows: list[Mapping[str, Any]]) -> tuple[BudgetRule, ...]:
    """The budgets of a file; who the file says nothing about has the one that he has by default."""
    made = tuple(BudgetRule.from_plain(dict(row)) for row in rows)
    named = {rule.scope for rule in made}
    return (*made, *(rule for rule in BUDGETS if rule.scope not in named))


def _beside(dataset: DatasetSettings, folder: Path) -> DatasetSettings:
    """Take the names of files from the directory of the settings."""
    placed = {name: _placed(getattr(dataset, name), folder) for name in _FILES if getattr(dataset, name) is not None}
    if not placed["policy"].endswith(".toml"):
        placed["policy"] = dataset.policy  # a preset
    return replace(dataset, **placed)


def _placed(text: str, folder: Path) -> str:
    return text if "://" in text else str(folder / text)


ROLES_IN_WORDS = dict(zip(ROLES, ("everybody", "researchers with a token", "stewards"), strict=True))
"""Who a role is, for pages."""
