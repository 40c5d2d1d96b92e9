"""What the intruder knows, as options of the verbs that measure risk."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacita.core.errors import ParameterError
from tacita.data.scenario import Scenario

__all__ = ["KeyColumns", "KnownColumns", "KnowsSample", "ScenarioFile", "scenario_of"]

ScenarioFile = Annotated[
    Path | None,
    typer.Option(
        "--scenario", help="TOML file with a [scenario]: what the intruder knows. Default: the keys of the schema."
    ),
]
KeyColumns = Annotated[
    list[str] | None,
    typer.Option("--key", help="A column that singles out people together with others; may be repeated."),
]
KnownColumns = Annotated[
    list[str] | None,
    typer.Option("--known", help="A column whose true values the intruder links records by; may be repeated."),
]
KnowsSample = Annotated[
    bool, typer.Option("--knows-sample", help="The intruder knows who is in the file, so that weights protect nobody.")
]


def scenario_of(
    file: Path | None, keys: list[str] | None, known: list[str] | None, *, knows_sample: bool
) -> Scenario | None:
    """Return the scenario of a file or of the other options; None where nothing was said."""
    given = {
        **({"keys": tuple(keys)} if keys else {}),
        **({"known": tuple(known)} if known else {}),
        **({"knows_sample": True} if knows_sample else {}),
    }
    if file is not None:
        if given:
            raise ParameterError("--scenario says all of it; leave out --key, --known and --knows-sample.")
        return Scenario.read(file)
    return Scenario.from_plain(given) if given else None
