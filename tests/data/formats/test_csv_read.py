"""CSV in: separators, decimal signs, encodings, and what is said about files that are broken."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tacita.core.errors import FileError, ParameterError, SchemaError
from tests.data.formats.columns import column

# --- separator, decimal sign, encoding --------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_found(csv, separator):
    data = csv(f"a{separator}b\n1{separator}x\n2{separator}y\n")
    assert data.names == ("a", "b")
    assert column(data, "a") == [1, 2]
    assert column(data, "b") == ["x", "y"]


def test_separator_is_not_confused_by_commas_in_text_or_numbers(csv):
    data = csv("name;income\nSmith, John;1,5\nDoe, Jane;2,5\n")
    assert column(data, "name") == ["Smith, John", "Doe, Jane"]
    assert column(data, "income") == [1.5, 2.5]


def test_separators_inside_quotation_marks_do_not_count(csv):
    assert csv('"a;b;c",d\n"1;2;3",x\n').names == ("a;b;c", "d")


def test_given_separator_wins(csv):
    assert csv("a;b,c\n1;2,3\n", separator=";").names == ("a", "b,c")
    assert csv("a:b\n1:2\n", separator=":").names == ("a", "b")


def test_tsv_means_tabs(csv):
    data = csv("a,b\tc\n1,5\t2\n", name="data.tsv")
    assert data.names == ("a,b", "c")
    assert column(data, "a,b") == [1.5]


def test_txt_is_csv(csv):
    assert csv("a|b\n1|2\n", name="data.txt").names == ("a", "b")


def test_one_column(csv):
    assert column(csv("a\n1\n2\n"), "a") == [1, 2]
    assert column(csv("name\nSmith, John\n"), "name") == ["Smith, John"]
    assert column(csv("a\n1\n\n3\n"), "a") == [1, None, 3]


def test_decimal_comma_is_found(csv):
    data = csv("a;b;c\n1,5;1;x,y\n-2;2;z\n,25;3;\n")
    assert column(data, "a") == [1.5, -2.0, 0.25]
    assert column(data, "b") == [1, 2, 3]
    assert column(data, "c") == ["x,y", "z", None]


def test_decimal_comma_can_be_given(csv):
    assert column(csv('a,b\n"1,5",2\n', decimal=","), "a") == [1.5]
    assert column(csv('a,b\n"1,5",2\n'), "a") == ["1,5"]
    assert column(csv("a;b\n1.5;2\n", decimal=","), "a") == ["1.5"]


def test_points_and_commas_in_one_file_are_not_guessed(csv):
    text = "a;b\n1,5;1.500\n2,5;2.500\n"
    with pytest.raises(FileError, match=r"'a' has decimal commas and column 'b' has decimal points"):
        csv(text)
    assert column(csv(text, decimal=","), "b") == ["1.500", "2.500"]
    assert column(csv(text, decimal="."), "a") == ["1,5", "2,5"]


def test_a_lone_point_is_missing_and_no_decimal_sign(csv):
    data = csv("a;b\n1,5;3\n2,5;.\n")
    assert column(data, "a") == [1.5, 2.5]
    assert column(data, "b") == [3, None]


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", ""), ("utf-8", "\ufeff"), ("cp1252", ""), ("utf-16-le", "\ufeff"), ("utf-16-be", "\ufeff")],
)
def test_encoding_is_found(csv, encoding, mark):
    data = csv((mark + '"Größe";b\r\nmü–ller;"1\r\n2"\r\n').encode(encoding))
    assert data.names == ("Größe", "b")
    assert column(data, "Größe") == ["mü–ller"]
    assert column(data, "b") == ["1\r\n2"]


def test_encoding_is_decided_by_the_whole_file(csv):
    text = "a;b\n" + ("x" * 5000 + ";y\n") * 1000 + "é;y\n"  # longer than what is looked at in one go
    assert column(csv(text.encode("cp1252")), "a")[-1] == "é"


def test_given_encoding(csv):
    assert column(csv("a;b\nЖ;1\n".encode("koi8-r"), encoding="koi8-r"), "a") == ["Ж"]
    assert column(csv("a;b\nЖ;1\n".encode("utf-16-le"), encoding="utf-16-le"), "a") == ["Ж"]
    assert csv(b"\xef\xbb\xbfa;b\n1;2\n", encoding="utf-8").names == ("a", "b")
    with pytest.raises(FileError, match="is not valid utf-8"):
        csv(b"a;b\n\xe9;1\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="'encoding' must be a name"):
        csv(b"a;b\n1;2\n", encoding="utf-9")


def test_neither_utf8_nor_cp1252(csv):
    with pytest.raises(FileError, match="give it with encoding="):
        csv(b"a;b\n\x81;1\n")


def test_binary_content_is_told(csv):
    with pytest.raises(FileError, match="zero bytes"):
        csv("a;b\n1;2\n".encode("utf-16-le"))


# --- shapes and troubles ----------------------------------------------------------------------------------------------


def test_frame_kind_is_arrow(csv):
    assert isinstance(csv("a\n1\n").to_frame(), pa.Table)


def test_empty_file(csv):
    with pytest.raises(FileError, match=r"'data.csv' is empty \(0 bytes\)"):
        csv("")


@pytest.mark.parametrize("text", ["\n\n", "\r\n", "  \n"])
def test_blank_file(csv, text):
    with pytest.raises(FileError, match="only blank lines"):
        csv(text)


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\r\n\r\n", "\na,b\n"])
def test_header_only(csv, text):
    data = csv(text)
    assert data.names == ("a", "b")
    assert len(data) == 0


def test_header_only_with_a_declared_number(csv):
    assert csv("a,b\n", '[columns.a]\nscale="numeric"\n').float("a").shape == (0,)


def test_blank_lines_are_no_records(csv):
    assert column(csv("\n\na,b\n\n1,2\n\n3,4\n\n"), "a") == [1, 3]
    assert column(csv("\n\na\n1\n2\n"), "a") == [1, 2]


def test_duplicate_names(csv):
    with pytest.raises(SchemaError) as caught:
        csv("a,b,a,c,b,b\n1,2,3,4,5,6\n")
    assert "Columns 1 and 3 have the same name" in str(caught.value)
    assert "Columns 2, 5 and 6 have the same name" in str(caught.value)


def test_nameless_column(csv):
    with pytest.raises(SchemaError, match="Column 1 has no name"):
        csv(",a\n0,1\n")


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a,b\n1,2\n1,2,3\n", 3, 3),
        ("a,b\n1,2\n1\n", 3, 1),
        ('a,b\n"x\ny",2\n\n1,2,3\n', 5, 3),
        ("a,b\n" + "1,2\n" * 300_000 + "1\n", 300_002, 1),
    ],
)
def test_wrong_number_of_fields(csv, text, line, found):
    with pytest.raises(FileError, match=rf"line {line}: every record must have 2 fields .* this one has {found}\."):
        csv(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n1,2\n1,"x\n3,4\n', 3),
        ('a,b\n1,2\n"1,x\n3,4\n', 3),
        ('a,b\n1,"x', 2),
        ('a,b\n1,"x""', 2),
        ('a,b\n1,"', 2),
        ('a,b\n"x\ny",z\n1,"\n', 4),
    ],
)
def test_unclosed_quotation_mark(csv, text, line):
    with pytest.raises(FileError, match=f"line {line}: a quotation mark .* never closed"):
        csv(text)


def test_unclosed_quotation_mark_in_other_encodings_and_in_the_header(csv):
    with pytest.raises(FileError, match="line 2: a quotation mark"):
        csv('\ufeffa,b\n1,"x\n'.encode("utf-16-le"))
    with pytest.raises(FileError, match="header"):
        csv('a,"b\n1,2\n')


@pytest.mark.parametrize("last", ['x"y', '"x""y"', '""', "", '"x\n"', '"x"y', '"x,"', '""""', "é"])
def test_closed_quotation_marks_at_the_end(csv, last):
    assert len(csv(f'a,b\n"q",r\n1,{last}\n')) == 2
    assert len(csv(f'a,b\n"q",r\n1,{last}')) == 2


