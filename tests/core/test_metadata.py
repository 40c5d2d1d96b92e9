"""Metadata text: limits are kept before anything is parsed, and no message quotes the file."""

from __future__ import annotations

import os
import tracemalloc

import pytest

from tacita.core.errors import FileError, ParameterError, RecipeError
from tacita.core.metadata import LARGE, MetadataLimits, parse_json, parse_toml, read_text

CANARY = "zzcanary"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a" + ".a" * 20_000 + " = 1", "a key has more than 16 parts"),
        ("a" + " . 'a'" * 20_000 + " = 1", "a key has more than 16 parts"),
        ("[" + "a." * 20_000 + "a]", "a key has more than 16 parts"),
        ("a = " + "[" * 100_000, "nested more than 50 deep"),
        ("a = " + "{b = " * 100_000, "nested more than 50 deep"),
        ("a = " + "1" * 5_000, "a number has more than 300 digits"),
        ("a = -" + "1_" * 5_000 + "1", "a number has more than 300 digits"),
        ("a = 0x" + "f" * 5_000, "a number has more than 300 digits"),
        ("a = [" + "1," * 600_000 + "]", "more than 500,000 keys"),
    ],
)
def test_toml_that_asks_too_much_is_refused_before_it_is_parsed(text, sentence):
    tracemalloc.start()
    with pytest.raises(RecipeError, match=sentence):
        parse_toml(text, "The recipe", error=RecipeError)
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        f"{CANARY} = 1\n{CANARY} = 2",
        f"a = {CANARY}",
        f"[{CANARY}",
        f"[{CANARY}]\n[{CANARY}]",
        f'a = "\\{CANARY}"',
        f"{CANARY}.b = 1\n{CANARY} = 3",
        f'a = "{CANARY}\x01"',
        "a = 2024-02-30",
        "a = 24:61:00",
    ],
)
def test_broken_toml_is_an_error_that_does_not_quote_it(text):
    with pytest.raises(FileError, match="TOML") as caught:
        parse_toml(text, "The schema")
    assert CANARY not in str(caught.value)
    assert "canary" not in str(caught.value)


def test_what_looks_deep_inside_a_text_or_a_comment_is_no_nesting():
    many = "[{." * 1000
    assert parse_toml(f'a = "{many}" # {many}\nb = \'{many}\'\nc = """\n{many}"""', "The note")["a"] == many
    assert parse_json(f'["{many}"]', "The note") == [many]


def test_ordinary_files_are_far_from_the_limits():
    rows = ",".join(f'["{i}", "{i // 10}", "*"]' for i in range(20_000))
    assert len(parse_toml(f"[columns.a]\nhierarchy = [{rows}]", "The schema")["columns"]["a"]["hierarchy"]) == 20_000
    assert parse_toml("x = [1.5, 2.5]\ny.z = 3", "A note") == {"x": [1.5, 2.5], "y": {"z": 3}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "nested more than 50 deep"),
        ('{"a":' * 100_000, "nested more than 50 deep"),
        ("1" * 5_000, "more than 300 digits"),
        ('{"a": -' + "1" * 400 + "}", "more than 300 digits"),
        ("[1e400]", "too large"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        (f"[1, {CANARY}]", "not valid JSON"),
        (b"\xff\xfe\xff", "not valid JSON"),
        ("", "not valid JSON"),
    ],
)
def test_json_is_parsed_within_limits(text, sentence):
    with pytest.raises(FileError, match=sentence) as caught:
        parse_json(text, "The ledger")
    assert CANARY not in str(caught.value)


def test_seeds_of_128_bits_are_no_long_numbers():
    assert parse_json(str(2**128), "A line") == 2**128


def test_size_of_text_files(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("x" * 101)
    with pytest.raises(FileError, match="at most 100 bytes"):
        read_text(path, "The schema file", limits=MetadataLimits(size=100, keys=10))
    assert len(read_text(path, "The schema file", limits=LARGE)) == 101


def test_what_is_no_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    for name in ("pipe.toml", "missing.toml", "", "a\0b"):
        with pytest.raises(FileError, match="cannot be read"):
            read_text(tmp_path / name, "The schema file")


def test_encodings(tmp_path):
    (tmp_path / "a.hrc").write_bytes("größe".encode("cp1252"))
    with pytest.raises(FileError, match="must be UTF-8 text"):
        read_text(tmp_path / "a.hrc", "The file")
    assert read_text(tmp_path / "a.hrc", "The file", encodings=("utf-8-sig", "cp1252")) == "größe"
    with pytest.raises(ParameterError, match="'encoding'"):
        read_text(tmp_path / "a.hrc", "The file", encodings=("nonesuch",))
