from __future__ import annotations

import gzip
import json
import resource
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from tacita.core.errors import ColumnError, DataError, FileError, ParameterError, TacitaError
from tacita.core.progress import show_progress
from tacita.data.query_log.log_columns import LogColumns
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.read import read_log

HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
LINES = (
    "142\trentdirect.com\t2006-03-01 07:17:12\t\t\n"
    "142\t-\t2006-03-01 07:18:00\t\t\n"
    '217\t"unclosed quote\t2006-03-02 10:00:00\t3\thttp://www.example.com\n'
    "217\t\t2006-03-02 10:05:00\t1\thttp://a.example\n"
)
ROWS = {
    "user": ["142", "142", "217", "217"],
    "query": ["rentdirect.com", None, '"unclosed quote', None],
    "rank": [None, None, 3, 1],
    "url": [None, None, "http://www.example.com", "http://a.example"],
}


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(log: QueryLog) -> dict[str, list[object]]:
    return log.to_arrow().to_pydict()


# --- the form of AOL ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        HEADER + LINES,
        LINES,
        LINES + HEADER,
        "\ufeff" + HEADER + LINES,
        (HEADER + LINES).replace("\n", "\r\n"),
        "\n" + HEADER + "\n\n" + LINES.rstrip("\n"),
    ],
    ids=["header", "none", "inside", "mark", "crlf", "blank lines, no last line end"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_the_form_of_aol(tmp_path: Path, text: str, packed: bool) -> None:
    content = gzip.compress(text.encode()) if packed else text.encode()
    log = read_log(put(tmp_path, "user-ct-test-collection-01.txt" + ".gz" * packed, content))
    assert {name: rows(log)[name] for name in ROWS} == ROWS
    assert str(log.time[0]) == "2006-03-01T07:17:12.000000"  # type: ignore[index]
    assert log.reading is not None
    assert (log.reading.form, log.reading.lines, log.reading.read, dict(log.reading.broken)) == (("aol",), 4, 4, {})
    assert log.reading.without_query == 2


def test_lines_may_end_behind_the_time(tmp_path: Path) -> None:
    log = read_log(put(tmp_path, "a.txt", HEADER + "1\ta\t2006-03-01 07:17:12\n1\tb\t2006-03-01 07:17:13\t2\tx\n"))
    assert rows(log)["rank"] == [None, 2]
    assert rows(log)["url"] == [None, "x"]


def test_a_column_that_is_empty_throughout_is_none(tmp_path: Path) -> None:
    log = read_log(put(tmp_path, "a.txt", HEADER + "1\ta\t\t\t\n2\tb\t\t\t\n"))
    assert log.time is None
    assert log.rank is None
    assert log.url is None


BROKEN = (
    b"1\ta\t2006-03-01 07:00:00\t\t\n"
    b"1\ta\t2006-03-01 07:00:00\t\t\tmore\n"  # line 2: fields
    b"no tabs\n"  # line 3: fields
    b"\ta\t2006-03-01 07:00:00\t\t\n"  # line 4: no user
    b"1\ta\t2006-02-30 07:00:00\t\t\n"  # line 5: time
    b"1\ta\tyesterday\t\t\n"  # line 6: time
    b"1\ta\t2006-03-01 07:00:00\tx\tu\n"  # line 7: rank
    b"1\tcaf\xe9\t2006-03-01 07:00:00\t\t\n"  # line 8: encoding
    b"1\ta\0b\t2006-03-01 07:00:00\t\t\n"  # line 9: zero byte
    + b"1\tgood\t2006-03-01 07:00:00\t2\tu\n" * 9
)  # fmt: skip


def test_broken_lines_are_counted_by_reason_with_their_places(tmp_path: Path) -> None:
    log = read_log(put(tmp_path, "a.txt", HEADER.encode() + BROKEN))
    reading = log.reading
    assert reading is not None
    assert dict(reading.broken) == {"encoding": 1, "zero byte": 1, "fields": 2, "no user": 1, "time": 2, "rank": 1}
    assert reading.first["time"] == (("a.txt", 6), ("a.txt", 7))
    assert reading.first["encoding"] == (("a.txt", 9),)
    assert (reading.lines, reading.read, len(log)) == (18, 10, 10)
    assert "2 with too few or too many fields (lines 3, 4)" in reading.words()


def test_broken_lines_of_many_blocks_keep_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.data.query_log.files.log_bytes._CHUNK", 64)
    monkeypatch.setattr("tacita.data.query_log.files.log_bytes.chunks.__defaults__", (None, 64))
    log = read_log(put(tmp_path, "a.txt", HEADER.encode() + BROKEN))
    assert log.reading is not None
    assert log.reading.first["rank"] == (("a.txt", 8),)
    assert log.reading.first["zero byte"] == (("a.txt", 10),)
    assert (log.reading.lines, log.reading.read) == (18, 10)


# --- files, folders, parts ------------------------------------------------------------------------------------------------------


def test_a_folder_of_parts(tmp_path: Path) -> None:
    put(tmp_path, "part-02.txt", HEADER + "2\tb\t2006-03-01 07:00:00\t\t\n")
    put(tmp_path, "part-01.txt.gz", gzip.compress((HEADER + "1\ta\t2006-03-01 07:00:00\t\t\n").encode()))
    put(tmp_path, "README.txt", "A log of searches.\nPlease read this first.\n")
    put(tmp_path, "empty.txt", "")
    put(tmp_path, ".hidden.txt", HEADER + "9\tz\t2006-03-01 07:00:00\t\t\n")
    put(tmp_path, "picture.png", b"\x89PNG")
    log = read_log(tmp_path)
    assert rows(log)["user"] == ["1", "2"]
    assert log.reading is not None
    assert log.reading.files == ("part-01.txt.gz", "part-02.txt")
    assert set(log.reading.passed_over) == {"README.txt", "empty.txt"}
    both = read_log([tmp_path / "part-02.txt", tmp_path / "part-01.txt.gz"])
    assert rows(both)["user"] == ["2", "1"]


def test_places_name_the_file_where_there_are_several(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        put(tmp_path, name, HEADER + "1\ta\t2006-03-01 07:00:00\t\t\n" * 3 + "1\tb\tlate\t\t\n")
    log = read_log(tmp_path)
    assert log.reading is not None
    assert log.reading.first["time"] == (("a.txt", 5), ("b.txt", 5))
    assert log.reading.words() == (
        "6 of 8 lines of 2 files read. Left out: 2 with a time that cannot be read (lines a.txt 5, b.txt 5)."
    )


def test_parts_of_several_forms_become_one_log(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", HEADER + "1\ta\t2006-03-01 07:00:00\t\t\n")
    put(tmp_path, "b.csv", "user,query\n1,b\n2,a\n")
    log = read_log(tmp_path)
    assert rows(log)["query"] == ["a", "b", "a"]
    assert np.isnat(log.time).tolist() == [False, True, True]  # type: ignore[arg-type]
    assert log.reading is not None
    assert log.reading.form == ("aol", "csv")


@pytest.mark.parametrize("name", ["a[1].txt", "a*.txt", "a?.csv", "key=value.txt", "~.txt", "s3:a.txt"])
def test_only_the_file_of_that_name_is_read(tmp_path: Path, name: str) -> None:
    put(tmp_path, "a1.txt", HEADER + "9\tother\t2006-03-01 07:00:00\t\t\n")
    with pytest.raises(FileError, match="cannot be read"):
        read_log(tmp_path / name)
    path = put(tmp_path, name, HEADER + "1\ta\t2006-03-01 07:00:00\t\t\n")
    assert rows(read_log(path))["query"] == ["a"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "", r"empty \(0 bytes\)"),
        ("a.log", "1\t2\n", "must end in one of"),
        ("a.txt.zip", "1\t2\n", "must end in one of"),
        ("a.parquet", "PAR1 no", "whole Parquet file"),
        ("a.arrow", "ARROW1 no", "whole Arrow or Feather file"),
        ("a.txt.gz", gzip.compress((HEADER + LINES * 99).encode())[:100], "whole gzip file"),
        ("a.txt.gz", b"\x1f\x8bno gzip at all", "whole gzip file"),
    ],
)
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, name: str, content: str | bytes, words: str) -> None:
    with pytest.raises(FileError, match=words):
        read_log(put(tmp_path, name, content))


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No such file"):
        read_log(tmp_path / "none.txt")
    with pytest.raises(FileError, match="Patterns are not followed"):
        read_log(tmp_path / "*.txt")
    with pytest.raises(FileError, match="zero byte"):
        read_log("a\0.txt")
    with pytest.raises(FileError, match="Only files on disk"):
        read_log("https://example.com/log.txt")
    with pytest.raises(FileError, match="no file that ends like a log"):
        read_log(tmp_path)
    with pytest.raises(ParameterError, match="at least one file"):
        read_log([])
    put(tmp_path, "README.txt", "nothing here")
    with pytest.raises(DataError, match="None of the files is a log"):
        read_log(tmp_path)


