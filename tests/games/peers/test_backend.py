from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.games.peers.backend import SearchBackend, ViewFile
from tacita.games.peers.view import read_seen
from tests.games.peers.material import INDEX, Group, group


def test_it_sees_who_asked_what(tmp_path: Path) -> None:
    async def act() -> None:
        async with group(2) as made:
            one, other = await made.start("backend", "p1", "p2", view=tmp_path / "view")
            await one.search("Salt")
            await other.search("guitar")
            assert made.backend.status()["asked"] == {"p1": 1, "p2": 1}

    asyncio.run(act())
    assert read_seen(tmp_path / "view") == [("p1", "Salt"), ("p2", "guitar")]
    assert (tmp_path / "view").stat().st_mode & 0o777 == 0o600


def test_a_view_that_is_there_stays(tmp_path: Path) -> None:
    view = ViewFile(tmp_path / "view")
    view.note("p1", "salt")
    view.close()
    with pytest.raises(FileError, match="is there already"):
        ViewFile(tmp_path / "view")
    assert read_seen(tmp_path / "view") == [("p1", "salt")]
    ViewFile(tmp_path / "view", overwrite=True).close()
    assert read_seen(tmp_path / "view") == []


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system cannot refuse to follow a link")
def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "view").symlink_to(tmp_path / "precious")
    with pytest.raises(FileError):
        ViewFile(tmp_path / "view", overwrite=True)
    assert (tmp_path / "precious").read_text() == "kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_counted_and_answers_go_on() -> None:
    async def act() -> None:
        async with group(1) as made:
            (one,) = await made.start("backend", "p1")
            view = ViewFile.__new__(ViewFile)
            view.path, view._handle = Path("full"), os.open("/dev/full", os.O_WRONLY)
            made.backend.view = view
            assert (await one.search("salt")).hits
            assert made.backend.status()["not_noted"] == 1

    asyncio.run(act())


def test_a_wrong_key_is_refused() -> None:
    made = Group(1)
    with pytest.raises(ParameterError, match="not that of the back end"):
        SearchBackend(made.roster, made.keys["p1"], INDEX)
    for sock in made.sockets.values():
        sock.close()
