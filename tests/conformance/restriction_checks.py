"""Checks for restrictions of questions: what holds for every one, and one check for each claim of its traits."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.data.microdata import Microdata
from tacita.query.cutpoints.given import Given
from tacita.query.database import Database
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.policy.policy import Policy
from tacita.query.requests import Correlate, Quantiles, Regress, Statistic, Tabulate
from tacita.query.requests.request import QueryRequest
from tacita.query.restrictions.restriction import Restriction
from tests.query.builders import asked, opened, policy_of

__all__ = ["CLAIM_CHECKS", "RESTRICTION_CHECKS", "RestrictionCheck", "database", "workload"]

Body = Callable[[Restriction], None]
N = 60
CLASSES = {"who": tuple(f"r{i:02d}" for i in range(N)), "sex": ("f", "m"), "block": tuple(f"b{i}" for i in range(6))}


@dataclass(frozen=True)
class RestrictionCheck:
    """One check, and the restrictions that it is for."""

    name: str
    body: Body
    when: Callable[[Restriction], bool] = lambda restriction: True  # noqa: ARG005


@cache
def records(values: int, members: int = 0) -> Microdata:
    """Make records with the same published classes: other ``values`` have other numbers, other ``members`` other classes."""
    rng, places = np.random.default_rng(values), np.random.default_rng(1000 + members)
    order = np.arange(N) if not members else places.integers(0, N, N)
    wage, rent = (np.round(rng.lognormal(7, 0.6, N), 2) for _ in range(2))
    rent[[3, 17, 40]] = np.nan  # who has no value is the same in all of them
    sex = [CLASSES["sex"][i % 2] for i in order]
    return Microdata.from_frame(
        pa.table(
            {
                "who": pa.array([CLASSES["who"][i] for i in order]).dictionary_encode(),
                "sex": pa.array(sex),
                "block": pa.array([CLASSES["block"][i // 10] for i in order]),
                "wage": pa.array(wage),
                "rent": pa.array(rent, from_pandas=True),
            }
        ),
        keys=["who", "sex", "block"],
        confidential=["wage", "rent"],
    )


def policy_with(restriction: Restriction) -> Policy:
    """The policy that a restriction stands in: alone, and where it needs a part of the policy with that part."""
    if restriction.name == "privacy_budget":
        return policy_of(
            restriction, requests=("tabulate", "statistic"), privacy=DifferentialPrivacy(budget=0.4, price=0.05)
        )
    return policy_of(restriction, standard_errors=False)


def database(restriction: Restriction, *, values: int = 1, members: int = 0) -> Database:
    """Open records under a restriction, with a catalogue that does not depend on them."""
    data = records(values, members)
    schema = data.schema
    for name, classes in CLASSES.items():
        schema = schema.change(name, categories=classes, public=True)
    schema = schema.change("wage", public=True, bounds=(0, 10_000))
    cuts = {name: Given(edges=(500.0, 1000.0, 2000.0)) for name in ("wage", "rent")}
    return opened(data.with_schema(schema), policy_with(restriction), cutpoints=cuts)


@cache
def workload() -> tuple[QueryRequest, ...]:
    """Questions of every kind about many universes, small and large ones, some of them near each other."""
    rng = np.random.default_rng(12)
    universes: list[dict[str, Any] | None] = [None, {"sex": "f"}, {"block": ["b0", "b1"]}, {"sex": "m", "block": "b3"}]
    for size in (1, 5, 12, 25, 30, 55, 58):
        universes.append({"who": list(CLASSES["who"][:size])})
    universes += [{"who": list(rng.choice(CLASSES["who"], 25, replace=False))} for _ in range(4)]
    universes += [{"who": list(CLASSES["who"][:n])} for n in (24, 26, 29)]
    found: list[QueryRequest] = []
    for where in universes:
        found += [
            Tabulate(by=["sex"], where=where),
            Tabulate(by=["block", "sex"], where=where),
            Tabulate(by=["sex"], response="wage", statistic="mean", where=where),
            Statistic(response="wage", statistic="sum", where=where),
            Statistic(response="rent", statistic="mean", where=where),
            Statistic(response="wage", statistic="maximum", where=where),
            Regress(response="wage", predictors=["sex"], where=where),
            Regress(response="wage", predictors=["sex", "block"], where=where),
        ]
    found += [
        Correlate(columns=["wage", "rent"]),
        Quantiles(response="wage"),
        Tabulate(by=["sex"], where={"wage": "above 2000"}),
    ]
    return tuple(found[i] for i in rng.permutation(len(found)))


def decisions(restriction: Restriction, db: Database, before: Sequence[QueryRequest] = ()) -> Iterator[str]:
    """What a restriction says about each question of the workload, when what it allows is answered; first it is asked others."""
    others = itertools.cycle(before) if before else None
    for request in workload():
        question = asked(db, request, user="ann", now=5.0)
        if not restriction.applies(question):
            yield "nothing"
            continue
        if others is not None:
            for _ in range(3):
                other = asked(db, next(others), user="bob", now=5.0)
                if restriction.applies(other):
                    restriction.judge(other)
        ruling = restriction.judge(question)
        if ruling.decision == "allow":
            restriction.record(question)
        yield ruling.decision


def judging_changes_nothing(restriction: Restriction) -> None:
    """The same question judged twice, and after judgements of others, is decided in the same way."""
    plain = list(decisions(restriction, database(restriction)))
    disturbed = list(decisions(restriction, database(restriction), before=workload()[::-1]))
    assert plain == disturbed
    db = database(restriction)
    for request in workload()[:20]:
        question = asked(db, request)
        if restriction.applies(question):
            assert restriction.judge(question) == restriction.judge(question)
    assert db.history.answered == 0


def memory_lies_in_the_history(restriction: Restriction) -> None:
    """A second database knows nothing of what the first one answered."""
    one = list(decisions(restriction, database(restriction)))
    assert list(decisions(restriction, database(restriction))) == one


def other_words_are_decided_alike(restriction: Restriction) -> None:
    """A universe cut into classes, and one condition more that is none, change no decision."""
    db = database(restriction)
    everything = list(CLASSES["sex"])
    for request in workload():
        pieces = [
            {**piece, "block": [block]} if "block" not in piece else piece
            for piece in [dict(piece) for piece in request.where.pieces]
            for block in (CLASSES["block"] if "block" not in piece else [""])
        ]
        plain = request.to_plain()
        again = type(request).from_plain(
            {k: v for k, v in plain.items() if k not in ("kind", "where")}
            | {"where": {"any": [{**piece, "sex": piece.get("sex", everything)} for piece in pieces]}}
        )
        one, other = asked(db, request), asked(db, again)
        assert one.text == other.text
        assert restriction.applies(one) == restriction.applies(other)
        if restriction.applies(one):
            assert restriction.judge(one) == restriction.judge(other)


def details_are_texts_and_names_are_words(restriction: Restriction) -> None:
    """The name is what users see; the detail fits into the journal."""
    db = database(restriction)
    assert restriction.name.replace("_", "").isalpha()
    for request in workload():
        question = asked(db, request)
        if restriction.applies(question):
            found = restriction.judge(question)
            assert found.decision in ("allow", "deny", "review")
            assert isinstance(found.detail, str)
            assert bool(found.detail) == (found.decision != "allow")


# --- one check for each claim ------------------------------------------------------------------------------------------


def value_free(restriction: Restriction) -> None:
    """Other values change no decision where sets and catalogue are the same; of the question alone, other sets do not either."""
    one = list(decisions(restriction, database(restriction, values=1)))
    for values in (2, 3):
        assert list(decisions(restriction, database(restriction, values=values))) == one
    if restriction.traits.stage == "request" or restriction.name == "privacy_budget":
        assert list(decisions(restriction, database(restriction, values=4, members=1))) == one


CLAIM_CHECKS: dict[str, Body] = {"value_free": value_free}

RESTRICTION_CHECKS = (
    RestrictionCheck("judging_changes_nothing", judging_changes_nothing),
    RestrictionCheck("memory_lies_in_the_history", memory_lies_in_the_history),
    RestrictionCheck("other_words_are_decided_alike", other_words_are_decided_alike),
    RestrictionCheck("details_are_texts_and_names_are_words", details_are_texts_and_names_are_words),
    RestrictionCheck("value_free", value_free, lambda restriction: restriction.traits.value_free),
)
