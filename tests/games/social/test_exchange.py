"""What a round is worth is PRF when all is shown to all, and what is wrong of an exchange is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import ParameterError
from tacita.games.social.exchange import Disclosure, Upload, arcs_of
from tacita.games.social.generators import scale_free_network
from tacita.games.social.scores import prf
from tests.games.social.material import Small, small_networks


@given(small_networks())
def test_everything_to_all_is_prf_with_one_link(small: Small) -> None:
    network, _, _, _ = small
    beta, arcs = np.array([0.5, 1.5, 0.0]), arcs_of(network)
    shows = np.arange(network.users) % 2 == 0
    given = shows[arcs.tails]
    got, gave = arcs.share_of(given[arcs.back]), arcs.share_of(given)
    ours = arcs.degrees * Disclosure(tuple(beta)).per_link(got, gave)
    V = np.repeat(shows[:, None].astype(float), 3, axis=1)
    linked = network.degrees > 0  # who has no neighbours shows nothing to nobody
    assert ours[linked] == pytest.approx(prf(network, V, beta)[linked])


def test_the_other_direction_is_found() -> None:
    arcs = arcs_of(scale_free_network(50, 2))
    assert np.array_equal(arcs.tails[arcs.back], arcs.heads)


@pytest.mark.parametrize("wrong", [(), (-1.0,), (0.0, 0.0), ("x",), ((1.0, 2.0),), (float("nan"),)])
def test_sensitivities_that_are_none_are_refused(wrong: tuple[object, ...]) -> None:
    with pytest.raises(ParameterError, match="'sensitivities'"):
        Disclosure(wrong)  # type: ignore[arg-type]


def test_names_must_fit() -> None:
    with pytest.raises(ParameterError, match="'names'"):
        Disclosure((1.0,), ("town", "school"))
    assert Disclosure((1.0, 0.5)).burden == 1.5


@pytest.mark.parametrize("numbers", [(1, 1), (2, 0), (1, 2), (float("inf"), 1), ("x", 1), (True, 1)])
def test_uploads_without_a_temptation_or_a_reason_are_refused(numbers: tuple[object, object]) -> None:
    with pytest.raises(ParameterError, match="'benefit'"):
        Upload(*numbers)  # type: ignore[arg-type]
