"""Publishing a log: judged, written with its pages, and not written when it failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.core.errors import ReleaseError
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tacita.report.logs.publish_log import publish_log
from tests.logs.material import Material, interested_users


@pytest.fixture(scope="module")
def material() -> Material:
    return interested_users(30)


@pytest.fixture(scope="module")
def made(material: Material) -> AnonymisedLog:
    return SemanticMicroaggregation(k=3, time="none", identifying="keep").apply(material.log, material.topics, seed=7)


def test_passed_is_written_with_both_pages(material: Material, made: AnonymisedLog, tmp_path: Path) -> None:
    found = publish_log(material.log, made, tmp_path / "out", topics=material.topics, limits=["profile_linkage <= 100"])
    assert found.verdict.has_passed
    assert found.directory == tmp_path / "out"
    assert (tmp_path / "out" / "public" / "report.html").is_file()
    assert "Passed" in (tmp_path / "out" / "internal" / "report.html").read_text(encoding="utf-8")


def test_failed_is_not_written_unless_somebody_says_why(
    material: Material, made: AnonymisedLog, tmp_path: Path
) -> None:
    limits = {"profile_linkage": 0.0}
    found = publish_log(material.log, made, tmp_path / "out", topics=material.topics, limits=limits)
    assert found.directory is None
    assert not (tmp_path / "out").exists()
    found = publish_log(
        material.log, made, tmp_path / "out", topics=material.topics, limits=limits, because="a trial inside"
    )
    assert found.directory is not None
    assert "a trial inside" in (tmp_path / "out" / "internal" / "report.html").read_text(encoding="utf-8")
    assert "a trial inside" not in (tmp_path / "out" / "public" / "report.html").read_text(encoding="utf-8")
    with pytest.raises(ReleaseError):
        publish_log(material.log, made, tmp_path / "no", topics=material.topics, limits=limits, because=" ")


def test_without_report_and_topics(material: Material, made: AnonymisedLog, tmp_path: Path) -> None:
    found = publish_log(material.log, made, tmp_path / "out", report=False)
    assert found.verdict.state == "not judged"
    assert "semantic_remain" in found.card.absent
    assert not (tmp_path / "out" / "public" / "report.html").exists()
