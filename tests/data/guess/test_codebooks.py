"""Codebooks: recognised by several names, never by one."""

from __future__ import annotations

from tacita.data.guess.codebooks import known_columns


def test_the_survey_with_most_names_counts() -> None:
    found = known_columns(["PB030", "PX030", "PB040", "PB140", "PE040", "HY020", "PY010N_F", "remark"])
    assert found["PX030"] == ("household", "nominal", "EU-SILC")
    assert found["PY010N_F"] == ("other", "nominal", "EU-SILC")
    assert "remark" not in found


def test_small_and_large_letters_are_alike() -> None:
    names = ["CASEID", "V001", "V005", "V012", "V024", "V106"]
    assert known_columns(names)["V106"] == ("key", "ordinal", "DHS")


def test_a_few_names_among_many_are_a_coincidence() -> None:
    assert known_columns(["sex", "age", "region"]) == {}
    assert known_columns(["v001", "v012", "v024", "v025", *(f"q{i}" for i in range(40))]) == {}
