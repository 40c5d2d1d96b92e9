"""Only directories that Tacita wrote are replaced, and never one that holds an input or what somebody else put there."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import FileError, ReleaseError
from tacita.data.atomic import atomic_directory
from tacita.data.disk.outputs import LIST, check_directory, check_not_input


def content(folder: Path) -> dict[str, object]:
    return {
        str(p.relative_to(folder)): p.readlink() if p.is_symlink() else p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
    }


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """An output of ours."""
    with atomic_directory(tmp_path / "out", kind="release") as made:
        (made / "public").mkdir()
        (made / "public" / "data.csv").write_text("x\n1\n")
    return tmp_path / "out"


def refused(path: Path, match: str, **more: object) -> None:
    """Assert that a directory is not replaced, and that nothing changes."""
    before = content(path.parent)

    def replace() -> None:
        with atomic_directory(path, overwrite=True, kind="release", **more):  # type: ignore[arg-type]
            pytest.fail("the block must not run")

    with pytest.raises(FileError, match=match):
        replace()
    assert content(path.parent) == before


def test_an_output_of_ours_and_an_empty_directory_are_replaced(output: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for place in (output, tmp_path / "empty"):
        with atomic_directory(place, overwrite=True, kind="release") as made:
            (made / "new").write_text("new")
        assert sorted(content(place)) == [LIST, "new"]


def test_a_directory_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.txt").write_text("ten years")
    refused(tmp_path / "work", "no release that Tacita wrote")
    (tmp_path / "work" / "public").mkdir()
    (tmp_path / "work" / "internal").mkdir()
    refused(tmp_path / "work", "no release that Tacita wrote")


@pytest.mark.parametrize("place", ["mine.txt", "public/mine.txt", "public/deep/mine.txt", ".hidden"])
def test_an_output_with_something_else_in_it_is_not_replaced(output: Path, place: str) -> None:
    (output / place).parent.mkdir(exist_ok=True)
    (output / place).write_text("mine")
    refused(output, "is nothing that Tacita wrote")


def test_an_output_with_an_empty_directory_or_a_link_is_not_replaced(output: Path) -> None:
    (output / "mine").mkdir()
    refused(output, "'mine' in it is nothing")
    (output / "mine").rmdir()
    (output / "public" / "data.csv").unlink()
    (output / "public" / "data.csv").symlink_to(output.parent / "elsewhere.csv")
    refused(output, r"'public/data\.csv' in it is nothing")


def test_what_file_browsers_leave_is_no_reason(output: Path) -> None:
    (output / "public" / ".DS_Store").write_text("x")
    check_directory(output, "release", overwrite=True)
    with atomic_directory(output, overwrite=True, kind="release") as made:
        (made / "new").write_text("new")
    assert sorted(content(output)) == [LIST, "new"]


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"form": "tacita-output-1", "kind": "release", "files": 3}', "[" * 10_000, "\udcff"]
)
def test_a_list_that_is_none_does_not_count(output: Path, text: str) -> None:
    (output / LIST).write_text(text, encoding="utf-8", errors="surrogateescape")
    refused(output, "no release that Tacita wrote")


def test_a_list_that_is_a_link_does_not_count(output: Path, tmp_path: Path) -> None:
    (output / LIST).rename(tmp_path / "list")
    (output / LIST).symlink_to(tmp_path / "list")
    refused(output, "no release that Tacita wrote")


def test_another_kind_of_output_is_not_replaced(output: Path) -> None:
    before = content(output)
    with pytest.raises(FileError, match="it is a release, not a published table"):
        check_directory(output, "published table", overwrite=True)
    assert content(output) == before


def test_an_output_that_holds_an_input_is_not_replaced(output: Path, tmp_path: Path) -> None:
    data = output / "public" / "data.csv"
    (tmp_path / "link.csv").symlink_to(data)
    (tmp_path / "other").symlink_to(output, target_is_directory=True)
    (tmp_path / "chain.csv").symlink_to(tmp_path / "link.csv")
    for name in (data, tmp_path / "link.csv", tmp_path / "other" / "public" / "data.csv", tmp_path / "chain.csv"):
        refused(output, "which this output is made from", inputs=[name])
    refused(output, "which this output is made from", inputs=[tmp_path / "fine.csv", output / ".." / "out" / "x.toml"])
    check_directory(output, "release", overwrite=True, inputs=[tmp_path / "fine.csv", tmp_path / "out-2" / "a"])


def test_an_input_that_is_a_link_inside_is_not_lost(output: Path, tmp_path: Path) -> None:
    (tmp_path / "true.csv").write_text("x\n")
    (output / "in.csv").symlink_to(tmp_path / "true.csv")
    refused(output, "nothing that Tacita wrote|made from", inputs=[output / "in.csv"])


@pytest.mark.parametrize("place", [".", "public"])
def test_the_current_directory_is_not_replaced(output: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(output / place)
    refused(output, "directory that you work in")
    with pytest.raises(FileError, match=r"directory that you work in|no release"):
        check_directory(Path(), "release", overwrite=True)


def test_a_link_to_an_output_is_not_replaced(output: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(output, target_is_directory=True)
    refused(tmp_path / "link", "something else of that name")


def test_a_file_that_is_read_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    for target, given in (("a.csv", "a.csv"), ("a.csv", "b.csv"), ("b.csv", "a.csv"), ("x/../a.csv", "a.csv")):
        with pytest.raises(FileError, match="it is a file that is read"):
            check_not_input(tmp_path / target, [None, tmp_path / given])
    check_not_input(tmp_path / "c.csv", [tmp_path / "a.csv", None])


# --- releases ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def release() -> tc.mask.Release:
    data = tc.Microdata.from_frame(pa.table({"x": [float(i) for i in range(20)]}), confidential=["x"])
    return tc.Recipe([tc.mask.RankSwap(columns=["x"], p=50)]).apply(data, seed=3)


def test_a_release_replaces_neither_its_input_nor_its_schema(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "survey.csv").write_text("x\n1.5\n2.5\n3.5\n")
    data = tc.read(folder / "survey.csv")
    recipe = tc.Recipe([tc.mask.RankSwap(columns=["x"], p=50)])
    before = content(tmp_path)
    with pytest.raises(FileError, match="no release that Tacita wrote"):
        recipe.apply(data, seed=1).write(folder, overwrite=True)
    with pytest.raises(FileError, match="no release that Tacita wrote"):
        tc.publish(recipe.apply(data, seed=1), folder, overwrite=True)
    assert content(tmp_path) == before
    first = recipe.apply(data, seed=1).write(tmp_path / "first")
    again = tc.read(first / "public" / "data.csv", schema=first / "public" / "schema.toml")
    before = content(tmp_path)
    with pytest.raises(FileError, match=r"it holds 'data\.csv', which this output is made from"):
        recipe.apply(again, seed=1).write(first, overwrite=True)
    beside = tc.read(folder / "survey.csv", schema=first / "public" / "schema.toml")
    with pytest.raises(FileError, match=r"it holds 'schema\.toml', which this output is made from"):
        recipe.apply(beside.take([0, 1]), seed=1).write(first, overwrite=True)
    with pytest.raises(FileError, match=r"it holds 'recipe\.toml'"):
        recipe.apply(data, seed=1).write(first, overwrite=True, inputs=[first / "internal" / "recipe.toml"])
    assert content(tmp_path) == before


@pytest.mark.parametrize(
    "place",
    [
        "public/../../x",
        "public/../internal/seed",
        "../public/x",
        "/public/x",
        "/etc/x",
        "public",
        "internal/",
        "public//x",
        "public/./x",
        "public/..",
        "public\\..\\x",
        "public/a\\b",
        "public/a\0b",
        "public/a\nb",
        "public/C:x",
        "",
        "notes.txt",
        "Public/x",
        ".tacita.json",
    ],
)
def test_the_place_of_a_document_leads_nowhere_else(release: tc.mask.Release, tmp_path: Path, place: str) -> None:
    (tmp_path / "x").write_text("mine")
    before = content(tmp_path)
    with pytest.raises(ReleaseError, match="public/ or internal/"):
        release.write(tmp_path / "out", documents={place: b"evil"})
    assert content(tmp_path) == before


@pytest.mark.parametrize(
    "place",
    [
        "public/data.csv",
        "public/DATA.csv",
        "public/schema.toml",
        "internal/link.parquet",
        "internal/Ledger.json",
        "internal/provenance.json",
        "internal/recipe.toml",
        "public/data.csv/x",
        "internal/link.parquet/x/y",
    ],
)
def test_a_document_does_not_take_the_place_of_a_file(release: tc.mask.Release, tmp_path: Path, place: str) -> None:
    with pytest.raises(ReleaseError, match="must not take the place"):
        release.write(tmp_path / "out", documents={place: b"evil"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("other", ["public/a/b", "public/A", "public/a/B/c", "public/ä", "public/a\u0308"])
def test_two_documents_do_not_stand_in_one_place(release: tc.mask.Release, tmp_path: Path, other: str) -> None:
    first = "public/Ä" if "ä" in other or "\u0308" in other else "public/a"
    with pytest.raises(ReleaseError, match="same place"):
        release.write(tmp_path / "out", documents={first: b"1", other: b"2"})
    with pytest.raises(ReleaseError, match="same place"):
        release.write(tmp_path / "out", documents={other: b"2", first: b"1"})
    assert list(tmp_path.iterdir()) == []


def test_documents_in_folders_of_their_own(release: tc.mask.Release, tmp_path: Path) -> None:
    out = release.write(
        tmp_path / "out", documents={"public/a/b.txt": b"1", "internal/a/b.txt": b"2", "public/a/c": b"3"}
    )
    assert (out / "public" / "a" / "c").read_bytes() == b"3"
    assert (out / "internal" / "a").stat().st_mode & 0o777 == 0o700
    assert (out / "internal" / "a" / "b.txt").stat().st_mode & 0o777 == 0o600
    release.write(out, overwrite=True)
    assert not (out / "public" / "a").exists()


@pytest.mark.parametrize("format", ["csv/../../x.csv", "../x.csv", "", "csv\0", "."])
def test_the_format_is_an_ending(release: tc.mask.Release, tmp_path: Path, format: str) -> None:
    with pytest.raises(ReleaseError, match="'format'"):
        release.write(tmp_path / "out", format=format)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["csv", "parquet", "feather"])
def test_a_limit_of_the_disk_names_the_file_and_keeps_the_old_release(
    release: tc.mask.Release, tmp_path: Path, format: str
) -> None:
    resource = pytest.importorskip("resource", reason="this system has no limits of that kind")
    out = release.write(tmp_path / "out")
    before = content(tmp_path)
    data = tc.Microdata.from_frame(pa.table({"x": [float(i * i) for i in range(200_000)]}), confidential=["x"])
    large = tc.Recipe([tc.mask.RankSwap(columns=["x"], p=50)]).apply(data, seed=3)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, limits[1]))
    try:
        with pytest.raises(FileError, match=rf"'data\.{format}' cannot be written: File too large") as told:
            large.write(out, overwrite=True, format=format)
        with pytest.raises(FileError, match=r"'note\.txt' cannot be written: File too large"):
            release.write(out, overwrite=True, documents={"internal/note.txt": b"x" * 40_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ".tacita-" not in str(told.value)
    assert content(tmp_path) == before


def test_internal_files_are_for_their_owner(release: tc.mask.Release, tmp_path: Path) -> None:
    from tacita.report.publish import write_pictures
    from tacita.tables.rules.minimum_frequency import MinimumFrequency
    from tacita.tables.suppression.suppress import Suppress
    from tests.tables.tables_by_hand import row_of

    table = row_of([[77.0], [20.0, 20.0, 21.0], [30.0, 30.0, 31.0]])
    protected = Suppress().protect(table, MinimumFrequency(at_least=2).judge(table))
    before = os.umask(0)
    try:
        tc.publish(release, tmp_path / "release", measures=["il1s"])
        tc.publish_table(protected, tmp_path / "table")
        write_pictures(tc.evaluate(release.original, release, measures=["il1s"]), tmp_path / "pictures")
    finally:
        os.umask(before)
    for folder in (tmp_path / "release" / "internal", tmp_path / "table" / "internal", tmp_path / "pictures"):
        assert folder.stat().st_mode & 0o777 == 0o700
        for path in folder.rglob("*"):
            assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path
    assert (tmp_path / "table" / "public" / "table.csv").stat().st_mode & 0o777 == 0o666
