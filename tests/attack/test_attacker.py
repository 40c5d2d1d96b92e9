"""The shape of an attack: it is registered by name, and says what it is against."""

from __future__ import annotations

import numpy as np

from tacita.core import registry
from tests.attack.toys import Toy, ToyTarget


def test_an_attack_is_a_method_of_its_own_kind() -> None:
    assert Toy.kind == "attack"
    assert Toy.describe()["traits"]["against"] == "file"
    assert "toy" not in {method.name for method in registry.methods("attack")}


def test_by_default_nothing_is_declined() -> None:
    assert Toy().declined(ToyTarget(shown=np.ones(3))) == ""
    assert Toy().declined(ToyTarget(shown=np.ones(13))) == "Thirteen is one too many."
    assert super(Toy, Toy()).declined(ToyTarget(shown=np.ones(13))) == ""
