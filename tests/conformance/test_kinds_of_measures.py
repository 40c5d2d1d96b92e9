"""The shape of losses and risks: whatever is made from one is registered as one, under its name, and as nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tacita.attack import RedTeam
from tacita.core import registry
from tacita.core.errors import UnknownMethodError
from tacita.data.measure import Measure
from tacita.loss.base import Loss
from tacita.risk.base import Risk

both = pytest.mark.parametrize(("base", "kind"), [(Loss, "loss"), (Risk, "risk")], ids=["loss", "risk"])


@both
def test_a_subclass_is_registered(base: type, kind: str) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Nothing(base):
        """Nothing at all."""

        name = "nothing_at_all"

    try:
        assert registry.find(kind, "nothing_at_all") is Nothing
        assert Nothing.kind == kind
    finally:
        registry.unregister(Nothing)
    with pytest.raises(UnknownMethodError):
        registry.find(kind, "nothing_at_all")


@both
def test_all_of_them_have_the_shape(base: type, kind: str) -> None:
    made = list(registry.methods(kind))
    assert len(made) > 5
    apart = {RedTeam}  # what attackers achieve is measured in their own room, which does not know that of risks
    assert all(issubclass(method, Measure if method in apart else base) for method in made)