# --- when most of it is broken --------------------------------------------------------------------------------------------------


def test_a_wrong_encoding_throughout_is_refused(tmp_path: Path) -> None:
    line = "1\tпоиск\t2006-03-01 07:00:00\t\t\n"
    path = put(tmp_path, "a.txt", HEADER.encode() + (line * 20).encode("cp1251"))
    with pytest.raises(DataError, match="20 of 20 lines are broken, most of them by their encoding"):
        read_log(path)
    assert rows(read_log(path, encoding="cp1251"))["query"] == ["поиск"] * 20


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1", "cp1252", "utf-8-sig", "shift_jis"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    words = "日本" if encoding == "shift_jis" else "café"
    content = (HEADER + f"1\t{words}\t2006-03-01 07:00:00\t\t\n" * 3).encode(encoding)
    assert rows(read_log(put(tmp_path, "a.txt", content), encoding=encoding))["query"] == [words] * 3


def test_bytes_that_the_encoding_does_not_have_break_their_line(tmp_path: Path) -> None:
    content = HEADER.encode() + b"1\t\x81\t2006-03-01 07:00:00\t\t\n" + b"1\t\x80\t2006-03-01 07:00:00\t\t\n" * 2
    log = read_log(put(tmp_path, "a.txt", content), encoding="cp1252")
    assert rows(log)["query"] == ["€", "€"]
    assert log.reading is not None
    assert dict(log.reading.broken) == {"encoding": 1}