def test_quoted_line_ends_separators_and_marks(csv):
    data = csv('a,b\n"x\ny\r\nz","1,5"\n"say ""hi""",5" disk\n')
    assert column(data, "a") == ["x\ny\r\nz", 'say "hi"']
    assert column(data, "b") == ["1,5", '5" disk']


@pytest.mark.parametrize("quoted", [True, False])
def test_field_of_ten_million_characters(csv, quoted):
    field = ("y\n" if quoted else "yx") * 5_000_000
    text = f'"{field}"' if quoted else field
    data = csv(f"a,b,c\n1,{text},2\n3,z,4\n")
    assert column(data, "b") == [field, "z"]
    assert column(data, "a") == [1, 3]


def test_very_wide_file(csv):
    names = [f"{'a_long_name_' * 20}{i}" for i in range(400)]  # a header longer than what is looked at first
    data = csv(";".join(names) + "\n" + ";".join(["1,5"] * 400) + "\n")
    assert data.names == tuple(names)
    assert column(data, names[-1]) == [1.5]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(csv, end):
    assert column(csv(end.join(["a,b", "1,x", "2,y", ""])), "b") == ["x", "y"]


def test_options_are_checked(csv):
    with pytest.raises(ParameterError, match="'decimal' must be"):
        csv("a;b\n1;2\n", decimal=";")
    with pytest.raises(ParameterError, match="'separator' must be one character"):
        csv("a;b\n1;2\n", separator=";;")
    with pytest.raises(ParameterError, match=r"'table' has no meaning for 'data\.csv'"):
        csv("a;b\n1;2\n", table="t")
