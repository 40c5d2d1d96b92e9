from __future__ import annotations

from collections import Counter, defaultdict
from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, TacitaError
from tacita.games.peers.view import measure_view, read_seen
from tests.oracles.games.peer_decisions import entropy_of

PEERS = ["a", "b", "c"]
LISTS = st.lists(st.sampled_from("uvwxyz"), min_size=1, max_size=8)


def _owners(seen: list[tuple[str, str]], true: dict[str, list[str]]) -> float:
    """H(owner | name), pair by pair."""
    flows: dict[str, Counter[str]] = defaultdict(Counter)
    for name, query in seen:
        had = {peer: own.count(query) for peer, own in true.items()}
        for peer, times in had.items():
            if times:
                flows[name][peer] += times / sum(had.values())  # type: ignore[assignment]
    total = sum(sum(flow.values()) for flow in flows.values())
    return (
        sum(-n / total * log2(n / sum(flow.values())) for flow in flows.values() for n in flow.values())
        if total
        else 0.0
    )


@given(
    st.tuples(LISTS, LISTS, LISTS), st.lists(st.tuples(st.sampled_from(PEERS), st.sampled_from("uvwxyz!")), max_size=20)
)
def test_measures_are_those_of_their_definitions(lists: tuple[list[str], ...], seen: list[tuple[str, str]]) -> None:
    true = dict(zip(PEERS, lists, strict=True))
    made = measure_view(seen, true)
    for peer in made.peers:
        own, came = true[peer.name], [query for name, query in seen if name == peer.name]
        shared = sum((Counter(own) & Counter(came)).values())
        assert (peer.queries, peer.seen) == (len(own), len(came))
        assert peer.entropy_true == pytest.approx(entropy_of(own), abs=1e-9)
        assert peer.exposed == pytest.approx(shared / len(own))
        if came:
            assert peer.entropy_seen == pytest.approx(entropy_of(came), abs=1e-9)
            assert peer.own == pytest.approx(shared / len(came))
            different = sum(abs(own.count(q) / len(own) - came.count(q) / len(came)) for q in {*own, *came})
            assert peer.distance == pytest.approx(different / 2)
        else:
            assert np.isnan(peer.own)
    assert made.entropy_of_asker == pytest.approx(_owners(seen, true), abs=1e-9)


def test_who_submits_all_its_own_is_an_open_book() -> None:
    made = measure_view([("a", "u"), ("a", "v"), ("b", "x")], {"a": ["u", "v"], "b": ["x"]})
    assert [(p.distance, p.exposed, p.own) for p in made.peers] == [(0.0, 1.0, 1.0), (0.0, 1.0, 1.0)]
    assert made.entropy_of_asker == 0.0


def test_who_has_all_submitted_by_another_is_not_seen() -> None:
    made = measure_view([("b", "u"), ("b", "x")], {"a": ["u"], "b": ["x"]})
    assert (made.peers[0].seen, made.peers[0].exposed) == (0, 0.0)
    assert made.peers[1].distance == 0.5
    assert made.entropy_of_asker == 1.0


def test_spellings_are_one_query() -> None:
    assert measure_view([("a", "CAFÉ  noir")], {"a": ["cafe noir"]}).peers[0].exposed == 1.0


def test_a_name_without_true_queries_is_refused_unnamed() -> None:
    with pytest.raises(DataError, match="no true queries"):
        measure_view([("eve", "u")], {"a": ["u"]})
    assert measure_view([], {"a": []}).peers[0].queries == 0


def test_a_view_with_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "view"
    path.write_text('{"peer":"a","query":"u"}\n{"peer":"a","que')
    assert read_seen(path) == [("a", "u")]


@pytest.mark.parametrize(
    "text", ["[]\n", '{"peer":"a"}\n', '{"peer":"a","query":1}\n', "canary\n", '{"peer":"a","query":"u","x":1}\n']
)
def test_what_is_no_view_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "view"
    path.write_text(text)
    with pytest.raises(TacitaError) as caught:
        read_seen(path)
    assert "canary" not in str(caught.value)
