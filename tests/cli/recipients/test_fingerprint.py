"""``tacita fingerprint`` and ``tacita trace``: as an office that gives out a file, and finds it where it should not be.

It tests ``tacita.cli.recipients.trace`` too.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tacita as tc
from tests.cli.test_verbs import tacita
from tests.release.recipients.material import AMOUNTS, write_release


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("office")
    write_release(place, 600)
    (place / "names.txt").write_text("# who asked\nUniversity\nBank\nMinistry\n", encoding="utf-8")
    done = tacita(
        "fingerprint", place / "release", "-o", place / "copies", "--recipients", place / "names.txt",
        "--original", place / "firms.csv", "--coalition", 2,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3 copies" in done.stderr
    assert "The release was NOT JUDGED, so nothing here says that its copies may leave." in done.stderr
    return place


def test_a_leaked_copy_is_traced_and_a_page_written(office: Path, tmp_path: Path) -> None:
    leaked = next((office / "copies/copies").glob("*bank"))
    done = tacita("trace", leaked / "data.csv", "-r", office / "copies", "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    assert "copy of 'Bank'" in done.stderr
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_an_average_of_two_as_parquet_with_other_names(office: Path, tmp_path: Path) -> None:
    files = [tc.read(next((office / "copies/copies").glob(f"*{who}")) / "data.csv") for who in ("bank", "ministry")]
    table = files[0].with_numbers({n: (files[0].float(n) + files[1].float(n)).round() / 2 for n in AMOUNTS}).to_arrow()
    table = table.select(["turnover", "wages", "stock"]).rename_columns(["t", "wages", "stock"])
    tc.write(tc.Microdata.from_frame(table), tmp_path / "found.parquet")
    done = tacita("trace", tmp_path / "found.parquet", "-r", office / "copies", "--rename", "t=turnover", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told["named"]) <= {"Bank", "Ministry"}
    assert told["columns"] == ["turnover", "wages", "stock"]


def test_a_file_that_is_no_copy_names_nobody(office: Path) -> None:
    done = tacita("trace", office / "release/public/data.csv", "-r", office / "copies")
    assert done.returncode == 3
    assert "Nobody can be named" in done.stderr


def test_later_recipients(office: Path, tmp_path: Path) -> None:
    from shutil import copytree

    copytree(office / "copies", tmp_path / "copies")
    (tmp_path / "more.txt").write_text("Latecomer\n")
    before = next((tmp_path / "copies/copies").glob("*bank")).joinpath("data.csv").read_bytes()
    how = ["fingerprint", office / "release", "-o", tmp_path / "copies", "--recipients", tmp_path / "more.txt", "--add"]
    done = tacita(*how, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["recipients"] == 4
    assert next((tmp_path / "copies/copies").glob("*bank")).joinpath("data.csv").read_bytes() == before
    assert "leave out --original" in tacita(*how, "--original", office / "firms.csv").stderr


def test_a_key_of_ones_own_and_noise_that_is_given(office: Path, tmp_path: Path) -> None:
    tacita("key", "new", tmp_path / "key")
    done = tacita(
        "fingerprint", office / "release", "-o", tmp_path / "copies", "--recipients", office / "names.txt",
        "--noise", "turnover=2000", "--noise", "wages=1500", "--key", tmp_path / "key", "--coalition", 2, "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)["noise_variance_added"]) == {"turnover", "wages"}
    leaked = next((tmp_path / "copies/copies").glob("*university")) / "data.csv"
    assert "does not keep its key" in tacita("trace", leaked, "-r", tmp_path / "copies").stderr
    assert tacita("trace", leaked, "-r", tmp_path / "copies", "--key", tmp_path / "key").returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Give either --original"),
        (["--noise", "turnover"], "'--noise' must be column=standard deviation"),
        (["--noise", "turnover=much"], "'--noise' must be column=standard deviation"),
        (["--noise", "turnovr=5"], "Did you mean 'turnover'"),
        (["--noise", "turnover=500", "--coalition", "60"], "too little room"),
        (["--noise", "turnover=500", "--share", "2"], "'share'"),
        (["--noise", "turnover=500", "--column", "weight"], "it is a weight"),
        (["--original", "nowhere.csv"], "is not there"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(
    office: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    done = tacita(
        "fingerprint", office / "release", "-o", tmp_path / "copies", "--recipients", office / "names.txt", *words
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "copies").exists()


def test_renames_that_make_no_sense(office: Path) -> None:
    for words in (["a"], ["a="], ["a=turnover", "--rename", "b=turnover"]):
        done = tacita("trace", office / "firms.csv", "-r", office / "copies", "--rename", *words)
        assert done.returncode == 2
        assert "leaked=released" in done.stderr
