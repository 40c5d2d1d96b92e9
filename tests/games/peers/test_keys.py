from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.games.peers.keys import PeerKey, fingerprint_of, public_key_of, read_public_key


def test_both_sides_share_a_secret_that_a_third_has_not() -> None:
    alice, bob, eve = (PeerKey.draw() for _ in range(3))
    assert alice.shared_with(bob.public) == bob.shared_with(alice.public)
    assert alice.shared_with(bob.public) != eve.shared_with(bob.public)


def test_the_public_key_is_that_of_the_published_pair() -> None:
    """snow's vector for Noise_XK: the static key of the called one."""
    key = PeerKey(bytes.fromhex("41f32f158d5bde75b0814850d79885e717c1858b34ae1787911dabb846dfb28a"))
    assert key.public.hex() == "baa04200175deb54e07ebee17c69f8a464400d33504a8f0b960a49638712df5c"


def test_a_key_comes_back_from_its_file(tmp_path: Path) -> None:
    key = PeerKey.draw()
    path = key.write(tmp_path / "ada.key")
    assert PeerKey.read(path).public == key.public
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    path = PeerKey.draw().write(tmp_path / "ada.key")
    before = path.read_bytes()
    with pytest.raises(FileError, match=r"'ada\.key' cannot be written"):
        PeerKey.draw().write(path)
    assert path.read_bytes() == before


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = PeerKey.draw().write(tmp_path / "ada.key")
    path.chmod(0o640)
    with pytest.raises(FileError, match=r"readable by its owner only; say 'chmod 600 ada\.key'"):
        PeerKey.read(path)


@pytest.mark.parametrize(
    "content", [b"", b"tacita-peer-key-1 ", b"tacita-peer-key-1 " + b"0" * 63, b"0" * 64, b"\xff" * 5000]
)
def test_a_file_that_is_no_key_is_refused_without_its_content(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ada.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(FileError) as caught:
        PeerKey.read(path)
    assert "must hold a private key" in str(caught.value)
    assert "000" not in str(caught.value)


def test_a_directory_and_what_is_not_there_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "a\0b"):
        with pytest.raises(FileError):
            PeerKey.read(path)


def test_a_pipe_is_not_waited_for_as_a_public_key(tmp_path: Path) -> None:
    path = tmp_path / "a.pub"
    path.write_text("AB" * 32 + "\n")
    assert read_public_key(path) == b"\xab" * 32
    path.write_text("secret word")
    with pytest.raises(FileError, match="must hold a public key") as caught:
        read_public_key(path)
    assert "secret word" not in str(caught.value)


def test_nothing_that_is_printed_shows_the_secret() -> None:
    secret = os.urandom(32)
    key = PeerKey(secret)
    assert secret.hex()[:8] not in repr(key) + str(key)
    with pytest.raises(ParameterError, match="must not be pickled"):
        pickle.dumps(key)


@pytest.mark.parametrize("public", [bytes(32), b"\1" + bytes(31), b"short", b""])
def test_a_public_key_that_shares_nothing_is_refused(public: bytes) -> None:
    """All zeros and 1 are of small order: whatever the private key, the secret would be zero."""
    with pytest.raises(ParameterError, match="no public key"):
        PeerKey.draw().shared_with(public)


def test_bad_keys_are_refused() -> None:
    with pytest.raises(ParameterError, match="32 bytes"):
        PeerKey(b"short")
    with pytest.raises(ParameterError, match="here: 'key' must be a public key"):
        public_key_of(7, "here")
    assert len({fingerprint_of(PeerKey.draw().public) for _ in range(20)}) == 20
