"""Networks of pairs and of graphs, and what is refused of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import DataError, ParameterError
from tacita.games.social.network import Network
from tests.games.social.material import Small, small_networks


class NxGraph:
    """What is asked of a graph of networkx."""

    def __init__(self, nodes: list[Any], edges: list[Any], directed: bool = False) -> None:
        self._nodes, self._edges, self._directed = nodes, edges, directed

    def nodes(self) -> list[Any]:
        return self._nodes

    def edges(self) -> list[Any]:
        return self._edges

    def is_directed(self) -> bool:
        return self._directed


class PyGraph:
    """What is asked of a graph of rustworkx: its nodes keep their numbers when others are taken out."""

    def __init__(self, nodes: dict[int, Any], edges: list[tuple[int, int]]) -> None:
        self._nodes, self._edges = nodes, edges

    def node_indices(self) -> list[int]:
        return list(self._nodes)

    def nodes(self) -> list[Any]:
        return list(self._nodes.values())

    def edge_list(self) -> list[tuple[int, int]]:
        return self._edges


class PyDiGraph(PyGraph):
    """The same with directions."""


@given(small_networks())
def test_lists_hold_every_link_at_both_ends(small: Small) -> None:
    network, edges, _, _ = small
    found = set(zip(network.tails.tolist(), network.links.neighbour.tolist(), strict=True))
    assert found == {*edges, *((b, a) for a, b in edges)}
    back = network.backwards()
    assert np.array_equal(network.tails[back], network.links.neighbour)
    assert np.array_equal(network.links.neighbour[back], network.tails)


def test_parallel_edges_are_merged_and_counted() -> None:
    network = Network.of_edges([("a", "b"), ("b", "a"), ("a", "b"), ("b", "c")])
    assert (network.users, network.merged, network.degrees.tolist()) == (3, 2, [1, 2, 1])


def test_self_loops_are_refused_and_counted() -> None:
    with pytest.raises(DataError, match="2 edges lead from a user to himself"):
        Network.of_edges([("secret", "secret"), ("a", "b"), ("b", "b")])
    with pytest.raises(DataError, match="1 edge leads") as caught:
        Network.of_edges([("secret", "secret"), ("a", "b")])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("edges", [["ab"], [("a",)], [("a", None)], [("a", float("nan"))], [("a", [])], [3]])
def test_edges_that_are_no_pairs_are_refused(edges: list[Any]) -> None:
    with pytest.raises(DataError, match="Network: "):
        Network.of_edges(edges)


def test_numbers_outside_are_refused() -> None:
    with pytest.raises(ParameterError, match="from 0 to 1"):
        Network.of_arrays(np.array([[0, 2]]), 2)
    with pytest.raises(ParameterError, match="whole numbers in two columns"):
        Network.of_arrays(np.array([[0.5, 1.0]]), 2)
    with pytest.raises(ParameterError, match="at least one user"):
        Network.of_arrays(np.empty((0, 2), np.int64), 0)


def test_graphs_of_other_libraries() -> None:
    of_networkx = Network.of_graph(NxGraph(["a", "b", "alone"], [("a", "b")]))
    assert of_networkx.names == ("a", "b", "alone")
    assert of_networkx.degrees.tolist() == [1, 1, 0]
    of_rustworkx = Network.of_graph(PyGraph({0: "a", 2: "c"}, [(0, 2)]))
    assert of_rustworkx.neighbours_of("c") == ("a",)
    unnamed = Network.of_graph(PyGraph({0: {"x": 1}, 2: {"x": 2}}, [(0, 2)]))
    assert unnamed.neighbours_of(2) == (0,)


@pytest.mark.parametrize("graph", [NxGraph([], [], directed=True), PyDiGraph({0: "a"}, [])])
def test_directions_are_refused(graph: object) -> None:
    with pytest.raises(ParameterError, match="no directions"):
        Network.of_graph(graph)


def test_what_is_no_graph_is_refused() -> None:
    with pytest.raises(ParameterError, match="got int"):
        Network.of_graph(3)


def test_an_unknown_user_is_not_repeated() -> None:
    network = Network.of_edges([("a", "b")])
    with pytest.raises(DataError) as caught:
        network.neighbours_of("Rosa Luxemburg")
    assert "Rosa" not in str(caught.value)
    with pytest.raises(DataError):
        Network.of_arrays(np.array([[0, 1]]), 2).place_of(True)
