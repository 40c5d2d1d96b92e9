"""Every mask, protector and restriction names attacks that it must be shown, and what it names is there."""

from __future__ import annotations

from typing import cast

import pytest

from tacita.attack.attacker import Attacker
from tacita.core import registry
from tacita.core.vocabulary import Kind
from tacita.mask.base import Mask

MASKS = [cast(type[Mask], m) for m in registry.methods("mask") if m.__module__.startswith("tacita.")]
OF_FILES = {m.name: cast(type[Attacker], m) for m in registry.methods("attack") if m.traits.against == "file"}
OF_GENERATORS = {m.name for m in registry.methods("attack") if cast(type[Attacker], m).traits.against == "generator"}


@pytest.mark.parametrize("mask", MASKS, ids=lambda m: m.name)
def test_a_mask_faces_attacks_on_files_or_on_generators(mask: type[Mask]) -> None:
    assert mask.faces
    assert set(mask.faces) <= set(OF_FILES) | (OF_GENERATORS if mask.traits.synthetic else set())
    assert len(set(mask.faces)) == len(mask.faces)


@pytest.mark.parametrize("kind", ["protector", "restriction"])
def test_protectors_and_restrictions_face_attacks_of_their_kind(kind: Kind) -> None:
    against = "table" if kind == "protector" else "server"
    there = {m.name for m in registry.methods("attack") if cast(type[Attacker], m).traits.against == against}
    for method in registry.methods(kind):
        if method.__module__.startswith("tacita."):
            assert method.faces, f"{method.name} names no attack that it must be shown"
            assert set(method.faces) <= there


def test_an_anonymiser_of_query_logs_faces_attacks_on_logs() -> None:
    there = {m.name for m in registry.methods("attack") if cast(type[Attacker], m).traits.against == "log"}
    found = [m for m in registry.methods("anonymiser") if m.__module__.startswith("tacita.")]
    assert found
    for method in found:
        assert method.faces, f"{method.name} names no attack that it must be shown"
        assert set(method.faces) <= there
    assert "group_mate_queries" in registry.find("anonymiser", "semantic_microaggregation").faces


def test_an_attack_that_is_not_for_everything_is_faced_by_some_mask() -> None:
    named = {name for mask in MASKS for name in mask.faces}
    assert {name for name, attack in OF_FILES.items() if not attack.traits.of_any} <= named


@pytest.mark.parametrize(
    ("mask", "attack"),
    [
        ("rank_swap", "rank_swap_intersection"),
        ("mdav", "group_mate"),
        ("individual_ranking", "group_mate"),
        ("pram", "pram_inversion"),
        ("additive_noise", "noise_filter"),
        ("local_recode", "minimality"),
        ("local_suppression", "minimality"),
    ],
)
def test_masks_face_what_undoes_them(mask: str, attack: str) -> None:
    assert attack in registry.find("mask", mask).faces
