"""The shape of a loss: whatever is made from it is registered as one, under its name, and as nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tacita.core import registry
from tacita.core.errors import UnknownMethodError
from tacita.loss.base import Loss


def test_a_subclass_is_a_registered_loss() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Nothing(Loss):
        """Nothing at all."""

        name = "nothing_at_all"

    try:
        assert registry.find("loss", "nothing_at_all") is Nothing
        assert Nothing.kind == "loss"
    finally:
        registry.unregister(Nothing)
    with pytest.raises(UnknownMethodError):
        registry.find("loss", "nothing_at_all")


def test_all_of_them_have_the_shape() -> None:
    made = [method for method in registry.methods() if method.kind == "loss"]
    assert len(made) > 5
    assert all(issubclass(method, Loss) for method in made)
