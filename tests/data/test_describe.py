"""Facts and proposals of describe: names in several languages, edge cases, notes, duplicates, the drafted schema."""

from __future__ import annotations

import datetime
import decimal
import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError
from tacita.data import samples
from tacita.data.describe import ColumnDescription, describe
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

N = 200
RNG = np.random.default_rng(11)


def one(name: str, values: object, **declared: object) -> ColumnDescription:
    return describe(Microdata.from_frame(pa.table({name: values}), **declared))[name]  # type: ignore[arg-type]


def codes(k: int) -> list[int]:
    return RNG.integers(1, k + 1, N).tolist()


# --- roles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["weight", "wgt", "DesignWeight", "gewicht", "Poids", "pondération", "hh_weight"])
def test_positive_numbers_with_such_a_name_are_the_weight(name: str) -> None:
    found = one(name, RNG.uniform(1, 9, N))
    assert (found.proposed_role, found.proposed_scale) == ("weight", "numeric")


def test_not_everything_called_weight_is_one() -> None:
    assert one("birth_weight", RNG.uniform(1, 9, N)).proposed_role != "weight"
    assert one("weight", RNG.normal(0, 1, N)).proposed_role != "weight"
    assert one("weight", ["heavy", "light"] * 50).proposed_role != "weight"


