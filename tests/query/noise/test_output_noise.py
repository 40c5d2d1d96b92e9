"""Layers of noise: consistent, of the size declared, free of wording, and not removed by splitting."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.decompositions import DecompositionCount, table_decompositions
from tacita.query.noise.output_noise import RECORD_UNIT, ConditionLayer, LayeredNoise, normal_deviates
from tacita.query.noise.splitting import remaining_variance

KEY = Key(b"a key that is only for tests")


def no_records(m: int) -> np.ndarray:
    return np.zeros(m, dtype=np.int64)


def test_cells_and_single_sets_get_the_same_noise() -> None:
    noise = LayeredNoise(sd_set=1.5, sd_condition=2.0, sd_record=0.3)
    rng = np.random.default_rng(0)
    sums, counts, records = rng.integers(0, 2**60, (6, 2)), rng.integers(1, 99, 6), rng.integers(-(2**40), 2**40, 6)
    layers = [
        ConditionLayer(("region=north",), np.zeros(6, dtype=np.int64)),
        ConditionLayer(("sex=f", "sex=m"), np.array([0, 0, 0, 1, 1, 1])),
        ConditionLayer(("age=1", "age=2", "region=north"), np.array([0, 1, 2, 0, 1, 2])),
    ]
    cells = noise.noise_of_cells(sums, counts, layers, records, key=KEY, statistic="count")
    for i in range(6):
        words = {layer.conditions[layer.codes[i]] for layer in layers}
        set_hash = (int(sums[i, 0]), int(sums[i, 1]), int(counts[i]))
        for said in (sorted(words), sorted(words, reverse=True), [*words, *words]):
            assert noise.noise(set_hash, said, key=KEY, record_sum=int(records[i])) == cells[i]
    order = rng.permutation(6)
    turned = [ConditionLayer(layer.conditions, layer.codes[order]) for layer in layers[::-1]]
    again = noise.noise_of_cells(sums[order], counts[order], turned, records[order], key=KEY)
    assert (again == cells[order]).all()


@pytest.mark.parametrize("layer", ["set", "condition", "record"])
def test_each_layer_has_its_size(layer: str) -> None:
    """20 000 draws of a fixed key: five standard errors, false alarm 1e-6; a size 30 % off is seen."""
    m, sd = 20_000, 2.0
    sizes = {"sd_set": 0.0, "sd_condition": 0.0, "sd_record": 0.0} | {f"sd_{layer}": sd}
    noise = LayeredNoise(**sizes)
    ids = np.arange(m, dtype=np.uint64)
    described = ConditionLayer(tuple(f"age={i}" for i in range(m)), np.arange(m))
    records = noise.record_layer(ids, key=KEY)
    found = noise.noise_of_cells(KEY.record_keys(ids), np.ones(m, dtype=np.int64), [described], records, key=KEY)
    assert abs(found.mean()) < 5 * sd / m**0.5
    assert found.std() == pytest.approx(sd, rel=5 * (2 / m) ** 0.5 / 2**0.5)
    assert found.std() != pytest.approx(1.3 * sd, rel=0.2)
    if layer != "record":
        assert kstest(found / sd, "norm").pvalue > 1e-6


def test_deviates_add_up_exactly() -> None:
    u = np.random.default_rng(0).random(1000)
    z = normal_deviates(u)
    assert z[::-1].sum() == z.sum() == sum(z.tolist())
    assert np.isfinite(normal_deviates(np.array([0.0, 1 - 2.0**-53]))).all()


def test_the_layer_of_records_adds_up_as_records_do() -> None:
    noise = LayeredNoise()
    numbers = noise.record_layer(np.arange(1000, dtype=np.uint64), key=KEY)
    part = np.random.default_rng(1).random(1000) < 0.5
    assert numbers[part].sum() + numbers[~part].sum() == numbers.sum()
    assert (noise.record_layer(np.arange(1000, dtype=np.uint64)[::-1], key=KEY)[::-1] == numbers).all()
    assert (LayeredNoise(sd_record=0.6).record_layer(np.arange(1000, dtype=np.uint64), key=KEY) != numbers).any()
    assert (noise.record_layer(np.arange(1000, dtype=np.uint64), key=KEY, statistic="households") != numbers).any()


def test_shapes_must_fit() -> None:
    with pytest.raises(ParameterError, match="2 cells"):
        LayeredNoise().noise_of_cells(np.zeros((2, 2), int), np.ones(2, int), [], no_records(3), key=KEY)
    with pytest.raises(ParameterError, match="'sd_set'"):
        LayeredNoise(sd_set=-1)


def attack(noise: LayeredNoise, splits: int, seed: int, *, limit: int | None = None) -> tuple[float, int]:
    """Split a set of 40 in two by many variables and average; return the error, and how many splits were answered."""
    rng = np.random.default_rng(seed)
    ids = np.arange(40, dtype=np.uint64) + np.uint64(1000 * seed)
    keys, records = KEY.record_keys(ids), noise.record_layer(ids, key=KEY)
    sides = (rng.random((splits, 40)) < 0.5).astype(np.int64)
    if limit is not None:
        counted, answered = DecompositionCount(limit), []
        for side in sides:
            parts = np.stack([1 - side, side])
            families = table_decompositions(parts @ keys, parts.sum(axis=1), np.array([[0], [1]]))
            if counted.fits(families):
                counted.record(families)
                answered.append(side)
        sides = np.array(answered)
    parts = np.concatenate([1 - sides, sides])
    layers = [
        ConditionLayer((f"town={seed}",), np.zeros(len(parts), dtype=np.int64)),
        ConditionLayer(tuple(f"x{j}" for j in range(len(parts))), np.arange(len(parts))),
    ]
    made = noise.noise_of_cells(parts @ keys, parts.sum(axis=1), layers, parts @ records, key=KEY)
    return float(made.sum()) / len(sides), len(sides)


def test_splitting_breaks_noise_of_sets_and_not_layers() -> None:
    """Errors of the averaging attacker over 50 sets, against what the analysis says (five standard errors of a variance)."""
    for noise, holds in [
        (LayeredNoise(sd_set=1.5, sd_record=0), False),
        (LayeredNoise(sd_set=1.5, sd_record=0.5), True),
        (LayeredNoise(sd_set=1.5, sd_condition=1.0, sd_record=0), True),
    ]:
        errors = np.array([attack(noise, 200, seed)[0] for seed in range(50)])
        variance = remaining_variance(noise, [2] * 200, conditions=1, members=40, attacker="average")
        assert (errors**2).mean() == pytest.approx(variance, rel=5 * (2 / 50) ** 0.5)
        found = float((np.abs(errors) < 0.5).mean())
        assert (found < 0.4) if holds else (found > 0.95)


def test_the_limit_of_decompositions_holds_noise_of_sets() -> None:
    noise = LayeredNoise(sd_set=1.5, sd_record=0)
    outcomes = [attack(noise, 30, seed, limit=2) for seed in range(50)]
    assert {answered for _, answered in outcomes} == {2}
    assert np.mean([abs(error) < 0.5 for error, _ in outcomes]) < 0.5


def test_records_are_of_variance_one() -> None:
    numbers = LayeredNoise().record_layer(np.arange(50_000, dtype=np.uint64), key=KEY) * RECORD_UNIT
    assert numbers.std() == pytest.approx(1, rel=0.02)
    assert np.abs(numbers).max() <= 3**0.5
