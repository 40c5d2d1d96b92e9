"""Every kind of tampering, by people without and with the key, and by which means it is seen."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.core.errors import FileError, ParameterError
from tacita.core.keyed import Key
from tacita.query.journal.chain import LONGEST, ChainedLine, JournalKeys
from tacita.query.journal.reading import read_entries
from tacita.query.journal.verify import JournalFlaw, Verification, verify
from tests.effort import examples
from tests.query.journal.children import KEY, OTHER, written

few = settings(max_examples=examples(25), deadline=None)


@cache
def genuine() -> tuple[bytes, str]:
    """A journal of seven entries, and its anchor."""
    with TemporaryDirectory() as folder:
        journal = written(Path(folder) / "j", 6)
        return journal.path.read_bytes(), journal.head()


def lines() -> list[bytes]:
    return genuine()[0].splitlines(keepends=True)


def judged(content: bytes, *, key: Key | None = None, anchor: bool = False) -> Verification:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        path.write_bytes(content)
        return verify(path, key=key, anchor=genuine()[1] if anchor else None)


def chain(bodies: list[dict[str, object]], key: Key) -> bytes:
    """Compute a chain anew."""
    made, previous = b"", "0" * 64
    for number, body in enumerate(bodies):
        line, content = ChainedLine.make({**body, "number": number, "previous": previous}, JournalKeys(key))
        made, previous = made + content, line.entry.hash
    return made


def bodies() -> list[dict[str, object]]:
    with TemporaryDirectory() as folder:
        (Path(folder) / "j").write_bytes(genuine()[0])
        return [entry.to_body() for entry in read_entries(Path(folder) / "j")]


# --- nothing was done ---------------------------------------------------------------------------------------------------------


def test_a_genuine_journal_passes() -> None:
    content, head = genuine()
    alone, keyed, anchored = judged(content), judged(content, key=KEY), judged(content, anchor=True)
    both = judged(content, key=KEY, anchor=True)
    assert [found.state for found in (alone, keyed, anchored, both)] == ["consistent", *["verified"] * 3]
    assert {found.head for found in (alone, keyed, anchored, both)} == {head}
    assert both == Verification(state="verified", entries=7, head=head)
    assert "computed anew looks the same" in alone.notes[0]
    assert "cut off" in keyed.notes[0]
    assert both.to_plain() == {"state": "verified", "entries": 7, "head": head, "flaws": [], "more": 0, "notes": []}


def test_a_journal_may_have_grown_since_the_anchor() -> None:
    early = f"3:{read_hash(3)}"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        path.write_bytes(genuine()[0])
        assert verify(path, key=KEY, anchor=early).notes == ()
        found = verify(path, anchor=early)
    assert found.state == "verified"
    assert found.notes == ("Entries after the anchor are proven only with the key: 3.",)


def read_hash(number: int) -> str:
    return lines()[number].split(b'"hash":"')[1][:64].decode()


# --- by people without the key --------------------------------------------------------------------------------------------------


@given(st.integers(0, len(genuine()[0]) - 1), st.integers(1, 255))
@few
def test_a_changed_byte_is_seen_by_everybody(place: int, change: int) -> None:
    content = bytearray(genuine()[0])
    content[place] ^= change
    found = judged(bytes(content))
    assert found.state == "broken"
    line = genuine()[0][:place].count(b"\n") + 1
    assert found.flaws[0].line <= line + 1


def test_a_changed_seal_is_seen_by_everybody() -> None:
    line = lines()[6]
    place = line.index(b'"seal":"') + 10
    swapped = bytearray(line)
    swapped[place] = ord("0") if swapped[place] != ord("0") else ord("1")
    assert judged(b"".join([*lines()[:6], bytes(swapped)])).flaws == (
        JournalFlaw(7, "entry 6: its content was changed"),
    )


@given(st.sets(st.integers(0, 6), min_size=1, max_size=6))
@few
def test_removed_entries_are_seen(removed: set[int]) -> None:
    content = b"".join(line for number, line in enumerate(lines()) if number not in removed)
    is_end = removed == set(range(min(removed), 7))
    assert judged(content, anchor=True).state == "broken"
    assert judged(content, key=KEY).state == ("verified" if is_end else "broken")
    assert judged(content).state == ("consistent" if is_end else "broken")


def test_removed_entries_are_counted() -> None:
    found = judged(b"".join(lines()[:2] + lines()[4:]))
    assert found.flaws == (JournalFlaw(3, "entry 4: entries before it are missing: 2"),)
    first = judged(b"".join(lines()[1:]))
    assert first.flaws == (JournalFlaw(1, "entry 1: entries before it are missing: 1"),)


@given(st.integers(0, 6), st.integers(0, 7))
@few
def test_repeated_entries_are_seen(number: int, place: int) -> None:
    content = lines()
    content.insert(place, lines()[number])
    assert judged(b"".join(content)).state == "broken"


@given(st.permutations(range(7)))
@few
def test_another_order_is_seen(order: list[int]) -> None:
    assume(order != sorted(order))
    assert judged(b"".join(lines()[number] for number in order)).state == "broken"


@given(st.integers(0, len(genuine()[0]) - 1))
@few
def test_a_cut_is_seen_with_an_anchor(place: int) -> None:
    content = genuine()[0][:place]
    assert judged(content, anchor=True).state == "broken"
    whole = place > 0 and content.endswith(b"\n")
    assert judged(content, key=KEY).state == ("verified" if whole else "broken")


def test_a_cut_is_named() -> None:
    found = judged(b"".join(lines()[:4]), key=KEY, anchor=True)
    assert found.flaws[-1].what == "the journal ends with entry 3, but the anchor names entry 6: it was cut off"
    torn = judged(genuine()[0][:-5])
    assert "the last line is incomplete" in torn.flaws[0].what


def test_a_line_put_at_the_end_without_the_key() -> None:
    last = {**bodies()[6], "number": 7, "previous": read_hash(6)}
    forged = ChainedLine.make(last, JournalKeys(OTHER))[1]
    content = genuine()[0] + forged
    assert judged(content).state == "consistent"
    assert judged(content, key=KEY).flaws == (JournalFlaw(8, "entry 7: its seal was not made with this key"),)
    anchored = judged(content, anchor=True)
    assert anchored.state == "verified"
    assert anchored.notes == ("Entries after the anchor are proven only with the key: 1.",)


def test_a_chain_computed_anew_without_the_key() -> None:
    changed = bodies()
    changed[2]["status"] = "refused"
    content = chain(changed, OTHER)
    assert judged(content).state == "consistent"
    assert judged(content, anchor=True).state == "broken"
    keyed = judged(content, key=KEY)
    assert keyed.state == "broken"
    assert len(keyed.flaws) == 7
    assert "key of another database" in keyed.notes[0]


def test_entries_of_another_journal_under_the_same_key_do_not_fit(tmp_path: Path) -> None:
    other = written(tmp_path / "other", 6).path.read_bytes().splitlines(keepends=True)
    content = b"".join([*lines()[:3], other[3], *lines()[4:]])
    assert judged(content, key=KEY).flaws[0] == JournalFlaw(4, "entry 3: it does not follow the entry before it")


# --- by people with the key -----------------------------------------------------------------------------------------------------


def test_a_chain_computed_anew_with_the_key_is_seen_with_an_anchor_only() -> None:
    changed = bodies()
    changed[2]["status"] = "refused"
    content = chain(changed, KEY)
    assert judged(content, key=KEY).state == "verified"
    found = judged(content, key=KEY, anchor=True)
    assert found.flaws == (JournalFlaw(7, "entry 6: it is another one than the anchor names"),)


# --- odd and hostile files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"", b"\n" * 1000, b"[" * 100_000, b"{}\n" * 100, b"\0" * 5000, b"a,b\n1,2\n", os.urandom(20_000)],
    ids=range(7),
)
def test_other_files_are_broken_journals(content: bytes) -> None:
    found = judged(content, key=KEY)
    assert found.state == "broken"
    assert len(found.flaws) <= 20
    assert found.entries == 0
    assert found.head is None


def test_further_flaws_are_counted() -> None:
    found = judged(b"{}\n" * 100)
    assert (len(found.flaws), found.more) == (20, 80)


def test_a_very_long_line_is_read_in_pieces() -> None:
    found = judged(lines()[0] + b"x" * (5 * LONGEST) + b"\n" + b"".join(lines()[1:]))
    assert found.state == "broken"
    assert found.entries == 7


def test_a_chain_must_begin_as_a_journal() -> None:
    assert judged(chain(bodies()[1:], KEY), key=KEY).flaws == (
        JournalFlaw(1, "entry 0: it is not the first entry of a journal"),
    )


def test_a_clock_that_goes_back_is_noted() -> None:
    changed = bodies()
    changed[3]["time"] = "2029-01-01T00:00:00.000000Z"
    found = judged(chain(changed, KEY), key=KEY)
    assert found.state == "verified"
    assert any("a clock is put back: 1" in note for note in found.notes)


def test_bad_parameters(tmp_path: Path) -> None:
    path = written(tmp_path / "j", 1).path
    with pytest.raises(ParameterError, match="An anchor must be"):
        verify(path, anchor="3")
    with pytest.raises(FileError, match="No such file"):
        verify(tmp_path / "none")
    with pytest.raises(FileError, match="key file"):
        verify(path, key=tmp_path / "none")


@pytest.mark.slow
def test_a_long_journal_is_verified_in_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tracemalloc

    monkeypatch.setattr(os, "fsync", lambda _: None)
    journal = written(tmp_path / "j", 20_000)
    tracemalloc.start()
    assert verify(journal.path, key=KEY, anchor=journal.head()).entries == 20_001
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()
