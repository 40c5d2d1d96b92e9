"""Foreign files are read in a child process: whatever happens there costs an error message here."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from tacita.core.errors import FileError, ParameterError, SchemaError
from tacita.data.formats import foreign, foreign_child
from tacita.data.formats.base import ReadRequest
from tacita.data.formats.foreign import ChildLimits
from tacita.data.read import read

PLAYED = """
import json, os, sys, time
asked = json.loads(sys.stdin.buffer.read())
{}
"""


@pytest.fixture
def sav(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "s": ["a", "b", ""]})
    pyreadstat.write_sav(
        frame, str(tmp_path / "a.sav"), column_labels={"x": "An x"}, variable_value_labels={"x": {1: "one"}}
    )
    return tmp_path / "a.sav"


@pytest.fixture
def played(tmp_path, monkeypatch):
    """Let the child be another program."""

    def play(body):
        (tmp_path / "foreign_child.py").write_text(PLAYED.format(body))
        monkeypatch.setattr(foreign, "__file__", str(tmp_path / "foreign.py"))

    return play


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("os.kill(os.getpid(), 11)", "damaged"),  # what a damaged .zsav did to the whole program
        ("os.abort()", "damaged"),
        ("sys.exit(1)", "damaged"),
        ("os.write(1, b'garbage that is no header')", "damaged"),
        ("os.write(1, (5).to_bytes(8, 'little') + b'[[[[[')", "damaged"),
        ("os.write(1, (2**40).to_bytes(8, 'little'))", "damaged"),
        ('os.write(1, (30).to_bytes(8, \'little\') + b\'{"outcome": "read", "facts": {}}\')', "damaged"),
        ("time.sleep(60)", "was stopped after"),
        ("os.close(0); os.close(1); time.sleep(60)", "was stopped after"),
    ],
)
def test_a_child_that_fails_is_an_error(sav, played, monkeypatch, body, sentence):
    monkeypatch.setattr(ChildLimits, "wall", 3.0)
    played(body)
    with pytest.raises(FileError, match=sentence):
        read(sav)


def test_time_limit(sav, monkeypatch):
    asked = foreign.plain_request("sav", sav, ReadRequest(), ChildLimits(1 << 30, 1.0))
    script = f"""
        import sys, json
        sys.path[:] = {asked["path"]!r}
        from tacita.data.formats import foreign_child, statistical
        def endless(path, request):
            while True: pass
        statistical.read_sav = endless
        foreign_child.send_file({asked!r}, sys.stdout.buffer)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, check=False, timeout=60)
    assert done.returncode in (-24, -9)
    error = foreign._error(None, done.returncode, sav, "SPSS", ChildLimits(1 << 30, 1.0))
    assert "stopped after 1 seconds" in str(error)


def test_memory_limit_of_a_bomb(tmp_path):
    # 150 MB of one cell's text in 150 kB.
    book = openpyxl.Workbook()
    book.active.append(["MARK"])
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
        for name, content in parts.items():
            bomb.writestr(name, content.replace(b"MARK", b"x" * (150 << 20)))
    assert (tmp_path / "bomb.xlsx").stat().st_size < 2 << 20
    with pytest.raises(FileError, match="needs more than 95 MB of memory"):
        read(tmp_path / "bomb.xlsx", memory="100MB")


