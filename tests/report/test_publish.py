"""Publish: both sides with their reports, and pictures as files."""

import json
from pathlib import Path

import pytest

import tacita as tc
from tacita.core.errors import FileError, ReleaseError
from tacita.report.publish import write_pictures

from .conftest import CANARY, RARE, SEED, planted_survey


def files_of(directory: Path) -> dict[str, bytes]:
    return {p.relative_to(directory).as_posix(): p.read_bytes() for p in directory.rglob("*") if p.is_file()}


def test_publish_writes_both_sides(release: tc.Release, card: tc.Scorecard, tmp_path: Path) -> None:
    made = tc.publish(release, tmp_path / "out", card=card)
    found = files_of(made)
    assert {"public/report.html", "public/data.csv", "public/schema.toml"} == {
        n for n in found if n.startswith("public")
    }
    assert {"internal/report.html", "internal/scorecard.json"} <= set(found)
    assert "External form" in found["public/report.html"].decode()
    assert "Internal form" in found["internal/report.html"].decode()
    plain = json.loads(found["internal/scorecard.json"])
    assert {row["measure"]: row["value"] for row in plain["measures"]} == dict(card)
    assert str(SEED).encode() not in found["public/report.html"]


def test_publishing_twice_gives_the_same_bytes(release: tc.Release, tmp_path: Path) -> None:
    first = files_of(tc.publish(release, tmp_path / "a", measures=["il1s", "rid"]))
    again = files_of(tc.publish(release, tmp_path / "b", measures=["il1s", "rid"]))
    assert first == again
    with pytest.raises(FileError):
        tc.publish(release, tmp_path / "a", measures=["il1s"])
    tc.publish(release, tmp_path / "a", measures=["il1s"], overwrite=True)
    assert len(json.loads((tmp_path / "a/internal/scorecard.json").read_text())["measures"]) == 1


def test_a_card_of_other_data_is_refused(release: tc.Release, card: tc.Scorecard, tmp_path: Path) -> None:
    other = planted_survey(100)
    with pytest.raises(ReleaseError, match="other data"):
        tc.publish(release, tmp_path / "out", card=tc.evaluate(other, other, measures=["il1s"]))
    with pytest.raises(ReleaseError, match="not both"):
        tc.publish(release, tmp_path / "out", card=card, measures=["il1s"])
    assert not (tmp_path / "out").exists()


def test_pictures_are_written_in_both_kinds(card: tc.Scorecard, tmp_path: Path) -> None:
    made = write_pictures(card, tmp_path / "pictures")
    names = sorted(path.stem for path in made)
    assert names[:2] == ["measures", "measures"]
    assert "risk-utility-map" in names
    assert "variable-01-age" in names
    for path in made:
        start = path.read_bytes()[:8]
        assert start == b"\x89PNG\r\n\x1a\n" if path.suffix == ".png" else start.startswith(b"<svg")


def test_external_pictures_show_no_rare_record(card: tc.Scorecard, tmp_path: Path) -> None:
    made = write_pictures(card, tmp_path / "pictures", form="external")
    text = "".join(path.read_text(encoding="utf-8") for path in made if path.suffix == ".svg")
    assert RARE not in text
    assert str(CANARY) not in text
    assert "original" not in text
