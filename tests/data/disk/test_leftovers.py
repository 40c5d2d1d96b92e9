"""What interrupted runs left: recognised by its workplace, removed when its process is gone, and nothing else ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tacita.core.errors import TacitaWarning
from tacita.data.atomic import atomic_directory, atomic_file
from tacita.data.disk import leftovers, workplace
from tacita.data.disk.leftovers import find_leftovers, remove_leftovers
from tacita.data.disk.workplace import NAME, NOTE, OLD, Owner

TOKEN = ".tacita-" + "0123456789abcdef" * 2


def left(folder: Path, *, name: str = TOKEN, target: str = "out", **facts: object) -> Path:
    """Make what a process leaves that was killed: by default one of this machine, whose lock is free."""
    place = folder / name
    place.mkdir(mode=0o700)
    owner = replace(Owner.here(TOKEN, target, locks=True), **facts)
    (place / NOTE).write_text(json.dumps({"form": "tacita-workplace-1", **asdict(owner)}))
    (place / "new").mkdir()
    (place / "new" / "secret").write_text("secret")
    return place


def states(folder: Path) -> list[str]:
    return [found.state for found in find_leftovers(folder)]


def test_a_leftover_is_removed_by_the_next_run_and_reported(tmp_path: Path) -> None:
    left(tmp_path)
    assert states(tmp_path) == ["abandoned"]
    with pytest.warns(TacitaWarning, match="1 unfinished output"), atomic_file(tmp_path / "a") as temporary:
        temporary.write_text("x")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    left(tmp_path)
    with pytest.warns(TacitaWarning, match="1 unfinished output"), atomic_directory(tmp_path / "b"):
        pass
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_the_process_itself_and_its_threads_are_not_disturbed(tmp_path: Path) -> None:
    with atomic_directory(tmp_path / "out") as made, warnings.catch_warnings():
        warnings.simplefilter("error")
        (made / "a").write_text("x")
        assert states(tmp_path) == ["in use"]
        with atomic_file(tmp_path / "b") as temporary:
            temporary.write_text("y")
        assert (made / "a").read_text() == "x"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b", "out"]


def test_a_living_process_keeps_its_workplace_and_a_dead_one_does_not(tmp_path: Path) -> None:
    code = (
        "import sys, tacita.data.disk.workplace as w, pathlib\n"
        "with w.workplace(pathlib.Path(sys.argv[1]), 'out') as place:\n"
        "    (place / 'new').write_text('half'); print('ready', flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert [(found.state, found.is_removed) for found in remove_leftovers(tmp_path)] == [("in use", False)]
        assert [(f.state, f.is_removed) for f in remove_leftovers(tmp_path, other_hosts=True)] == [("in use", False)]
    finally:
        process.kill()
        process.wait()
    assert [(found.state, found.is_removed) for found in remove_leftovers(tmp_path)] == [("abandoned", True)]
    assert list(tmp_path.iterdir()) == []


def test_without_locks_number_and_start_of_the_process_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "take_lock", lambda _: None)
    here = Owner.here()
    place = left(tmp_path, locks=False)
    assert states(tmp_path) == ["in use"], "this very process"
    for change, state in (
        ({"started": "1"}, "abandoned"),  # the number was given to another process since
        ({"process": 2**22 - 1}, "abandoned"),
        ({"space": "pid:[1]"}, "of another machine"),  # a container, whose processes cannot be seen from here
        ({"started": None}, "of another machine"),
        ({"boot": "earlier"}, "abandoned"),  # the machine was started again
        ({"boot": "other", "machine": "elsewhere"}, "of another machine"),
    ):
        owner = replace(here, name=TOKEN, target="out", **change)  # type: ignore[arg-type]
        (place / NOTE).write_text(json.dumps({"form": "tacita-workplace-1", **asdict(owner)}))
        assert states(tmp_path) == [state], change


def test_what_another_machine_left_is_removed_only_when_asked_for(tmp_path: Path) -> None:
    left(tmp_path, boot="other", machine="elsewhere")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with atomic_file(tmp_path / "a") as temporary:
            temporary.write_text("x")
    assert [(f.state, f.is_removed) for f in remove_leftovers(tmp_path)] == [("of another machine", False)]
    assert [f.is_removed for f in remove_leftovers(tmp_path, other_hosts=True)] == [True]


def test_one_that_was_stopped_at_its_very_beginning(tmp_path: Path) -> None:
    (tmp_path / TOKEN).mkdir(mode=0o700)
    assert [f.is_removed for f in remove_leftovers(tmp_path)] == [True]
    (tmp_path / TOKEN).mkdir(mode=0o700)
    (tmp_path / TOKEN / NOTE).touch()
    assert [f.is_removed for f in remove_leftovers(tmp_path)] == [True]
    assert list(tmp_path.iterdir()) == []


# --- what is not ours -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [".tacita-notes", ".tacita-", ".tacita-0123456789abcdef", TOKEN + "0", TOKEN.upper()])
def test_a_users_own_directory_stays_whatever_it_holds(tmp_path: Path, name: str) -> None:
    left(tmp_path, name=name)
    (tmp_path / name / "mine").write_text("mine")
    assert all(f.state == "not ours" for f in remove_leftovers(tmp_path, other_hosts=True))
    assert (tmp_path / name / "mine").read_text() == "mine"


@pytest.mark.parametrize(
    "note",
    [
        None,
        "",
        "{}",
        "[]",
        "not json",
        '{"form": "tacita-workplace-1"}',
        json.dumps({"form": "other", **asdict(Owner.here(TOKEN, "out", locks=True))}),
        json.dumps({"form": "tacita-workplace-1", **asdict(Owner.here(".tacita-copy", "out", locks=True))}),
        json.dumps({"form": "tacita-workplace-1", **asdict(Owner.here(TOKEN, "../out", locks=True))}),
        "[" * 10_000,
    ],
)
def test_a_directory_under_our_name_without_our_note_stays(tmp_path: Path, note: str | None) -> None:
    (tmp_path / TOKEN).mkdir()
    (tmp_path / TOKEN / "mine").write_text("mine")
    if note is not None:
        (tmp_path / TOKEN / NOTE).write_text(note)
    assert [f.state for f in remove_leftovers(tmp_path, other_hosts=True)] == ["not ours"]
    assert (tmp_path / TOKEN / "mine").read_text() == "mine"


def test_files_and_links_under_our_name_stay(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    real = left(tmp_path / "elsewhere")
    (tmp_path / TOKEN).symlink_to(real, target_is_directory=True)
    (tmp_path / TOKEN.replace("0", "1")).write_text("a file")
    (tmp_path / TOKEN.replace("0", "2")).symlink_to(tmp_path / "nowhere")
    assert {f.state for f in remove_leftovers(tmp_path, other_hosts=True)} == {"not ours"}
    assert (real / "new" / "secret").exists()


def test_links_inside_a_leftover_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a").write_text("mine")
    place = left(tmp_path)
    (place / "new" / "link").symlink_to(tmp_path / "mine", target_is_directory=True)
    (place / "link").symlink_to(tmp_path / "mine", target_is_directory=True)
    assert [f.is_removed for f in remove_leftovers(tmp_path)] == [True]
    assert (tmp_path / "mine" / "a").read_text() == "mine"


def test_a_note_that_is_a_link_is_no_note(tmp_path: Path) -> None:
    place = left(tmp_path)
    (place / NOTE).rename(tmp_path / "note")
    (place / NOTE).symlink_to(tmp_path / "note")
    assert states(tmp_path) == ["not ours"]


def test_what_belongs_to_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    assert [(f.state, f.is_removed) for f in remove_leftovers(tmp_path)] == [("not ours", False)]


# --- putting back -----------------------------------------------------------------------------------------------------------


def test_an_output_that_was_moved_out_of_the_way_is_put_back(tmp_path: Path) -> None:
    place = left(tmp_path)
    (place / OLD).mkdir()
    (place / OLD / "a").write_text("old")
    with pytest.warns(TacitaWarning, match="Put back: out"):
        leftovers.tidy(tmp_path)
    assert (tmp_path / "out" / "a").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_what_took_its_place_stays(tmp_path: Path) -> None:
    place = left(tmp_path)
    (place / OLD).write_text("old")
    (tmp_path / "out").write_text("new")
    assert [(f.restored, f.is_removed) for f in remove_leftovers(tmp_path)] == [(False, True)]
    assert (tmp_path / "out").read_text() == "new"


def test_what_cannot_be_put_back_is_not_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    place = left(tmp_path)
    (place / OLD).write_text("old")
    monkeypatch.setattr(workplace, "move_to_free_name", refuse)
    assert [f.is_removed for f in remove_leftovers(tmp_path)] == [False]
    assert (place / OLD).read_text() == "old"


# --- workplaces -------------------------------------------------------------------------------------------------------------


def test_a_workplace_that_is_tidied_away_while_it_is_empty_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, taken = os.open, []

    def late(path: object, flags: int, *rest: object, **more: object) -> int:
        if str(path).endswith(NOTE) and flags & os.O_CREAT and len(taken) < 2:
            taken.append(path)
            remove_leftovers(tmp_path)
        return real(path, flags, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", late)
    with workplace.workplace(tmp_path, "out") as place:
        assert NAME.fullmatch(place.name)
        assert (place / NOTE).exists()
    assert len(taken) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_workplace_whose_note_is_taken_for_a_leftover_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, taken = workplace.take_lock, []

    def late(handle: int) -> bool | None:
        if not taken:
            taken.append(handle)
            monkeypatch.setattr(leftovers, "take_lock", real)
            assert [found.is_removed for found in remove_leftovers(tmp_path)] == [True]
        return real(handle)

    monkeypatch.setattr(workplace, "take_lock", late)
    with workplace.workplace(tmp_path, "out") as place:
        assert (place / NOTE).exists()
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_place_of_a_workplace_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine" / "new").mkdir(parents=True)
    (tmp_path / "mine" / "new" / "a").write_text("mine")
    with workplace.workplace(tmp_path, "out") as place:
        place.rename(tmp_path / "moved")
        place.symlink_to(tmp_path / "mine", target_is_directory=True)
    assert (tmp_path / "mine" / "new" / "a").read_text() == "mine"
