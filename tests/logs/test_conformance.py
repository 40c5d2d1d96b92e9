"""What holds for every registered anonymiser of query logs and every measure of one, checked by what each claims."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tacita.core import registry
from tacita.core.errors import DataError, MeasureError, TacitaError
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.log_measure import LogFigure
from tests.logs.material import TREE, Material, interested_users

CANARY = "CANARY-" + str(8462)

ANONYMISERS = [m for m in registry.methods("anonymiser") if m.__module__.startswith("tacita.")]
MEASURES = [m for m in registry.methods("log_measure") if m.__module__.startswith("tacita.")]

SMALL: dict[str, dict[str, Any]] = {
    "infrequent_removal": {"askers": 2},
    "private_queries": {"activity": 2, "selection_scale": 1, "count_scale": 1, "count_above": 3},
}
"""Parameters with which a log of a few users is not empty afterwards; the others are asked for groups of three."""

every_anonymiser = pytest.mark.parametrize("method", ANONYMISERS, ids=lambda m: m.name)
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda m: m.name)


def small(method: type[Any], **changes: Any) -> Anonymiser:
    """The method for a small log."""
    known = {parameter.name for parameter in method.parameters()}
    made: Anonymiser = method(**{**SMALL.get(method.name, {"k": 3} if "k" in known else {}), **changes})
    return made


def full_log(users: int = 30, *, canary: str = "") -> Material:
    """A log with times and clicks, a user who asked nothing, repeated lines, and names and texts that nobody may see."""
    log, topics = interested_users(users, lines_each=12)
    texts = [f"{canary}{text}" for text in log.texts.to_pylist()]
    names = [f"{canary}{name}" for name in log.users.to_pylist()]
    n = len(log)
    rng = np.random.default_rng(2)
    whole = QueryLog.from_columns(
        [names[u] for u in log.user] + [f"{canary}nobody", names[0], names[0]],
        [texts[q] for q in log.query] + ["", texts[0], texts[0]],
        time=np.datetime64("2006-03-01", "us") + rng.integers(0, 10**12, n + 3).astype("timedelta64[us]"),
        rank=np.where(rng.random(n + 3) < 0.5, 1, -1),
        url=[f"http://site{u}.org/{canary}" if u < 9 else "" for u in rng.integers(0, 20, n + 3)],
    )
    assert whole.texts.to_pylist() == texts
    return Material(whole, topics)


def stripped(log: QueryLog) -> QueryLog:
    """The log without times and clicks."""
    return QueryLog(log.user, log.query, log.users, log.texts)


def with_topics(method: type[Any], topics: Classified) -> Classified | None:
    """The topics for a method that goes by them."""
    return topics if method.traits.needs_topics else None


def shown(log: QueryLog, topics: Classified) -> list[Any]:
    """Everything that a log and its topics hold, copied."""
    arrays = [log.user, log.query, log.time, log.rank, log.url]
    arrays += [part for level in topics.levels for part in (level.data, level.indices, level.indptr)]
    texts = [log.users, log.texts, log.urls]
    return [*(None if a is None else a.copy() for a in arrays), *(None if t is None else t.to_pylist() for t in texts)]


def same(one: list[Any], other: list[Any]) -> bool:
    """Whether two such lists are the same, gaps included."""
    pairs = list(zip(one, other, strict=True))
    return all((a is None) == (b is None) and np.array_equal(a, b, equal_nan=_floats(a)) for a, b in pairs)


def _floats(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fM"


def same_release(one: AnonymisedLog, other: AnonymisedLog) -> bool:
    """Whether two releases are the same line by line."""
    return one.log.to_arrow().equals(other.log.to_arrow()) and np.array_equal(one.profile, other.profile)


def test_there_are_methods() -> None:
    assert len(ANONYMISERS) >= 7
    assert len(MEASURES) >= 8


# --- anonymisers ----------------------------------------------------------------------------------------------------------


@every_anonymiser
def test_the_input_stays_and_the_seed_repeats(method: type[Any]) -> None:
    log, topics = full_log()
    before = shown(log, topics)
    first, again = (small(method).apply(log, with_topics(method, topics), seed=7) for _ in range(2))
    assert same(before, shown(log, topics))
    assert same_release(first, again)
    other = small(method).apply(log, with_topics(method, topics), seed=8)
    assert same_release(first, other) is not method.traits.stochastic


@every_anonymiser
def test_what_is_released_is_a_log_of_other_names(method: type[Any]) -> None:
    log, topics = full_log()
    made = small(method).apply(log, topics, seed=1)
    assert len(made.profile) == len(log.users)
    assert not set(made.log.users.to_pylist()) & set(log.users.to_pylist())
    assert made.log.rank is None
    assert made.method == small(method).words()
    assert all(count >= 0 for count in made.removed.values())
    used = np.unique(made.log.query)
    assert len(used) == len(made.log.texts), "a text that no line has"
    assert made.log.texts.to_pylist() == sorted(made.log.texts.to_pylist()), "the order of texts tells of the original"
    assert made.topics is not None
    assert made.topics.texts == len(made.log.texts)


@every_anonymiser
def test_claims_hold(method: type[Any]) -> None:
    log, topics = full_log()
    made = small(method).apply(log, with_topics(method, topics), seed=1)
    asking = np.diff(log.asked.indptr) > 0
    if method.traits.groups_users:
        assert (made.profile[asking] >= 0).all()
        assert np.bincount(made.profile[asking]).min() >= 3
        assert made.smallest >= 3
    if method.traits.private:
        assert (made.profile < 0).all(), "a profile that stands for somebody"
        one = small(method)
        assert 0 < one.epsilon < math.inf  # type: ignore[attr-defined]
        assert 0 < one.delta < 1  # type: ignore[attr-defined]
    if not method.traits.needs_topics:
        assert len(method(**SMALL.get(method.name, {})).apply(log, seed=1).profile) == len(log.users)


@every_anonymiser
def test_lines_without_times_and_clicks(method: type[Any]) -> None:
    log, topics = full_log()
    bare = stripped(log)
    if method.name == "selected_removal":
        with pytest.raises(DataError, match="clicked"):
            small(method).apply(bare, topics, seed=1)
        return
    made = small(method).apply(bare, topics, seed=1)
    assert made.log.time is None
    assert made.log.url is None


@every_anonymiser
def test_one_user_and_none(method: type[Any]) -> None:
    log = QueryLog.from_columns(["ann"] * 4, ["tea", "tea", "milk", "jam"], url=["x", "", "", ""])
    every = np.arange(3)
    topics = Classified.from_categories(TREE, 3, every, every, every, depth=3)
    if method.traits.groups_users:
        with pytest.raises(DataError, match="at least k = 3 users"):
            small(method).apply(log, topics, seed=1)
    else:
        made = small(method).apply(log, topics, seed=1)
        assert len(made.log.users) <= 1
    with pytest.raises(DataError, match="no line"):
        small(method).apply(log.take(np.zeros(0, int)), topics, seed=1)


@every_anonymiser
def test_users_without_queries_hide_nobody(method: type[Any]) -> None:
    """Groups are counted among those who asked something."""
    log = QueryLog.from_columns(["a", "b", "c", "d"], ["tea", "", "", "tea"], url=["x", "", "", "y"])
    topics = Classified.from_categories(TREE, 1, np.array([0]), np.array([0]), np.array([2]), depth=3)
    if method.traits.groups_users:
        with pytest.raises(DataError, match="at least k = 3"):
            small(method).apply(log, topics, seed=1)
    else:
        made = small(method).apply(log, topics, seed=1)
        assert (made.profile[[1, 2]] == -1).all()


@every_anonymiser
def test_nothing_of_the_log_is_in_messages(method: type[Any]) -> None:
    log, topics = full_log(12, canary=CANARY)
    made = small(method).apply(log, topics, seed=1)
    said = [repr(made), str(made), made.method, repr(made.log), *made.notes, *map(str, made.removed.items())]
    said += [_error(lambda: small(method).apply(log, None, seed=1))]
    wrong = topics.at(np.arange(topics.texts - 1))
    said += [_error(lambda: small(method).apply(log, wrong, seed=1))]
    few = log.take(log.user < 2).compact()
    said += [_error(lambda: small(method).apply(few, topics.at(np.arange(len(few.texts))), seed=1))]
    assert not [text for text in said if CANARY in text]


def _error(call: Callable[[], object]) -> str:
    try:
        call()
    except TacitaError as error:
        return f"{error} {error!r}"
    return ""


# --- measures -------------------------------------------------------------------------------------------------------------


@every_measure
@every_anonymiser
def test_every_release_can_be_measured(method: type[Any], measure: type[Any]) -> None:
    log, topics = full_log()
    made = small(method).apply(log, topics, seed=1)
    before, left = shown(log, topics), made.log.to_arrow()
    found, again = (measure().of(log, topics, made) for _ in range(2))
    assert same(before, shown(log, topics))
    assert made.log.to_arrow().equals(left)
    assert found.value == again.value
    assert dict(found.parts) == dict(again.parts)
    _fits(found, measure, len(log.users))


def _fits(found: LogFigure, measure: type[Any], users: int) -> None:
    assert math.isfinite(found.value)
    assert all(math.isfinite(part) for part in found.parts.values())
    if measure.traits.upper is not None:
        assert found.value <= measure.traits.upper + 1e-9
        assert found.value >= (-measure.traits.upper if measure.traits.unit == "" else 0) - 1e-9
    if found.per_user is not None:
        assert len(found.per_user) == users
        known = found.per_user[~np.isnan(found.per_user)]
        assert len(known)
        assert (known >= -1e-9).all()


@every_measure
def test_an_unchanged_log_lost_nothing(measure: type[Any]) -> None:
    log, topics = full_log()
    every = np.arange(len(log.users), dtype=np.int32)
    found = measure().of(log, topics, AnonymisedLog(log=log, profile=every, method="none", topics=topics))
    if measure.traits.is_risk:
        assert found.value > 0
    elif measure.traits.better == "higher":
        assert found.value == pytest.approx(100.0 if measure.traits.unit == "%" else 1.0)
    elif measure.name != "hierarchical_variance":  # what a user's own queries vary by is within his group
        assert found.value == pytest.approx(0.0, abs=1e-9)


@every_measure
def test_an_empty_release_is_measured(measure: type[Any]) -> None:
    log, topics = full_log()
    nothing = AnonymisedLog(
        log=log.take(np.zeros(0, int)).compact(),
        profile=np.full(len(log.users), -1, np.int32),
        method="none",
        topics=topics.at(np.zeros(0, int)),
    )
    _fits(measure().of(log, topics, nothing), measure, len(log.users))


@every_measure
def test_measures_refuse_what_does_not_belong_together(measure: type[Any]) -> None:
    log, topics = full_log(12, canary=CANARY)
    made = AnonymisedLog(log=log, profile=np.zeros(3, np.int32), method="none", topics=topics)
    with pytest.raises(MeasureError, match="a profile for each user") as refused:
        measure().of(log, topics, made)
    assert CANARY not in str(refused.value)
    if measure.traits.needs_topics:
        every = np.zeros(len(log.users), np.int32)
        with pytest.raises(MeasureError, match="classified"):
            measure().of(log, None, AnonymisedLog(log=log, profile=every, method="none"))


@every_measure
def test_nothing_of_the_log_is_in_a_figure(measure: type[Any]) -> None:
    log, topics = full_log(12, canary=CANARY)
    every = np.arange(len(log.users), dtype=np.int32)
    found = measure().of(log, topics, AnonymisedLog(log=log, profile=every, method="none", topics=topics))
    assert CANARY not in f"{found!r} {found.note} {found.parts}"


def test_the_checks_can_fail() -> None:
    """A log that kept the names of its users, with texts in the order of the original, is seen."""
    log, _ = full_log()
    assert not same(shown(log, full_log()[1]), shown(stripped(log), full_log()[1]))
    left = AnonymisedLog(log=log, profile=np.arange(len(log.users), dtype=np.int32), method="none")
    assert set(left.log.users.to_pylist()) & set(log.users.to_pylist())
    assert left.log.texts.to_pylist() != sorted(left.log.texts.to_pylist())
