"""Every registered protector of tables, by every method that it has, on every table, with every check that its traits ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import get_args

import numpy as np
import pytest

from tacita.core import registry
from tacita.core.method import Method
from tacita.core.traits import TABLE_CLAIMS, ProtectorTraits, RuleTraits
from tacita.tables.protect.protector import Protector
from tests.conformance.examples import example
from tests.conformance.method_checks import METHOD_CHECKS
from tests.conformance.protector_checks import CLAIM_CHECKS, PROTECTOR_CHECKS, ProtectorCheck
from tests.conformance.rule_checks import RULE_CHECKS
from tests.conformance.table_examples import TABLES, table, verdict_on

WAYS = ("method", "kind_of")
"""Parameters that choose between ways of protection; claims must hold for each of them."""


def ways(kind: type[Method]) -> Iterator[Protector]:
    """A protector by each of its ways: a new suppression engine is tested because it is registered."""
    made = example(kind)
    choices = {p.name: get_args(p.annotation) for p in kind.parameters() if p.name in WAYS}
    yield from (replace(made, **{name: word}) for name, words in choices.items() for word in words)
    if not choices:
        yield made  # type: ignore[misc]


def named(protector: Protector) -> str:
    return "-".join([protector.name, *(getattr(protector, way) for way in WAYS if hasattr(protector, way))])


PROTECTORS = [made for kind in registry.methods("protector") for made in ways(kind)]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("protector", "check"),
    [
        pytest.param(protector, check, id=f"{named(protector)}-{check.name}")
        for protector in PROTECTORS
        for check in PROTECTOR_CHECKS
        if check.when(protector)
    ],
)
def test_protector(protector: Protector, check: ProtectorCheck, name: str) -> None:
    check.body(protector, table(name))


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kind", list(registry.methods("protector")), ids=lambda kind: kind.name)
def test_method(kind: type[Method], check: Callable[[Method], None]) -> None:
    check(example(kind))


def test_there_are_protectors() -> None:
    assert {"suppress-auto", "suppress-exact", "suppress-fast", "round-random", "adjust-exact"} <= set(
        map(named, PROTECTORS)
    )


def test_every_claim_has_a_check_and_words() -> None:
    of_rules, of_protectors = ({field.name for field in fields(kind)} for kind in (RuleTraits, ProtectorTraits))
    assert of_protectors == set(CLAIM_CHECKS)
    assert of_rules <= {check.name for check in RULE_CHECKS}
    assert set(TABLE_CLAIMS) == of_rules | of_protectors


def test_the_tables_have_what_they_are_named_for() -> None:
    unsafe = {name: verdict_on(name).cells for name in TABLES}
    assert not unsafe["nothing unsafe"].any()
    inner = table("everything unsafe").table
    leaves = (inner.counts == 1) if inner.counts is not None else np.zeros(0, bool)
    assert leaves.sum() == 9
    assert unsafe["everything unsafe"][leaves].all()
    assert all(unsafe[name].any() for name in TABLES if name != "nothing unsafe")
    zeros = table("zeros").table
    assert zeros.is_zero.any()
    assert zeros.is_empty.any()
    assert (table("negative").table.values < 0).any()
