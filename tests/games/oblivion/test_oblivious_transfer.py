from __future__ import annotations

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion import oblivious_transfer as module
from tacita.games.oblivion.oblivious_transfer import Choices, choose_variants, open_pairs, seal_pairs

PAIRS = [(b"big", b"large"), (b"20", b"21"), ("süß".encode(), b""), (b"\0\0", b"x" * 300)]


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("bits", [(0, 0, 0, 0), (1, 1, 1, 1), (0, 1, 1, 0)])
def test_the_receiver_gets_what_she_chose(bits: tuple[int, ...]) -> None:
    choices = choose_variants(bits, _rng(1))
    sealed = seal_pairs(PAIRS, choices.points, _rng(2))
    assert open_pairs(sealed, choices) == tuple(pair[bit] for pair, bit in zip(PAIRS, bits, strict=True))


def test_the_other_variant_does_not_open() -> None:
    choices = choose_variants([0, 1, 0, 1], _rng(1))
    sealed = seal_pairs(PAIRS, choices.points, _rng(2))
    other = Choices(choices.points, tuple(1 - bit for bit in choices.bits), choices.secrets)
    with pytest.raises(DataError, match="sealed for another receiver"):
        open_pairs(sealed, other)
    with pytest.raises(DataError, match="sealed for another receiver"):
        open_pairs(sealed, choose_variants([0, 1, 0, 1], _rng(3)))


def test_points_of_either_choice_look_alike() -> None:
    """Both are points of the curve with a whole range of coordinates, and the two keys of a pair add up to C."""
    zeros, ones = (choose_variants([bit] * 200, _rng(7 + bit)).points for bit in (0, 1))
    for points in (zeros, ones):
        assert len(set(points)) == 200
        for x, y in points:
            ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()  # refuses what is not on the curve
    high = [np.mean([x >> 255 for x, _ in points]) for points in (zeros, ones)]
    assert high == pytest.approx([0.5, 0.5], abs=0.12)  # three standard deviations


def test_sums_of_points_are_those_of_the_library() -> None:
    """k G + m G = (k + m) G."""

    def times(k: int) -> tuple[int, int]:
        numbers = ec.derive_private_key(k, ec.SECP256R1()).public_key().public_numbers()
        return numbers.x, numbers.y

    for k, m in ((1, 2), (5, 77), (123456789, 987654321)):
        assert module._sum(times(k), times(m)) == times(k + m)
    with pytest.raises(DataError, match="public one"):
        module._sum(times(3), times(3))


def test_the_same_seed_gives_the_same_bytes() -> None:
    a, b = (seal_pairs(PAIRS, choose_variants([0, 1, 1, 0], _rng(1)).points, _rng(2)) for _ in range(2))
    assert a.boxes == b.boxes


def test_what_does_not_fit_is_refused() -> None:
    choices = choose_variants([0, 1], _rng(1))
    with pytest.raises(ParameterError, match="'bits'"):
        choose_variants([0, 2], _rng(1))
    with pytest.raises(DataError, match="a point for each pair"):
        seal_pairs(PAIRS, choices.points, _rng(2))
    with pytest.raises(DataError, match="on the curve"):
        seal_pairs(PAIRS[:2], [(1, 1), choices.points[1]], _rng(2))
    with pytest.raises(DataError, match="65535 bytes"):
        seal_pairs([(b"x" * 65_536, b"")], choices.points[:1], _rng(2))
    with pytest.raises(DataError, match="a sealed pair for each choice"):
        open_pairs(seal_pairs(PAIRS[:1], choices.points[:1], _rng(2)), choices)
