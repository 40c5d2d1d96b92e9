"""CSV in: types, missing values and what a schema changes about them."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from tacita.core.errors import SchemaError
from tests.data.formats.columns import column, kind

# --- types --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codes", [["01", "2"], ["1", "-007"], [" 01", "2"], ["00", "1"], ["+01", "2"], ["01.5", "2"]])
def test_leading_zeros_make_text(csv, codes):
    data = csv("a;b\n" + "".join(f"{code};x\n" for code in codes))
    assert column(data, "a") == codes
    assert data.schema["a"].scale == "nominal"


def test_zero_itself_is_a_number(csv):
    data = csv("a,b,c\n0,0.5,-0\n-1,-0.25,0\n")
    assert column(data, "a") == [0, -1]
    assert column(data, "b") == [0.5, -0.25]
    assert column(data, "c") == [0, 0]


def test_numbers_of_all_kinds(csv):
    data = csv("i,f,s,p,m\n1,1.5,1e3,+5.5,1\n-2,.5,-2.5E-2,7,2.0\n3,5.,1E+2,+8.,3e0\n")
    assert kind(data, "i") == pa.int64()
    assert column(data, "f") == [1.5, 0.5, 5.0]
    assert column(data, "s") == [1000.0, -0.025, 100.0]
    assert column(data, "p") == [5.5, 7, 8]
    assert kind(data, "m") == pa.float64()


def test_infinities_are_kept(csv):
    assert column(csv("a,b\n1.5,x\n-inf,y\n"), "a") == [1.5, float("-inf")]


def test_blanks_around_numbers_are_ignored_and_in_text_kept(csv):
    data = csv("a, b ,c\n 1, x ,1.5 \n2 ,y, \t2.5\n")
    assert data.names == ("a", "b", "c")
    assert column(data, "a") == [1, 2]
    assert column(data, "b") == [" x ", "y"]
    assert column(data, "c") == [1.5, 2.5]


def test_long_whole_numbers_stay_text(csv):
    data = csv("a,b\n9223372036854775807,9223372036854775808\n-9223372036854775808,1\n")
    assert column(data, "a") == [2**63 - 1, -(2**63)]
    assert column(data, "b") == ["9223372036854775808", "1"]


def test_what_is_no_decimal_number_is_text(csv):
    data = csv("a,b,c,d\n0x1F,1_000,1 000,inf\n0x20,2,2,nan\n")
    for name in data.names:
        assert kind(data, name) == pa.string()


def test_dates(csv):
    data = csv("a,b,c,d\n2024-02-29,2024-02-30,2024-1-1,2024-02-29 10:30:00\n,2024-01-01,2024-01-02,NA\n")
    assert column(data, "a") == [datetime.date(2024, 2, 29), None]
    assert data.schema["a"].scale == "date"
    assert column(data, "b") == ["2024-02-30", "2024-01-01"]
    assert column(data, "c") == ["2024-1-1", "2024-01-02"]
    assert column(data, "d") == [datetime.datetime(2024, 2, 29, 10, 30), None]


def test_true_and_false(csv):
    data = csv("a,b,c,d\ntrue,true,True,TRUE\nfalse,no,False,False\n,,,\n")
    assert column(data, "a") == [True, False, None]
    assert column(data, "b") == ["true", "no", None]
    assert column(data, "c") == [True, False, None]
    assert column(data, "d") == ["TRUE", "False", None]


# --- missing values ---------------------------------------------------------------------------------------------------


def test_empty_field_is_missing_and_quoted_empty_text_is_text(csv):
    data = csv('a,b\n,1\n"",2\nx,\n"",""\n')
    assert column(data, "a") == [None, "", "x", ""]
    assert column(data, "b") == [1, 2, None, None]


@pytest.mark.parametrize("word", ["NA", "NaN", "N/A", "NULL", "null", "nan", "."])
def test_words_for_missing_count_in_numbers_only(csv, word):
    data = csv(f"land,income,rate,day\n{word},1,1.5,2024-01-01\nDE,{word},{word},{word}\nFR, {word} ,3,2024-01-02\n")
    assert column(data, "land") == [word, "DE", "FR"]
    assert column(data, "income") == [1, None, None]
    assert kind(data, "income") == pa.int64()
    assert column(data, "rate") == [1.5, None, 3.0]
    assert column(data, "day")[1] is None


def test_declared_text_codes_among_numbers(csv):
    schema = '[columns.income]\nmissing = ["refused", "not asked"]\n'
    data = csv("id,income\n1,100\n2,refused\n3,\n4, not asked \n5,1e3\n", schema)
    assert column(data, "income") == [100.0, None, None, None, 1000.0]
    assert data.user_missing["income"].to_pylist() == [None, "refused", None, "not asked", None]
    assert data.schema["income"].scale == "numeric"


def test_declared_text_and_number_codes_together(csv):
    schema = '[columns.income]\nmissing = ["refused", -9, [97, 99]]\n'
    data = csv("id,income\n1,100\n2,refused\n3,-9\n4,98\n5,\n", schema)
    assert column(data, "income") == [100, None, None, None, None]
    assert data.user_missing["income"].to_pylist() == [None, "refused", "-9", "98", None]


def test_declared_number_codes(csv):
    data = csv("id,income\n1,100\n2,-9\n3,5\n", "[columns.income]\nmissing = [-9]\n")
    assert column(data, "income") == [100, None, 5]
    assert data.user_missing["income"].to_pylist() == [None, -9, None]


def test_declared_codes_in_text_and_in_dates(csv):
    schema = (
        '[columns.zip]\nmissing = [99999]\n[columns.day]\nmissing = ["unknown", -9]\n[columns.job]\nmissing = ["?"]\n'
    )
    data = csv("zip,day,job\n01234,2024-01-01,clerk\n99999,unknown,?\n", schema)
    assert column(data, "zip") == ["01234", None]
    assert data.user_missing["zip"].to_pylist() == [None, "99999"]
    assert column(data, "day") == [datetime.date(2024, 1, 1), None]
    assert data.user_missing["day"].to_pylist() == [None, "unknown"]
    assert column(data, "job") == ["clerk", None]


# --- schema -------------------------------------------------------------------------------------------------------------


def test_partial_schema_is_completed(csv):
    data = csv("age,sex\n31,m\n", '[columns.age]\nrole = "key"\n')
    assert data.schema.keys == ("age",)
    assert data.schema["age"].scale == "numeric"
    assert data.schema["sex"].scale == "nominal"


def test_complete_schema(csv):
    schema = csv("age,sex\n31,m\n", '[columns.age]\nrole = "key"\nmissing = ["refused"]\n').schema
    data = csv("age,sex\nrefused,m\n007,f\n", schema)
    assert data.schema == schema
    assert column(data, "age") == [None, 7]
    with pytest.raises(SchemaError, match="not in the data: sex"):
        csv("age\n31\n", schema)


def test_declared_number_is_read_as_one(csv):
    data = csv("a,b\n007,100000000000000000000\nNA,\n", '[columns.a]\nscale="numeric"\n[columns.b]\nscale="numeric"\n')
    assert column(data, "a") == [7, None]
    assert column(data, "b") == [1e20, None]


def test_declared_number_that_is_none(csv):
    schema = '[columns.a]\nscale="numeric"\n[columns.b]\nscale="date"\n[columns.c]\nscale="numeric"\n'
    with pytest.raises(SchemaError) as caught:
        csv("a,b,c\n1,2024-01-01,1\nx,tomorrow,2\n0x1F,2024-01-01,3\n", schema)
    assert len(caught.value.problems) == 2
    assert "'a' is declared numeric" in caught.value.problems[0]
    assert "but 2 are not" in caught.value.problems[0]
    assert "'b' is declared date" in caught.value.problems[1]
    assert "but 1 is not" in caught.value.problems[1]
    assert "tomorrow" not in str(caught.value)
    assert caught.value.details["b"] == ["tomorrow"]


def test_days_that_no_calendar_has_are_counted(csv):
    with pytest.raises(SchemaError, match=r"'a' is declared date, .* but 2 are not"):
        csv("a,b\n2024-02-29,1\n2024-02-30,1\n2023-02-29,1\nNA,1\n", '[columns.a]\nscale="date"\n')


@pytest.mark.parametrize(("last", "found"), [("x", "x"), ("01", "01"), ("NA", None), ("0.5", 0.5), ("", None)])
def test_a_late_value_decides_as_an_early_one(csv, last, found):
    data = csv("a,b\n" + "7,x\n" * 3000 + f"{last},x\n")
    assert column(data, "a")[-1] == found
    assert column(data, "a")[0] == ("7" if isinstance(found, str) else 7)


def test_declared_number_with_the_other_decimal_sign(csv):
    with pytest.raises(SchemaError, match="decimal sign ','"):
        csv("a;b\n1.5;x\n", '[columns.a]\nscale="numeric"\n', decimal=",")


def test_declared_text_categories_keep_text(csv):
    data = csv("a,b\n1,NA\n2,1\n", '[columns.a]\ncategories=["1","2"]\n[columns.b]\ncategories=["NA","1"]\n')
    assert column(data, "a") == ["1", "2"]
    assert column(data, "b") == ["NA", "1"]
    assert data.codes("a").values.tolist() == [0, 1]


def test_schema_with_an_unknown_column(csv):
    with pytest.raises(SchemaError, match=r"'agee' is not in the data. Did you mean 'age'\?"):
        csv("age\n31\n", '[columns.agee]\nrole = "key"\n')
