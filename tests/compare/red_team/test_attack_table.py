"""A table before the red team: a second opinion on the certificate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.compare.red_team.attack_table import attack_table
from tacita.core.errors import ParameterError
from tests.compare.red_team.test_stage_table import protected


def test_what_the_auditor_passed_is_held() -> None:
    found = attack_table(protected())
    assert found.state == "passed"
    assert {grade.attack for grade in found.run} >= {"hidden_cells"}


def test_hiding_the_unsafe_cells_alone_fails() -> None:
    hidden = protected()
    bare = replace(hidden, hidden=hidden.unsafe.cells & (np.arange(len(hidden.table)) >= 0))
    found = attack_table(bare)
    assert found.state == "failed"
    assert found.worst is not None
    assert found.worst.affected > 0


def test_coarse_rounding_is_attacked_by_its_base() -> None:
    found = attack_table(protected("round"))
    assert "rounded_cells" in {grade.attack for grade in found.run}


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match="'margin'"):
        attack_table(protected(), margin=5)
    assert tc.attack_table is attack_table
