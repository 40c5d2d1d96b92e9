"""What tests of stores share: the server, and a household survey in every form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.data.microdata import Microdata
from tests.postgres import postgres_server

__all__ = ["postgres_server"]


@pytest.fixture(scope="session")
def survey() -> Microdata:
    """A household survey whose records do not stand in the order of their ids."""
    data = tc.samples.household_survey(600, seed=11)
    return data.take(np.random.default_rng(5).permutation(len(data)))


@pytest.fixture(scope="session")
def files(survey: Microdata, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the survey as Parquet, CSV, Arrow and DuckDB, and its schema."""
    folder = tmp_path_factory.mktemp("survey")
    for ending in ("parquet", "csv", "arrow", "duckdb"):
        tc.write(survey, folder / f"survey.{ending}")
    survey.schema.write(folder / "survey.toml")
    return folder
