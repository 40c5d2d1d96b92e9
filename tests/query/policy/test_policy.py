"""Policies as data: TOML, presets, what may not stand together, errors that name the setting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacita.core import registry
from tacita.core.errors import FileError, ParameterError
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.noise.output_noise import LayeredNoise
from tacita.query.policy import Policy, presets
from tacita.query.restrictions import ConfidentialUniverse, PrivacyBudget, SetSize, TableSize, UniverseGamma
from tacita.query.subsample.drop_q import DropQ
from tests.conformance.examples import all_examples
from tests.query.builders import policy_of

PRESETS = ("audited", "camouflage", "dp", "internal", "mas", "tables")


def test_these_presets_come_with_the_package() -> None:
    assert presets() == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_comes_back_from_toml(name: str) -> None:
    policy = Policy.preset(name)
    again = Policy.from_toml(policy.to_toml())
    assert again == policy
    assert again.digest == policy.digest
    assert hash(again) == hash(policy)
    assert policy.name == name
    assert policy.restrictions
    assert policy.requests


def test_every_restriction_comes_back_from_a_policy_file() -> None:
    policy = policy_of(*all_examples("restriction"))  # type: ignore[arg-type]
    assert len(policy.restrictions) == len(list(registry.methods("restriction")))
    assert Policy.from_toml(policy.to_toml()) == policy


def test_digests_tell_policies_apart() -> None:
    one, other = (policy_of(UniverseGamma(gamma=gamma)) for gamma in (50, 51))
    assert one.digest != other.digest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("request = ['tabulate']", "no setting 'request'.*Did you mean 'requests'"),
        ("requests = 'tabulate'", "'requests' must be a list of names"),
        ("requests = ['tabulat']", "no kind of request 'tabulat'.*Did you mean 'tabulate'"),
        ("strata = [1]", "'strata' must be a list of names"),
        ("identities = 1", "'identities' must be true or false"),
        ("standard_errors = 'no'", "'standard_errors' must be true or false"),
        ("name = 5", "'name' must be a text"),
        ("[restriction]\nname = 'waits'", "two brackets"),
        ("[[restriction]]\nk = 5", "Restriction 1 of the policy must be a table with 'name'"),
        ("[[restriction]]\nname = 'wait'", "Did you mean 'waits'"),
        ("[[restriction]]\nname = 'set_size'\nk = 0", "Restriction 1 of the policy: SetSize: 'k' must be"),
        ("[[restriction]]\nname = 'set_size'\nkk = 3", "Restriction 1 of the policy.*Did you mean 'k'"),
        ("[cells]\nmethod = 'cell_key'\nbound = -1", "CellKeyNoise: 'bound' must be"),
        ("[cells]\nmethod = 'keys'", r"'method' of \[cells\]"),
        ("name = ", "The policy"),
    ],
)
def test_errors_name_the_setting(text: str, words: str) -> None:
    with pytest.raises(ParameterError, match=f"(?s){words}"):
        Policy.from_toml(text)


def test_a_file_may_begin_with_a_preset_and_change_it(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('preset = "mas"\nname = "ours"\nstrata = ["region"]\n[subsample]\nmethod = "drop_q"\nk = 9\n')
    policy, base = Policy.read(path), Policy.preset("mas")
    assert (policy.name, policy.strata, policy.subsample) == ("ours", ("region",), DropQ(k=9))
    assert policy.restrictions == base.restrictions
    assert policy.requests == base.requests
    assert not policy.identities
    assert Policy.of(path) == policy
    assert Policy.of(str(path)) == policy


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('preset = "maz"', "The policy 'ours.toml': 'policy' must be one of the presets"),
        ("preset = 7", "The policy 'ours.toml': 'policy' must be one of the presets"),
        ('preset = "mas"\n[[restriction]]\nname = "set_size"\nk = 0', "The policy 'ours.toml': Restriction 1"),
        ("strat = []", "The policy 'ours.toml': A policy has no setting 'strat'"),
    ],
)
def test_errors_of_a_file_name_the_file(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(text)
    with pytest.raises(ParameterError, match=words):
        Policy.read(path)


def test_files_that_are_missing_or_broken(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"missing\.toml"):
        Policy.of(tmp_path / "missing.toml")
    (tmp_path / "broken.toml").write_text("= [")
    with pytest.raises(FileError, match="The policy"):
        Policy.read(tmp_path / "broken.toml")


@pytest.mark.parametrize(("given", "words"), [("massive", "presets"), (5, "got int"), (None, "got NoneType")])
def test_a_policy_is_one_a_preset_or_a_file(given: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Policy.of(given)
    assert Policy.of(Policy.preset("mas")) == Policy.of("mas")


def test_more_restrictions_never_loosen() -> None:
    policy = Policy.preset("mas").with_restrictions([SetSize(k=9)])
    assert policy.restrictions[:-1] == Policy.preset("mas").restrictions
    assert policy.restrictions[-1] == SetSize(k=9)


def test_only_restrictions_and_known_parts_stand_in_a_policy() -> None:
    with pytest.raises(ParameterError, match="must be Restriction objects, got str"):
        Policy(restrictions=("set_size",))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="no part 'cell'"):
        Policy(parts={"cell": CellKeyNoise()})
    with pytest.raises(ParameterError, match="no part 'cells' of type DropQ"):
        Policy(parts={"cells": DropQ()})
    with pytest.raises(ParameterError, match=r"no part 'cell'.*Did you mean 'cells'"):
        Policy().part("cell")


# --- what may not stand together -----------------------------------------------------------------------------------------

PRIVACY, NOISE, HIDDEN = DifferentialPrivacy(), CellKeyNoise(), Camouflage()


@pytest.mark.parametrize(
    ("restrictions", "requests", "parts", "words"),
    [
        ((PrivacyBudget(),), ["tabulate"], {"privacy": PRIVACY, "subsample": DropQ()}, "a way of its own"),
        ((PrivacyBudget(),), ["tabulate"], {"privacy": PRIVACY, "cells": NOISE}, "a way of its own"),
        ((TableSize(),), ["tabulate"], {"privacy": PRIVACY}, "must have the restriction 'privacy_budget'"),
        ((PrivacyBudget(), SetSize()), ["tabulate"], {"privacy": PRIVACY}, "such as 'set_size'"),
        ((ConfidentialUniverse(),), ["statistic", "correlate"], {"camouflage": HIDDEN}, "'requests'"),
        ((TableSize(),), ["statistic"], {"camouflage": HIDDEN}, "'confidential_universe'"),
        ((TableSize(),), ["statistic", "tabulate"], {"cells": NOISE}, "'numbers'"),
        ((TableSize(),), ["statistic", "tabulate"], {"numbers": LayeredNoise()}, "'cells'"),
    ],
)
def test_parts_that_undo_each_other_are_refused(
    restrictions: tuple[Any, ...], requests: list[str], parts: dict[str, Any], words: str
) -> None:
    with pytest.raises(ParameterError, match=words):
        policy_of(*restrictions, requests=requests, **parts)


def test_parts_that_go_together_are_not() -> None:
    policy_of(TableSize(), requests=["statistic", "tabulate"], cells=NOISE, numbers=LayeredNoise())
    policy = policy_of(PrivacyBudget(), TableSize(), requests=["tabulate"], privacy=PRIVACY)
    assert policy.part("privacy") == PRIVACY
    assert not policy.is_noisy_in_cells
    assert policy_of(cells=NOISE, requests=["tabulate"]).is_noisy_in_cells
