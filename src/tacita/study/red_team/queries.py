"""Scenes of attacks by questions: every attack against exact answers, size control, and the policies of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import Answers
from tacita.attack.queries import (
    AttackSearch,
    DoubleTracker,
    EquivalentCells,
    GeneralTracker,
    IndividualTracker,
    ManySplits,
    Padding,
    RefusalReading,
    RepeatedQuestion,
    UnionTracker,
    UniverseDifference,
    VersionDifference,
)
from tacita.attack.targets import Ask, OracleTarget, ServerTarget
from tacita.data.microdata import Microdata
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.restrictions import SetSize, TableSize
from tacita.query.steward.attack_database import asked_as_user
from tacita.query.subsample.drop_q import DropFixed, DropQ
from tacita.study.averaging import layered, private_numbers
from tacita.study.red_team.noisy_servers import noisy_server
from tacita.study.red_team.scene import Scene
from tacita.study.red_team.town import opened_town, town, town_target

__all__ = [
    "SCENES",
    "cell_keys_alone",
    "drop_alone",
    "exact_answers",
    "generous_privacy",
    "noisy",
    "oracle",
    "size_control",
    "two_versions",
]

VICTIMS = 30


def exact_answers() -> Policy:
    """Everything is answered as it is."""
    return Policy(name="exact", requests=("statistic", "tabulate"), restrictions=(TableSize(),))


def size_control(k: int = 10) -> Policy:
    """Exact answers about sets of k people and more, and not of nearly everybody."""
    return Policy(name="size control", requests=("statistic", "tabulate"), restrictions=(TableSize(), SetSize(k=k)))


def drop_alone(k: int, *, is_fixed: bool = False, strata: tuple[str, ...] = ()) -> Policy:
    """Records dropped at random, without the auditors beside it."""
    subsample = DropFixed(q=k) if is_fixed else DropQ(k=k)
    return Policy(
        name="drop", requests=("tabulate",), restrictions=(TableSize(),), parts={"subsample": subsample}, strata=strata
    )


def cell_keys_alone() -> Policy:
    """Cell keys of variance 3, without auditor and without a limit on splits."""
    cells = CellKeyNoise(bound=5, variance=3.0)
    return Policy(name="cell keys", requests=("tabulate",), restrictions=(TableSize(),), parts={"cells": cells})


@dataclass(frozen=True)
class Defence:
    """What the attacks of this folder meet: its words, the policy, and what is wanted where both can be asked for."""

    words: str
    policy: Callable[[], PolicyLike]
    wanted: str
    is_default: bool = True


DEFENCES = (
    Defence("none: exact answers", exact_answers, "income", False),
    Defence("size control alone, k = 10", size_control, "income", False),
    Defence("policy audited", lambda: "audited", "income"),
    Defence("policy mas", lambda: "mas", "ill"),
    Defence("policy tables (cell keys)", lambda: "tables", "ill"),
    Defence("policy dp", lambda: "dp", "income"),
    Defence("policy camouflage", lambda: "camouflage", "income"),
)
ATTACKS: tuple[Attacker, ...] = (
    IndividualTracker(),
    GeneralTracker(),
    DoubleTracker(),
    UnionTracker(),
    UniverseDifference(pairs=5),
    RefusalReading(),
    Padding(),
    RepeatedQuestion(times=20),
    EquivalentCells(times=20),
    ManySplits(splits=60),
)
OF_CLASSES = ("refusal_reading", "padding")
"""Attacks that ask for a class; the others ask for an amount where both can be had."""
MIDDLES = (
    "The middles of many intervals, subtracted and averaged, come within 5 % of a third of the incomes; that no interval is "
    "narrower than 10 % either way still holds."
)
BY_OTHER_WORDS = (
    "Universes are compared between versions, and cells of tables are not: who is refused the table by illness asks for a "
    "table of the ill after the change. With is_by_cell = true fewer are told, 8 to 9 of 12, and guessing tells 7 to 8."
)
BORDERLINE = (
    "With this seed; over three seeds the middle of an interval gains 0 to 13 points over guessing, about 5 on average."
)
NEAR_THE_MARGIN = ("general_tracker", "double_tracker", "repeated_question", "equivalent_cells")
BROKEN_DEFAULTS = {("universe_difference", "policy camouflage"): MIDDLES}
"""Defaults of this package that an attack beats, and what is known of it."""


def _grid() -> Iterator[Scene]:
    for attack in ATTACKS:
        for defence in DEFENCES:
            wanted = "ill" if attack.name in OF_CLASSES else defence.wanted
            cell = (attack.name, defence.words)
            is_near = defence.words == "policy camouflage" and attack.name in NEAR_THE_MARGIN
            why = BROKEN_DEFAULTS.get(cell, BORDERLINE if is_near else "")

            def make(seed: int, defence: Defence = defence, wanted: str = wanted) -> tuple[ServerTarget, Answers]:
                many = (
                    defence.words == "policy camouflage"
                )  # every question is answered there, and a few rightly by chance
                here = town(seed, people=4000, victims=120) if many else town(seed, victims=VICTIMS)
                return town_target(here, defence.policy(), wanted=wanted)

            yield Scene(
                attack=attack,
                defence=defence.words,
                weak=cell in BROKEN_DEFAULTS or not defence.is_default,
                make=make,
                why=why or (attack.traits.held_by if defence.is_default else attack.traits.breaks),
                is_default=defence.is_default,
            )


def _of(policy: Callable[[], PolicyLike], *, wanted: str = "ill", **options: Any) -> Callable[[int], Any]:
    return lambda seed: town_target(town(seed, **{"victims": VICTIMS, **options}), policy(), wanted=wanted)


def noisy(by: Any, *, sd: float = 1.5) -> Callable[[int], Any]:
    """A server with normal noise on exact answers; see :func:`~tacita.study.red_team.noisy_servers.noisy_server`."""

    def make(seed: int) -> tuple[ServerTarget, Answers]:
        def server(data: Microdata) -> Ask:
            return noisy_server(asked_as_user(opened_town(data, exact_answers())), sd=sd, by=by, seed=seed)

        return town_target(town(seed, victims=VICTIMS), exact_answers(), wanted="ill", ask=server)

    return make


def two_versions(policy: Callable[[], PolicyLike], *, wanted: str = "income") -> Callable[[int], Any]:
    """A version without the victims, and a later one that they have joined."""

    def make(seed: int) -> tuple[ServerTarget, Answers]:
        here = town(seed, victims=12)
        target, answers = town_target(here, policy(), wanted=wanted)
        before = opened_town(here.without(here.victims), policy())
        after = opened_town(here.data, policy(), previous=before)
        return replace(target, ask=asked_as_user(before), later=asked_as_user(after)), answers

    return make


def oracle(policy: Callable[[], PolicyLike] | None, *, sd: float = 0.0, by: Any = "answer") -> Callable[[int], Any]:
    """A server whose program the attacker has, with other people of the population."""

    def serve(data: Microdata, seed: int) -> Ask:
        server = asked_as_user(opened_town(data, exact_answers() if policy is None else policy()))
        return noisy_server(server, sd=sd, by=by, seed=seed) if sd else server

    def make(seed: int) -> tuple[OracleTarget, Answers]:
        here = town(seed, people=1200, victims=VICTIMS)
        target, answers = town_target(here, exact_answers(), wanted="ill", ask=lambda data: serve(data, seed))
        given = {one.name: getattr(target, one.name) for one in fields(ServerTarget)}
        reference = town(seed + 1, people=2400, victims=0).data
        return OracleTarget(**given, serve=serve, reference=reference), answers

    return make


SEARCH = AttackSearch(questions=8, programs=24, generations=12, shadows=40)


def _own() -> Iterator[Scene]:
    """Settings that belong to one attack."""
    yield Scene(
        attack=UniverseDifference(),
        defence="size control alone, from inside",
        weak=True,
        make=_of(size_control, alone=2),
    )
    yield Scene(
        attack=UniverseDifference(),
        defence="policy audited, from inside",
        weak=False,
        make=_of(lambda: "audited", wanted="income", alone=2),
        is_default=True,
    )
    yield Scene(attack=UniverseDifference(pairs=40), defence="cell keys alone", weak=True, make=_of(cell_keys_alone))
    yield Scene(
        attack=ManySplits(splits=150), defence="cell keys alone", weak=True, make=_of(cell_keys_alone, victims=15)
    )
    for k, smallest in ((1, 1), (2, 2), (6, None)):
        words = f"Drop {k}" if smallest else "Drop q, k = 6"
        alone = _drop(k, smallest)
        yield Scene(
            attack=Padding(k=k, smallest=smallest or 2), defence=f"{words}, no strata", weak=True, make=_of(alone)
        )
    yield Scene(
        attack=Padding(padded="region"),
        defence="Drop q within regions, k = 6",
        weak=False,
        make=_of(lambda: drop_alone(6, strata=("region",))),
        why="Formula (5): an apparent disclosure in about one of ten differences, and half of these wrong.",
    )
    yield from _own_of_noise()
    yield from _own_of_versions()
    yield Scene(attack=SEARCH, defence="none: exact answers", weak=True, make=oracle(exact_answers))
    yield Scene(attack=SEARCH, defence="noise drawn for every answer", weak=True, make=oracle(None, sd=1.0))
    yield Scene(attack=SEARCH, defence="policy dp", weak=False, make=oracle(lambda: "dp"), is_default=True)


def _own_of_versions() -> Iterator[Scene]:
    """Settings of versions of the data."""
    yield Scene(attack=VersionDifference(), defence="none: exact answers", weak=True, make=two_versions(exact_answers))
    yield Scene(
        attack=VersionDifference(), defence="size control alone, k = 10", weak=True, make=two_versions(size_control)
    )
    for name, wanted in (
        ("audited", "income"),
        ("mas", "ill"),
        ("tables", "ill"),
        ("dp", "income"),
        ("camouflage", "income"),
    ):
        yield Scene(
            attack=VersionDifference(),
            defence=f"policy {name}",
            weak=name == "tables",
            why=BY_OTHER_WORDS if name == "tables" else "",
            make=two_versions(_named(name), wanted=wanted),
            is_default=True,
        )


def _own_of_noise() -> Iterator[Scene]:
    """Settings of noise."""
    yield Scene(attack=RepeatedQuestion(), defence="noise drawn for every answer", weak=True, make=noisy("answer"))
    yield Scene(
        attack=RepeatedQuestion(), defence="noise keyed by the words, sd 6", weak=False, make=noisy("words", sd=6.0)
    )
    yield Scene(attack=EquivalentCells(), defence="noise keyed by the words", weak=True, make=noisy("words"))
    for sd, words in ((0.0, "sets alone, sd 2"), (0.5, "sets, sd 2, and records, sd 0.5")):
        yield Scene(
            attack=ManySplits(splits=40),
            defence=f"layered noise of {words}",
            weak=True,
            make=_of(_layers(sd), victims=12),
            why="The layer of records stays, but of two sets that differ by one person only that of this one does.",
        )
    for attack in (GeneralTracker(), UniverseDifference(pairs=5), RepeatedQuestion(times=20), ManySplits(splits=10)):
        yield Scene(
            attack=attack,
            defence="differential privacy at epsilon 5 an answer",
            weak=True,
            make=_of(generous_privacy, victims=20),
            why="Noise of two or three answers at epsilon 5 is below a half; no budget that is spent so protects anybody.",
        )


def generous_privacy() -> Policy:
    """Differential privacy in name: a budget of 100 000, of which every answer takes 5."""
    return private_numbers(100_000.0, 5.0)


def _layers(sd_record: float) -> Callable[[], Policy]:
    return lambda: layered(2.0, sd_record)


def _drop(k: int, smallest: int | None) -> Callable[[], Policy]:
    return lambda: drop_alone(k, is_fixed=smallest is not None)


def _named(name: str) -> Callable[[], str]:
    return lambda: name


SCENES: tuple[Scene, ...] = (*_grid(), *_own())
