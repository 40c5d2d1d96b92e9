"""A release of a query log: what leaves, what stays, and that the same is written again."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import FileError, ReleaseError, RepeatedReleaseWarning, TacitaWarning
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.read import read_log
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.release.log_release import FORMATS, LogRelease, read_profiles
from tests.logs.material import Material, interested_users


@pytest.fixture(scope="module")
def material() -> Material:
    return interested_users(30)


def released(material: Material, seed: int = 7) -> LogRelease:
    made = SemanticMicroaggregation(k=3, time="none", identifying="keep").apply(
        material.log, material.topics, seed=seed
    )
    return LogRelease(material.log, made, "a tree")


def test_two_sides(material: Material, tmp_path: Path) -> None:
    release = released(material)
    place = release.write(tmp_path / "out", documents={"public/report.html": b"<p>"})
    public = {path.name for path in (place / "public").iterdir()}
    assert public == {"log.tsv", "about.json", "report.html"}
    assert stat.S_IMODE((place / "internal").stat().st_mode) == 0o700
    told = json.loads((place / "internal" / "provenance.json").read_text())
    assert told["seed"] == "7"
    assert told["certificate"]["holds"] is True
    assert told["users_in"] == 30
    assert json.loads((place / "public" / "about.json").read_text())["users_behind_a_profile"] == 3


def test_nothing_of_the_inside_is_public(material: Material, tmp_path: Path) -> None:
    """No user's name, no hash, no seed, and no text that the certificate would not let through."""
    place = released(material, seed=123456789).write(tmp_path / "out")
    told = json.loads((place / "internal" / "provenance.json").read_text())
    secrets = [told["input_sha256"], told["output_sha256"], "123456789", *(str(u) for u in material.log.users)]
    for path in (place / "public").iterdir():
        text = path.read_text(encoding="utf-8")
        assert not [secret for secret in secrets if secret in text], path.name


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_bytes_again_in_every_format(material: Material, tmp_path: Path, format: str) -> None:
    first, again = (released(material).write(tmp_path / name, format=format) for name in ("a", "b"))
    for side in ("public", "internal"):
        for path in (first / side).iterdir():
            assert path.read_bytes() == (again / side / path.name).read_bytes(), path.name
    assert len(read_log(first / "public" / f"log.{format}")) == len(released(material).anonymised.log)


def test_profiles_are_read_back(material: Material, tmp_path: Path) -> None:
    release = released(material)
    place = release.write(tmp_path / "out")
    log = read_log(place / "public" / "log.tsv")
    profile = read_profiles(place / "internal", material.log, log)
    names = [release.anonymised.log.users[int(p)].as_py() for p in release.anonymised.profile]
    has_lines = set(log.users.to_pylist())
    assert [None if p < 0 else log.users[int(p)].as_py() for p in profile] == [
        name if name in has_lines else None for name in names
    ]
    other = QueryLog.from_columns(["x"], ["y"])
    with pytest.raises(FileError, match="another log"):
        read_profiles(place / "internal", other, log)
    (place / "internal" / "profiles.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(FileError, match="cannot be read"):
        read_profiles(place / "internal", material.log, log)


def test_a_second_release_of_a_log_is_noticed(material: Material, tmp_path: Path) -> None:
    released(material).write(tmp_path / "a")
    with pytest.warns(RepeatedReleaseWarning, match="released before"):
        released(material, seed=8).write(tmp_path / "b")


def test_what_is_refused_writes_nothing(material: Material, tmp_path: Path) -> None:
    release = released(material)
    with pytest.raises(ReleaseError, match="'format'"):
        release.write(tmp_path / "out", format="xlsx")
    with pytest.raises(ReleaseError, match="failed"):
        release.write(tmp_path / "out", verdict={"state": "failed", "because": ""})
    named = replace(release.anonymised, log=replace(release.anonymised.log, users=_with_one(release, material)))
    with pytest.raises(ReleaseError, match="name of a user"):
        LogRelease(material.log, named).write(tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(ReleaseError, match="'anonymised'"):
        LogRelease(material.log, replace(release.anonymised, profile=np.zeros(2, np.int32)))
    release.write(tmp_path / "out")
    with pytest.raises(FileError):
        release.write(tmp_path / "out")
    release.write(tmp_path / "out", overwrite=True)


def test_a_foreign_directory_is_never_replaced(material: Material, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    with pytest.raises(FileError):
        released(material).write(tmp_path / "mine", overwrite=True)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years of work"


def test_a_repr_tells_no_text(material: Material) -> None:
    assert "query" not in repr(released(material)).replace("different queries", "")


def _with_one(release: LogRelease, material: Material) -> pa.StringArray:
    names = release.anonymised.log.users.to_pylist()
    return pa.array([material.log.users[0].as_py(), *names[1:]])


def test_a_sheet_is_warned_of(tmp_path: Path) -> None:
    log = QueryLog.from_columns(["a", "b", "a", "b"], ["=1+1", "=1+1", "tea", "tea"])
    made = AnonymisedLog(
        log=QueryLog.from_columns(["P1", "P1"], ["=1+1", "tea"]), profile=np.zeros(2, np.int32), method="by hand"
    )
    (tmp_path / "b").mkdir()
    (tmp_path / "d").mkdir()
    with pytest.warns(TacitaWarning, match="spreadsheet"):
        LogRelease(log, made).write(tmp_path / "a", format="csv")
    LogRelease(log, made).write(tmp_path / "b" / "c", format="csv", formulas="neutralise")
    assert "'=1+1" in (tmp_path / "b" / "c" / "public" / "log.csv").read_text()
    LogRelease(log, made).write(tmp_path / "d" / "e", format="tsv")
