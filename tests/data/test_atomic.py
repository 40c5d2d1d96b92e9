"""Files and directories appear whole or not at all, and nothing is left behind."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tacita.core.errors import FileError, TacitaWarning
from tacita.data import atomic
from tacita.data.atomic import atomic_directory, atomic_file, new_file, set_aside
from tacita.data.disk import exchange as exchanging
from tacita.data.disk import workplace
from tacita.data.disk.outputs import LIST


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def made(target: Path, **files: str) -> Path:
    """Write an output to be replaced."""
    with atomic_directory(target) as temporary:
        for name, text in files.items():
            (temporary / name).write_text(text)
    return target


# --- files ------------------------------------------------------------------------------------------------------------


def test_file_appears_when_the_block_ends(tmp_path):
    target = tmp_path / "a.csv"
    with atomic_file(target) as temporary:
        assert temporary.parent.parent == tmp_path
        assert temporary.parent.stat().st_mode & 0o777 == 0o700
        assert temporary.suffix == ".csv"
        temporary.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new"
    assert names(tmp_path) == ["a.csv"]


def test_file_takes_a_path_as_text_and_replaces_the_old_one(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with atomic_file(str(target)) as temporary:
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"


@pytest.mark.parametrize("blow", [ValueError, KeyboardInterrupt])
def test_failure_in_the_block_keeps_the_old_file(tmp_path, blow):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fails_halfway() -> None:
        with atomic_file(target) as temporary:
            temporary.write_text("half")
            temporary.with_name(temporary.name + ".wal").write_text("a library's log")
            raise blow

    with pytest.raises(blow):
        fails_halfway()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_failure_of_the_last_step_keeps_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def full(one, other):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic.os, "replace", full)
    with pytest.raises(FileError, match="No space left"), atomic_file(target) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_block_that_writes_nothing_is_an_error(tmp_path):
    with pytest.raises(FileError, match="nothing was put"), atomic_file(tmp_path / "a.txt"):
        pass
    assert names(tmp_path) == []


def test_missing_directory_is_named(tmp_path):
    with pytest.raises(FileError, match="does not exist"), atomic_file(tmp_path / "none" / "a.txt"):
        pytest.fail("the block must not run")
    assert names(tmp_path) == []


def test_directory_under_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match="cannot be written"), atomic_file(tmp_path / "file" / "a.txt"):
        pytest.fail("the block must not run")
    assert names(tmp_path) == ["file"]


def test_directory_without_permission(tmp_path, monkeypatch):
    # Tests may run as root, who may write everywhere, so the refusal is played.
    real = os.open

    def refuse(path, flags, *rest, **more):
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(atomic.os, "open", refuse)
    with (
        pytest.raises(FileError, match=r"cannot be written.*Permission denied.*permissions"),
        atomic_file(tmp_path / "a"),
    ):
        pytest.fail("the block must not run")
    assert names(tmp_path) == []


def test_target_that_is_a_directory(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(FileError, match="is a directory"), atomic_file(tmp_path / "a"):
        pytest.fail("the block must not run")


def test_file_has_ordinary_permissions(tmp_path):
    mask = os.umask(0o022)
    try:
        with atomic_file(tmp_path / "a") as temporary:
            temporary.write_text("x")
    finally:
        os.umask(mask)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


# --- directories ------------------------------------------------------------------------------------------------------


def test_directory_appears_when_the_block_ends(tmp_path):
    target = tmp_path / "release"
    with atomic_directory(target) as temporary:
        assert temporary.parent.parent == tmp_path
        (temporary / "public").mkdir()
        (temporary / "public" / "data.csv").write_text("x")
        assert not target.exists()
    assert (target / "public" / "data.csv").read_text() == "x"
    assert names(tmp_path) == ["release"]


def test_directory_that_exists_is_refused_before_any_work(tmp_path):
    (tmp_path / "release").mkdir()
    with pytest.raises(FileError, match="exists already"), atomic_directory(tmp_path / "release"):
        pytest.fail("the block must not run")
    assert names(tmp_path) == ["release"]


def test_directory_is_replaced_as_a_whole(tmp_path):
    target = made(tmp_path / "release", old="old")
    with atomic_directory(target, overwrite=True) as temporary:
        (temporary / "new").write_text("new")
        assert names(target) == [LIST, "old"]
    assert names(target) == [LIST, "new"]
    assert names(tmp_path) == ["release"]


def test_failure_in_the_block_keeps_the_old_directory(tmp_path):
    target = made(tmp_path / "release", old="old")

    def fails_halfway() -> None:
        with atomic_directory(target, overwrite=True) as temporary:
            (temporary / "new").write_text("new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails_halfway()
    assert names(target) == [LIST, "old"]
    assert names(tmp_path) == ["release"]


def test_failure_of_the_last_rename_restores_the_old_directory(tmp_path, monkeypatch):
    target = made(tmp_path / "release", old="old")
    monkeypatch.setattr(exchanging, "_system_call", lambda: None)  # a system that cannot exchange
    real, calls = os.rename, []

    def rename(one, other):
        calls.append(one)
        if len(calls) == 2:  # the old one is aside, the new one does not come in
            raise OSError(errno.EIO, "Input/output error")
        return real(one, other)

    monkeypatch.setattr(os, "rename", rename)
    with (
        pytest.raises(FileError, match="Input/output error"),
        atomic_directory(target, overwrite=True) as temporary,
    ):
        (temporary / "new").write_text("new")
    assert len(calls) == 3
    assert names(target) == [LIST, "old"]
    assert names(tmp_path) == ["release"]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_old_or_new_is_there_at_every_moment_of_an_exchange(tmp_path, monkeypatch, can_exchange):
    target = made(tmp_path / "release", old="old")
    seen = []
    if not can_exchange:
        monkeypatch.setattr(exchanging, "_system_call", lambda: None)
    real = os.rename

    def rename(one, other):
        real(one, other)
        seen.append(target.exists())

    monkeypatch.setattr(os, "rename", rename)
    with atomic_directory(target, overwrite=True) as temporary:
        (temporary / "new").write_text("new")
    assert seen == ([] if can_exchange else [False, True])
    assert names(target) == [LIST, "new"]
    assert names(tmp_path) == ["release"]


def test_old_directory_that_cannot_be_removed_is_told(tmp_path, monkeypatch):
    target = made(tmp_path / "release", old="old")
    monkeypatch.setattr(workplace.shutil, "rmtree", lambda *_, **__: None)
    with (
        pytest.warns(TacitaWarning, match="could not be removed"),
        atomic_directory(target, overwrite=True) as temporary,
    ):
        (temporary / "new").write_text("new")
    assert names(target) == [LIST, "new"]


def test_directory_in_place_of_a_file(tmp_path):
    (tmp_path / "release").write_text("a file")
    with (
        pytest.raises(FileError, match="must be a directory"),
        atomic_directory(tmp_path / "release", overwrite=True),
    ):
        pytest.fail("the block must not run")


def test_directory_under_a_missing_one_and_under_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "none" / "release", tmp_path / "file" / "release"):
        with pytest.raises(FileError, match="cannot be written"), atomic_directory(place):
            pytest.fail("the block must not run")
    assert names(tmp_path) == ["file"]


def test_somebody_else_makes_the_directory_meanwhile(tmp_path):
    target = tmp_path / "release"

    def too_late() -> None:
        with atomic_directory(target) as temporary:
            (temporary / "new").write_text("new")
            target.mkdir()

    with pytest.raises(FileError, match="exists already"):
        too_late()
    assert names(tmp_path) == ["release"]
    assert names(target) == []


# --- rights -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_private_files_and_folders_whatever_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        with atomic_directory(tmp_path / "out", private=["internal"]) as temporary:
            assert temporary.parent.stat().st_mode & 0o777 == 0o700
            (temporary / "internal" / "deep").mkdir(parents=True)
            (temporary / "internal" / "deep" / "a").write_text("secret")
            (temporary / "public").mkdir()
            (temporary / "public" / "a").write_text("open")
        with atomic_file(tmp_path / "report", private=True) as temporary:
            temporary.write_text("secret")
    finally:
        os.umask(before)
    modes = {str(p.relative_to(tmp_path)): p.stat().st_mode & 0o777 for p in tmp_path.rglob("*")}
    assert modes["out/internal"] == modes["out/internal/deep"] == 0o700
    assert modes["out/internal/deep/a"] == modes["report"] == modes[f"out/{LIST}"] == 0o600
    assert modes["out/public"] == 0o777 & ~umask
    assert modes["out/public/a"] == 0o666 & ~umask


def test_what_replaces_something_has_its_rights(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o640)
    with atomic_file(tmp_path / "a") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    target = made(tmp_path / "out", a="old")
    target.chmod(0o750)
    with atomic_directory(target, overwrite=True) as temporary:
        (temporary / "a").write_text("new")
    assert target.stat().st_mode & 0o777 == 0o750


# --- a full disk ------------------------------------------------------------------------------------------------------------


def test_a_full_disk_in_the_block_names_the_file_and_keeps_the_old(tmp_path):
    target = made(tmp_path / "release", old="old")
    (tmp_path / "a.txt").write_text("old")

    def fills_the_disk():
        with atomic_directory(target, overwrite=True) as temporary, new_file(temporary / "link.parquet") as file:
            file.write(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(FileError, match=r"'link\.parquet' cannot be written: No space left"):
        fills_the_disk()

    def fills_it_again():
        with atomic_file(tmp_path / "a.txt") as temporary:
            temporary.write_text("half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(FileError, match=r"'a\.txt' cannot be written.*No space left.*Nothing was changed"):
        fills_it_again()
    assert names(target) == [LIST, "old"]
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt", "release"]


def test_a_new_file_does_not_replace_another(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(FileError, match="there is one already"), new_file(tmp_path / "a") as file:
        file.write(b"new")
    assert (tmp_path / "a").read_text() == "old"


# --- out of the way ---------------------------------------------------------------------------------------------------------


def test_a_file_that_was_set_aside_comes_back_unless_it_was_made_anew(tmp_path):
    (tmp_path / "a").write_text("old")
    with set_aside(tmp_path / "a"):
        assert not (tmp_path / "a").exists()
    assert (tmp_path / "a").read_text() == "old"
    with pytest.raises(ZeroDivisionError), set_aside(tmp_path / "a"):
        raise ZeroDivisionError
    assert (tmp_path / "a").read_text() == "old"
    with set_aside(tmp_path / "a"):
        (tmp_path / "a").write_text("new")
    assert (tmp_path / "a").read_text() == "new"
    assert names(tmp_path) == ["a"]
