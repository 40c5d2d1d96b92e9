"""The time of a refusal tells nothing: two groups that an attacker wants to tell apart, and a classifier on their times."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from tacita.core.arrays import FloatArray
from tacita.web.accounts.accounts import open_accounts
from tacita.web.accounts.visitor import Visitor
from tacita.web.api.departure import Departure
from tacita.web.api.reception import Reception
from tacita.web.engine import Keeper, LocalEngine, Reply
from tacita.web.settings import ServerLimits, ServerSettings

FALSE_ALARM = 0.001
"""How often a classifier that guesses would be called one that knows."""
EVE = Visitor.anonymous("192.0.2.7")


def knows(first: FloatArray, second: FloatArray) -> bool:
    """Whether times tell two groups apart: the best threshold on one half of them, tried on the other half."""
    times = np.concatenate([first, second])
    group = np.repeat([False, True], [len(first), len(second)])
    learns = np.arange(len(times)) % 2 == 0
    cuts = np.unique(times[learns])
    found = [((times[learns] > cut) ^ turned) == group[learns] for cut in cuts for turned in (False, True)]
    best = int(np.argmax([hits.mean() for hits in found]))
    cut, turned = list(itertools.product(cuts, (False, True)))[best]
    hits = ((times[~learns] > cut) ^ turned) == group[~learns]
    return bool(hits.sum() > binom.ppf(1 - FALSE_ALARM, len(hits), 0.5))


def test_the_classifier_can_do_both() -> None:
    """It finds a difference of a tenth of the noise's width in many draws, and none where there is none."""
    rng = np.random.default_rng(7)
    alike = rng.normal(0.05, 0.001, (2, 2000))
    assert not knows(*alike)
    assert knows(alike[0], alike[1] + 0.0005)


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class _Works(LocalEngine):
    """An engine that takes as long as it is told, and refuses or answers."""

    def __init__(self, keeper: Keeper, clock: _Clock) -> None:
        super().__init__(keeper)
        self.clock, self.seconds, self.is_timed = clock, 0.0, True

    async def ask(self, *_: Any, **__: Any) -> Reply:
        self.clock.now += self.seconds
        return Reply(status="refused", body=b"{}", id="a", dataset="households", is_timed=self.is_timed)

    async def answer(self, *_: Any, **__: Any) -> Reply:
        return await self.ask()


@pytest.mark.parametrize("call", ["ask", "answer"])
def test_refusals_leave_at_few_moments(call: str, demo: ServerSettings, keeper: Keeper, tmp_path: Path) -> None:
    clock = _Clock()
    engine = _Works(keeper, clock)

    async def left(seconds: float, *, is_timed: bool = True) -> float:
        reception = Reception(demo, engine, open_accounts(tmp_path / "accounts.sqlite"))
        reception.departure = Departure(0.05, now=lambda: clock.now, sleep=clock.sleep, spread=0)
        engine.seconds, engine.is_timed, begun = seconds, is_timed, clock.now
        if call == "ask":
            await reception.ask(EVE, None, "tabulate", b"{}")
        else:
            await reception.answer(EVE, "a")
        return round(clock.now - begun, 9)

    works = [0.0, 0.0001, 0.003, 0.02, 0.049]
    assert {asyncio.run(left(seconds)) for seconds in works} == {0.05}
    assert {asyncio.run(left(seconds)) for seconds in (0.21, 0.3, 0.39)} == {0.4}
    assert [asyncio.run(left(seconds, is_timed=False)) for seconds in works] == works


def universes(keeper: Keeper) -> dict[int, bytes]:
    """A refused question about 0, 1 and 2 persons each, refused by the same rules."""
    db, found = keeper.databases["households"], dict[int, tuple[bytes, tuple[str, ...]]]()
    countries = db.catalogue["birth_country"].classes
    for country, occupation in itertools.product(countries, db.catalogue["occupation"].classes):
        asked = {"kind": "tabulate", "by": ["sex"], "where": {"birth_country": [country], "occupation": [occupation]}}
        records = db.explain(asked).records
        if records in (0, 1, 2) and records not in found:
            found[records] = json.dumps(asked).encode(), db.ask(asked).reasons
        if len(found) == 3:
            break
    assert len({reasons for _, reasons in found.values()}) == 1
    return {records: body for records, (body, _) in found.items()}


def timed(reception: Reception, bodies: list[bytes], times: int, planted: Callable[[int], float]) -> list[FloatArray]:
    """How long refusals take of some questions that are asked in turn; the order is drawn."""
    order = np.random.default_rng(3).permutation(np.repeat(np.arange(len(bodies)), times))
    found: list[list[float]] = [[] for _ in bodies]
    engine = reception.engine.ask

    async def run() -> None:
        for number in order:

            async def slowed(*given: Any, number: int = int(number), **named: Any) -> Any:
                await asyncio.sleep(planted(number))
                return await engine(*given, **named)

            reception.engine.ask = slowed  # type: ignore[method-assign]
            begun = time.perf_counter()
            reply = await reception.ask(EVE, None, "tabulate", bodies[number])
            found[number].append(time.perf_counter() - begun)
            assert reply.is_timed

    asyncio.run(run())
    return [np.array(row) for row in found]


def test_without_a_quantum_a_planted_difference_is_found(demo: ServerSettings, keeper: Keeper, tmp_path: Path) -> None:
    """What the next test looks for is there to be found: 20 ms more for one of two groups."""
    bare = replace(demo, limits=ServerLimits(quantum=0))
    reception = Reception(bare, LocalEngine(keeper), open_accounts(tmp_path / "accounts.sqlite"))
    body = universes(keeper)[1]
    assert knows(*timed(reception, [body, body], 50, lambda number: 0.02 * number))


@pytest.mark.slow
@pytest.mark.parametrize("pair", [(1, 0), (1, 2)])
@pytest.mark.parametrize("planted", [0.0, 0.01])
def test_nobody_learns_by_time_whether_one_person_is_there(
    pair: tuple[int, int], planted: float, demo: ServerSettings, keeper: Keeper, tmp_path: Path
) -> None:
    """Also where the work on one group takes 10 ms more: it ends within the quantum."""
    told = replace(demo, limits=ServerLimits(quantum=0.05))
    reception = Reception(told, LocalEngine(keeper), open_accounts(tmp_path / "accounts.sqlite"))
    asked = universes(keeper)
    assert not knows(*timed(reception, [asked[n] for n in pair], 100, lambda number: planted * number))
