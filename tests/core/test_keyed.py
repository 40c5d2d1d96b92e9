"""Keyed randomness: the same for ever to the holder of the key, and like chance to everybody else."""

from __future__ import annotations

import copy
import hashlib
import hmac
import os
import pickle
import stat
import traceback
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import LEAST_BYTES, Key
from tests.effort import examples

SECRET = b"0123456789abcdef"
KEY = Key(SECRET)
parts = st.lists(st.one_of(st.binary(max_size=6), st.text(max_size=6), st.integers(-(2**70), 2**70)), max_size=4)


# --- where a key comes from -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("short", [b"", b"x", b"x" * (LEAST_BYTES - 1)])
def test_a_short_key_is_refused(short: bytes) -> None:
    with pytest.raises(ParameterError, match="at least 16 bytes"):
        Key(short)


@pytest.mark.parametrize("given", ["text", None, 5, bytearray(32)])
def test_a_key_is_made_of_bytes(given: object) -> None:
    with pytest.raises(ParameterError, match="must be bytes"):
        Key(given)  # type: ignore[arg-type]


def test_drawn_keys_differ_and_have_256_bits(tmp_path: Path) -> None:
    drawn = [Key.draw() for _ in range(5)]
    assert len({key.digest("x") for key in drawn}) == 5
    assert len(bytes.fromhex(drawn[0].write(tmp_path / "key").read_text())) == 32


def test_a_key_file_is_read_by_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        path = KEY.write(tmp_path / "key")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == SECRET.hex() + "\n"
    assert Key.read(path) == KEY == Key.of(str(path)) == Key.of(path)


@pytest.mark.parametrize("kind", ["file", "link", "dangling link"])
def test_an_existing_file_is_never_overwritten(tmp_path: Path, kind: str) -> None:
    path, other = tmp_path / "key", tmp_path / "other"
    if kind == "file":
        path.write_text("mine")
    else:
        path.symlink_to(other)
        if kind == "link":
            other.write_text("mine")
    with pytest.raises(FileError, match="cannot be written"):
        KEY.write(path)
    assert kind == "dangling link" or path.read_text() == "mine"
    assert kind != "dangling link" or not other.exists()