@pytest.mark.parametrize("encoding", ["utf-9", "hex", "rot13", "idna", ""])
def test_an_encoding_that_is_none_is_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(ParameterError, match="'encoding'"):
        read_log(put(tmp_path, "a.txt", HEADER), encoding=encoding)


def test_two_bytes_a_letter_without_a_mark_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", (HEADER + LINES).encode("utf-16-le"))
    with pytest.raises(TacitaError, match=r"utf-16-le|columns"):
        read_log(path)
    with pytest.raises(DataError, match="encoding='utf-16-le'"):
        read_log(path, form="aol")
    assert len(read_log(path, encoding="utf-16-le")) == 4


def test_the_mark_of_an_encoding_decides(tmp_path: Path) -> None:
    for name, encoding in (("a.txt", "utf-16"), ("b.txt", "utf-8-sig")):
        assert len(read_log(put(tmp_path, name, (HEADER + LINES).encode(encoding)))) == 4
    table = "user,query\n1,café\n".encode("utf-16")
    assert rows(read_log(put(tmp_path, "c.csv", table)))["query"] == ["café"]
    assert rows(read_log(put(tmp_path, "d.csv", gzip.compress(table))))["query"] == ["café"]


def test_only_a_header_is_an_empty_log(tmp_path: Path) -> None:
    assert len(read_log(put(tmp_path, "a.txt", HEADER))) == 0
    assert len(read_log(put(tmp_path, "a.csv", "user,query\n"))) == 0
    assert len(read_log(put(tmp_path, "b.csv", "user,query"))) == 0


# --- hostile files --------------------------------------------------------------------------------------------------------------


def test_a_line_without_an_end_is_left_out_in_bounded_memory(tmp_path: Path) -> None:
    """A line of 200 megabytes of zeros, packed into 200 kilobytes."""
    path = tmp_path / "a.txt.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write((HEADER + LINES).encode())
        for _ in range(200):
            file.write(bytes(1 << 20))
        file.write(b"\n" + LINES.encode())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    log = read_log(path)
    assert log.reading is not None
    assert (len(log), dict(log.reading.broken)) == (8, {"too long": 1})
    assert log.reading.first["too long"] == (("a.txt.gz", 6),)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.data.query_log.files.log_bytes._LOOKED_AT", 1 << 20)
    path = put(tmp_path, "a.txt.gz", gzip.compress((HEADER + LINES * 100_000).encode(), 9))
    with pytest.raises(FileError, match="200 times larger"):
        read_log(path)


def test_several_members_and_padding_are_one_gzip_file(tmp_path: Path) -> None:
    content = gzip.compress((HEADER + LINES).encode()) + gzip.compress((HEADER + LINES).encode()) + bytes(512)
    assert len(read_log(put(tmp_path, "a.txt.gz", content))) == 8


