"""Further files of an output: plain places below the two sides, none twice, none over a file that is there."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tacita.core.errors import ReleaseError
from tacita.data.disk.documents import check_places, put_documents


@pytest.fixture
def output(tmp_path: Path) -> Path:
    for side in ("public", "internal"):
        (tmp_path / side).mkdir()
    (tmp_path / "public" / "data.csv").write_text("x\n")
    return tmp_path


def test_documents_stand_where_they_should(output: Path) -> None:
    put_documents(output, {"public/report.html": b"a", "internal/deep/er/seed.txt": b"b", "internal/deep/x": b"c"})
    assert (output / "public" / "report.html").read_bytes() == b"a"
    assert (output / "internal" / "deep" / "er" / "seed.txt").read_bytes() == b"b"
    assert (output / "internal" / "deep" / "x").read_bytes() == b"c"


def test_what_is_internal_is_for_its_owner_alone(output: Path) -> None:
    put_documents(output, {"internal/deep/seed.txt": b"b"})
    for path in (output / "internal" / "deep", output / "internal" / "deep" / "seed.txt"):
        assert not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)


@pytest.mark.parametrize(
    "place",
    ["report.html", "public", "public/", "/public/a", "elsewhere/a", "public/../a", "public//a", "public/./a", "public/a\\b",
     "public/C:a", "public/a\nb", "public/../internal/a"],
)  # fmt: skip
def test_a_place_that_leads_elsewhere_is_refused(place: str) -> None:
    with pytest.raises(ReleaseError, match=r"public/ or internal/"):
        check_places([place])


@pytest.mark.parametrize(
    "places",
    [
        ["public/a", "public/A"],
        ["public/a", "public/a/b"],
        ["public/a/b", "public/A"],
        ["public/\u00e9", "public/e\u0301"],
    ],
)
def test_two_documents_in_one_place_are_refused(places: list[str]) -> None:
    with pytest.raises(ReleaseError, match="same place"):
        check_places(places)


@pytest.mark.parametrize("place", ["public/data.csv", "public/DATA.csv", "public/data.csv/more"])
def test_a_file_of_the_release_is_never_replaced(output: Path, place: str) -> None:
    with pytest.raises(ReleaseError, match="must not take the place"):
        put_documents(output, {place: b"mine"})
    assert (output / "public" / "data.csv").read_text() == "x\n"
