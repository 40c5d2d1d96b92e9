"""The known part of a universe: conditions on what is confidential are left out, and sparsity counts without them."""

from __future__ import annotations

from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.known_part import known_part
from tacita.query.restrictions.sparsity import Sparsity
from tacita.study.red_team.town import opened_town, town
from tests.query.builders import asked, judged, policy_of

RULE = Sparsity(per_cell=5)


def test_conditions_on_what_is_confidential_are_left_out() -> None:
    db = opened_town(town(1).data, policy_of(RULE))
    plain = asked(db, Tabulate(by=["sex"], where={"age": ["65+"]}))
    assert known_part(plain) == (plain.boxes, ())
    known, hidden = known_part(asked(db, Tabulate(by=["sex"], where={"age": ["65+"], "ill": ["yes"]})))
    assert hidden == ("ill",)
    assert known == plain.boxes


def test_pieces_that_differ_in_it_alone_are_one() -> None:
    db = opened_town(town(1).data, policy_of(RULE))
    where = {"any": [{"age": ["65+"], "ill": ["yes"]}, {"age": ["65+"], "sex": ["male"], "ill": ["no"]}]}
    known, hidden = known_part(asked(db, Tabulate(by=["sex"], where=where)))
    assert hidden == ("ill",)
    assert known == asked(db, Tabulate(by=["sex"], where={"age": ["65+"]})).boxes


def test_the_table_of_the_ill_is_judged_as_the_table_by_illness() -> None:
    """Who is ill decides nothing: one more of them does not turn a refusal."""
    db = opened_town(town(1).data, policy_of(RULE))
    for age in ("16-24", "65+"):
        for work in ("farm", "shop"):
            some = {"age": [age], "work": [work], "region": ["north"], "sex": ["male"]}
            of_all = judged(RULE, db, Tabulate(by=["sex", "ill"], where=some)).decision
            of_ill = judged(RULE, db, Tabulate(by=["sex"], where={**some, "ill": ["yes"]})).decision
            assert of_ill == of_all
