"""What a request costs."""

from __future__ import annotations

import pytest

from tacita.web.api.question_cost import questions_in
from tacita.web.engine import Keeper


@pytest.mark.parametrize(
    ("body", "cost"),
    [
        (b'{"by":["sex"]}', 1),
        (b'{"each":"sex"}', 2),
        (b'{"\\u0065ach":"sex"}', 2),
        (b'{"each":"\\u0073ex"}', 2),
        (b'{"each" : "sex"}', 2),
        (b'{"each":"age"}', 16),
        (b'{"each":"marital"}', 5),
        (b'{"each":"none"}', 1),
        (b'{"each":["sex"]}', 1),
        (b'["each"]', 1),
        (b'{"each"', 1),
        (b'"each"' + b"[" * 100_000, 1),
        (b'{"each":"sex","x":' + b"9" * 5000 + b"}", 1),
    ],
)
def test_a_table_in_parts_costs_its_parts(body: bytes, cost: int, keeper: Keeper) -> None:
    (facts,) = keeper.facts()
    assert questions_in(body, facts) == cost


@pytest.mark.parametrize(
    "body",
    [
        '{"by":["sex"],"each":"sex"}'.encode("utf-16"),
        '{"by":["sex"],"each":"sex"}'.encode("utf-16-le"),
        '{"by":["sex"],"each":"sex"}'.encode("utf-8-sig"),
        b'{"by":["sex"],"each":"sex","each":null}',
        b'{"by":["sex"],"each":"sex","x":' + b"9" * 5000 + b"}",
    ],
)
def test_what_costs_one_question_is_never_answered_in_parts(body: bytes, keeper: Keeper) -> None:
    assert keeper.ask("households", body, kind="tabulate", user="ann").reasons == ("request_form",)
