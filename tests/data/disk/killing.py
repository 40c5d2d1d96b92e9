"""Processes that are killed in the middle of writing: run by ``test_killing.py`` in a process of its own.

A child writes and is ended by SIGKILL before its n-th call of the operating system that changes or opens something, or after
it, or at a random moment. Then everything that is on disk is looked at, the next run is made, and everything is looked at again.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import shutil
import signal
import stat
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

import tacita as tc
from tacita.core.errors import RepeatedReleaseWarning
from tacita.data import atomic
from tacita.data.disk import exchange, leftovers
from tacita.data.write import write

WATCHED = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.link", "os.symlink", "fcntl.flock")
Content = dict[str, bytes] | None
SECRET = b"SECRET"


def tree(path: Path) -> Content:
    """Return what stands under a name: nothing, a file, or the files of a directory."""
    if not path.exists():
        return None
    if path.is_file():
        return {"": path.read_bytes()}
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}


# --- what is written --------------------------------------------------------------------------------------------------------


class Scenario:
    """Something that is written over an old one, or anew."""

    def __init__(self, folder: Path, *, overwrite: bool) -> None:
        self.folder, self.overwrite = folder, overwrite
        self.target = folder / "out"
        table = pa.table({"name": ["SECRET"] * 20, "x": [float(i) for i in range(20)]})
        data = tc.Microdata.from_frame(table, identifiers=["name"], confidential=["x"])
        self.old, self.new = (tc.Recipe([tc.mask.RankSwap(columns=["x"], p=p)]).apply(data, seed=3) for p in (20, 50))

    def put(self, release: Any, *, overwrite: bool) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RepeatedReleaseWarning)
            release.write(self.target, overwrite=overwrite, documents={"internal/more/note.txt": SECRET})

    def prepare(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        if self.overwrite:
            self.put(self.old, overwrite=False)

    def run(self) -> None:
        self.put(self.new, overwrite=self.overwrite)

    def run_again(self) -> None:
        """What a user does next; the first run may have been finished."""
        self.put(self.new, overwrite=True)


class PlainFile(Scenario):
    """A private file."""

    def put(self, release: Any, *, overwrite: bool) -> None:
        del overwrite
        with atomic.atomic_file(self.target, private=True) as temporary:
            temporary.write_bytes(SECRET + str(release is self.new).encode())


class Database(Scenario):
    """A file that another library writes, with a log of its own."""

    def __init__(self, folder: Path, *, overwrite: bool) -> None:
        super().__init__(folder, overwrite=overwrite)
        self.target = folder / "out.duckdb"

    def put(self, release: Any, *, overwrite: bool) -> None:
        write(release.public, self.target, overwrite=overwrite)


class Aside(Scenario):
    """A file that is moved out of the way while another one is made."""

    def put(self, release: Any, *, overwrite: bool) -> None:
        leftovers.tidy(self.folder)
        aside = atomic.set_aside(self.target) if overwrite else contextlib.nullcontext()
        with aside, atomic.atomic_file(self.target, private=True) as temporary:
            temporary.write_bytes(b"n" if release is self.new else b"o")


SCENARIOS: dict[str, tuple[type[Scenario], bool, bool]] = {
    "file": (PlainFile, True, True),
    "new release": (Scenario, False, True),
    "release exchanged": (Scenario, True, True),
    "release moved": (Scenario, True, False),
    "database": (Database, False, True),
    "set aside": (Aside, True, True),
}
"""What is written, whether there is an old one, and whether the system can exchange two directories."""


# --- being killed ----------------------------------------------------------------------------------------------------------


def forked(work: Callable[[], None]) -> int:
    """Run in a child; return its exit code, or minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException as error:  # noqa: BLE001 - whatever it is, the child ends here
            print(type(error).__name__, error, file=sys.stderr)  # noqa: T201
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def killed_at(work: Callable[[], None], step: int, folder: Path) -> Callable[[], None]:
    """Return work that kills itself at the n-th moment that matters."""
    count = 0

    def moment() -> None:
        nonlocal count
        count += 1
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in WATCHED and (event == "fcntl.flock" or str(folder) in os.fsdecode(str(arguments[0]))):
            moment()

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **more: Any) -> Any:
            moment()
            answer = function(*arguments, **more)
            moment()
            return answer

        return called

    def doomed() -> None:
        sys.addaudithook(hook)
        for name in ("fsync", "write", "unlink", "rmdir", "replace", "rename"):
            setattr(os, name, around(getattr(os, name)))
        call = exchange._system_call()
        if call is not None:
            exchange._system_call = lambda: around(call)  # type: ignore[assignment]
        work()

    return doomed


# --- looking ----------------------------------------------------------------------------------------------------------------


