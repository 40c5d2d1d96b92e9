"""Questions: one canonical form for every wording, refusals by a rule's name."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.microdata import Microdata
from tacita.query.database import Database
from tacita.query.question import RefusalError, journal_form, understand
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.regress import Regress
from tacita.query.requests.request import QueryRequest
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions import TableSize
from tacita.query.universe import Universe
from tests.query.builders import asked, fresh, opened, policy_of, survey

DB = opened(survey(), "mas")
AGES = list(DB.catalogue["age"].classes)


def _refusal(request: QueryRequest, db: Database = DB) -> RefusalError:
    with pytest.raises(RefusalError) as caught:
        understand(request, db.version, db.policy, db.history, "", 0.0)
    return caught.value


@pytest.mark.parametrize(
    ("request_", "rule", "hint"),
    [
        (Tabulate(by=["sexx"]), "unknown_variable", "There is no variable 'sexx'. Did you mean 'sex'?"),
        (Tabulate(by=["sex"], where={"regio": "x"}), "unknown_variable", "Did you mean 'region'?"),
        (Tabulate(by=["person_id"]), "unknown_variable", "There is no variable 'person_id'."),
        (Tabulate(by=["sex"], where={"household": "7"}), "unknown_variable", "There is no variable 'household'."),
        (Tabulate(by=["sex"], where={"sex": "males"}), "unknown_class", "Did you mean 'male'?"),
        (Tabulate(by=["sex"], where={"age": "17 to 18.5"}), "unknown_class", "published"),
        (Tabulate(by=["sex"], response="age", statistic="mean"), "variable_use", "'age' cannot be used as a response"),
        (Statistic(response="sex", statistic="sum"), "variable_use", "'sex' cannot be used as a response"),
        (Regress(response="income", predictors=["weight"]), "unknown_variable", "'weight'"),
        (Quantiles(response="sex"), "variable_use", "has no cutpoints"),
        (Quantiles(response="nothing"), "unknown_variable", "'nothing'"),
        (Tabulate(by=["age", "occupation", "birth_country", "income", "tax"]), "table_size", "at most 1000000 cells"),
        (Correlate(columns=["income", "wages"]), "unknown_variable", "'wages'"),
    ],
)
def test_what_cannot_be_understood(request_: QueryRequest, rule: str, hint: str) -> None:
    found = _refusal(request_)
    assert found.rule == rule
    assert hint in found.hint
    assert str(found) == f"The question is refused: {rule}."


def test_a_universe_of_too_many_maximal_boxes_is_too_complex() -> None:
    """Pieces that share no variable are their own maximal boxes; pieces that cross make more and more of them."""
    names = [f"v{i}" for i in range(16)]
    rng = np.random.default_rng(1)
    table = {name: pa.array(rng.choice(["a", "b"], 300)) for name in names}
    db = opened(Microdata.from_frame(pa.table(table), keys=names), policy_of(TableSize()))
    universe = Universe({names[0]: "a", names[1]: "a"})
    for i in range(1, 8):
        universe = universe | Universe({names[2 * i]: "a", names[2 * i + 1]: "b"})
    assert len(asked(db, Tabulate(by=["v0"], where=universe)).boxes.boxes) == 8
    for i in range(8):
        universe = universe | Universe({names[2 * i]: "b", names[(2 * i + 3) % 16]: "a", names[(2 * i + 6) % 16]: "a"})
    assert _refusal(Tabulate(by=["v0"], where=universe), db).rule == "universe_complexity"


def test_a_question_that_no_journal_could_hold_is_refused() -> None:
    names = [f"{i:03d} {'x' * 900}" for i in range(200)]
    data = Microdata.from_frame(pa.table({"long": names * 3, "y": list(range(600))}), keys=["long"])
    db = opened(data, "internal")
    assert _refusal(Tabulate(by=["long"], where={"long": names[:150]}), db).rule == "universe_complexity"
    assert asked(db, Tabulate(by=["long"], where={"long": names[:50]})).text


# --- one form for every wording ------------------------------------------------------------------------------------------

SEX, URBAN = ("female", "male"), ("city", "rural", "town")
PIECES = st.fixed_dictionaries(
    {},
    optional={
        "sex": st.lists(st.sampled_from(SEX), min_size=1, max_size=2, unique=True),
        "urban": st.lists(st.sampled_from(URBAN), min_size=1, max_size=3, unique=True),
    },
)


def _cells(universe: list[dict[str, list[str]]]) -> list[dict[str, list[str]]]:
    """The same universe, one cell after the other."""
    return [
        {"sex": [s], "urban": [u]}
        for s in SEX
        for u in URBAN
        if any(s in piece.get("sex", SEX) and u in piece.get("urban", URBAN) for piece in universe)
    ]


@given(pieces=st.lists(PIECES, min_size=1, max_size=4), seed=st.randoms(use_true_random=False))
def test_every_wording_of_a_universe_gets_the_same_answer(pieces: list[dict[str, list[str]]], seed: object) -> None:
    """The same status, reasons, bytes and id; fresh databases, so that nothing is remembered."""
    cells = _cells(pieces)
    seed.shuffle(cells)  # type: ignore[attr-defined]
    one, other = (
        fresh(DB).ask({"kind": "tabulate", "by": ["education"], "where": {"any": words}}) for words in (pieces, cells)
    )
    assert one.to_json() == other.to_json()
    assert (one.status, one.reasons, one.id) == (other.status, other.reasons, other.id)


def test_a_universe_comes_back_from_its_canonical_form() -> None:
    request = Tabulate(by=["sex"], where=Universe({"urban": "city"}) | Universe({"age": AGES[:2], "sex": "male"}))
    one = asked(DB, request)
    again = asked(DB, Tabulate.from_plain({k: v for k, v in one.canonical.items() if k != "kind"}))
    assert again.text == one.text
    assert len(again.members) == len(one.members)


def test_a_node_of_the_tree_of_bins_is_its_bins() -> None:
    bins = DB.catalogue["age"].bins
    assert bins is not None
    node = next(node for node in bins.nodes if 1 < len(node.leaves) < len(AGES))
    leaves = [AGES[i] for i in node.leaves]
    one, other = (asked(DB, Tabulate(by=["sex"], where={"age": words})) for words in ([node.label], leaves))
    assert one.text == other.text


def test_rows_are_the_members_less_what_is_dropped() -> None:
    question = asked(DB, Tabulate(by=["sex"], where={"urban": "city"}))
    assert set(question.rows) < set(question.members.rows)
    plain = opened(survey(), "internal")
    question = asked(plain, Tabulate(by=["sex"], where={"urban": "city"}))
    assert list(question.rows) == list(question.members.rows)


@pytest.mark.parametrize(
    "request_",
    [Tabulate(by=["\ud800"]), Tabulate(by=["x" * 200_000])],
    ids=["no text", "too long"],
)
def test_what_a_journal_cannot_hold_is_cut(request_: QueryRequest) -> None:
    assert journal_form(request_) == {"kind": request_.kind, "is_cut": True}


def test_what_was_read_is_kept_as_it_was_asked() -> None:
    assert journal_form(Tabulate(by=["sexx"])) == {"kind": "tabulate", "by": ["sexx"]}
    assert journal_form(None) == {"kind": "unreadable"}
