"""The systemd unit: hardened, patient at its end, and with a command that the program knows."""

from __future__ import annotations

import inspect
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tacita.web.serving import supervisor
from tests.deploy.places import DEPLOY, check_command, comments_of

TEXT = (DEPLOY / "tacita.service").read_text(encoding="utf-8")
UNIT = dict(re.findall(r"^(\w+)=(.*)$", TEXT, re.MULTILINE))


def test_the_command_is_one_of_the_program() -> None:
    program, *words = shlex.split(UNIT["ExecStart"])
    assert Path(program).name == "tacita"
    given = check_command(words)
    assert given["--host"] == ["127.0.0.1"]
    assert given["--proxy"] == ["127.0.0.1"]
    for words in comments_of(TEXT):
        check_command(words)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("User", "tacita"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"),
        ("PrivateDevices", "yes"),
        ("StateDirectory", "tacita"),
        ("StateDirectoryMode", "0700"),
        ("UMask", "0077"),
        ("LimitCORE", "0"),
        ("MemorySwapMax", "0"),
        ("Restart", "on-failure"),
        ("KillSignal", "SIGTERM"),
        ("KillMode", "mixed"),
        ("SystemCallFilter", "@system-service"),
        ("IPAddressDeny", "any"),
        ("IPAddressAllow", "localhost"),
    ],
)
def test_the_unit_is_hardened(name: str, value: str) -> None:
    assert UNIT[name] == value


def test_it_waits_longer_for_the_end_than_the_server_needs() -> None:
    """Workers first, then the engine; each group may take as long as the supervisor says."""
    seconds = re.search(r"time\.monotonic\(\) \+ (\d+)", inspect.getsource(supervisor.Supervisor._end))
    assert seconds is not None
    assert int(UNIT["TimeoutStopSec"]) > 2 * int(seconds[1])


def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze")
    unit = tmp_path / "tacita.service"
    unit.write_text(TEXT.replace("/usr/local/lib/tacita/bin/tacita serve", f"{shutil.which('true')} serve"))
    done = subprocess.run([program, "verify", str(unit)], capture_output=True, text=True, check=False, timeout=60)
    if "Failed to" in done.stderr and "tacita.service" not in done.stderr:
        pytest.skip("systemd-analyze cannot verify units here: " + done.stderr.splitlines()[0])
    said = [line for line in done.stderr.splitlines() if "tacita.service" in line]
    assert not said, said
