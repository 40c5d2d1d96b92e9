"""Requests and their JSON form: read back as they were, read within limits, described by a schema."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.requests import KINDS_OF_REQUEST, QueryRequest, Tabulate, request_from_plain
from tacita.query.requests.request import REQUEST_LIMITS, UniverseForm
from tacita.query.universe.universe import Universe
from tests.effort import examples
from tests.query.requests.strategies import requests

few = settings(max_examples=examples(25), deadline=None)
GOOD: dict[str, dict[str, Any]] = {
    "tabulate": {"kind": "tabulate", "by": ["sex"]},
    "statistic": {"kind": "statistic", "response": "income", "statistic": "mean"},
    "regress": {"kind": "regress", "response": "income", "predictors": ["age"]},
    "residuals": {"kind": "residuals", "response": "income", "predictors": ["age"]},
    "correlate": {"kind": "correlate", "columns": ["age", "income"]},
    "quantiles": {"kind": "quantiles", "response": "income"},
}
every_kind = pytest.mark.parametrize("kind", sorted(GOOD))


def validator(kind: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(KINDS_OF_REQUEST[kind].json_schema())


def is_understood(plain: Any) -> bool:
    try:
        request_from_plain(plain)
    except ParameterError:
        return False
    return True


def test_every_kind_is_known() -> None:
    assert set(KINDS_OF_REQUEST) == set(GOOD)
    assert all(kind.kind == name for name, kind in KINDS_OF_REQUEST.items())


# --- there and back -------------------------------------------------------------------------------------------------------


@few
@given(requests)
def test_the_json_form_is_read_back(request: QueryRequest) -> None:
    text = request.to_json()
    assert "\n" not in text
    for form in (text, text.encode("utf-8"), json.loads(text), request.to_plain()):
        again = request_from_plain(form)
        assert again == request
        assert type(again) is type(request)
        assert again.to_json() == text


@every_kind
def test_defaults_are_left_out(kind: str) -> None:
    request = request_from_plain(GOOD[kind])
    assert request.to_plain() == GOOD[kind]
    assert request.where == Universe()
    assert json.loads(request.to_json()) == GOOD[kind]


def test_the_text_is_sorted_and_in_one_piece() -> None:
    request = Tabulate(by=["ä"], where={"b": [1], "a": ["x"]})
    assert request.to_json() == '{"by":["ä"],"kind":"tabulate","where":{"a":["x"],"b":["1"]}}'


def test_nothing_is_everybody() -> None:
    assert request_from_plain({**GOOD["tabulate"], "where": None}) == request_from_plain(GOOD["tabulate"])
    assert request_from_plain({**GOOD["tabulate"], "where": {}}) == request_from_plain(GOOD["tabulate"])


def test_a_request_without_kind_is_a_base() -> None:
    class Half(QueryRequest):
        pass

    assert Half not in KINDS_OF_REQUEST.values()
    assert QueryRequest().variables == ()


# --- what comes from outside ----------------------------------------------------------------------------------------------

HOSTILE = {
    "empty": "",
    "no object": "[]",
    "text": '"tabulate"',
    "null": "null",
    "number": "5",
    "no kind": "{}",
    "kind is a list": '{"kind": ["tabulate"]}',
    "kind is null": '{"kind": null}',
    "other kind": '{"kind": "drop table"}',
    "long kind": '{"kind": "' + "x" * 100_000 + '"}',
    "deep list": "[" * 100_000,
    "deep by": '{"kind": "tabulate", "by": ' + "[" * 500 + "]" * 500 + "}",
    "deep where": '{"kind": "tabulate", "by": ["x"], "where": ' + '{"any": [' * 30 + "{}" + "]}" * 30 + "}",
    "huge number": '{"kind": "statistic", "response": "x", "statistic": "count_above", "above": 1e999}',
    "many digits": '{"kind": "statistic", "response": "x", "statistic": "count_above", "above": ' + "9" * 100_000 + "}",
    "nan": '{"kind": "quantiles", "response": "x", "levels": [NaN]}',
    "infinity": '{"kind": "quantiles", "response": "x", "levels": [-Infinity]}',
    "kind twice": '{"kind": "tabulate", "kind": "statistic", "by": ["x"]}',
    "where twice": '{"kind": "tabulate", "by": ["x"], "where": {"a": ["1"]}, "where": {}}',
    "condition twice": '{"kind": "tabulate", "by": ["x"], "where": {"a": ["1"], "a": ["2"]}}',
    "10**6 entries": '{"kind": "tabulate", "by": [' + '"x",' * 10**6 + '"x"]}',
    "60 000 entries": '{"kind": "tabulate", "by": [' + "1," * 60_000 + "1]}",
    "40 000 pieces": '{"kind": "tabulate", "by": ["x"], "where": {"any": [' + "{}," * 24_000 + "{}]}}",
    "20 000 classes": '{"kind": "tabulate", "by": ["x"], "where": {"a": [' + "1," * 20_000 + "1]}}",
    "half a pair": '{"kind": "tabulate", "by": ["\\ud800"]}',
    "half a pair as a class": '{"kind": "tabulate", "by": ["x"], "where": {"a": ["\\udfff"]}}',
    "long parameter": '{"kind": "tabulate", "by": ["x"], "' + "y" * 100_000 + '": 1}',
    "long value": '{"kind": "tabulate", "by": "' + "y" * 100_000 + '"}',
    "zero byte": '{"kind": "tabulate\\u0000"}',
    "trailing": '{"kind": "tabulate", "by": ["x"]} and more',
    "comment": '{"kind": "tabulate", /* */ "by": ["x"]}',
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_hostile_texts_cost_an_error(name: str, as_bytes: bool) -> None:
    text = HOSTILE[name]
    start = time.process_time()
    with pytest.raises(ParameterError) as found:
        request_from_plain(text.encode("utf-8") if as_bytes else text)
    assert time.process_time() - start < 2
    assert len(str(found.value)) < 400


@pytest.mark.parametrize(
    "given", [b"\xff\xfe", b"\x80{}", bytearray(b"{}"), object(), 5, None, [], ("kind", "tabulate")]
)
def test_other_things_are_no_requests(given: object) -> None:
    with pytest.raises(ParameterError):
        request_from_plain(given)


def test_the_limits_let_a_large_honest_request_through() -> None:
    classes = [f"class {i}" for i in range(9000)]
    request = Tabulate(by=["x"], where={"occupation": classes})
    assert len(request.to_json()) < REQUEST_LIMITS.size
    assert request_from_plain(request.to_json()) == request


WRONG: list[Any] = [
    None, True, 5, -1.5, 10**400, "", "x", [], [[]], [None], ["x", 5], {}, {"x": 1}, {"any": 5}, [{}], float("nan"),
    "count", ["a", "a"], [0.5, 2], {"sex": []}, {"sex": ["f"]}, "linear", [["a", "b"]], ["a", "b"], 0.5,
]  # fmt: skip


@every_kind
def test_wrong_values_of_every_parameter_cost_an_error_or_nothing(kind: str) -> None:
    """Whatever stands in a parameter, the answer is a request or a ParameterError that names the parameter."""
    refused = 0
    for parameter in KINDS_OF_REQUEST[kind].parameters():
        for wrong in WRONG:
            said = ""
            try:
                made = request_from_plain({**GOOD[kind], parameter.name: wrong})
            except ParameterError as error:
                said = str(error)
            if said:
                refused += 1
                assert said.startswith((f"{KINDS_OF_REQUEST[kind].__name__}: ", "Regress: ", "Universe: ")), said
                assert len(said) < 400
            else:
                assert request_from_plain(made.to_json()) == made
    assert refused > 3 * len(KINDS_OF_REQUEST[kind].parameters())


@every_kind
def test_unknown_and_missing_parameters_are_named(kind: str) -> None:
    with pytest.raises(ParameterError, match="there is no parameter 'form'"):
        request_from_plain({**GOOD[kind], "form": "x"})
    with pytest.raises(ParameterError, match="no parameter with such a long name"):
        request_from_plain({**GOOD[kind], 5: "x"})
    required = next(p.name for p in KINDS_OF_REQUEST[kind].parameters() if p.required or p.name == "response")
    with pytest.raises(ParameterError, match=f"'{required}' must be given"):
        request_from_plain({name: value for name, value in GOOD[kind].items() if name != required})


def test_a_kind_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'tabulate'"):
        request_from_plain({"kind": "tabulat"})


# --- the schema -----------------------------------------------------------------------------------------------------------


@every_kind
def test_the_schema_is_one(kind: str) -> None:
    schema = KINDS_OF_REQUEST[kind].json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    assert all(facts.get("description") for name, facts in schema["properties"].items() if name != "kind")
    assert schema["description"] == KINDS_OF_REQUEST[kind].summary()
    assert schema["required"][0] == "kind"
    for name, facts in schema["properties"].items():
        if "default" in facts:
            own = jsonschema.Draft202012Validator(schema["properties"][name])
            assert own.is_valid(facts["default"])


@few
@given(requests)
def test_every_request_fits_its_schema_and_no_other(request: QueryRequest) -> None:
    plain = request.to_plain()
    for kind in KINDS_OF_REQUEST:
        assert validator(kind).is_valid(plain) == (kind == request.kind)


@every_kind
def test_what_the_parser_takes_the_schema_takes(kind: str) -> None:
    """The schema knows nothing of parameters that belong together; whatever it refuses, the parser refuses."""
    for parameter in KINDS_OF_REQUEST[kind].parameters():
        for value in WRONG:
            if value == 10**400 or (isinstance(value, float) and math.isnan(value)):  # no JSON
                continue
            plain = {**GOOD[kind], parameter.name: value}
            if not validator(kind).is_valid(plain):
                assert not is_understood(plain), plain


UNIVERSES: list[tuple[Any, bool]] = [
    ({}, True), (None, True), ({"sex": ["f"]}, True), ({"sex": "f"}, True), ({"sex": 1}, True), ({"sex": [1, True]}, True),
    ({"any": ["f"]}, True), ({"any": "f"}, True), ({"any": [{"any": ["f"]}, {}]}, True), ({"any": [{}], "sex": ["f"]}, False),
    ({"any": []}, False), ({"any": [1, {}]}, False), ({"sex": []}, False), ({"sex": None}, False), ({"sex": [["f"]]}, False),
    ({"sex": {"f": 1}}, False), ({"": ["f"]}, False), ([], False), ("sex", False), (5, False), (False, False),
    ({f"v{i}": [1] for i in range(33)}, False), ({"any": [{}] * 65}, False), ({"sex": list(range(10_001))}, False),
]  # fmt: skip


@pytest.mark.parametrize(("where", "is_one"), UNIVERSES)
def test_schema_and_parser_agree_on_universes(where: Any, is_one: bool) -> None:
    plain = {"kind": "tabulate", "by": ["x"], "where": where}
    assert validator("tabulate").is_valid(plain) == is_one
    assert is_understood(plain) == is_one
    form = UniverseForm()
    jsonschema.Draft202012Validator.check_schema(form.schema())
    assert jsonschema.Draft202012Validator(form.schema()).is_valid(where) == is_one


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(-1, 2), st.sampled_from(["", "x", "log", "any"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["any", "variable", "transform", "x"]), inner, max_size=2),
    ),
    max_leaves=6,
)


@few
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_random_values_are_refused_by_the_parser_where_the_schema_refuses_them(kind: str, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([p.name for p in KINDS_OF_REQUEST[kind].parameters()]))
    plain = {**GOOD[kind], name: data.draw(values)}
    assert validator(kind).is_valid(plain) or not is_understood(plain)
