"""Proofs: they hold exactly where the pattern is safe, and survive what they do not use."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import cores_of
from tacita.tables.suppression.exact.proof import Proof, complete
from tacita.tables.suppression.exact.separation import Separator
from tests.effort import examples
from tests.oracles.tables.suppression import is_safe_oracle
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE, solvable, whole


def test_one_move_is_a_witness_for_all_that_it_moves() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0), (2, 2)], level=3.0)
    (core,) = cores_of(problem)
    proof = Proof(core, np.isin(core.cells, [0, 2, 8, 10]))
    move = np.zeros(core.size)
    move[[0, 2, 8, 10]] = [1.0, -1.0, -1.0, 1.0]
    proof.add(move)
    assert proof.reach[:, 0, 0].tolist() == [6.0, 3.0]
    assert proof.reach[:, 1, 0].tolist() == [6.0, 3.0]
    assert not proof.lacking().any()
    fewer = proof.without(8)
    assert fewer.lacking().all()
    misses = complete(fewer, BlockAttack(core))
    assert [core.cells[core.guarded[miss.guard]] for miss in misses] == [0, 10]


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6))
def test_complete_where_safe(seed: int) -> None:
    case = solvable(seed, most=9)
    assume(case is not None)
    assert case is not None
    problem, core = case
    rng = np.random.default_rng(seed)
    attack = BlockAttack(core)
    for share in (0.4, 0.8):
        hidden = core.forced | (rng.random(core.size) < share)
        proof = Proof(core, hidden)
        misses = complete(proof, attack)
        assert (not misses) == is_safe_oracle(problem, whole(problem, core, hidden))
        if misses:
            cuts = Separator(core, attack).of_misses(hidden, misses, lambda: False)
            assert max(cut.missing(hidden.astype(float)) for cut in cuts) > 1e-4
            continue
        for cell in np.flatnonzero(hidden & ~core.forced)[:3]:
            fewer = proof.without(int(cell))
            safe = not complete(fewer, attack, first=True)
            assert safe == is_safe_oracle(problem, whole(problem, core, fewer.hidden))
