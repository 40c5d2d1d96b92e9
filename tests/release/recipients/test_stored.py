"""Directories of copies; it tests ``tacita.release.recipients.released`` too, by which a release is read back."""

from __future__ import annotations

import json
import shutil
import stat
import warnings
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, FileError, ReleaseError, RepeatedReleaseWarning
from tacita.core.keyed import Key
from tacita.release.recipients.released import measured_noise, read_released
from tacita.release.recipients.stored import check_same_release, folder_of, read_copies, with_recipients, write_copies
from tests.release.recipients.material import AMOUNTS, KEY, copies_of, write_release


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An original, its release and four copies, made once; every test gets a place of its own with the same in it."""
    folder = tmp_path_factory.mktemp("made")
    original, directory = write_release(folder, 400)
    released = read_released(directory)
    copies = copies_of(released, original, recipients=4, coalition=2)
    write_copies(copies, released, folder / "copies", keeps_key=True)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "here")
    return tmp_path / "here"


def test_what_is_written_and_who_may_read_it(place: Path) -> None:
    files = sorted(p.relative_to(place / "copies").as_posix() for p in (place / "copies").rglob("*") if p.is_file())
    folders = [f"copies/000{i}-institute-{i}/{name}" for i in range(1, 5) for name in ("data.csv", "schema.toml")]
    inside = ["key", "ledger.json", "masked/data.csv", "masked/schema.toml", "plan.json"]
    assert files == [".tacita.json", *folders, *(f"internal/{name}" for name in inside)]
    assert all(stat.S_IMODE((place / "copies" / name).stat().st_mode) == 0o600 for name in files)
    assert stat.S_IMODE((place / "copies").stat().st_mode) == 0o700


def test_they_come_back_and_give_the_files_that_were_written(place: Path) -> None:
    copies = read_copies(place / "copies")
    folder = place / "copies" / "copies" / "0003-institute-3"
    written = tc.read(folder / "data.csv", schema=folder / "schema.toml")
    assert written.same_content(copies.copy("Institute 3"))
    assert (folder / "schema.toml").read_bytes() == (place / "release" / "public" / "schema.toml").read_bytes()


def test_the_same_again_gives_the_same_bytes(place: Path) -> None:
    released = read_released(place / "release")
    write_copies(read_copies(place / "copies"), released, place / "again", keeps_key=True)
    for path in sorted(p for p in (place / "copies").rglob("*") if p.is_file()):
        assert path.read_bytes() == (place / "again" / path.relative_to(place / "copies")).read_bytes()


def test_later_recipients_leave_earlier_copies_as_they_are(place: Path) -> None:
    released = read_released(place / "release")
    before = (place / "copies/copies/0002-institute-2/data.csv").read_bytes()
    more = with_recipients(read_copies(place / "copies"), ["Institute 2", "Latecomer"])
    check_same_release(more, released)
    write_copies(more, released, place / "copies", keeps_key=True, overwrite=True)
    assert (place / "copies/copies/0002-institute-2/data.csv").read_bytes() == before
    assert read_copies(place / "copies").recipients[-1] == "Latecomer"


def test_all_copies_count_as_one_release(place: Path) -> None:
    """No warning of two releases for copies beside their release; one for another mask of the same input."""
    released = read_released(place / "release")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_copies(read_copies(place / "copies"), released, place / "more", keeps_key=True)
    entries = json.loads((place / "copies/internal/ledger.json").read_text())
    assert entries == json.loads((place / "release/internal/ledger.json").read_text())
    original = tc.read(place / "firms.csv", schema=place / "firms.toml")
    other = tc.Recipe([tc.mask.AdditiveNoise(columns=list(AMOUNTS), sd_ratio=0.2)]).apply(original, seed=2**99)
    (place / "sub").mkdir()
    with pytest.warns(RepeatedReleaseWarning):
        other.write(place / "second")


def test_a_key_that_is_not_kept_must_be_given_and_be_the_right_one(place: Path) -> None:
    released = read_released(place / "release")
    copies = read_copies(place / "copies")
    write_copies(copies, released, place / "bare", keeps_key=False)
    assert not (place / "bare/internal/key").exists()
    with pytest.raises(FileError, match="does not keep its key"):
        read_copies(place / "bare")
    with pytest.raises(DataError, match="not the one"):
        read_copies(place / "bare", Key.draw())
    assert read_copies(place / "bare", KEY).copy("Institute 1").same_content(copies.copy("Institute 1"))
    said = "".join(p.read_text() for p in (place / "bare").rglob("*") if p.is_file())
    assert bytes(range(100, 132)).hex() not in said


def test_an_earlier_directory_is_not_replaced_unasked(place: Path) -> None:
    released = read_released(place / "release")
    with pytest.raises(FileError, match="exists already"):
        write_copies(read_copies(place / "copies"), released, place / "copies", keeps_key=True)
    with pytest.raises(FileError, match="it is a release, not a fingerprinted copies"):
        write_copies(read_copies(place / "copies"), released, place / "release", keeps_key=True, overwrite=True)


def test_copies_of_another_release_are_not_mixed_up(place: Path) -> None:
    (place / "other").mkdir()
    _, directory = write_release(place / "other", 400, seed=8)
    with pytest.raises(ReleaseError, match="another release"):
        check_same_release(read_copies(place / "copies"), read_released(directory))


@pytest.mark.parametrize("damage", ["[]", "{", '{"form": "tacita-fingerprints-1"}', "null", "[" * 100_000])
def test_a_damaged_plan_costs_a_sentence(place: Path, damage: str) -> None:
    (place / "copies/internal/plan.json").write_text(damage)
    with pytest.raises(FileError, match="plan of the fingerprints"):
        read_copies(place / "copies")


def test_a_masked_file_that_was_changed_is_noticed(place: Path) -> None:
    path = place / "copies/internal/masked/data.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], ""]))
    with pytest.raises(DataError, match="it was changed"):
        read_copies(place / "copies")


def test_hostile_names_stay_inside_their_folder() -> None:
    assert folder_of("../../etc/passwd", 1) == "0001-etc-passwd"
    assert folder_of("...", 2) == "0002"
    assert folder_of("統計局", 3) == "0003"
    assert len(folder_of("x" * 200, 4)) == 45


def test_a_directory_that_is_no_release_and_an_original_that_is_another(place: Path) -> None:
    with pytest.raises(FileError, match="must be the directory of a release"):
        read_released(place)
    released = read_released(place / "release")
    original = tc.read(place / "firms.csv", schema=place / "firms.toml")
    with pytest.raises(DataError, match="not the file that the release was made from"):
        measured_noise(released, original.take(range(399)))  # type: ignore[arg-type]
    noise = measured_noise(released, original)
    assert set(noise) >= set(AMOUNTS)
    before, after = noise["turnover"]
    assert np.corrcoef(np.nan_to_num(before), np.nan_to_num(after))[0, 1] > 0.95
    assert released.bounds == dict.fromkeys(AMOUNTS, (0, None))


def test_several_files_or_no_ledger_are_refused(place: Path) -> None:
    public = place / "release/public"
    (public / "data.2.csv").write_bytes((public / "data.csv").read_bytes())
    with pytest.raises(ReleaseError, match="2 files"):
        read_released(place / "release")
    (public / "data.2.csv").unlink()
    (place / "release/internal/ledger.json").unlink()
    with pytest.raises(ReleaseError, match="no entry in its ledger"):
        read_released(place / "release")