def test_limits_come_from_the_caller_the_environment_or_the_size(sav, monkeypatch):
    assert ChildLimits.of(sav).memory >= 512 << 20
    assert ChildLimits.of(sav).seconds < 6
    monkeypatch.setenv("TACITA_READ_MEMORY", "2GB")
    monkeypatch.setenv("TACITA_READ_SECONDS", "77")
    assert ChildLimits.of(sav) == ChildLimits(2_000_000_000, 77.0)
    assert ChildLimits.of(sav, "1GiB", 3) == ChildLimits(1 << 30, 3.0)
    monkeypatch.setenv("TACITA_READ_SECONDS", "soon")
    with pytest.raises(ParameterError, match="TACITA_READ_SECONDS"):
        read(sav)
    monkeypatch.delenv("TACITA_READ_SECONDS")
    for wrong in ({"memory": "much"}, {"seconds": 0}, {"seconds": "x"}, {"seconds": float("nan")}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            read(sav, **wrong)
    (sav.parent / "a.csv").write_text("a\n1\n")
    with pytest.raises(ParameterError, match="'memory' has no meaning"):
        read(sav.parent / "a.csv", memory="1GB")


def test_what_the_child_gets(sav, played, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "not for the child")
    kept = os.open(sav, os.O_RDONLY)
    os.set_inheritable(kept, True)
    played(f"open({str(tmp_path / 'seen')!r}, 'w').write(json.dumps([dict(os.environ), os.listdir('/proc/self/fd')]))")
    with pytest.raises(FileError):
        read(sav)
    os.close(kept)
    environment, files = json.loads((tmp_path / "seen").read_text())
    assert "SECRET_TOKEN" not in environment
    assert str(kept) not in files


def test_errors_keep_their_kind_and_facts_cross_whole(sav, tmp_path):
    data = read(sav)
    assert data.schema["x"].label == "An x"
    assert data.schema["x"].labels == ((1, "one"),)
    book = openpyxl.Workbook()
    book.active.append(["a", "a", None])
    book.active.append([1, 2, 3])
    book.save(tmp_path / "twice.xlsx")
    with pytest.raises(SchemaError) as caught:
        read(tmp_path / "twice.xlsx")
    assert len(caught.value.problems) == 2
    with pytest.raises(FileError, match="no sheet 'other'"):
        read(tmp_path / "twice.xlsx", sheet="other")


def test_what_comes_back_is_looked_through(sav):
    def sent(table):
        out = io.BytesIO()
        header = json.dumps({"outcome": "read", "facts": {}}).encode()
        out.write(len(header).to_bytes(8, "little") + header)
        for part in (table, pa.table({})):
            foreign_child._send(part, out)
        out.seek(0)
        return out

    good = pa.table({"a": ["x", "y"]})
    limits = ChildLimits(1 << 30, 1.0)
    assert foreign.receive(sent(good), lambda: 0, sav, "SPSS", limits).table == good
    offsets = pa.py_buffer((0).to_bytes(4, "little") + (10**6).to_bytes(4, "little") + (1).to_bytes(4, "little"))
    bad = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"xy")])
    with pytest.raises(FileError, match="damaged"):
        foreign.receive(sent(pa.table({"a": bad})), lambda: 0, sav, "SPSS", limits)


# --- where it must work -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", ["", "<&-", "<&- >&- 2>&-"])
def test_script_without_a_guard_and_with_closed_files(sav, tmp_path, closed):
    script = tmp_path / "script.py"
    script.write_text(
        f"import tacita as tc\nopen({str(tmp_path / 'n')!r}, 'w').write(str(len(tc.read({str(sav)!r}))))\n"
    )
    (tmp_path / "pyreadstat.py").write_text("raise SystemExit('a file of the working directory was imported')\n")
    (tmp_path / "json.py").write_text("raise SystemExit('a file of the working directory was imported')\n")
    (tmp_path / "work").mkdir()
    for name in ("pyreadstat.py", "json.py"):
        (tmp_path / name).rename(tmp_path / "work" / name)
    subprocess.run(
        ["sh", "-c", f"{sys.executable} {script} {closed}"],
        check=True,
        cwd=tmp_path / "work",
        env=os.environ,
        timeout=60,
    )
    assert (tmp_path / "n").read_text() == "3"


def test_from_a_thread_and_with_relative_paths(sav, monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.chdir(sav.parent)
    with ThreadPoolExecutor(3) as pool:
        assert [len(data) for data in pool.map(read, [Path("a.sav")] * 3)] == [3, 3, 3]


def test_no_process_stays(sav, played, monkeypatch):
    monkeypatch.setattr(ChildLimits, "wall", 1.0)
    played(f"open({str(sav.parent / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(60)")
    with pytest.raises(FileError):
        read(sav)
    time.sleep(0.1)
    assert not Path(f"/proc/{(sav.parent / 'pid').read_text()}").exists()
