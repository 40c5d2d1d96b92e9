"""A new version of the data behind a running service: what a steward does, and what becomes of the answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import verify
from tacita.web.engine import Keeper
from tacita.web.settings import ServerSettings
from tests.deploy.running import serving
from tests.deploy.site import make_site, put_data

WITH_CATALOGUE = 'catalogue = "catalogue.toml"'


def tacita(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a directory."""
    command = [str(Path(sys.executable).with_name("tacita")), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def survey() -> tc.Microdata:
    return tc.samples.household_survey(2000, seed=1)


def test_a_new_version_takes_the_place_of_the_old_one(survey: tc.Microdata, tmp_path: Path) -> None:
    corrected = survey.take(np.arange(1990))
    regions = survey.to_arrow()["region"].to_pylist()
    untouched = next(name for name in sorted(set(regions)) if name not in regions[1990:])
    same = {"by": ["sex"], "where": {"region": [untouched]}}
    everybody = {"by": ["sex"]}

    settings = make_site(tmp_path, survey, policy="tables", more=WITH_CATALOGUE)
    made = tacita(tmp_path, "query", "survey.parquet", "-s", "survey.toml", "-p", "policy.toml", "--show-catalogue")
    assert made.returncode == 0
    (tmp_path / "catalogue.toml").write_text(made.stdout, encoding="utf-8")
    with serving(settings) as server:
        old_same, old_everybody = server.ask(same), server.ask(everybody)
        assert (old_same.status_code, old_everybody.status_code) == (200, 200)

    settings = put_data(tmp_path, corrected, "corrected.parquet", more=WITH_CATALOGUE)
    with serving(settings) as server:
        new_same, new_everybody = server.ask(same), server.ask(everybody)
        assert new_same.json()["table"] == old_same.json()["table"], "a set that stays the same keeps its noise"
        assert new_everybody.json()["table"]["values"] != old_everybody.json()["table"]["values"]
        assert new_same.json()["id"] != old_same.json()["id"]
        assert server.get(old_same.headers["location"]).status_code == 404, "answers of the old version are withdrawn"

    key = Key.read(tmp_path / "survey.key")
    assert verify(tmp_path / "survey.journal", key=key).state == "verified"
    entries = list(read_entries(tmp_path / "survey.journal"))
    assert len({entry.versions["data"] for entry in entries if entry.kind == "request"}) == 2

    back = Keeper.open(ServerSettings.read(put_data(tmp_path, survey, "survey.parquet", more=WITH_CATALOGUE)))
    for old in (old_same, old_everybody):
        found = back.answer(old.json()["id"], datasets=["survey"], user="")
        assert found is not None
        assert found.body == old.content, "and come back with it"
    back.jobs.close()


def test_other_classes_or_other_noise_for_the_same_data_do_not_start(survey: tc.Microdata, tmp_path: Path) -> None:
    settings = make_site(tmp_path, survey)
    opened = Keeper.open(ServerSettings.read(settings))
    opened.jobs.close()
    policy = tmp_path / "policy.toml"
    before = policy.read_text(encoding="utf-8")
    policy.write_text(before + '[subsample]\nmethod = "drop_q"\nk = 9\n', encoding="utf-8")
    with pytest.raises(ParameterError, match="other noise than before"):
        Keeper.open(ServerSettings.read(settings))
    policy.write_text(before, encoding="utf-8")
    drafted = opened.databases["survey"].catalogue.to_toml()
    fewer = "[[variables]]".join(drafted.split("[[variables]]")[:-1])
    (tmp_path / "catalogue.toml").write_text(fewer, encoding="utf-8")
    settings = put_data(tmp_path, survey, "survey.parquet", more=WITH_CATALOGUE)
    with pytest.raises(ParameterError, match="catalogue must be the one"):
        Keeper.open(ServerSettings.read(settings))
