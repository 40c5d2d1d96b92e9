"""Bad and odd files through the whole program: a clear error or the right result, and nothing half-written."""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tests.cli.test_verbs import tacita


def swap(file: Path, out: Path, *more: object) -> tuple[int, str]:
    words = ("mask", file, "-m", "rank_swap", "--set", "p=50", "--set", "columns=v", "-o", out, "--seed", 1, *more)
    done = tacita(*words)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def refused(file: Path, sentence: str) -> None:
    """The program says why it cannot, and leaves nothing beside the input."""
    before = sorted(file.parent.iterdir())
    code, said = swap(file, file.parent / "out")
    assert code == 2
    assert sentence in said
    assert sorted(file.parent.iterdir()) == before


def released(file: Path, *more: object) -> tc.Microdata:
    code, said = swap(file, file.parent / "out", *more)
    assert code == 4, said  # written, and not judged
    return tc.read(file.parent / "out" / "public" / "data.csv")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.csv", b"", "is empty"),
        ("twice.csv", b"v,v\n1,2\n", "Columns 1 and 2 have the same name"),
        ("infinite.csv", b"v\n1\n2\ninf\n", "infinite"),
        ("text.csv", b"v\n1\nx\n", "'v' is nominal"),
        ("short.csv", b"v,w\n1,2\n3\n", "line 3"),
        ("quote.csv", b'v\n"1\n2\n', "quot"),
        ("cut.parquet", b"PAR1\x15\x04\x15\x10", "cut.parquet"),
    ],
)
def test_unusable_files_are_refused(name: str, content: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    refused(tmp_path / name, sentence)


def test_truncated_parquet_file(tmp_path: Path) -> None:
    pq.write_table(pa.table({"v": np.arange(5000.0)}), tmp_path / "whole.parquet")
    whole = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "whole.parquet").unlink()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    refused(tmp_path / "cut.parquet", "cut.parquet")


def test_header_only_one_row_all_missing_and_constant_columns(tmp_path: Path) -> None:
    for name, content, rows in (
        ("one", "v,w\n5,a\n", 1),
        ("missing", "v,w\n,a\n,b\n,c\n", 3),
        ("constant", "v,w\n7,a\n7,b\n7,c\n", 3),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "f.csv").write_text(content)
        (folder / "s.toml").write_text('[columns.v]\nscale = "numeric"\nrole = "key"\n')
        assert released(folder / "f.csv", "-s", folder / "s.toml").n_rows == rows


def test_a_field_of_ten_million_characters(tmp_path: Path) -> None:
    long = "x" * 10_000_000
    (tmp_path / "long.csv").write_text(f'v,w\n1,a\n2,"{long}"\n3,c\n')
    assert sorted(map(len, released(tmp_path / "long.csv").to_arrow().column("w").to_pylist())) == [1, 1, 10_000_000]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere, so permissions cannot stop it")
def test_directory_without_write_permission(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("v\n1\n2\n3\n")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    code, said = swap(tmp_path / "f.csv", closed / "out")
    assert code == 2
    assert "permission" in said.lower()
    assert list(closed.iterdir()) == []


def test_target_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("v\n1\n2\n3\n")
    code, said = swap(tmp_path / "f.csv", tmp_path / "f.csv" / "out")
    assert code == 2
    assert "cannot be written" in said
    assert [p.name for p in tmp_path.iterdir()] == ["f.csv"]
