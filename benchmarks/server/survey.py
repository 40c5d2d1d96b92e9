"""What a server is started with: a survey of households, its schema, a key and settings with large budgets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.server.questions import CLASSES
from tacita.core.keyed import Key

__all__ = ["DATASET", "SCOPES", "write_settings", "write_survey"]

DATASET = "survey"
SCOPES = ("dataset", "address")
"""Budgets that every question counts into."""


def write_survey(folder: Path, n: int) -> Path:
    """Write a survey of 15 variables, eight with classes and seven numeric, and its schema; return the data file."""
    rng = np.random.default_rng(1)
    columns: dict[str, Any] = {}
    for name, count in CLASSES.items():
        words = pa.array([f"{name} {i}" for i in range(count)])
        columns[name] = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, count, n).astype(np.int16)), words)
    for i in range(7):
        columns[f"x{i}"] = pa.array(np.round(rng.lognormal(8, 1, n), 2))
    path = folder / "survey.parquet"
    pq.write_table(pa.table(columns), path)
    roles = dict.fromkeys(CLASSES, "key") | {"x0": "confidential"}
    schema = "".join(f'[columns.{name}]\nrole = "{role}"\n' for name, role in roles.items())
    path.with_suffix(".toml").write_text(schema, encoding="utf-8")
    return path


def write_settings(
    folder: Path,
    source: Path,
    *,
    policy: str,
    journal: Path | None = None,
    accounts: str = "",
    database: str = "",
    per: str = "ever",
) -> Path:
    """Write the settings of a server beside a new key; its budgets count every question and refuse none.

    Parameters
    ----------
    folder
        Where key, accounts and settings go.
    source
        The data, with the schema beside them.
    policy
        A preset or a policy file.
    journal
        The journal; in the folder by default.
    accounts
        The accounts; a file in the folder by default.
    database
        A PostgreSQL database that has the same data as a table, with a column ``id``; the file is not read then.
    per
        The period of the budgets.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "key").exists():
        Key.draw().write(folder / "key")
    place = journal or folder / "survey.journal"
    data = f'source = "{database}"\ntable = "{DATASET}"\nrecord_id = "id"\n' if database else f'source = "{source}"\n'
    settings = folder / "server.toml"
    settings.write_text(
        f'accounts = "{accounts or folder / "accounts.sqlite"}"\n'
        f'[[dataset]]\nname = "{DATASET}"\n{data}schema = "{source.with_suffix(".toml")}"\npolicy = "{policy}"\n'
        f'key = "{folder / "key"}"\njournal = "{place}"\n'
        + "".join(f'[[budget]]\nscope = "{scope}"\nquestions = 1000000000\nper = "{per}"\n' for scope in SCOPES)
        + "[limits]\nper_visitor = 100000\nwaiting = 100000\n",
        encoding="utf-8",
    )
    return settings