def test_half_a_key_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, *_: object, **__: object) -> object:
        os.close(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(FileError, match="No space left"):
        KEY.write(tmp_path / "key")
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize(
    ("content", "secret"),
    [
        (SECRET.hex().encode(), SECRET),
        (b"  " + SECRET.hex().upper().encode() + b"\r\n", SECRET),
        (b"\x00\xff" * 8, b"\x00\xff" * 8),
        (b"\x00\xff" * 8 + b"\n", b"\x00\xff" * 8 + b"\n"),
        (b"a passphrase, long enough", b"a passphrase, long enough"),
        (bytes(range(256)) * 16, bytes(range(256)) * 16),
        (b"ab" * 2048, b"\xab" * 2048),
    ],
    ids=["hex", "hex with spaces", "bytes", "bytes with an end of line", "words", "most bytes", "most digits"],
)
def test_key_files_are_digits_or_bytes(tmp_path: Path, content: bytes, secret: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    assert Key.read(path) == Key(secret)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n" * 100, b"abcdef", SECRET, b"x" * 15, b"\xff" * 4097, b"a" * 8192, b"ab" * 2048 + b"\n" + b"cd" * 9],
    ids=["empty", "blank", "few digits", "16 digits", "15 bytes", "long", "many digits", "digits beyond the limit"],
)
def test_other_files_are_no_keys(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.key"
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"'some.key' must hold a key of at least 16 bytes \(32 hexadecimal digits\)"):
        Key.read(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'none' cannot be read: No such file"):
        Key.read(tmp_path / "none")
    with pytest.raises(FileError, match="cannot be read"):
        Key.read(tmp_path)
    with pytest.raises(FileError, match="none that a file can have"):
        Key.read("a\0b")
    with pytest.raises(FileError, match="none that a file can have"):
        KEY.write("a\0b")
    with pytest.raises(ParameterError, match="a file with a key or a Key, got int"):
        Key.of(5)  # type: ignore[arg-type]


# --- the secret stays one -------------------------------------------------------------------------------------------------


def test_nothing_that_is_printed_shows_the_secret() -> None:
    shown = [repr(KEY), str(KEY), f"{KEY}", repr([KEY]), repr({"key": KEY}), str(KEY.__class__.__slots__)]
    for text in shown:
        assert SECRET.decode() not in text
        assert SECRET.hex() not in text
    assert repr(KEY) == "Key(secret)"
    assert not hasattr(KEY, "__dict__")


@pytest.mark.parametrize(
    "given", ["0123456789abcdef0123456789abcdef", "dGhpcyBpcy/BhIHNlY3JldA==", "a.b-c_d/e?fgh" * 40]
)
def test_a_key_that_is_given_as_a_text_is_not_repeated(given: str) -> None:
    """A text is the name of a file; whoever gives the key itself must not find it in a log."""
    with pytest.raises(FileError, match="a key itself is given as bytes") as found:
        Key.of(given)
    told = "".join(traceback.format_exception(found.value, limit=0))
    for piece in (given, *given.split("/")):
        assert piece not in told


def test_a_short_secret_is_not_repeated() -> None:
    with pytest.raises(ParameterError) as found:
        Key(b"my secret")
    assert "my secret" not in str(found.value)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_key_is_not_pickled(protocol: int) -> None:
    with pytest.raises(ParameterError, match="must not be pickled"):
        pickle.dumps({"key": KEY}, protocol)


def test_copies_are_the_key_itself() -> None:
    assert copy.copy(KEY) is KEY
    assert copy.deepcopy([KEY])[0] is KEY


def test_keys_are_equal_by_their_secret() -> None:
    same, other = Key(SECRET), Key(SECRET + b"!")
    assert same == KEY
    assert hash(same) == hash(KEY)
    assert other != KEY
    assert KEY != SECRET


# --- what is drawn from it ------------------------------------------------------------------------------------------------


def test_a_digest_is_hmac_of_framed_parts() -> None:
    framed = b"s1:x" + b"b2:\x00\xff" + b"i3:-12" + b"s2:\xc3\xa4"
    assert KEY.digest("x", b"\x00\xff", -12, "ä") == hmac.new(SECRET, framed, hashlib.sha256).digest()
    assert KEY.digest(np.int64(7), True) == KEY.digest(7, 1)


@settings(max_examples=examples(25), deadline=None)
@given(parts, parts)
def test_other_parts_have_other_digests(one: list[bytes | str | int], two: list[bytes | str | int]) -> None:
    is_same = [(type(p), p) for p in one] == [(type(p), p) for p in two]
    assert (KEY.digest(*one) == KEY.digest(*two)) == is_same


def test_parts_do_not_run_into_each_other() -> None:
    texts = [("ab", "c"), ("a", "bc"), ("abc",), ("abc", ""), (b"abc",), ("a", 1), ("a1",), ("a", "1"), ()]
    assert len({KEY.digest(*given) for given in texts}) == len(texts)


def test_a_text_may_hold_half_a_pair() -> None:
    assert KEY.digest("\ud800") != KEY.digest("\udc00")


@pytest.mark.parametrize("part", [1.5, None, [1], np.float64(2)])
def test_other_parts_are_refused(part: object) -> None:
    with pytest.raises(ParameterError, match="a text or a whole number"):
        KEY.digest(part)  # type: ignore[arg-type]


def test_purposes_have_keys_of_their_own() -> None:
    made = [KEY, KEY.derive(), KEY.derive("a"), KEY.derive("b"), KEY.derive("a", "b"), KEY.derive("a").derive("b")]
    assert len({key.digest("x") for key in made}) == len(made)
    assert KEY.derive("a") == Key(SECRET).derive("a")


def test_whole_numbers_are_uniform() -> None:
    drawn = [KEY.integer(7, "roll", i) for i in range(3500)]
    counts = np.bincount(drawn, minlength=7)
    assert set(drawn) == set(range(7))
    assert float(((counts - 500) ** 2 / 500).sum()) < 22.5  # chi squared of 6 degrees, 0.001
    assert KEY.integer(1, "x") == 0
    with pytest.raises(ParameterError, match="'below' must be at least 1, got 0"):
        KEY.integer(0)


def test_numbers_are_uniform_in_the_unit_interval() -> None:
    drawn = np.array([KEY.uniform("u", i) for i in range(4000)])
    assert ((drawn >= 0) & (drawn < 1)).all()
    gaps = np.abs(np.sort(drawn) - (np.arange(4000) + 0.5) / 4000)
    assert gaps.max() < 1.95 / 4000**0.5  # Kolmogorov, 0.001
    assert (drawn * 2.0**53 == np.floor(drawn * 2.0**53)).all()


def test_streams_are_repeated_and_differ_by_their_parts() -> None:
    one, two = KEY.generator("x", 1).random(100), KEY.generator("x", 2).random(100)
    assert (one == KEY.generator("x", 1).random(100)).all()
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.4
    assert (one != Key.draw().generator("x", 1).random(100)).any()


# --- records --------------------------------------------------------------------------------------------------------------


def test_record_keys_are_uniform_and_do_not_collide() -> None:
    n = 200_000
    keys = KEY.record_keys(np.arange(n, dtype=np.uint64))
    assert keys.shape == (n, 2)
    assert keys.dtype == np.int64
    assert keys.min() >= 0
    assert keys.max() < 2**31
    assert len(np.unique(keys, axis=0)) == n
    for column in keys.T:
        counts = np.bincount(column >> 23, minlength=256)
        assert float(((counts - n / 256) ** 2 / (n / 256)).sum()) < 330.5  # chi squared of 255 degrees, 0.001
        bits = (column[:, None] >> np.arange(31) & 1).mean(axis=0)
        assert np.abs(bits - 0.5).max() < 0.006
    assert abs(np.corrcoef(keys.T)[0, 1]) < 0.01


def test_a_record_keeps_its_keys_wherever_it_stands() -> None:
    ids = np.array([5, 2**64 - 1, 0, 17], dtype=np.uint64)
    keys = KEY.record_keys(ids)
    assert (KEY.record_keys(ids[::-1])[::-1] == keys).all()
    assert (KEY.record_keys(ids[1:2]) == keys[1:2]).all()
    assert (Key(SECRET + b"!").record_keys(ids) != keys).all()


def test_both_words_of_an_id_count() -> None:
    ids = np.array([[1, 2], [1, 3], [2, 1], [1, 2]], dtype=np.uint64)
    keys = KEY.record_keys(ids)
    assert len(np.unique(keys, axis=0)) == 3
    assert (keys[0] == keys[3]).all()


def test_no_records_have_no_keys() -> None:
    assert KEY.record_keys(np.zeros(0, dtype=np.uint64)).shape == (0, 2)
    assert KEY.record_keys(np.zeros((0, 2), dtype=np.uint64)).shape == (0, 2)
    assert KEY.record_order(np.zeros(0, dtype=np.uint64)).shape == (0,)


@pytest.mark.parametrize("shape", [(), (3, 1), (3, 3), (2, 2, 2)])
def test_ids_have_one_or_two_words(shape: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError, match=r"'ids' must be \(n,\)"):
        KEY.record_keys(np.zeros(shape, dtype=np.uint64))
    with pytest.raises(ParameterError, match=r"'ids' must be \(n,\)"):
        KEY.record_order(np.zeros(shape, dtype=np.uint64))


def test_the_order_of_records_is_a_random_choice() -> None:
    ids = np.arange(40, dtype=np.uint64)
    chosen = np.zeros(40)
    for i in range(400):
        order = KEY.record_order(ids, "drop", i)
        assert len(np.unique(order)) == 40
        chosen[np.argsort(order)[:10]] += 1
    assert float(((chosen - 100) ** 2 / 75).sum()) < 75  # 39 degrees, 0.001 is 72, without replacement below
    assert (KEY.record_order(ids, "a") == KEY.record_order(ids, "a")).all()
    assert (KEY.record_order(ids, "a") != KEY.record_order(ids, "b")).any()
