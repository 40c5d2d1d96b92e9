"""``tacita key``: keys as an administrator draws them."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from tacita.core.keyed import Key
from tests.cli.test_verbs import tacita


def test_a_key_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "database.key"
    done = tacita("key", "new", path)
    assert done.returncode == 0
    key = Key.read(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().strip() not in done.stdout + done.stderr
    again = tacita("key", "new", path, "--json")
    assert again.returncode == 2
    assert "File exists" in json.loads(again.stderr)["message"]
    assert Key.read(path) == key
    assert json.loads(tacita("key", "new", tmp_path / "b", "--json").stdout) == {"file": str(tmp_path / "b")}
