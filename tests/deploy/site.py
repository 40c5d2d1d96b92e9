"""The files of a server as a steward has them: data, schema, policy, key and settings in one directory."""

from __future__ import annotations

from pathlib import Path

from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.data.write import write

__all__ = ["SETTINGS", "make_site", "put_data"]

SETTINGS = """
accounts = "accounts.sqlite"

[[dataset]]
name = "survey"
source = "{source}"
schema = "survey.toml"
policy = "policy.toml"
key = "{key}"
journal = "{journal}"
{more}

[[budget]]
scope = "user"
questions = 1000
per = "ever"

[[budget]]
scope = "address"
questions = 1000
per = "ever"
"""


def make_site(folder: Path, data: Microdata, *, policy: str = "mas", more: str = "") -> Path:
    """Write everything and return the settings file."""
    folder.mkdir(parents=True, exist_ok=True)
    data.schema.write(folder / "survey.toml")
    (folder / "policy.toml").write_text(f'preset = "{policy}"\nstrata = ["region"]\n', encoding="utf-8")
    Key.draw().write(folder / "survey.key")
    return put_data(folder, data, "survey.parquet", more=more)


def put_data(
    folder: Path,
    data: Microdata,
    name: str,
    *,
    key: str = "survey.key",
    journal: str = "survey.journal",
    more: str = "",
) -> Path:
    """Write a version of the data, and the settings that name it."""
    write(data, folder / name, overwrite=True)
    settings = folder / "server.toml"
    settings.write_text(SETTINGS.format(source=name, key=key, journal=journal, more=more), encoding="utf-8")
    return settings
