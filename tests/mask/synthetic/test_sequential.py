"""Sequential synthesis of files: what is kept, what is not, what is refused.

What both masks share is in ``tacita.mask.synthetic.column_synthesis``.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaNote
from tacita.data.samples.reference_files import reference_path
from tacita.mask import SequentialSynthesis
from tacita.mask.synthetic.column_models import COLUMN_MODELS
from tacita.mask.synthetic.repeated_draws import repeated_draws
from tacita.numeric.synthesis.column_values import ColumnValues

pytestmark = pytest.mark.filterwarnings("ignore::tacita.TacitaNote")

FEW = (
    "region",
    "age",
    "sex",
    "marital",
    "education",
    "employment",
    "earnings",
    "other_income",
    "income",
    "savings",
    "weight",
)


@pytest.fixture(scope="module")
def survey() -> tc.Microdata:
    return tc.samples.household_survey(2000, seed=1).select(FEW)


def worst_table(original: tc.Microdata, made: tc.Microdata) -> float:
    """The largest standardised pMSE of all tables of one and two columns."""
    return float(tc.evaluate(original, made, measures=["table_pmse"])["table_pmse"])


# --- the file --------------------------------------------------------------------------------------------------------------


def test_a_new_file_looks_like_the_old_one(survey: tc.Microdata) -> None:
    made = SequentialSynthesis(identities=["income = earnings + other_income"]).apply(survey, seed=7)
    assert made.schema == survey.schema
    assert made.is_synthetic
    assert worst_table(survey, made) < 10
    for name in survey.names:
        assert made.type_of(name) == survey.type_of(name)
        assert abs(made.is_missing(name).mean() - survey.is_missing(name).mean()) < 0.03
    codes = made.to_arrow().column("savings").to_numpy(zero_copy_only=False)
    assert abs((codes == -9).mean() - (survey.to_arrow().column("savings").to_numpy() == -9).mean()) < 0.02
    assert made.weights().sum() == pytest.approx(survey.weights().sum())


@pytest.mark.parametrize("seed", [7, 8])
def test_no_table_of_two_columns_gives_a_synthetic_file_away(seed: int) -> None:
    """The figure that was promised: below 10 for trees, on the household sample and on Adult, whose columns repeat people."""
    survey = tc.samples.household_survey(5000, seed=1).drop(["household"])
    assert worst_table(survey, SequentialSynthesis().apply(survey, seed=seed)) < 10
    path = reference_path("adult/adult.csv")
    if path is None:
        pytest.skip("the reference file adult.csv is not there")
    adult = tc.read(path)
    made = SequentialSynthesis().apply(adult, seed=seed)
    assert len(made) == len(adult)
    assert worst_table(adult, made) < 10


def test_totals_rules_and_skipped_questions_hold_in_every_record(survey: tc.Microdata) -> None:
    rules = [
        "marital = single where age < 18",
        "employment is missing where age < 15",
        "never sex = male and employment = other",
    ]
    made = SequentialSynthesis(
        records=3000, rules=rules, identities=["income = earnings + other_income"], method="sample"
    ).apply(survey, seed=7)
    assert len(made) == 3000
    frame = {name: np.array(made.to_arrow(codes=False).column(name).to_pylist(), object) for name in made.names}
    young = frame["age"] < 18
    assert set(frame["marital"][young]) == {"single"}
    assert set(frame["employment"][frame["age"] < 15]) == {None}
    assert not ((frame["sex"] == "male") & (frame["employment"] == "other")).any()
    there = ~made.is_missing("income")
    assert there.sum() > 1000
    assert np.array_equal(made.float("income")[there], (made.float("earnings") + made.float("other_income"))[there])


def test_skipped_questions_are_found_without_a_rule(survey: tc.Microdata) -> None:
    with pytest.warns(TacitaNote, match="'employment' given age"):
        made = SequentialSynthesis().apply(survey, seed=3)
    young = made.float("age") < 15
    assert made.is_missing("employment")[young].all()
    assert not made.is_missing("employment")[~young].any()
    assert np.array_equal(made.is_missing("income"), made.is_missing("earnings"))


def test_no_record_is_an_original_one_and_hardly_a_number_is(survey: tc.Microdata) -> None:
    made = SequentialSynthesis().apply(survey, seed=5)
    names = [name for name in FEW if name != "weight"]
    old, new = (list(zip(*(f.to_arrow().column(n).to_pylist() for n in names), strict=True)) for f in (survey, made))
    assert {row for row in old if old.count(row) == 1}.isdisjoint(new)
    rare = {v for v in survey.float("savings") if v > 0}
    drawn = [v for v in made.float("savings") if v > 0]
    assert np.mean([v in rare for v in drawn]) < 0.35
    plain = SequentialSynthesis(smoothing="none").apply(survey, seed=5)
    assert np.mean([v in rare for v in plain.float("savings") if v > 0]) == 1.0


@pytest.mark.parametrize("method", ["forest", "parametric", "sample"])
def test_every_method_keeps_the_distributions_of_columns(survey: tc.Microdata, method: str) -> None:
    few = survey.select(["age", "sex", "education", "earnings", "weight"])
    made = SequentialSynthesis(method=method, proper=True, repeats="keep").apply(few, seed=9)  # type: ignore[arg-type]
    for name in ("sex", "education"):
        shares = [np.bincount(f.codes(name).values + 1, minlength=9) / len(f) for f in (few, made)]
        np.testing.assert_allclose(*shares, atol=0.05)
    assert abs((made.float("earnings") == 0).mean() - (few.float("earnings") == 0).mean()) < 0.05
    assert abs(np.median(made.float("age")) - np.median(few.float("age"))) < 4


def test_every_model_can_be_named(survey: tc.Microdata) -> None:
    few = survey.select(["sex", "education", "age", "earnings", "weight"]).take(np.arange(300))
    for name in COLUMN_MODELS:
        models = {"education" if name == "logistic" else "earnings": f"{name}(sex)" if name == "nested" else name}
        made = SequentialSynthesis(models=models, repeats="keep", method="sample").apply(few, seed=1)
        assert len(made) == 300


def test_equal_weights_stand_for_the_population() -> None:
    """One half of the records stand for nine tenths of the people."""
    rng = np.random.default_rng(2)
    kind = np.repeat(["a", "b"], 500)
    frame = pa.table({"kind": kind, "size": rng.normal(size=1000), "w": np.where(kind == "a", 9.0, 1.0)})
    data = tc.Microdata.from_frame(frame, weight="w", keys=["kind"])
    made = SequentialSynthesis(new_weights="equal", records=2000).apply(data, seed=1)
    assert len(set(made.weights())) == 1
    assert made.weights().sum() == pytest.approx(5000)
    assert (np.array(made.column("kind").to_pylist()) == "a").mean() == pytest.approx(0.9, abs=0.03)
    drawn = SequentialSynthesis(records=2000).apply(data, seed=1)
    heavy = np.array(drawn.column("kind").to_pylist()) == "a"
    assert drawn.weights()[heavy].sum() / drawn.weights().sum() == pytest.approx(0.9, abs=0.03)


def test_strata_have_their_shares_and_small_ones_are_put_together(survey: tc.Microdata) -> None:
    made = SequentialSynthesis(by=["sex"], records=1000).apply(survey, seed=1)
    share = (np.array(survey.column("sex").to_pylist()) == "male").mean()
    males = np.array(made.column("sex").to_pylist()) == "male"
    assert abs(males.sum() - 1000 * share) <= 1
    assert 0.2 < np.corrcoef(males[1:], males[:-1])[0, 1] + 0.3 < 0.4, "strata stand one after the other"
    with pytest.warns(TacitaNote, match="strata of 'by' have fewer than 100 records"):
        assert len(SequentialSynthesis(by=["region"]).apply(survey.take(np.arange(800)), seed=1)) == 800


def test_frames_come_back_in_their_kind() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": np.random.default_rng(1).normal(size=200), "id": np.arange(200)})
    made = SequentialSynthesis().apply(tc.Microdata.from_frame(frame, identifiers=["id"]), seed=1)
    assert isinstance(made.to_frame(), pd.DataFrame)
    assert made.is_missing("id").all()


def test_columns_that_are_not_drawn_come_out_empty(survey: tc.Microdata) -> None:
    made = SequentialSynthesis(columns=["age", "savings"], new_weights="equal").apply(survey, seed=1)
    assert made.is_missing("sex").all()
    assert not made.is_missing("age").any()


def test_types_and_single_precision_are_kept() -> None:
    values = np.random.default_rng(3).normal(50, 20, 300).round(1)
    for kind in (pa.int8(), pa.uint16(), pa.float32(), pa.decimal128(21, 2), pa.float64()):
        column = pa.array(np.rint(values).astype(np.int64) if pa.types.is_integer(kind) else values).cast(
            kind, safe=False
        )
        data = tc.Microdata.from_frame(pa.table({"x": column}))
        made = SequentialSynthesis(repeats="keep").apply(data, seed=1)
        assert made.type_of("x") == kind


# --- repeats ----------------------------------------------------------------------------------------------------------------


def small(n: int = 400) -> tc.Microdata:
    rng = np.random.default_rng(4)
    return tc.Microdata.from_frame(
        pa.table({"a": rng.integers(0, 3, n).astype(str), "b": rng.integers(0, 2, n).astype(str)})
    )


def test_where_every_combination_is_an_originals_there_is_no_file_unless_repeats_are_kept() -> None:
    with pytest.raises(DataError, match="repeats='keep'"):
        SequentialSynthesis(repeats="redraw").apply(small(), seed=1)
    for repeats in ("keep", "redraw_unique"):  # every combination has many respondents
        assert len(SequentialSynthesis(repeats=repeats).apply(small(), seed=1)) == 400  # type: ignore[arg-type]


def test_groups_with_few_combinations_keep_their_share() -> None:
    """Children have an age and a region only; many that are drawn repeat one. Drawn again as a whole they would be adults."""
    rng = np.random.default_rng(8)
    n = 1000
    age = np.where(np.arange(n) < 150, rng.integers(0, 15, n), rng.integers(15, 90, n))
    pay = np.where(age < 15, np.nan, rng.lognormal(8, 1, n).round())
    region = rng.integers(0, 6, n).astype(str)
    data = tc.Microdata.from_frame(pa.table({"age": age, "region": region, "pay": pa.array(pay, mask=np.isnan(pay))}))
    made = SequentialSynthesis(records=2000).apply(data, seed=1)
    assert len(made) > 1990
    assert (made.float("age") < 15).mean() == pytest.approx(0.15, abs=0.02)
    assert np.array_equal(made.is_missing("pay"), made.float("age") < 15)


def test_repeats_are_found_whatever_the_columns() -> None:
    rng = np.random.default_rng(5)
    gaps = rng.integers(0, 3, 500).astype(np.int16)
    one = {
        "x": ColumnValues(rng.integers(0, 4, 500).astype(float), gaps, kinds=2),
        "y": ColumnValues.of_classes(rng.integers(0, 5, 500), 5),
    }
    two = {name: column.of(rng.integers(0, 60, 40)) for name, column in one.items()}

    def rows(columns: Mapping[str, ColumnValues]) -> list[tuple[object, ...]]:
        return [
            tuple((int(g), 0.0 if g else float(v)) for v, g in record)
            for record in zip(*(zip(c.values, c.gaps, strict=True) for c in columns.values()), strict=True)
        ]

    known = set(rows(two))
    assert repeated_draws(one, two, ["x", "y"]).tolist() == [row in known for row in rows(one)]
    alone = repeated_draws(one, two, ["x", "y"], unique_only=True)
    assert alone.tolist() == [rows(two).count(row) == 1 for row in rows(one)]


# --- what is refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "error", "said"),
    [
        ({"models": {"age": "card"}}, ParameterError, "'models' must name one of cart"),
        ({"models": {"age": "nested"}}, ParameterError, "nested in"),
        ({"models": {"sex": "pmm"}}, ParameterError, "names pmm for 'sex', which has classes"),
        ({"models": {"age": "logistic"}}, ParameterError, "names logistic for 'age', which has numbers"),
        ({"models": {"agee": "pmm"}}, ColumnError, "Did you mean 'age'"),
        ({"models": {"age": "nested(sexx)"}}, ColumnError, "'sexx' is not in the data"),
        ({"order": ["weight", "sax"]}, ColumnError, "'sax' is not in the data"),
        ({"order": ["sex", "sex"]}, ColumnError, "names a column twice"),
        ({"rules": ["agee < 3"]}, ColumnError, "'agee' is not in the data"),
        ({"rules": ["age is smaller than 3"]}, ParameterError, "'rules' must read like"),
        ({"rules": ["never sex = female", "never sex = male"]}, DataError, "cannot be kept"),
        (
            {"rules": ["age is missing where sex is missing", "sex is missing where age is missing"]},
            ParameterError,
            "no visit order",
        ),
        ({"rules": ["age > 400"]}, DataError, "'age' cannot be kept"),
        ({"identities": ["income = earnings + savings"]}, DataError, "does not hold"),
        ({"columns": ["weight"]}, ColumnError, "whose role is weight"),
        ({"columns": ["age"], "by": ["sex"]}, ColumnError, "'by' names 'sex'"),
        (
            {"columns": ["age", "income"], "identities": ["income = earnings + other_income"]},
            ColumnError,
            "'identities' names",
        ),
        ({"min_leaf": 0}, ParameterError, "'min_leaf'"),
        ({"method": "gan"}, ParameterError, "'method'"),
    ],
)
def test_bad_parameters_are_refused_with_a_reason(
    survey: tc.Microdata, parameters: dict[str, object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        SequentialSynthesis(**parameters).apply(survey.take(np.arange(300)), seed=1)


def test_strange_files_come_through() -> None:
    n = 60
    strange = tc.Microdata.from_frame(
        pa.table(
            {
                "same": pa.array(["x"] * n),
                "none": pa.nulls(n, pa.float64()),
                "empty": pa.nulls(n),
                "once": pa.array(["rare", *["usual"] * (n - 1)]),
                "number": pa.array(np.random.default_rng(6).normal(size=n)),
                "flag": pa.array([None if i % 7 == 0 else bool(i % 2) for i in range(n)]),
            }
        )
    )
    made = SequentialSynthesis(records=200).apply(strange, seed=1)
    assert set(made.column("same").to_pylist()) == {"x"}
    assert made.is_missing("none").all()
    assert made.is_missing("empty").all()
    assert set(made.column("once").to_pylist()) <= {"rare", "usual"}


def test_values_of_single_records_are_refused_where_they_are_most_and_named_where_they_are_few() -> None:
    rng = np.random.default_rng(9)
    size = rng.normal(size=300)
    names = pa.array([f"person {i}" for i in range(300)])
    with pytest.raises(DataError, match="most records have a value of 'name' that no other has") as told:
        SequentialSynthesis().apply(tc.Microdata.from_frame(pa.table({"name": names, "size": size})), seed=1)
    assert "person" not in str(told.value)
    town = pa.array(["rare", "rarer", *["usual"] * 298])
    with pytest.warns(TacitaNote, match="some values of 'town' belong to one record alone"):
        SequentialSynthesis().apply(tc.Microdata.from_frame(pa.table({"town": town, "size": size})), seed=1)
    weightless = tc.Microdata.from_frame(pa.table({"size": size, "w": np.zeros(300)}), weight="w")
    with pytest.raises(DataError, match="all weights are 0"):
        SequentialSynthesis(new_weights="equal").apply(weightless, seed=1)


def test_messages_never_hold_a_value() -> None:
    """A canary in a class, a missing code, a number and a date comes up in no note and no error."""
    rng = np.random.default_rng(10)
    n, canary = 200, "canary7351"
    table = pa.table(
        {
            "word": pa.array([canary, *rng.choice(["a", "b"], n - 1)]),
            "pay": pa.array([7351.25, *rng.normal(size=n - 1)]),
            "age": pa.array([73510, *rng.integers(0, 90, n - 1).tolist()]),
        }
    )
    data = tc.Microdata.from_frame(table, missing={"age": [73510]})
    said = []
    for parameters in (
        {},
        {"rules": ["word = b where age < 15"]},
        {"rules": ["pay > 1000000"]},
        {"rules": ["word < b"]},
        {"identities": ["pay = age"]},
        {"columns": ["word"], "repeats": "redraw"},
    ):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            try:
                said.append(repr(SequentialSynthesis(**parameters).apply(data, seed=1)))  # type: ignore[arg-type]
            except tc.TacitaError as error:
                said.append(str(error))
        said += [str(one.message) for one in heard]
    assert len(said) > 6
    assert not [text for text in said if "7351" in text]
