"""The catalogue: drafted without what must stay hidden, kept in a file, compared with the data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError, TacitaError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.data.store.opening import open_store
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import MISSING, Variable
from tacita.query.cutpoints.given import Given
from tacita.query.cutpoints.partitioned import Partitioned
from tests.query.builders import survey

CUTS = {"age": Given(edges=(17, 29, 44, 64), whole=True), "income": Given(edges=(0, 20_000, 50_000))}


def drafted(data: Microdata, **options: Any) -> Catalogue:
    return Catalogue.draft(open_store(data), **options)


def table(**columns: list[Any]) -> pa.Table:
    return pa.table(columns)


# --- what is drafted ------------------------------------------------------------------------------------------------------


def test_the_household_survey() -> None:
    found = drafted(survey(), cutpoints=CUTS)
    hidden = {"person_id", "household", "weight"}
    assert set(found.names) == set(survey().names) - hidden
    assert found.names == tuple(name for name in survey().names if name not in hidden)
    assert found["sex"].classes == ("female", "male")
    assert found["sex"].uses == ("universe", "table", "predictor")
    assert found["household_size"].classes == ("1", "2", "3", "4", "5", "6", "7")
    assert found["age"].uses == ("universe", "table", "predictor")
    assert found["age"].classes == ("up to 17", "18 to 29", "30 to 44", "45 to 64", "above 64")
    assert found["income"].uses == ("universe", "table", "predictor", "response")
    assert found["income"].all_classes[-1] == MISSING
    assert found["savings"].uses == ("predictor", "response")
    assert found["savings"].classes == ()
    assert found["education"].label == "Highest education"
    assert found["education"].classes[0] == "no schooling"
    assert [v.name for v in found] == list(found.names)


def test_the_business_survey() -> None:
    data = tc.samples.business_survey(2000, seed=1)
    with pytest.warns(TacitaWarning, match="'founded' has as many classes as a name has"):
        found = drafted(data)
    roles = {column.name: set(column.roles) for column in data.schema}
    never = {name for name, given in roles.items() if given & {"identifier", "weight", "household", "cluster"}}
    assert never
    assert not never & set(found.names)
    assert "founded" not in found
    assert set(found.names) == set(data.names) - never - {"founded"}


@pytest.mark.parametrize("role", ["identifier", "weight", "household", "cluster"])
@pytest.mark.parametrize("scale", ["numeric", "nominal"])
def test_roles_that_never_enter(role: str, scale: str) -> None:
    if role == "weight" and scale == "nominal":
        scale = "numeric"
    words = {"identifier": "identifiers", "weight": "weight", "household": "household", "cluster": "clusters"}
    named: dict[str, Any] = {words[role]: ["secret"] if words[role].endswith("s") else "secret"}
    frame = table(secret=[11, 12, 13, 14], sex=["f", "m", "f", "m"])
    data = Microdata.from_frame(frame, keys=["sex"], scales={"secret": scale}, **named)
    assert data.schema["secret"].roles == (role,)
    found = drafted(data, cutpoints=Given(edges=(12,)))
    assert found.names == ("sex",)
    for text in (found.to_toml(), json.dumps(found.to_plain())):
        assert "secret" not in text
    with pytest.raises(ColumnError, match="no question may name it"):
        Catalogue((Variable(name="secret", is_numeric=scale == "numeric"),)).check_fits(open_store(data))


def test_the_record_id_never_enters_whatever_its_role() -> None:
    data = Microdata.from_frame(table(number=["b", "a", "c"], sex=["f", "m", "f"]), keys=["number", "sex"])
    assert "number" in drafted(data)
    store = open_store(data, record_id="number")
    assert Catalogue.draft(store).names == ("sex",)
    with pytest.raises(ColumnError, match="no question may name it"):
        drafted(data).check_fits(store)


def test_a_column_of_names_is_left_out() -> None:
    people = [f"Name {i}" for i in range(300)]
    data = Microdata.from_frame(table(name=people, sex=["f", "m", "f"] * 100), keys=["name", "sex"])
    with pytest.warns(TacitaWarning, match="'name' has as many classes as a name has"):
        found = drafted(data)
    assert found.names == ("sex",)
    assert "Name 7" not in found.to_toml()


def test_a_column_without_a_value_is_left_out() -> None:
    frame = pa.table({"a": pa.array([None, None], pa.string()), "b": ["x", "y"]})
    with pytest.warns(TacitaWarning, match="'a' has no value"):
        assert drafted(Microdata.from_frame(frame, keys=["a", "b"])).names == ("b",)


def test_many_classes_of_many_records_are_a_variable() -> None:
    places = [f"place {i % 120}" for i in range(600)]
    assert len(drafted(Microdata.from_frame(table(place=places), keys=["place"]))["place"].classes) == 120


def test_what_is_to_be_left_out_is_left_out() -> None:
    found = drafted(survey(), leave_out=["income", "sex"])
    assert not {"income", "sex"} & set(found.names)
    with pytest.raises(ColumnError, match="Did you mean 'income'"):
        drafted(survey(), leave_out=["incom"])


def test_cutpoints_are_for_numeric_columns_that_exist() -> None:
    with pytest.raises(ColumnError, match="Did you mean 'income'"):
        drafted(survey(), cutpoints={"incom": Given(edges=(1,))})
    with pytest.raises(ColumnError, match="must be for numeric columns, but 'sex' is nominal"):
        drafted(survey(), cutpoints={"sex": Given(edges=(1,))})


def test_what_the_data_say_about_each_variable() -> None:
    frame = table(a=["x", None, "y"], b=[1.0, None, 1.5], c=[True, False, True], d=[None, None, None])
    data = Microdata.from_frame(
        frame.cast(pa.schema([("a", pa.string()), ("b", pa.float64()), ("c", pa.bool_()), ("d", pa.float64())])),
        keys=["a"],
        confidential=["b", "c", "d"],
        scales={"b": "numeric", "c": "nominal", "d": "numeric"},
    )
    found = drafted(data, cutpoints=Given(edges=(2.0,)), coarsen=True)
    assert found["a"].all_classes == ("x", "y", MISSING)
    assert found["a"].uses == ("universe", "table", "predictor")  # a key with two classes is no response
    assert found["b"].has_missing
    assert found["c"].classes == ("false", "true")
    assert found["c"].uses == ("universe", "table", "predictor", "response")
    assert found["d"].has_missing
    found.check_fits(open_store(data))


def test_a_value_that_is_called_missing_is_refused() -> None:
    data = Microdata.from_frame(table(a=["x", MISSING, None]), keys=["a"])
    with pytest.raises(ParameterError, match="declare that value as missing in the schema"):
        drafted(data)


def test_logarithms_are_for_what_is_positive_by_definition() -> None:
    for low, may in ((1, True), (0, False), (None, False)):
        column = Column(name="x", scale="numeric", roles=("confidential",), bounds=None if low is None else (low, None))
        data = Microdata.from_frame(table(x=[1.0, 2.0]), schema=Schema((column,)))
        assert drafted(data)["x"].may_log == may


# --- files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cutpoints", [None, CUTS, Partitioned(minimum=100)], ids=["none", "given", "a tree"])
def test_the_file_is_read_back(tmp_path: Path, cutpoints: Any) -> None:
    found = drafted(survey(), cutpoints=cutpoints, coarsen=True)
    path = tmp_path / "catalogue.toml"
    path.write_text(found.to_toml(), encoding="utf-8")
    again = Catalogue.read(path)
    assert again == found
    assert again.to_toml() == found.to_toml()
    assert Catalogue.from_plain(json.loads(json.dumps(found.to_plain()))) == found
    again.check_fits(open_store(survey()))


def test_classes_may_have_any_text(tmp_path: Path) -> None:
    odd = ['"', "'", "\\", "a\nb", "ä", "", " ", "]]", "# x", "\t"]
    found = drafted(Microdata.from_frame(table(odd=odd), keys=["odd"]))
    path = tmp_path / "catalogue.toml"
    path.write_text(found.to_toml(), encoding="utf-8")
    assert Catalogue.read(path) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "x = 1", "variables = 5", "variables = []", "variables = [1]", "[variables]\nname = 'x'", "[[variables]]",
        "[[variables]]\nname = 5", "[[variables]]\nname = 'x'\nclasses = [1]", "[[variables]]\nname = 'x'\nbins = 5",
        "[[variables]]\nname = 'x'\n[[variables]]\nname = 'x'", "[[variables", "a" + ".a" * 5000 + " = 1",
        "[[variables]]\nname = 'x'\nis_numeric = 1", "variables = " + "[" * 10_000, "[[variables]]\nname = ''",
        "[[variables]]\nname = 'x'\nbins = {cuts = [nan]}\nis_numeric = true",
        "[[variables]]\nname = 'x'\nbins = {cuts = [1], tree = [[0, 9]]}\nis_numeric = true",
    ],
)  # fmt: skip
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "catalogue.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises((ParameterError, FileError)):
        Catalogue.read(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'none.toml' cannot be read"):
        Catalogue.read(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="UTF-8"):
        Catalogue.read(tmp_path / "bytes.toml")


# --- questions to it ------------------------------------------------------------------------------------------------------


def test_variables_are_found_by_name() -> None:
    found = drafted(survey())
    assert "sex" in found
    assert "person_id" not in found
    assert 5 not in found
    with pytest.raises(ColumnError, match=r"There is no variable 'incom'. Did you mean 'income'"):
        found["incom"]
    with pytest.raises(ColumnError) as hidden:
        found["person_i"]
    assert "person_id" not in str(hidden.value)
    with pytest.raises(ColumnError) as long:
        found["x" * 10_000]
    assert len(str(long.value)) < 100


def test_variables_are_used_for_what_they_are_for() -> None:
    found = drafted(survey())
    assert found.usable("sex", "table").name == "sex"
    assert found.usable("income", "response").name == "income"
    for name, use, words in (
        ("sex", "response", "a response"),
        ("income", "table", "a dimension of a table"),
        ("income", "universe", "a condition of a universe"),
    ):
        with pytest.raises(ColumnError, match=f"'{name}' cannot be used as {words}"):
            found.usable(name, use)  # type: ignore[arg-type]


# --- catalogue and data ---------------------------------------------------------------------------------------------------

SMALL = Microdata.from_frame(
    table(sex=["f", "m", "f"], region=["n", None, "s"], wage=[1.0, 2.0, None]),
    keys=["sex", "region"],
    confidential=["wage"],
)
SEX = Variable(name="sex", classes=("m", "f"))


@pytest.mark.parametrize(
    "variable",
    [
        SEX,
        Variable(name="sex", classes=("x", "f", "m"), has_missing=True),
        Variable(name="region", classes=("s", "n"), has_missing=True),
        Variable(name="wage", is_numeric=True),
    ],
    ids=["another order", "more classes", "missing", "numbers"],
)
def test_a_catalogue_may_order_classes_and_have_more_of_them(variable: Variable) -> None:
    Catalogue((variable,)).check_fits(open_store(SMALL))
    assert Catalogue([variable]).variables == (variable,)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("variable", "error"),
    [
        (Variable(name="sex", classes=("f",)), DataError),
        (Variable(name="sex", classes=("f",), has_missing=True), DataError),
        (Variable(name="sex", classes=("F", "M")), DataError),
        (Variable(name="region", classes=("s", "n")), DataError),
        (Variable.from_plain({"name": "wage", "bins": {"cuts": [1.0]}, "is_numeric": True}), DataError),
        (Variable(name="wage", classes=("1", "2")), ColumnError),
        (Variable(name="sex", is_numeric=True), ColumnError),
        (Variable(name="age", is_numeric=True), ColumnError),
    ],
    ids=["a class lacks", "missing is no class", "other words", "missing", "missing number", "scale", "number", "none"],
)
def test_values_without_a_class_are_found_before_anybody_asks(variable: Variable, error: type[TacitaError]) -> None:
    with pytest.raises(error, match=variable.name) as found:
        Catalogue((variable,)).check_fits(open_store(SMALL))
    assert "'m'" not in str(found.value)


def test_declared_categories_that_do_not_occur_need_no_class() -> None:
    column = Column(name="x", scale="ordinal", roles=("key",), categories=("c", "b", "a"))
    data = Microdata.from_frame(table(x=["a", "b"]), schema=Schema((column,)))
    assert drafted(data)["x"].classes == ("c", "b", "a")
    Catalogue((Variable(name="x", classes=("a", "b")),)).check_fits(open_store(data))


def test_a_variable_stands_once() -> None:
    with pytest.raises(ParameterError, match="a variable twice"):
        Catalogue((SEX, SEX))


# --- value labels ---------------------------------------------------------------------------------------------------------

SEX = Column(name="sex", scale="nominal", roles=("key",), labels=((1, "male"), (2, "female"), (9, "not asked")))


def labelled(column: Column, values: list[Any]) -> Catalogue:
    return drafted(Microdata(pa.table({column.name: values}), Schema((column,))))


def test_classes_are_called_by_their_value_labels() -> None:
    found = labelled(SEX, [1.0, 2.0, 3.0] * 5)["sex"]
    assert found.classes == ("male", "female", "3")  # a label that nobody has is not published
    assert Variable.from_plain(found.to_plain()) == found


def test_answers_are_by_labels_with_the_counts_of_the_codes() -> None:
    data = Microdata(pa.table({"sex": [1.0] * 3000 + [2.0] * 2000}), Schema((SEX,)))
    db = tc.query.open(data, policy="tables", key=b"a key for a test of labels")
    answer = db.ask(tc.query.Tabulate(by=["sex"]))
    assert answer.table.classes["sex"] == ("male", "female")
    assert abs(answer.table[{"sex": "male"}] - 3000) < 20
    assert db.ask(tc.query.Tabulate(by=["sex"], where={"sex": ["1"]})).status == "refused"


def test_a_labelled_outcome_may_still_be_explained() -> None:
    ill = Column(name="ill", scale="nominal", roles=("confidential",), labels=((0, "no"), (1, "yes")))
    assert "response" in labelled(ill, [0, 1] * 9)["ill"].uses


@pytest.mark.parametrize("labels", [((1, "a"), (2, MISSING)), ((1, ""), (2, "")), ((1, "2"), (3, "x"))])
def test_labels_that_would_confuse_are_left_out(labels: tuple[tuple[int, str], ...]) -> None:
    column = Column(name="x", scale="nominal", labels=labels)
    assert labelled(column, [1, 2] * 9)["x"].classes == ("1", "2")
