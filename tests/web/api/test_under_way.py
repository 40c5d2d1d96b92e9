"""Questions under way."""

from __future__ import annotations

import asyncio

import pytest

from tacita.web.api.errors import HttpRefusalError
from tacita.web.api.under_way import QuestionsUnderWay
from tacita.web.settings import ServerLimits


def test_too_many_at_once() -> None:
    under_way = QuestionsUnderWay(ServerLimits(per_visitor=1, at_once=1, waiting=1))
    with under_way.one_more("ann"), pytest.raises(HttpRefusalError, match="at_once"), under_way.one_more("ann"):
        pass
    with (
        under_way.one_more("ann"),
        under_way.one_more("bob"),
        pytest.raises(HttpRefusalError, match="busy"),
        under_way.one_more("cat"),
    ):
        pass
    assert len(under_way) == 0


def test_a_place_is_given_back_whatever_happens() -> None:
    under_way = QuestionsUnderWay(ServerLimits(per_visitor=1))
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), under_way.one_more("ann"):
            raise ZeroDivisionError
    assert len(under_way) == 0


def test_a_place_is_held_until_its_work_has_ended() -> None:
    async def counts() -> list[int]:
        under_way = QuestionsUnderWay(ServerLimits())
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with under_way.one_more("ann") as place:
            place.holds_until(work)
        held = len(under_way)
        work.set_result(None)
        await asyncio.sleep(0)
        return [held, len(under_way)]

    assert asyncio.run(counts()) == [1, 0]
