"""A server to look at: the household sample, with a key that everybody knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tacita.core.keyed import Key
from tacita.web.settings import DatasetSettings, ServerSettings

__all__ = ["demo_settings"]

_KEY = b"the key of the demonstration, known to everybody"
_ABOUT = (
    "A survey of persons in households. The persons do not exist: the package makes them. Everybody knows the key of this "
    "demonstration, so it protects nobody."
)


def demo_settings(folder: Path, *, records: int = 5000, policy: str = "mas") -> ServerSettings:
    """Write the sample data into a folder and return the settings of a server for them.

    Parameters
    ----------
    folder
        An empty folder.
    records
        Persons in the sample.
    policy
        A preset or a policy file.

    Returns
    -------
    ServerSettings
        The settings; the pages say that this is a demonstration.
    """
    from tacita.data import samples
    from tacita.data.write import write

    data = samples.household_survey(records, seed=1)
    write(data, folder / "survey.parquet")
    data.schema.write(folder / "survey.toml")
    Key(_KEY).write(folder / "demo.key")
    dataset = DatasetSettings(
        name="households",
        title="Household survey (sample)",
        about=_ABOUT,
        source=str(folder / "survey.parquet"),
        schema=str(folder / "survey.toml"),
        key=str(folder / "demo.key"),
        journal=str(folder / "journal.jsonl"),
        policy=policy,
    )
    made = ServerSettings(datasets=(dataset,), accounts=str(folder / "accounts.sqlite"), title="Tacita demonstration")
    return replace(made, is_demo=True)
