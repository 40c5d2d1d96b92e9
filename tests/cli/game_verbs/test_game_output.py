from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from tacita.cli.game_verbs.game_output import write_game_output
from tacita.core.errors import FileError


def test_what_is_no_number_is_null_and_only_our_own_is_replaced(tmp_path: Path) -> None:
    plain = {"a": math.inf, "b": [math.nan, 1.5], "c": ("x",)}
    write_game_output(tmp_path / "out", "found", "<p>page</p>", plain, kind="game", overwrite=False)
    assert json.loads((tmp_path / "out" / "found.json").read_text()) == {"a": None, "b": [None, 1.5], "c": ["x"]}
    write_game_output(tmp_path / "out", "found", "<p>other</p>", {}, kind="game", overwrite=True)
    assert (tmp_path / "out" / "found.html").read_text() == "<p>other</p>"
    with pytest.raises(FileError, match="not replaced"):
        write_game_output(tmp_path / "out", "found", "", {}, kind="another game", overwrite=True)
    assert (tmp_path / "out" / "found.html").read_text() == "<p>other</p>"
