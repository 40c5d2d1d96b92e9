"""Tests of ``tacita.games.oblivion.marked_copy`` and ``tacita.games.oblivion.offices``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.content import NumberContent
from tacita.games.oblivion.expiry_dates import read_date
from tacita.games.oblivion.marked_copy import (
    MarkedCopy,
    MarkLayout,
    Offer,
    forward_marked,
    receive_marked,
    signed_receipt,
    source_copy,
)
from tacita.games.oblivion.oblivious_transfer import Choices
from tacita.games.oblivion.offices import CodeOffice, accused
from tacita.games.oblivion.pseudonyms import Holder, Registrar, Signer
from tacita.games.oblivion.tracing_rates import colluding_word
from tacita.numeric.fingerprints.tardos import draw_biases, draw_codewords

DAY = date(2026, 6, 30)
POSITIONS, LENGTH, HOPS = 260, 90, 2


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@dataclass
class Scene:
    content: NumberContent
    layout: MarkLayout
    registrar: Registrar
    office: CodeOffice
    source: MarkedCopy

    def receiver(self, name: str, depth: int, seed: int) -> tuple[Holder, Offer, Choices]:
        holder = self.registrar.enrol(name, _rng(seed))
        return holder, *self.office.issue(holder.certificate, depth, _rng(seed + 1))

    def handed(self, copy: MarkedCopy, holder: Holder, offer: Offer, choices: Choices, today: date = DAY) -> MarkedCopy:
        parcel = forward_marked(
            copy,
            self.layout,
            offer,
            signed_receipt(holder, offer, copy.notice),
            registrar=self.registrar.public,
            office=self.office.public,
            rng=_rng(99),
        )
        return receive_marked(parcel, self.layout, choices, self.content, today)

    def traced(self, leaked: Any) -> bytes | None:
        found = self.office.trace(self.content.read(leaked))
        return None if found is None else found.pseudonym


@pytest.fixture
def scene() -> Scene:
    content = NumberContent(_rng(1).normal(100, 20, POSITIONS), 0.5)
    layout = MarkLayout.drawn(POSITIONS, LENGTH, HOPS, _rng(2))
    registrar = Registrar(_rng(3))
    office = CodeOffice(layout, 1, registrar.public, _rng(4))
    return Scene(content, layout, registrar, office, source_copy(content, layout, "survey", DAY, Signer(_rng(5))))


def test_positions_are_shared_out_and_none_twice() -> None:
    layout = MarkLayout.drawn(300, 80, 3, _rng(1))
    whole = np.concatenate([*layout.blocks, layout.dated])
    assert sorted(whole.tolist()) == list(range(300))
    with pytest.raises(DataError, match="need 264"):
        MarkLayout.drawn(263, 80, 3, _rng(1))
    with pytest.raises(ParameterError, match="'length'"):
        MarkLayout.drawn(263, 0, 3, _rng(1))


def test_each_hop_is_traced_and_a_bare_copy_points_at_who_passed_it_on(scene: Scene) -> None:
    first = scene.receiver("Ada", 1, 10)
    second = scene.receiver("Ben", 2, 20)
    ada, ben = first[0], second[0]
    copy = scene.handed(scene.source, *first)
    further = scene.handed(copy, *second)
    assert scene.traced(copy.rendered(scene.content, _rng(1))) == ada.certificate.pseudonym  # as Ada passes it on, bare
    assert scene.traced(further.rendered(scene.content, _rng(1))) == ben.certificate.pseudonym
    assert scene.traced(scene.source.rendered(scene.content, _rng(1))) is None
    assert read_date(scene.content.read(further.rendered(scene.content, _rng(1)))[scene.layout.dated]) == DAY


def test_a_leak_is_traced_after_losses_and_noise(scene: Scene) -> None:
    first = scene.receiver("Ada", 1, 10)
    ada = first[0]
    leaked = scene.handed(scene.source, *first).rendered(scene.content, _rng(1))
    leaked[_rng(33).permutation(POSITIONS)[:80]] = np.nan
    assert scene.traced(leaked + 0.1) == ada.certificate.pseudonym


def test_the_forwarder_does_not_see_the_marks_and_cannot_make_them(scene: Scene) -> None:
    """Every value that she handles for the block is the same whatever the codeword is: she has both variants and points alone."""
    ada, offer, choices = scene.receiver("Ada", 1, 10)
    seen = [pair for place, pair in enumerate(scene.source.held) if place in scene.layout.blocks[0]]
    assert all(zero is not None and one is not None for zero, one in seen)
    assert not hasattr(offer, "bits")
    # A forwarder who frames Ada guesses her codeword: copies with random marks in her block point at nobody.
    for seed in range(20):
        assert scene.traced(scene.source.rendered(scene.content, _rng(seed))) is None
    assert (
        scene.traced(scene.handed(scene.source, ada, offer, choices).rendered(scene.content, _rng(1)))
        == ada.certificate.pseudonym
    )


def test_a_receiver_who_rewrites_her_block_points_at_the_forwarder_before_her(scene: Scene) -> None:
    """A weakness that the page names: she knows which positions she opened, and of numbers the other variant too."""
    ada, *first = scene.receiver("Ada", 1, 10)
    ben, *second = scene.receiver("Ben", 2, 20)
    copy = scene.handed(scene.handed(scene.source, ada, *first), ben, *second)
    leaked = copy.rendered(scene.content, _rng(1))
    block = scene.layout.blocks[1]
    leaked[block] += 0.5 * _rng(7).choice([-1.0, 0.0, 1.0], len(block))
    assert scene.traced(leaked) == ada.certificate.pseudonym


def test_a_receiver_cannot_choose_her_own_marks(scene: Scene) -> None:
    ada, offer, _ = scene.receiver("Ada", 1, 10)
    _, theirs, other = scene.receiver("Ben", 1, 20)
    own = replace(offer, points=theirs.points)
    with pytest.raises(DataError, match="not certified by the code office"):
        scene.handed(scene.source, ada, own, other)
    stranger = Registrar(_rng(77)).enrol("Eve", _rng(78))
    with pytest.raises(DataError, match="not certified by the registrar"):
        scene.handed(scene.source, stranger, replace(offer, certificate=stranger.certificate), other)
    with pytest.raises(DataError, match="not certified by the registrar"):
        scene.office.issue(stranger.certificate, 1, _rng(1))


def test_without_a_receipt_of_her_own_there_is_no_copy(scene: Scene) -> None:
    ada, offer, _ = scene.receiver("Ada", 1, 10)
    ben, theirs, _ = scene.receiver("Ben", 1, 20)
    later = replace(scene.source.notice, expires=DAY + timedelta(days=1))
    keys = {"registrar": scene.registrar.public, "office": scene.office.public, "rng": _rng(1)}
    wrong = [
        signed_receipt(ben, offer, scene.source.notice), signed_receipt(ada, theirs, scene.source.notice),
        signed_receipt(ada, offer, later), (b"", signed_receipt(ada, offer, scene.source.notice)[1]),
    ]  # fmt: skip
    for receipt in wrong:
        with pytest.raises(DataError, match="must sign for this content"):
            forward_marked(scene.source, scene.layout, offer, receipt, **keys)  # type: ignore[arg-type]


def test_offers_are_for_one_hop(scene: Scene) -> None:
    ada, first, choices = scene.receiver("Ada", 1, 10)
    copy = scene.handed(scene.source, ada, first, choices)
    with pytest.raises(DataError, match="another hop"):
        scene.handed(copy, ada, first, choices)
    with pytest.raises(DataError, match="codeword for this depth already"):
        scene.office.issue(ada.certificate, 1, _rng(1))
    with pytest.raises(ParameterError, match="'depth'"):
        scene.office.issue(ada.certificate, 3, _rng(1))
    ben, second, theirs = scene.receiver("Ben", 2, 20)
    last = scene.handed(copy, ben, second, theirs)
    with pytest.raises(DataError, match="marks for no more"):
        scene.handed(last, ben, second, theirs)


def test_expired_content_and_content_without_its_date_are_refused(scene: Scene) -> None:
    ada, offer, choices = scene.receiver("Ada", 1, 10)
    with pytest.raises(DataError, match="expired"):
        scene.handed(scene.source, ada, offer, choices, DAY + timedelta(days=1))
    later = replace(scene.source, notice=replace(scene.source.notice, expires=DAY + timedelta(days=9)))
    with pytest.raises(DataError, match="date differs"):
        scene.handed(later, ada, offer, choices)
    held = list(scene.source.held)
    for place in scene.layout.dated:  # a forwarder who writes over the date
        held[place] = scene.content.pairs[place]
    with pytest.raises(DataError, match=r"bare|date differs"):
        scene.handed(replace(scene.source, held=tuple(held)), ada, offer, choices)


def test_a_coalition_is_accused_and_nobody_else() -> None:
    rng = _rng(1)
    p = draw_biases(500, 3, rng)
    words = draw_codewords(p, 40, rng)
    found, scores, threshold = accused(colluding_word(words[:3], "mix", rng), words, p, 1e-3)
    assert set(found.tolist()) <= {0, 1, 2}
    assert len(found) >= 1
    assert (scores[found] >= threshold).all()
    assert len(accused(np.full(500, -1), words, p, 1e-3)[0]) == 0
