"""CSV in: what a number would lose is kept as text or refused, the column is named, the value never."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from tacita.core.errors import FileError, SchemaError, TacitaError, TacitaWarning
from tacita.data.read import read
from tacita.data.tabulate import TallyRequest
from tacita.data.tabulate_file import tally_file
from tacita.data.write import write

NUMERIC = '[columns.v]\nscale = "numeric"\n'


@pytest.fixture
def csv(tmp_path):
    def make(values, schema=None, separator=","):
        path = tmp_path / "a.csv"
        path.write_text(f"key{separator}v\n" + "".join(f"k{separator}{value}\n" for value in values))
        if schema is not None:
            (tmp_path / "schema.toml").write_text(schema)
        return path, None if schema is None else tmp_path / "schema.toml"

    return make


LOSSY = [
    ["1e400", "2"],
    ["-1e400", "2.5"],
    ["1e-400", "1.5"],
    ["0.000e0", "2e-324"],
    ["9007199254740993", "1.5"],
    ["9007199254740993.5", "1"],
    ["9" * 400, "1.5"],
]


@pytest.mark.parametrize("values", [*LOSSY, ["+4930123", "7"], ["7", " +49 "]])
def test_what_a_number_would_lose_stays_text_and_is_named(csv, values):
    path, _ = csv(values)
    with pytest.warns(TacitaWarning, match="Column 'v' looks like numbers but stays text") as said:
        data = read(path)
    assert data.to_arrow().column("v").to_pylist() == values
    assert not any(value.strip() in str(warning.message) for value in values if len(value) > 3 for warning in said)


@pytest.mark.parametrize("values", LOSSY)
def test_a_declared_number_that_would_be_lost_is_refused(csv, values):
    path, schema = csv(values, NUMERIC)
    with pytest.raises(SchemaError, match=r"Column 'v' is declared numeric.* 1 is not") as caught:
        read(path, schema=schema)
    assert not any(value in str(caught.value) for value in values if len(value) > 3)
    assert caught.value.details["v"]


def test_a_declared_number_may_have_a_plus_sign(csv):
    path, schema = csv(["+4930123", "+7"], NUMERIC)
    assert read(path, schema=schema).to_arrow().column("v").to_pylist() == [4930123, 7]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["9007199254740992", "1.5"], [2.0**53, 1.5]),
        (["9007199254740993", "1"], [9007199254740993, 1]),
        (["0e9", "0.0", "1.5"], [0.0, 0.0, 1.5]),
        (["1.5e300", "5e-324"], [1.5e300, 5e-324]),
        (["+1.5", "2"], [1.5, 2.0]),
        (["0.10000000000000000555", "1"], [0.1, 1.0]),
    ],
)
def test_what_a_number_keeps_is_a_number(csv, values, expected):
    path, _ = csv(values)
    assert read(path).to_arrow().column("v").to_pylist() == expected


def test_commas_that_may_separate_thousands_are_named(csv):
    path, _ = csv(["1,234", "2"], separator=";")
    with pytest.warns(TacitaWarning, match="Column 'v': every comma has three digits"):
        assert read(path).to_arrow().column("v").to_pylist() == [1.234, 2.0]
    assert read(path, decimal=",").to_arrow().column("v").to_pylist() == [1.234, 2.0]
    for certain in (["1,234", "2,5"], ["0,123", "2"]):
        read(csv(certain, separator=";")[0])


# --- the same verdict without reading the file into memory --------------------------------------------------------------


@pytest.mark.parametrize("schema", [None, NUMERIC])
@pytest.mark.parametrize(
    "values",
    [
        *LOSSY,
        ["+4930123", "7"],
        ["007", "1"],
        ["0x10", "1"],
        ["1_000", "1"],
        ["1 000", "1"],
        ["inf", "1"],
        ["nan", "1"],
        ["\t5", "6\xa0"],
        ["9223372036854775808", "1"],
        ["9223372036854775809", "1"],
        ["+1.5", "2"],
        ["-0", "1"],
        [".5", "5."],
        ["1e5", "2"],
        ["1e", "2"],
        ["\u0663", "2"],
        ["", "2"],
        ["NA", "2"],
        ["true", "false"],
        ["2024-01-01", "2024-01-02"],
        ["1\0", "2"],
    ],
)
def test_both_ways_give_the_same_verdict(csv, values, schema):
    path, schema = csv(values, schema)
    request = TallyRequest(by=("key",), responses=("v",))

    def in_memory():
        data = read(path, schema=schema)
        x = data.float("v")
        if np.isinf(x).any():
            raise FileError("infinite")
        return float(np.nansum(x))

    def out_of_core():
        return float(tally_file(path, request, schema=schema).responses[0].amounts.sum())

    found, messages = [], []
    for way in (in_memory, out_of_core):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TacitaWarning)
            try:
                found.append(way())
            except TacitaError as error:
                found.append("refused")
                messages.append(str(error))
    assert found[0] == found[1]
    assert not any(value in message for value in values if len(value) > 3 for message in messages)


# --- files without a header ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Meyerhold,Meyerhold,7\nx,y,8\n",
        "4711.25,Meyerhold\n3.5,x\n",
        "Meyerhold,1961-04-12\nx,1970-01-01\n",
        "4711,4712\n1,2\n",
        "98765,Meyerhold\n1,2\n",
        "4711,25;Meyerhold;4711.25\n1,5;x;2.5\n",
        "12.04.1961;Meyerhold\n1.1.1970;x\n",
    ],
)
def test_a_record_in_place_of_the_header_is_said_and_not_quoted(tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(TacitaError) as caught:
        read(tmp_path / "a.csv")
    for value in ("Meyerhold", "4711", "1961", "98765"):
        assert value not in str(caught.value)


@pytest.mark.parametrize("schema", ["[columns.income]\nrole = 'key'\n", "whole"])
def test_a_schema_of_other_columns_does_not_quote_the_first_line(tmp_path, schema):
    from tacita.data.schema import Column, Schema

    (tmp_path / "a.csv").write_text("Meyerhold,m\nx,f\n")
    (tmp_path / "a.toml").write_text(schema)
    wanted = Schema((Column(name="income", scale="numeric"),)) if schema == "whole" else tmp_path / "a.toml"
    with pytest.raises(SchemaError, match="header") as caught:
        read(tmp_path / "a.csv", schema=wanted)
    assert "Meyerhold" not in str(caught.value)


def test_years_and_quoted_numbers_are_names(tmp_path):
    (tmp_path / "a.csv").write_text("region,2019,2020\nx,1,2\n")
    assert read(tmp_path / "a.csv").names == ("region", "2019", "2020")
    (tmp_path / "b.csv").write_text('"0.5","2024-01-01"\n1,2\n')
    data = read(tmp_path / "b.csv")
    assert data.names == ("0.5", "2024-01-01")
    write(data, tmp_path / "c.csv")
    assert read(tmp_path / "c.csv").names == data.names