def readable_by_others(folder: Path) -> list[str]:
    """Return the files that another user could read, by name or through open directories."""
    found = []
    for entry in folder.iterdir():
        mode = entry.lstat().st_mode
        if stat.S_ISDIR(mode):
            found += readable_by_others(entry) if mode & 0o055 else []
        elif mode & 0o044:
            found.append(str(entry))
    return found


def look(scenario: Scenario, allowed: list[Content], *, may_be_gone: bool) -> None:
    """Raise unless old or new is there and nothing secret is open."""
    found = tree(scenario.target)
    if not (may_be_gone and found is None) and not any(_same(found, content) for content in allowed):
        raise AssertionError(f"neither old nor new: {sorted(found or ())}")
    for place in readable_by_others(scenario.folder):
        inside = Path(place).relative_to(scenario.folder).parts
        if "internal" in inside or inside[0].startswith(".tacita-") or SECRET in Path(place).read_bytes():
            raise AssertionError(f"readable by others: {place}")
    for place in scenario.folder.rglob(".tacita-*"):
        if stat.S_IMODE(place.stat().st_mode) != 0o700:
            raise AssertionError(f"others may enter {place}")
    for place in scenario.folder.rglob("internal"):
        if not place.parent.name.startswith(".tacita-") and stat.S_IMODE(place.stat().st_mode) != 0o700:
            raise AssertionError(f"others may enter {place}")


def _same(found: Content, wanted: Content) -> bool:
    if found is None or wanted is None:
        return found is wanted
    ledger = "internal/ledger.json"  # it grows when a release is written again
    is_database = any(content[8:12] == b"DUCK" for content in wanted.values())  # no two of them have the same bytes
    return found.keys() == wanted.keys() and (
        is_database or all(found[name] == wanted[name] for name in wanted if name != ledger)
    )


def one(scenario: Scenario, end: Callable[[], int], allowed: list[Content], *, may_be_gone: bool, tidies: bool) -> int:
    """Write, be killed, look, run again, look again; return how the first run ended."""
    scenario.prepare()
    code = end()
    look(scenario, allowed, may_be_gone=may_be_gone)
    if tidies:
        found = leftovers.remove_leftovers(scenario.folder)
        if not all(entry.is_removed for entry in found):
            raise AssertionError("something stays")
        look(scenario, allowed, may_be_gone=False)
    elif forked(scenario.run_again):
        raise AssertionError("the next run failed")
    else:
        look(scenario, allowed[-1:], may_be_gone=False)
    left = [path.name for path in scenario.folder.iterdir() if path != scenario.target]
    if left:
        raise AssertionError(f"something stays: {left}")
    return code


def main(name: str, how: str, stride: int, folder: Path) -> None:
    """Kill at every ``stride``-th moment, or as often at random, and print how often."""
    os.umask(0o022)
    warnings.simplefilter("ignore", tc.TacitaWarning)
    kind, overwrite, can_exchange = SCENARIOS[name]
    scenario = kind(folder / "work", overwrite=overwrite)
    if not can_exchange:
        exchange._system_call = lambda: None  # type: ignore[assignment]
    scenario.prepare()
    allowed = [tree(scenario.target)]
    if forked(scenario.run):
        raise AssertionError("it cannot even be written")
    allowed.append(tree(scenario.target))
    may_be_gone, kills = name in ("release moved", "set aside"), 0
    if how == "placed":
        step = 1
        while True:
            doomed = killed_at(scenario.run, step, folder)
            tidies = step % 2 == 0
            code = one(scenario, lambda d=doomed: forked(d), allowed, may_be_gone=may_be_gone, tidies=tidies)  # type: ignore[misc]
            if code == 0:
                break
            if code != -signal.SIGKILL:
                raise AssertionError(f"step {step} ended with {code}")
            kills, step = kills + 1, step + stride
    else:
        chance = random.Random(13)
        for number in range(stride):
            code = one(
                scenario,
                lambda: _killed_later(scenario, chance.uniform(0, 0.08)),
                allowed,
                may_be_gone=may_be_gone,
                tidies=number % 2 == 0,
            )
            kills += code == -signal.SIGKILL
    print(kills)  # noqa: T201


def _killed_later(scenario: Scenario, seconds: float) -> int:
    def again_and_again() -> None:
        scenario.run()
        while True:
            scenario.run_again()

    child = os.fork()
    if child == 0:
        try:
            again_and_again()
        finally:
            os._exit(1)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    assert ctypes  # loaded before the hooks are set
    for number, task in enumerate(sys.argv[2:]):
        scenario_name, kind_of_kill, times = task.split(":")
        place = Path(sys.argv[1]) / str(number)
        place.mkdir()
        main(scenario_name, kind_of_kill, int(times), place)