def test_only_one_weight_and_one_household_are_proposed() -> None:
    w = RNG.uniform(1, 9, N)
    homes = np.repeat(np.arange(N // 2), 2)
    found = describe(Microdata.from_frame(pa.table({"hh": homes, "household": homes, "w": w, "wgt1": w, "wgt2": w})))
    schema = found.draft_schema()
    assert (schema.household, schema.weight) == ("hh", "wgt1")
    assert found["wgt2"].reason == "a further weight"


def test_a_declared_weight_stays_the_only_one() -> None:
    w = RNG.uniform(1, 9, N)
    found = describe(Microdata.from_frame(pa.table({"weight": w, "w": w}), weight="w"))
    assert found.draft_schema().weight == "w"


@pytest.mark.parametrize(
    "name", ["hh", "HHID", "household", "household_id", "Haushalt", "HaushaltsNr", "ménage", "hogar"]
)
def test_repeated_numbers_with_such_a_name_are_the_household(name: str) -> None:
    found = one(name, np.repeat(np.arange(N // 2), 2))
    assert (found.proposed_role, found.proposed_scale) == ("household", "nominal")


def test_numbers_that_name_a_property_of_the_household_are_not_its_number() -> None:
    assert one("household_size", codes(6)).proposed_role == "key"
    assert one("hh_income", RNG.integers(0, 99999, N)).proposed_role == "confidential"
    assert one("household", np.arange(N)).proposed_role == "identifier"


@pytest.mark.parametrize(
    "name", ["name", "Vorname", "e-mail", "email", "Telefonnummer", "ssn", "straße", "apellido", "LastName"]
)
def test_personal_names_are_identifiers_even_when_they_repeat(name: str) -> None:
    assert one(name, [f"t{i % 70}" for i in range(N)]).proposed_role == "identifier"


def test_names_that_only_sound_personal_are_none() -> None:
    assert one("region_name", [f"r{i % 5}" for i in range(N)]).proposed_role == "key"
    assert one("phone", ["yes", "no"] * (N // 2)).proposed_role == "key"


@pytest.mark.parametrize("values", [np.arange(N), [f"a{i}" for i in range(N)]], ids=["numbers", "texts"])
def test_values_that_all_differ_are_identifiers(values: object) -> None:
    found = one("x", values)
    assert (found.proposed_role, found.proposed_scale) == ("identifier", "nominal")
    assert "all values different: looks like an identifier" in found.note


def test_amounts_that_all_differ_are_no_identifiers() -> None:
    for name in ("income", "agi"):
        found = one(name, RNG.permutation(np.arange(N)) ** 2)
        assert (found.proposed_role, found.proposed_scale, found.note) == ("confidential", "numeric", "")


def test_long_numbers_of_equal_length_are_identifiers() -> None:
    assert one("x", 10_000_000 + RNG.permutation(1000 * np.arange(N))).proposed_role == "identifier"


def test_the_number_of_a_unit_with_several_records_is_an_identifier() -> None:
    firms = np.tile(np.arange(N // 4), 4)
    assert one("FIRMID", firms).proposed_role == "identifier"
    assert one("amount_paid", firms).proposed_role == "confidential"


def test_measurements_and_dates_that_all_differ_are_no_identifiers() -> None:
    assert one("x", RNG.normal(0, 1, N)).proposed_role == "confidential"
    first = datetime.date(2020, 1, 1)
    days = one("day", [first + datetime.timedelta(days=i) for i in range(N)])
    assert (days.proposed_role, days.proposed_scale) == ("key", "date")
    assert (days.minimum, days.maximum) == (first, first + datetime.timedelta(days=N - 1))


def test_in_a_tiny_file_it_means_nothing_that_all_values_differ() -> None:
    assert one("x", [1, 2, 3]).proposed_role == "key"


@pytest.mark.parametrize(
    "name",
    [
        "age",
        "Alter",
        "geschlecht",
        "sexe",
        "Région",
        "marital_status",
        "niveau_education",
        "Beruf",
        "nationality",
        "PLZ",
    ],
)
def test_demographic_names_are_keys(name: str) -> None:
    assert one(name, codes(40)).proposed_role == "key"


@pytest.mark.parametrize(
    "name", ["income", "Nettoeinkommen", "revenu", "tax_paid", "Steuer", "diagnosis", "santé", "turnover", "Umsatz2020"]
)
def test_sensitive_names_are_confidential(name: str) -> None:
    assert one(name, codes(40)).proposed_role == "confidential"


def test_strata_by_name_and_other_columns_by_their_values() -> None:
    assert one("Schicht", codes(9)).proposed_role == "stratum"
    assert one("q17", codes(4)).proposed_role == "key"
    assert one("q18", RNG.integers(0, 60, N)).proposed_role == "confidential"
    assert one("remark", [f"text {i // 2}" if i < 190 else "none" for i in range(N)]).proposed_role == "key"
    assert one("remark", [f"text {i}" if i < 190 else "none" for i in range(N)]).proposed_role == "identifier"


# --- scales -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "k", "scale"),
    [
        ("sex", 2, "nominal"),
        ("status", 5, "nominal"),
        ("education", 7, "ordinal"),
        ("health_level", 5, "ordinal"),
        ("children", 6, "numeric"),
        ("status", 40, "numeric"),
        ("postcode", 90, "nominal"),
        ("age", 90, "numeric"),
    ],
)
def test_scale_of_whole_numbers(name: str, k: int, scale: str) -> None:
    assert one(name, codes(k)).proposed_scale == scale


def test_whole_numbers_stored_as_floats_are_codes_too() -> None:
    assert one("sex", [1.0, 2.0, None] * 20).proposed_scale == "nominal"


def test_minimum_and_maximum_only_of_amounts_and_dates() -> None:
    assert (one("sex", [1, 2] * 9).minimum, one("sex", ["m", "f"] * 9).maximum) == (None, None)
    assert (one("age", [30, 4, 61]).minimum, one("age", [30, 4, 61]).maximum) == (4, 61)


# --- facts and notes ----------------------------------------------------------------------------------------------


def test_missing_values_and_codes_are_counted_apart() -> None:
    found = one("income", [100, -9, None, 300, -9, 400, -8, 100], missing={"income": [-9, -8]})
    assert (found.missing, found.user_missing, found.missing_percent) == (1, 3, 50.0)
    assert (found.distinct, found.minimum, found.note) == (3, 100, "")


def test_smallest_category() -> None:
    assert one("colour", ["a", "b", "a", None, "a", "b"]).smallest == 2
    assert one("income", RNG.normal(0, 1, N)).smallest is None


def test_a_column_without_values() -> None:
    for values in (pa.nulls(5), pa.nulls(5, pa.int64()), pa.nulls(5, pa.string())):
        found = one("income", values)
        assert (found.proposed_role, found.note, found.missing, found.distinct) == ("other", "no values", 5, 0)
        assert (found.smallest, found.minimum) == (None, None)


def test_a_constant_column() -> None:
    found = one("region", ["x"] * 5)
    assert (found.proposed_role, found.note, found.distinct, found.smallest) == ("other", "all values equal", 1, 5)


def test_leading_zeros() -> None:
    assert "leading zeros: kept as text" in one("code", ["01", "1", "20"] * 5).note
    assert "leading" not in one("code", ["0", "1", "0.5"] * 5).note


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        (range(0, 95), -9),
        (range(18, 95), 999),
        (range(1, 5), 9),
        (range(1, 5), 99),
        (range(0, 400), -1),
        (range(-50, 50), -999),
    ],
)
def test_suspected_missing_codes_far_from_the_rest(rest: range, code: int) -> None:
    assert one("x", [*rest, *rest, code, code]).note == f"suspected missing code {code}: far from the rest"


@pytest.mark.parametrize("values", [range(0, 105), range(-2, 3), range(-30, 100), [1, 2, 3, 4, 5, 6, 7, 8, 9]])
def test_ordinary_values_are_not_suspected(values: object) -> None:
    assert "suspected" not in one("x", [*values, *values]).note  # type: ignore[misc]


def test_suspected_missing_code_among_negative_values() -> None:
    losses = [-100 * i for i in range(1, 30)]
    assert "unusually frequent" in one("profit", [*losses, *range(50), *[-9] * 12]).note
    assert "suspected" not in one("profit", [*losses, *range(50), -9]).note


def test_infinite_values_are_counted_and_no_ends() -> None:
    found = one("income", [1.5, float("inf"), -float("inf"), 2.0])
    assert (found.note, found.minimum, found.maximum) == ("infinite values: 2", 1.5, 2.0)


def test_storage_names_dictionaries_by_what_they_hold() -> None:
    assert one("sex", pa.array(["m", "f"]).dictionary_encode()).storage == "dictionary of string"
    assert one("age", pa.array([1, 2], pa.int8())).storage == "int8"


# --- duplicates ---------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["a", "b", None]), st.booleans()), max_size=30))
def test_duplicates_are_records_less_different_records(rows: list[tuple[int, str | None, bool]]) -> None:
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    types = (pa.int64(), pa.string(), pa.bool_())
    table = pa.table({n: pa.array(c, t) for n, c, t in zip("abc", columns, types, strict=True)})
    assert describe(Microdata.from_frame(table)).duplicates == len(rows) - len(set(rows))


def test_duplicates_with_more_combinations_than_numbers() -> None:
    wide = {f"x{j}": RNG.normal(0, 1, 300) for j in range(12)}
    twice = {name: np.concatenate([values, values[:40]]) for name, values in wide.items()}
    assert describe(Microdata.from_frame(pa.table(twice))).duplicates == 40


def test_different_missing_codes_make_different_records() -> None:
    data = Microdata.from_frame(pa.table({"income": [-9, -8, -9, None]}), missing={"income": [-9, -8]})
    assert describe(data).duplicates == 1


# --- the whole ----------------------------------------------------------------------------------------------------


def test_no_records() -> None:
    empty = Microdata.from_frame(pa.table({"id": pa.array([], pa.int64()), "name": pa.array([], pa.string())}))
    found = describe(empty)
    assert (found.records, found.duplicates, found["id"].missing_percent) == (0, 0, 0.0)
    assert found.draft_schema().names == ("id", "name")


def test_proposals_for_the_household_survey_are_those_of_its_schema() -> None:
    data = samples.household_survey(3000, seed=5)
    drafted = describe(Microdata.from_frame(data.to_arrow())).draft_schema()
    assert {c.name: c.roles[0] for c in drafted} == {c.name: c.roles[0] for c in data.schema}


def test_what_a_schema_declares_is_kept() -> None:
    firms = samples.business_survey(300, seed=5)
    for data in (samples.household_survey(300, seed=5), firms.drop(["legal_form"])):
        assert describe(data).draft_schema() == data.schema
    assert describe(firms).draft_schema()["legal_form"].roles == ("key",)  # it has no role yet, so one is proposed


def test_the_draft_keeps_what_else_is_known_of_a_column() -> None:
    sex = Column(name="sex", scale="numeric", missing=(9,), labels=((1, "male"),), label="Sex")
    drafted = describe(Microdata(pa.table({"sex": [1, 2, 9, 1]}), Schema((sex,)))).draft_schema()["sex"]
    assert (drafted.scale, drafted.roles) == ("nominal", ("key",))
    assert (drafted.missing, drafted.labels, drafted.label) == (sex.missing, sex.labels, sex.label)


def test_plain_form_is_json() -> None:
    table = pa.table(
        {
            "born": [datetime.date(1990, 1, 2), datetime.date(1991, 1, 2)],
            "seen": [datetime.datetime(2024, 1, 2, 3), None],
            "price": [decimal.Decimal("1.50"), decimal.Decimal("2.50")],
            "x": [1.0, float("inf")],
            "member": [True, False],
            "hour": [datetime.time(1), datetime.time(2)],
            "raw": [b"a", b"b"],
        }
    )
    plain = json.loads(json.dumps(describe(Microdata.from_frame(table)).as_plain(), allow_nan=False))
    assert (plain["records"], len(plain["columns"]), plain["columns"][0]["minimum"]) == (2, 7, "1990-01-02")


def test_an_unknown_column_is_named_with_a_suggestion() -> None:
    with pytest.raises(ColumnError, match="Did you mean 'age'"):
        describe(Microdata.from_frame(pa.table({"age": [1, 2]})))["agee"]


def test_repr_shows_no_value() -> None:
    found = describe(Microdata.from_frame(pa.table({"income": [987654, 12]})))
    assert "987654" not in repr(found) + repr(found["income"]) + repr(found.columns)
