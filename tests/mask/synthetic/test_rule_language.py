"""Rules as they are written: what is read, what is refused, which column they are about."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.mask.synthetic.column_source import take_apart
from tacita.mask.synthetic.rule_language import RuleClaim, RuleText, read_rules
from tacita.numeric.synthesis.rules import ColumnTest


def people() -> tc.Microdata:
    return tc.Microdata.from_frame(
        pa.table(
            {
                "age": [5, 20, 40, 70],
                "marital": ["single", "single", "married", "a widow"],
                "level": ["low", "high", "low", "high"],
                "income": [0.0, 10.5, 20.0, None],
                "tax": [0.0, 1.0, 5.0, 30.0],
                "visit": [dt.date(2024, 1, d) for d in (1, 3, 5, 9)],
                "where": ["a", "b", "a", "b"],
            }
        ),
        scales={"level": "ordinal"},
    )


def read(text: str) -> RuleText:
    return read_rules([text], "Mask")[0]


def test_the_examples_of_the_manual() -> None:
    assert read("employment is missing where age < 15").where == ((RuleClaim("age", "<", ("15",)),),)
    assert read("a is not missing").then == RuleClaim("a", "missing", (), True)
    assert read("tax <= income").then == RuleClaim("tax", "<=", ("income",))
    never = read("never marital = married and age < 16")
    assert never.then is None
    assert never.never == (RuleClaim("marital", "in", ("married",)), RuleClaim("age", "<", ("16",)))
    either = read("a in (x, 'y z') where b != 3 and c >= -2.5 or d not in (\"q\")")
    assert either.then == RuleClaim("a", "in", ("x", "y z"))
    assert either.where == (
        (RuleClaim("b", "in", ("3",), True), RuleClaim("c", ">=", ("-2.5",))),
        (RuleClaim("d", "in", ("q",), True),),
    )
    assert read("`where` = a").then == RuleClaim("where", "in", ("a",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "age",
        "age <",
        "age < 15 and",
        "age is 15",
        "age in 1, 2",
        "age in (1, 2",
        "age = 1 where",
        "never",
        "age < 15 extra",
        "where = a",
        "age << 3",
        "age < (1)",
        "age = 'open",
        "__import__('os').system('x')",
    ],
)
def test_what_is_not_of_the_language_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ParameterError, match="'rules' must read like"):
        read(text)


def test_claims_become_tests_on_numbers_and_positions() -> None:
    known = take_apart(people(), people().names)

    def test_of(text: str) -> ColumnTest:
        then = read(text).then
        assert then is not None
        return then.test(known, "Mask")

    assert test_of("marital != 'a widow'") == ColumnTest("marital", "in", (0.0,), negated=True)
    assert test_of("level <= high") == ColumnTest(
        "level", "<=", (0.0,)
    )  # in the order of the words, which nobody declared
    assert test_of("visit > 2024-01-05") == ColumnTest("visit", ">", (2.0,))  # steps of two days
    assert test_of("tax < income") == ColumnTest("tax", "<", (), other="income")
    holds = test_of("tax < income").holds({name: source.values for name, source in known.items()})
    assert holds.tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("marital < single", "have no order"),
        ("marital = divorced", "none of its classes"),
        ("age = old", "the number 'age'"),
        ("visit = soon", "the date 'visit'"),
        ("age < visit", "must be numeric"),
        ("age = tax", "name such a total in 'identities'"),
    ],
)
def test_claims_that_fit_no_column_are_refused(text: str, said: str) -> None:
    known = take_apart(people(), people().names)
    with pytest.raises(ParameterError, match=said):
        read(text).rule(known, people().names, "Mask")


def test_what_never_goes_together_is_about_the_column_that_is_drawn_last() -> None:
    known = take_apart(people(), people().names)
    rule = read("never marital = married and age < 16")
    assert rule.rule(known, ("age", "marital"), "Mask").then == ColumnTest("marital", "in", (1.0,), negated=True)
    turned = rule.rule(known, ("marital", "age"), "Mask")
    assert turned.then == ColumnTest("age", "<", (16.0,), negated=True)
    columns = {name: source.values for name, source in known.items()}
    assert not turned.broken(columns).any()


def test_a_comparison_of_columns_is_about_the_later_one() -> None:
    known = take_apart(people(), people().names)
    assert read("tax <= income").rule(known, ("tax", "income"), "Mask").then == ColumnTest(
        "income", ">=", (), other="tax"
    )
    assert read("tax <= income").needs(known) == ("tax", ("income",))


def test_columns_go_apart_and_together_with_their_codes() -> None:
    """Numbers, classes, dates and times of every kind come back as they were, missing codes included."""
    table = pa.table(
        {
            "pay": pa.array([1.5, -9.0, None, 2.5]),
            "whole": pa.array([10, 20, None, -8], pa.int16()),
            "word": pa.array(["x", "refused", None, "y"]),
            "code": pa.array([1, 2, 9, None]),
            "many": pa.array(["b", "a", None, "b"]).dictionary_encode(),
            "day": pa.array([dt.date(2024, 1, 1), None, dt.date(2023, 5, 5), dt.date(2024, 1, 1)]),
            "time": pa.array([10**18 + 1, None, 10**18 + 7, 10**18 + 4], pa.timestamp("ns")),
            "yes": pa.array([True, None, False, True]),
            "none": pa.nulls(4),
            "money": pa.array([1, 2, None, 4]).cast(pa.decimal128(21, 2)),
        }
    )
    data = tc.Microdata.from_frame(
        table,
        missing={"pay": [-9], "whole": [-8], "word": ["refused"], "code": [9]},
        scales={"code": "nominal", "yes": "nominal"},
    )
    for name, source in take_apart(data, data.names).items():
        assert source.together(source.values).to_pylist() == table.column(name).to_pylist(), name
        assert np.array_equal(source.values.there, ~data.is_missing(name)), name


def test_the_grid_of_a_column_is_found() -> None:
    rng = np.random.default_rng(1)
    data = tc.Microdata.from_frame(
        pa.table({"rent": rng.integers(1, 90, 500) * 25, "cents": np.round(rng.normal(0, 9, 500), 2)}),
        missing={"rent": [(0, 100)]},
    )
    known = take_apart(data, data.names)
    form = known["rent"].form
    assert form is not None
    assert form.step == 25
    assert form.written(np.array([3.0, 99.0, 130.0, 160.0])).tolist() == [125.0, 125.0, 125.0, 150.0]
    assert known["cents"].form is not None
    assert known["cents"].form.decimals == 2
