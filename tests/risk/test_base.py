"""The shape of a risk: whatever is made from it is registered as one, under its name, and as nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tacita.core import registry
from tacita.core.errors import UnknownMethodError
from tacita.risk.base import Risk


def test_a_subclass_is_a_registered_risk() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Nothing(Risk):
        """Nothing at all."""

        name = "nothing_at_all"

    try:
        assert registry.find("risk", "nothing_at_all") is Nothing
        assert Nothing.kind == "risk"
    finally:
        registry.unregister(Nothing)
    with pytest.raises(UnknownMethodError):
        registry.find("risk", "nothing_at_all")


def test_all_of_them_have_the_shape() -> None:
    made = [method for method in registry.methods() if method.kind == "risk"]
    assert len(made) > 5
    assert all(issubclass(method, Risk) for method in made)
