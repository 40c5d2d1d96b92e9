"""What a server is started with: a survey of households, its schema, a key and settings with large budgets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.server.questions import CLASSES
from tacita.core.keyed import Key

__all__ = ["DATASET", "write_settings", "write_survey"]

DATASET = "survey"


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


def write_settings(folder: Path, source: Path, *, policy: str, journal: Path | None = None, accounts: str = "") -> Path:
    """Write the settings of a server beside a new key; the budget counts every question and refuses none.

    Parameters
    ----------
    folder
        Where key, accounts and settings go.
    source
        The data.
    policy
        A preset or a policy file.
    journal
        The journal; in the folder by default.
    accounts
        The accounts; a file in the folder by default.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "key").exists():
        Key.draw().write(folder / "key")
    place = journal or folder / "survey.journal"
    settings = folder / "server.toml"
    settings.write_text(
        f'accounts = "{accounts or folder / "accounts.sqlite"}"\n'
        f'[[dataset]]\nname = "{DATASET}"\nsource = "{source}"\nschema = "{source.with_suffix(".toml")}"\npolicy = "{policy}"\n'
        f'key = "{folder / "key"}"\njournal = "{place}"\n'
        '[[budget]]\nscope = "dataset"\nquestions = 1000000000\nper = "ever"\n'
        "[limits]\nper_visitor = 100000\nwaiting = 100000\n",
        encoding="utf-8",
    )
    return settings
