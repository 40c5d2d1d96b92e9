"""A process whose parent was killed ends by itself."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

_RUN = """
import multiprocessing, os, time
from tacita.web.serving.lifeline import hold_on

def child(line):
    hold_on(line)
    time.sleep(60)

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    line, held = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(line,))
    process.start()
    print(process.pid, flush=True)
    time.sleep(60)
"""


def _is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_a_child_does_not_outlive_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(_RUN)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    time.sleep(0.5)
    assert _is_alive(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until = time.monotonic() + 20
    while _is_alive(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _is_alive(child)
