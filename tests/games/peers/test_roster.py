from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import FileError, ParameterError, TacitaError
from tacita.games.peers.keys import PeerKey
from tacita.games.peers.roster import Roster, roster_entry

KEYS = [PeerKey.draw().public for _ in range(3)]
ROSTER = Roster(
    roster_entry("backend", "127.0.0.1:7700", KEYS[0]),
    (roster_entry("ada", "127.0.0.1:7701", KEYS[1]), roster_entry("bob", "[::1]:7702", KEYS[2])),
)
TEXT = ROSTER.to_toml()


def test_a_roster_comes_back_from_its_file(tmp_path: Path) -> None:
    path = ROSTER.write(tmp_path / "roster.toml")
    assert Roster.read(path) == ROSTER
    assert [path.name for path in tmp_path.iterdir()] == ["roster.toml"]
    with pytest.raises(FileError, match="is there already"):
        ROSTER.write(path)
    assert ROSTER.write(path, overwrite=True) == path


def test_entries_are_found_by_name() -> None:
    assert ROSTER["bob"].address == "[::1]:7702"
    with pytest.raises(ParameterError, match="Did you mean 'ada'"):
        _ = ROSTER["adda"]


def test_only_this_machine_unless_told_otherwise() -> None:
    ROSTER.check_local()
    for address in ("10.0.0.1:7700", "example.org:7700", "0.0.0.0:7700"):
        other = Roster(ROSTER.backend, (roster_entry("eve", address, KEYS[1]),))
        with pytest.raises(ParameterError, match="'eve' must be one of this machine"):
            other.check_local()


def _text(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a table \\[\\[peer\\]\\]"),
        (TEXT + "\n[other]\n", "got something else"),
        (TEXT + "\nmore = 1\n", "peer 2 must have"),
        (TEXT.replace("[backend]", "[[backend]]"), "backend must have 'address', 'key'"),
        (_text('"ada"', '"ada b"'), "'name' must be 1 to 64 letters"),
        (_text('"ada"', '"backend"'), "must not be called 'backend'"),
        (_text('"ada"', '"bob"'), "'bob' has the name of another"),
        (_text("7701", "7700"), "'ada' has the address of another"),
        (_text(KEYS[1].hex(), KEYS[0].hex()), "'ada' has the key of another"),
        (_text(KEYS[1].hex(), "12ab"), "peer 1: 'key' must be a public key"),
        (_text("127.0.0.1:7701", "127.0.0.1"), "address of 'ada' must read host:port"),
        (_text("127.0.0.1:7701", "127.0.0.1:70000"), "address of 'ada' must read host:port"),
        (_text('"127.0.0.1:7701"', "7701"), "address of 'ada' must read host:port"),
        ("peer = 1", "a table"),
        ("][", "not valid TOML"),
    ],
)
def test_a_file_that_is_no_roster_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "roster.toml"
    path.write_text(text)
    with pytest.raises(TacitaError, match=says):
        Roster.read(path)


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    for name, address in ((text, "127.0.0.1:1"), ("ada", text)):
        try:
            entry = roster_entry(name, address, KEYS[0])
        except ParameterError:
            continue
        assert roster_entry(entry.name, entry.address, KEYS[0]) == entry


def test_nobody_is_no_roster() -> None:
    with pytest.raises(ParameterError, match="must have 1 to 10,000 peers"):
        Roster(ROSTER.backend, ())
