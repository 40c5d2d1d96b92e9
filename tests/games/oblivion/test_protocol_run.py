from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.content import NumberContent, TextContent
from tacita.games.oblivion.marked_copy import MarkLayout, forward_marked, receive_marked, signed_receipt, source_copy
from tacita.games.oblivion.offices import CodeOffice
from tacita.games.oblivion.protocol_run import DatedUse, date_of_copy, run_protocol
from tacita.games.oblivion.pseudonyms import Registrar, Signer

WORDS = "The big shop needs help so often, but the small store shows errors until the end of the street. "


@pytest.mark.parametrize("kind", ["numbers", "text"])
def test_every_leak_is_traced_to_its_holder(kind: str) -> None:
    numbers = NumberContent(np.random.default_rng(1).normal(50, 10, 340), 0.1)
    content = numbers if kind == "numbers" else TextContent(WORDS * 36)
    run = run_protocol(content, length=100, hops=3, coalition=1, seed=2)
    assert run.resolved == run.names == ("holder 1", "holder 2", "holder 3")
    assert run.bare == "holder 2"
    assert run.late == "holder 3"
    assert run.refused == "expired"
    assert run.is_right
    assert run.transfers == 300


def test_one_holder_alone_and_the_same_seed() -> None:
    content = NumberContent(np.random.default_rng(1).normal(50, 10, 100), 0.1)
    first, again = (run_protocol(content, length=60, hops=1, coalition=1, days=0, seed=5) for _ in range(2))
    assert first == again
    assert first.is_right


def test_a_detector_traces_what_is_used_past_its_date_and_nothing_else() -> None:
    rng = np.random.default_rng
    content = NumberContent(rng(1).normal(50, 10, 120), 0.1)
    layout, registrar = MarkLayout.drawn(120, 60, 1, rng(2)), Registrar(rng(3))
    office, day = CodeOffice(layout, 1, registrar.public, rng(4)), date(2026, 6, 30)
    ada = registrar.enrol("Ada", rng(5))
    offer, choices = office.issue(ada.certificate, 1, rng(6))
    source = source_copy(content, layout, "survey", day, Signer(rng(7)))
    receipt = signed_receipt(ada, offer, source.notice)
    parcel = forward_marked(
        source, layout, offer, receipt, registrar=registrar.public, office=office.public, rng=rng(8)
    )
    copy = receive_marked(parcel, layout, choices, content, day).rendered(content, rng(9))
    assert date_of_copy(copy, content, layout, office, day) == DatedUse(day, False, None)
    late = date_of_copy(copy, content, layout, office, day + timedelta(days=1))
    assert late.is_past
    assert late.traced is not None
    assert late.traced.pseudonym == ada.certificate.pseudonym
    copy[layout.dated] = np.nan
    assert date_of_copy(copy, content, layout, office, day) == DatedUse(None, None, None)


def test_too_little_content_is_refused() -> None:
    content = NumberContent(np.arange(50.0), 0.1)
    with pytest.raises(DataError, match="has 50 positions"):
        run_protocol(content, length=60)
    with pytest.raises(ParameterError, match="'hops'"):
        run_protocol(content, length=10, hops=0)
    with pytest.raises(ParameterError, match="'days'"):
        run_protocol(content, length=10, days=-1)