def test_a_packed_file_without_the_ending_is_read_too(tmp_path: Path) -> None:
    assert len(read_log(put(tmp_path, "a.txt", gzip.compress((HEADER + LINES).encode())))) == 4


CANARY = "ZQCANARY"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", f"{CANARY}\t{CANARY}\t{CANARY}\t{CANARY}\t{CANARY}\n" * 3),
        ("a.txt", HEADER + f"{CANARY}\t{CANARY}\t{CANARY}\t{CANARY}\t{CANARY}\n" * 3),
        ("a.csv", f'user,query\n1,"{CANARY}\n'),
        ("a.csv", f"user,query,time\n1,{CANARY},{CANARY}\n"),
        ("a.jsonl", f'{{"user": "{CANARY}", "query": 1, "time": "{CANARY}"}}\n'),
        ("a.jsonl", f"{CANARY}\n{CANARY}\n"),
    ],
)
def test_no_message_has_a_value(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(TacitaError) as caught:
        read_log(put(tmp_path, name, content))
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None or CANARY not in str(caught.value.__cause__)


# --- tables with columns of any name --------------------------------------------------------------------------------------------

COLUMNS = LogColumns(user="session", query="q", time="when", rank="place", url="link")
TABLE = {
    "q": ["tea", 'say "hi", twice', None],
    "session": [7, 8, 7],
    "link": [None, "http://a", None],
    "other": [1.5, None, 2.5],
    "place": [None, 3, None],
    "when": ["2006-03-01 07:00:00", "2006-03-01T07:00:00.5", None],
}


def write_table(folder: Path, form: str) -> Path:
    table = pa.table(TABLE)
    path = folder / f"a.{form}"
    if form == "parquet":
        pyarrow.parquet.write_table(table, path)
    elif form == "feather":
        pyarrow.feather.write_feather(table, path)
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    else:
        separator = {"csv": ",", "txt": ";"}.get(form, "\t")
        table.to_pandas().to_csv(path, sep=separator, index=False)  # gaps among whole numbers become 3.0
    return path


@pytest.mark.parametrize("form", ["parquet", "feather", "jsonl", "csv", "txt"])
def test_any_table_with_a_mapping(tmp_path: Path, form: str) -> None:
    log = read_log(write_table(tmp_path, form), columns=COLUMNS)
    assert rows(log)["user"] == ["7", "8", "7"]
    assert rows(log)["query"] == TABLE["q"]
    assert rows(log)["rank"] == [None, 3, None]
    assert rows(log)["url"] == TABLE["link"]
    assert [str(moment) for moment in log.time] == [  # type: ignore[union-attr]
        "2006-03-01T07:00:00.000000",
        "2006-03-01T07:00:00.500000",
        "NaT",
    ]


@pytest.mark.parametrize("form", ["parquet", "feather", "jsonl", "csv", "txt"])
def test_columns_that_lack_are_named(tmp_path: Path, form: str) -> None:
    path = write_table(tmp_path, form)
    with pytest.raises(ColumnError, match=r"'sesion' is not a column of .*Did you mean 'session'.*'wen' is not"):
        read_log(path, columns=LogColumns(user="sesion", query="q", time="wen"))
    with pytest.raises(ColumnError, match="say which is which with columns="):
        read_log(path)


def test_quotation_marks_between_tabs_are_letters(tmp_path: Path) -> None:
    path = put(tmp_path, "a.tsv", 'user\tquery\n1\t"tea\n2\tmilk "hot"\n')
    assert rows(read_log(path))["query"] == ['"tea', 'milk "hot"']
    quoted = put(tmp_path, "b.tsv", 'user\tquery\n1\t"tea\thot"\n2\t"say ""hi"""\n')
    assert rows(read_log(quoted, quotes=True))["query"] == ["tea\thot", 'say "hi"']
    assert rows(read_log(put(tmp_path, "c.csv", 'user,query\n1,"tea\n2,milk\n'), quotes=False))["query"] == [
        '"tea',
        "milk",
    ]


def test_a_quotation_mark_that_is_never_closed_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", 'user,query\n1,"tea\n' + "2,milk\n" * 1_000_000)
    with pytest.raises(TacitaError, match="quotes=False"):
        read_log(path)


def test_broken_records_of_a_quoted_table(tmp_path: Path) -> None:
    text = 'user,query,rank\n1,"a\nb",1\n2,c\n\n3,d,x\n,e,1\n4,f,2\n5,g,3,4\n6,h,4\n7,i,5\n8,j,\n'
    log = read_log(put(tmp_path, "a.csv", text))
    assert rows(log)["query"] == ["a\nb", "f", "h", "i", "j"]
    assert log.reading is not None
    assert dict(log.reading.broken) == {"fields": 2, "no user": 1, "rank": 1}
    assert log.reading.first["fields"] == (("a.csv", 3), ("a.csv", 8))
    assert log.reading.first["rank"] == (("a.csv", 5),)
    assert log.reading.lines == 9


def test_records_that_are_no_text(tmp_path: Path) -> None:
    text = b"user,query\n1,a\n2,\xff\n3,b,\xff\n4,c\0d\n5,\xef\xbf\xbd\n\xe9,e\n6,f\n7,g\n8,h\n"
    log = read_log(put(tmp_path, "a.csv", text))
    assert rows(log)["query"] == ["a", "\ufffd", "f", "g", "h"]
    assert log.reading is not None
    assert log.reading.first == {
        "encoding": (("a.csv", 3), ("a.csv", 7)),
        "zero byte": (("a.csv", 5),),
        "fields": (("a.csv", 4),),
    }


def test_lines_of_json_that_are_none_are_counted(tmp_path: Path) -> None:
    good = '{"user": 1, "query": "tea \\u00e9", "extra": [1, 2]}\n'
    bad = '{"user": 1, "query": \n[1, 2]\n"text"\n{"query": "nobody"}\n{"user": "x", "query": "a\\u0000b"}\n'
    log = read_log(put(tmp_path, "a.jsonl", good * 6 + bad + '{"user": 2}\n'))
    assert rows(log)["query"] == ["tea é"] * 6 + [None]
    assert log.reading is not None
    assert dict(log.reading.broken) == {"zero byte": 1, "json": 3, "no user": 1}
    assert log.reading.first["json"] == (("a.jsonl", 7), ("a.jsonl", 8), ("a.jsonl", 9))
    assert log.reading.lines == 12


def test_names_of_json_may_have_any_sign(tmp_path: Path) -> None:
    path = put(tmp_path, "a.jsonl", '{"a/b": 1, "c~d.e": "tea", "$": "2006-03-01"}\n')
    log = read_log(path, columns=LogColumns(user="a/b", query="c~d.e", time="$"))
    assert rows(log)["query"] == ["tea"]


TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.binary()]


