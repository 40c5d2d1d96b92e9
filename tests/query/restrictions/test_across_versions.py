"""Across versions: a question that few records tell from an earlier version's is refused, before it is answered."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacita.core import registry
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.query import Policy, Statistic, Tabulate
from tacita.query.database import Database
from tacita.query.restrictions import AcrossVersions, TableSize
from tacita.query.restrictions.across_versions import answered_sets, check_same_people
from tests.query.builders import opened, people, policy_of

RULE = AcrossVersions(limit=3)
POLICY = policy_of(TableSize(), RULE)
ALL = Tabulate(by=["sex"])
WOMEN = Tabulate(by=["block"], where={"sex": "f"})


def version(ids: range | list[int], policy: Policy = POLICY, **options: object) -> Database:
    """People by their numbers: every second one a woman, blocks of ten."""
    table = {
        "person": pa.array(list(ids), pa.int64()),
        "sex": ["f" if i % 2 else "m" for i in ids],
        "block": [f"b{i // 10}" for i in ids],
        "pay": [float(i * i) for i in ids],
    }
    data = Microdata.from_frame(pa.table(table), identifiers=["person"], keys=["sex", "block"], confidential=["pay"])
    return opened(data, policy, **options)


def after(old: Database, ids: range | list[int], policy: Policy = POLICY, **options: object) -> Database:
    return version(ids, policy, previous=old, **options)


def test_it_refuses_what_two_newcomers_tell_apart_and_lets_the_rest_pass() -> None:
    old = version(range(60))
    old.ask(ALL)
    new = after(old, range(62))
    refused = new.ask(ALL)
    assert (refused.status, refused.reasons) == ("refused", ("across_versions",))
    assert new.ask(WOMEN).status == "answered"  # that question was not answered to the old version
    assert after(old, range(63)).ask(ALL).status == "answered"
    assert after(old, range(60)).ask(ALL).status == "answered"


def test_records_that_left_or_moved_count_as_well() -> None:
    old = version(range(60))
    old.ask(WOMEN)
    left = after(old, [i for i in range(60) if i != 7])
    assert left.ask(WOMEN).reasons == ("across_versions",)
    exchanged = after(old, [i for i in range(60) if i != 7] + [61])
    assert exchanged.ask(WOMEN).reasons == ("across_versions",)  # two records: one gone, one new
    man = after(old, [i for i in range(60) if i != 8])
    assert man.ask(WOMEN).status == "answered"


def test_what_was_not_answered_does_not_count() -> None:
    old = version(range(60))
    old.ask(Tabulate(by=["nobody"]))
    assert after(old, range(61)).ask(ALL).status == "answered"


def test_the_limit_is_the_fewest_records() -> None:
    for limit, status in ((2, "answered"), (3, "refused"), (9, "refused")):
        policy = policy_of(TableSize(), AcrossVersions(limit=limit))
        old = version(range(60), policy)
        old.ask(ALL)
        assert after(old, range(62), policy).ask(ALL).status == status


def test_all_earlier_versions_count() -> None:
    first = version(range(60))
    first.ask(ALL)
    second = after(first, range(70))
    second.ask(WOMEN)
    third = after(second, range(61))
    assert third.ask(ALL).reasons == ("across_versions",)
    assert third.previous is second
    assert third.previous.previous is first


def test_cells_are_sets_where_the_policy_says_so() -> None:
    by_cell = policy_of(TableSize(), AcrossVersions(limit=3, is_by_cell=True))
    blocks = Tabulate(by=["block"])
    for policy, status in ((POLICY, "answered"), (by_cell, "refused")):
        old = version(range(60), policy)
        old.ask(blocks)
        new = after(old, [*range(60), *range(100, 110), 5000], policy)
        assert new.ask(blocks).status == "answered"  # a new block, and one alone: nobody was told about them before
        moved = after(old, [*range(2, 60), *range(100, 110)], policy)
        assert moved.ask(blocks).status == status  # the first block lost two


def test_without_an_earlier_version_it_has_nothing_to_say() -> None:
    db = version(range(60))
    assert db.previous is None
    said = db.explain(ALL)
    assert [outcome.rule for outcome in said.outcomes] == ["table_size"]


def test_the_difference_would_have_told_a_value() -> None:
    """The attack that it stops: the new sum less the old one is the pay of the newcomer."""
    plain = policy_of(TableSize())
    total = Statistic(response="pay", statistic="sum")
    old, new = version(range(60), plain), version(range(61), plain)
    assert new.ask(total).value - old.ask(total).value == 60.0**2
    guarded = after(version(range(60)), range(61))
    assert guarded.previous is not None
    guarded.previous.ask(total)
    assert guarded.ask(total).reasons == ("across_versions",)


def test_the_journal_says_why_and_the_user_does_not_learn_it(tmp_path: Path) -> None:
    old = version(range(60), journal=tmp_path / "old.jsonl")
    old.ask(ALL)
    opened_again = version(range(60), journal=tmp_path / "old.jsonl")
    new = after(opened_again, range(61), journal=tmp_path / "new.jsonl")
    answer = new.ask(ALL)
    assert (answer.reasons, answer.hint, answer.notes, answer.table) == (("across_versions",), "", (), None)
    (said,) = [e for e in new.journal.entries() if e.kind == "request"]
    assert [(rule.rule, rule.decision) for rule in said.rules][-1] == ("across_versions", "deny")
    assert "1 sets" in str(said.rules[-1].detail)


def test_versions_without_common_ids_cannot_be_compared() -> None:
    nameless = opened(people({("f",): 9}, ("sex",)), POLICY)
    with pytest.raises(DataError, match="identifies each record"):
        after(nameless, range(9))
    text = Microdata.from_frame(pa.table({"person": ["a", "b"], "sex": ["f", "m"]}), identifiers=["person"])
    with pytest.raises(DataError, match="of one kind"):
        check_same_people(version(range(9)).version, opened(text, POLICY).version)


def test_answered_sets_are_ids_of_records() -> None:
    db = version(range(60))
    db.ask(WOMEN)
    db.ask(WOMEN)
    (found,) = answered_sets(db)
    assert found.request["where"] == {"sex": ["f"]}
    assert np.array_equal(found.ids, np.arange(1, 60, 2, dtype=np.uint64))
    cells = list(answered_sets(db, is_by_cell=True))
    assert [cell.cell for cell in cells] == [-1, 0, 1, 2, 3, 4, 5]
    assert [len(cell.ids) for cell in cells] == [30] + [5] * 6


def test_it_is_a_rule_of_policy_files() -> None:
    assert registry.find("restriction", "across_versions") is AcrossVersions
    assert Policy.from_toml(POLICY.to_toml()) == POLICY
    assert not RULE.traits.value_free  # a refusal tells that few records came, left or moved
