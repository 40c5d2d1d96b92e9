"""What a key was used with: another data version is refused unless a revision is meant."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import Key
from tacita.tables.perturbation.key_use import KeyUse
from tacita.tables.perturbation.keyed_table import keyed_table
from tests.tables.perturbation.test_cell_key import KEY, SECRET, people


def test_other_data_are_refused_and_a_revision_is_not(tmp_path: Path) -> None:
    path, data = tmp_path / "uses.json", people()
    for _ in range(2):  # the same data as often as one likes
        keyed_table(data, ["sex"], key=KEY, identity="id", use=KeyUse(path))
    other = data.take(np.arange(399))
    before = path.read_bytes()
    with pytest.raises(ParameterError, match=r"used with 1 other version.*is_revision=True"):
        keyed_table(other, ["sex"], key=KEY, identity="id", use=KeyUse(path))
    assert path.read_bytes() == before
    keyed_table(other, ["sex"], key=KEY, identity="id", use=KeyUse(path, is_revision=True))
    keyed_table(other, ["sex"], key=KEY, identity="id", use=KeyUse(path))  # known from now on
    keyed_table(other, ["sex"], key=Key(bytes(range(4, 68, 2))), identity="id", use=KeyUse(path))  # a key of its own


def test_the_file_tells_neither_key_nor_data(tmp_path: Path) -> None:
    path = tmp_path / "uses.json"
    assert KeyUse(path, version="2021").note(KEY, people()) == "2021"
    text = path.read_text(encoding="utf-8")
    assert SECRET.hex() not in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_name_of_a_version_can_be_given(tmp_path: Path) -> None:
    use = KeyUse(tmp_path / "uses.json", version="first")
    use.note(KEY, people())
    with pytest.raises(ParameterError, match="other version"):
        KeyUse(use.path, version="second").note(KEY, people())


@pytest.mark.parametrize("text", ["[", "[1]", '{"a": 1}'])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "uses.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match="cannot be read"):
        KeyUse(path, version="x").note(KEY, people())