@pytest.mark.parametrize("kind", TEXT_TYPES)
def test_texts_of_every_type(tmp_path: Path, kind: pa.DataType) -> None:
    path = tmp_path / "a.arrow"
    texts = ["tea", None, "milk"]
    column = pa.array(texts, kind) if kind == pa.string_view() else pa.array(texts).cast(kind)
    table = pa.table({"user": [1, 2, 3], "query": column})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert rows(read_log(path))["query"] == ["tea", None, "milk"]


def test_a_column_of_the_wrong_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(pa.table({"user": [1], "query": [["a", "b"]], "t": [5], "s": [True]}), path)
    for columns, words in (
        (LogColumns(user="user", query="query"), "no text"),
        (LogColumns(user="user", query="s", time="t"), "time_format"),
        (LogColumns(user="user", query="t", time="s"), "no time"),
        (LogColumns(user="user", query="t", rank="s"), "no number"),
    ):
        with pytest.raises(ColumnError, match=words):
            read_log(path, columns=columns)


def test_options_that_have_no_meaning_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", HEADER + LINES)
    with pytest.raises(ParameterError, match="Did you mean 'parquet'"):
        read_log(path, form="parket")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'separator'"):
        read_log(path, separator=",,")
    with pytest.raises(ParameterError, match="'columns' must be LogColumns"):
        read_log(path, columns={"user": "a"})  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'columns' has no meaning"):
        read_log(path, form="aol", columns=COLUMNS)


def test_progress_goes_to_the_size_of_the_files(tmp_path: Path) -> None:
    seen: list[float] = []

    class Screen:
        def open(self, label: str, total: float | None) -> Screen:
            assert label == "Reading log"
            seen.append(total or 0)
            return self

        def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
            assert not note
            seen.append(amount)

        def close(self, task: object) -> None:
            assert task is self
            seen.append(-1)

    path = put(tmp_path, "a.txt", HEADER + LINES)
    with show_progress(Screen()):
        read_log(path)
    assert seen == [path.stat().st_size, path.stat().st_size, -1]
