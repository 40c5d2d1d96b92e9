"""The whole exchange: offer, request, answer, a leak, and a judge.

It tests ``tacita.release.recipients.exchange.office``, ``tacita.release.recipients.exchange.recipient``,
``tacita.release.recipients.exchange.judge`` and ``tacita.release.recipients.exchange.messages``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.release.recipients.copies import FingerprintedCopies
from tacita.release.recipients.exchange.judge import judge_recipient
from tacita.release.recipients.exchange.messages import check_signed, sign
from tacita.release.recipients.exchange.office import (
    answer_request,
    blank_file,
    drawn_symbols,
    file_digest,
    make_offer,
    signing_key,
)
from tacita.release.recipients.exchange.recipient import choices_of, make_request, open_answer
from tacita.release.recipients.tracing import trace_leak
from tests.release.recipients.material import made_once, mixed

THEIRS = Key(bytes(range(7, 39)))
OTHER = Key(bytes(range(8, 40)))


@dataclass(frozen=True)
class Deal:
    copies: FingerprintedCopies
    offer: Any
    request: Any
    answer: Any
    blank: Microdata
    copy: Microdata


def deal(name: str = "Institute 2", key: Key = THEIRS) -> Deal:
    return made_deal(name, key)


@cache
def made_deal(name: str, key: Key) -> Deal:
    whole = made_once()[2]
    plan = replace(whole.plan, length=40, blocks=40)
    copies = FingerprintedCopies(
        masked=whole.masked,
        plan=plan,
        key=whole.key,
        recipients=("Institute 1", "Institute 2", "Institute 3"),
        release="x",
    )
    offer = make_offer(copies, name)
    request = make_request(offer, key)
    answer = answer_request(copies, request)
    blank = blank_file(copies)
    return Deal(copies, offer, request, answer, blank, open_answer(offer, answer, blank, key))


def test_the_copy_has_the_office_s_symbols_and_the_recipient_s() -> None:
    made = deal()
    chosen = choices_of(made.offer, made.request, THEIRS)
    word = np.concatenate([made.copies.codeword("Institute 2"), drawn_symbols(made.copies, "Institute 2", chosen)])
    expected = made.copies.marked(word.astype(np.uint8))
    for name, x in expected.items():
        assert np.array_equal(made.copy.float(name), x, equal_nan=True)
    for name in ("sector", "staff", "weight"):
        assert made.copy.column(name).equals(made.copies.masked.column(name))


def test_the_recipient_s_symbols_follow_their_biases() -> None:
    made = deal()
    drawn = drawn_symbols(made.copies, "Institute 2", choices_of(made.offer, made.request, THEIRS))
    p = made.copies.biases[40:]
    assert set(p.tolist()) == {0.2, 0.8}
    agree = ((drawn == 1) == (p > 0.5)).mean()
    assert 0.55 < agree < 0.98


def test_the_office_traces_the_leak_and_a_judge_confirms_it() -> None:
    made = deal()
    assert trace_leak(made.copies, made.copy).named == ("Institute 2",)
    found = judge_recipient(made.copies, made.copy, request=made.request, answer=made.answer, opened_with=THEIRS)
    assert found.is_guilty
    assert "only 'Institute 2' had" in found.words()
    assert found.to_plain()["is_guilty"]


@pytest.mark.slow
def test_a_leak_of_two_is_confirmed_for_one_of_them_at_least() -> None:
    deals = [deal(), deal("Institute 3", OTHER)]
    leaked = mixed([d.copy for d in deals], "averaged")
    found = [
        judge_recipient(d.copies, leaked, request=d.request, answer=d.answer, opened_with=key, false_accusation=1e-3)
        for d, key in zip(deals, (THEIRS, OTHER), strict=True)
    ]
    assert any(judgement.is_guilty for judgement in found)


def test_an_office_that_forges_a_leak_finds_no_judge() -> None:
    """It puts its own half of the codeword in, and the likelier symbol, or a drawn one, everywhere else."""
    made = deal()
    p = made.copies.biases[40:]
    for theirs in (p > 0.5, np.random.default_rng(1).random(40) < p):
        word = np.concatenate([made.copies.codeword("Institute 2"), theirs]).astype(np.uint8)
        forged = made.copies.masked.with_numbers(made.copies.marked(word))
        assert trace_leak(made.copies, forged).named == ("Institute 2",)
        found = judge_recipient(made.copies, forged, request=made.request, answer=made.answer, opened_with=THEIRS)
        assert not found.is_guilty
        assert "does not show" in found.words()


def test_a_leak_of_somebody_else_does_not_convict() -> None:
    made, other = deal(), deal("Institute 3", OTHER)
    found = judge_recipient(made.copies, other.copy, request=made.request, answer=made.answer, opened_with=THEIRS)
    assert not found.is_guilty


def test_an_office_that_sends_other_items_is_found_out() -> None:
    """All five items alike: then it would know the symbol. Its own signature stands below it."""
    made = deal()
    items = [list(five) for five in made.answer["items"]]
    items[0] = [items[0][0]] * 5
    cheating = sign({**_body(made.answer), "items": items}, signing_key(made.copies))
    with pytest.raises(DataError, match="did not answer as it must"):
        judge_recipient(made.copies, made.copy, request=made.request, answer=cheating, opened_with=THEIRS)


def test_a_recipient_who_opens_with_another_key_is_found_out() -> None:
    made = deal()
    with pytest.raises(DataError, match="signed with another key"):
        judge_recipient(made.copies, made.copy, request=made.request, answer=made.answer, opened_with=OTHER)
    mine = sign(_body(make_request(made.offer, OTHER)), THEIRS)
    with pytest.raises(DataError, match="other choices"):
        choices_of(made.offer, mine, THEIRS)


def test_the_request_shows_no_choice_and_the_answer_no_kind() -> None:
    """The office's symbols cannot be told from the recipient's: five items of one length at every place, all different."""
    made = deal()
    for five in made.answer["items"]:
        assert len({len(item) for item in five}) == 1
        assert len(set(five)) == 5
    assert len(set(made.request["asked"])) == 80
    assert "item" not in json.dumps(made.request["asked"])


def test_same_messages_from_the_same_keys() -> None:
    made = deal()
    assert make_request(made.offer, THEIRS) == made.request
    assert make_offer(made.copies, "Institute 2") == made.offer


def test_changed_messages_are_refused() -> None:
    made = deal()
    for kind, message in (("offer", made.offer), ("request", made.request), ("answer", made.answer)):
        assert check_signed(message, kind) == message
        with pytest.raises(DataError, match="signature"):
            check_signed({**message, "recipient": "Institute 1"}, kind)
        with pytest.raises(DataError, match="signature"):
            check_signed({**message, "signature": 5}, kind)
        with pytest.raises(DataError, match="another key"):
            check_signed(message, kind, "00" * 32)
        with pytest.raises(DataError, match=f"must be an? {kind}"):
            check_signed([], kind)
    damaged = sign({**_body(made.offer), "symbols": 10**9}, THEIRS)
    with pytest.raises(DataError, match="offer is damaged"):
        make_request(damaged, THEIRS)


def test_requests_and_answers_of_another_exchange_are_refused() -> None:
    made, other = deal(), deal("Institute 3", OTHER)
    with pytest.raises(DataError, match="another offer"):
        open_answer(made.offer, other.answer, made.blank, THEIRS)
    with pytest.raises(DataError, match="not the one that the answer was signed with"):
        open_answer(made.offer, made.answer, made.copies.masked, THEIRS)
    renamed = sign({**_body(made.request), "recipient": "Institute 1"}, THEIRS)
    with pytest.raises(DataError, match="does not belong to the offer"):
        answer_request(made.copies, renamed)
    short = sign({**_body(made.request), "asked": made.request["asked"][:5]}, THEIRS)
    with pytest.raises(DataError, match="does not belong to the offer"):
        answer_request(made.copies, short)
    with pytest.raises(ParameterError, match="no recipient"):
        answer_request(made.copies, sign({**_body(made.request), "recipient": "Nobody"}, THEIRS))


@pytest.mark.parametrize(
    "damage", [{"cells": []}, {"items": 5}, {"columns": ["sector"]}, {"cells": [[[10**9]] * 4] * 80}]
)
def test_a_damaged_answer_that_is_signed_costs_a_sentence(damage: dict[str, Any]) -> None:
    made = deal()
    bad = sign({**_body(made.answer), **damage}, signing_key(made.copies))
    with pytest.raises(DataError, match="answer is damaged"):
        open_answer(made.offer, bad, made.blank, THEIRS)


def test_complete_copies_are_not_exchanged() -> None:
    with pytest.raises(ParameterError, match="asymmetric form"):
        make_offer(made_once()[2], "Institute 1")


def test_the_digest_of_a_file_is_that_of_its_values() -> None:
    made = deal()
    table = made.blank.to_arrow()
    assert file_digest(Microdata(table, made.blank.schema)) == file_digest(made.blank)
    assert file_digest(made.blank.take(np.arange(1499))) != file_digest(made.blank)


def _body(message: Any) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name not in ("by", "signature")}
