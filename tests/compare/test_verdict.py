"""Verdicts: passed, failed or not judged; never passed by accident."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.verdict import Finding, Verdict
from tacita.core.errors import ParameterError, ReleaseError
from tacita.data.limits import Limit
from tacita.data.microdata import Microdata
from tacita.numeric.statistics.shares import interval_of_share

SECRET_REASON = "the minister wants it on Friday"


def people(n: int = 400) -> tc.Microdata:
    rng = np.random.default_rng(4)
    return tc.Microdata.from_frame(
        pa.table(
            {
                "sex": rng.choice(["f", "m"], n),
                "age": rng.normal(50, 10, n),
                "income": rng.normal(1000, 200, n),
                "savings": rng.normal(1000, 200, n),
            }
        ),
        keys=["sex"],
        confidential=["age", "income", "savings"],
    )


NOTHING = tc.Recipe([tc.mask.RankSwap(columns=["age"], p=100)])
STRONG = tc.Recipe([tc.mask.RankSwap(columns=["age", "income", "savings"], p=60)])
LINKED = Limit(measure="dld", at_most=5, columns=("income", "savings"))


def test_without_limits_nothing_is_judged() -> None:
    release = NOTHING.apply(people(), seed=1)
    for subject in (release, tc.evaluate(release.original, release, measures=["il1s"])):
        verdict = tc.judge(subject)
        assert verdict.state == "not judged"
        assert not verdict.has_passed
        assert verdict.reasons == ("No limits were stated.",)


def test_a_mask_that_did_nothing_fails() -> None:
    verdict = tc.judge(NOTHING.apply(people(), seed=1), LINKED)
    assert verdict.state == "failed"
    assert verdict.findings[0].value == pytest.approx(100)
    assert "Exceeded: dld for an intruder who knows income, savings at most 5 %; it is 100 %." in verdict.reasons


def test_a_strong_mask_passes_and_says_what_it_kept() -> None:
    verdict = tc.judge(STRONG.apply(people(), seed=1), LINKED)
    assert verdict.has_passed
    assert verdict.reasons[0].startswith("Kept: dld")
    assert str(verdict).startswith("Verdict: PASSED.")


def test_what_cannot_be_computed_is_never_passed() -> None:
    release = STRONG.apply(people(), seed=1)
    lost = Limit(measure="dld", at_most=100, columns=("incom",))
    assert tc.judge(release, lost).state == "not judged"
    assert tc.judge(release, [LINKED, lost]).state == "not judged"
    assert tc.judge(NOTHING.apply(people(), seed=1), [LINKED, lost]).state == "failed"
    assert "Not computed" in tc.judge(release, lost).reasons[0]
    no_keys = people().select(["income", "savings"])
    made = tc.Recipe([tc.mask.RankSwap(columns=["income", "savings"], p=60)]).apply(no_keys, seed=1)
    assert tc.judge(made, {"k_anonymity": 100}).state == "not judged"


def test_the_scenario_of_a_limit_is_its_own() -> None:
    release = NOTHING.apply(people(), seed=1)
    card = tc.evaluate(release.original, release, columns=["age"])  # what was measured, not what an intruder knows
    assert tc.judge(card, LINKED).state == "failed"
    assert tc.judge(release, LINKED, card=card).findings[0].value == pytest.approx(100)


def test_the_limit_itself_is_kept() -> None:
    data = people(40)
    release = NOTHING.apply(data, seed=1)
    value = tc.judge(release, {"k_anonymity": 100}).findings[0].value
    assert value is not None
    assert tc.judge(release, {"k_anonymity": value}).has_passed
    if value > 0:
        assert tc.judge(release, {"k_anonymity": np.nextafter(value, 0)}).state == "failed"


def test_the_worst_record_counts_where_asked_for() -> None:
    data = tc.Microdata.from_frame(
        pa.table({"sex": ["f"] * 9 + ["m"], "x": np.arange(10.0)}), keys=["sex"], confidential=["x"]
    )
    release = tc.Recipe([tc.mask.RankSwap(columns=["x"], p=60)]).apply(data, seed=1)
    risk = {"measure": "individual_risk", "at_most": 0.5}
    assert tc.judge(release, Limit(**risk)).findings[0].value < 100  # type: ignore[arg-type, operator]
    worst = tc.judge(release, Limit(**risk, of="worst record"))  # type: ignore[arg-type]
    assert (worst.state, worst.findings[0].value) == ("failed", 1.0)


def test_a_sample_counts_by_the_upper_end_of_its_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.risk.sampled.MANY", 100)
    release = STRONG.apply(people(3000), seed=1)
    columns = ("age", "income", "savings")
    limit = Limit(measure="dld", at_most=0, columns=columns, settings={"sample": 500})
    found = tc.judge(release, limit).findings[0]
    assert found.value is not None
    assert found.counted == pytest.approx(100 * interval_of_share(found.value / 100, 500)[1])
    assert found.counted > found.value
    between = (found.counted + found.value) / 2
    limit = Limit(measure="dld", at_most=between, columns=columns, settings={"sample": 500})
    verdict = tc.judge(release, limit)
    assert verdict.state == "failed"
    assert "upper end of its 95 % interval" in verdict.reasons[0]


def test_the_strongest_attack_knows_the_recipe() -> None:
    columns = ("age", "income", "savings")
    data = people(300)
    release = tc.Recipe([tc.mask.RankSwap(columns=columns, p=8)]).apply(data, seed=1)
    found = tc.judge(release, Limit(measure="strongest", at_most=0, columns=columns)).findings[0]
    plain = tc.risk.DistanceLinkage(columns=columns)(data, release.data).value
    attack = tc.risk.RankSwapLinkage(columns=columns, p=8)(data, release.data).value
    other = tc.risk.ProbabilisticLinkage(columns=columns)(data, release.data).value
    values = {"dld": plain, "rank_swap_linkage": attack, "pld": other}
    assert found.value == max(values.values())
    assert max(values, key=lambda name: values[name]) in found.note


def test_a_file_whose_masks_are_unknown_does_not_pass_by_the_strongest_attack() -> None:
    data = people(300)
    masked = tc.mask.RankSwap(columns=["savings"], p=90).apply(data, seed=1)
    limit = Limit(measure="strongest", at_most=100, columns=("savings",))
    assert tc.judge(tc.evaluate(data, masked, columns=["savings"]), [limit]).state == "passed"
    foreign = Microdata.from_frame(masked.to_arrow(), schema=masked.schema)
    verdict = tc.judge(tc.evaluate(data, foreign, columns=["savings"], pairing="order"), [limit])
    assert verdict.state == "not judged"
    assert "not known" in verdict.reasons[0]


@pytest.mark.parametrize("name", ["public-use", "scientific-use", "internal"])
def test_presets_fail_a_file_of_unique_keys_and_pass_a_safe_one(name: str) -> None:
    survey = tc.samples.household_survey(200, seed=1).select(["region", "age", "sex", "education", "income"])
    made = tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)]).apply(survey, seed=1)
    assert tc.judge(made, name).state == "failed"
    safe = STRONG.apply(people(), seed=1)
    verdict = tc.judge(safe, name)
    assert verdict.has_passed, verdict.reasons
    assert verdict.preset == name


def test_only_cards_and_releases_are_judged() -> None:
    with pytest.raises(ParameterError, match="got Microdata"):
        tc.judge(people(), "internal")  # type: ignore[arg-type]


def test_insisting_needs_a_reason() -> None:
    failed = Verdict("failed", (Finding(LINKED, False, 9.0, 9.0),))
    assert failed.insisting("  a good\n reason ").because == "a good reason"
    for nothing in ("", "  \n"):
        with pytest.raises(ReleaseError, match="must say why"):
            failed.insisting(nothing)
    passed = Verdict("passed", (Finding(LINKED, True, 1.0, 1.0),))
    assert passed.insisting("anything").because == "", "there was nothing to insist on"


# --- publishing --------------------------------------------------------------------------------------------------------------


def sides(made: Path) -> tuple[dict[str, object], str, str]:
    facts = json.loads((made / "internal/provenance.json").read_text())
    reports = [(made / side / "report.html").read_text(encoding="utf-8") for side in ("internal", "public")]
    return facts["verdict"], *reports


def test_a_passed_release_says_so_everywhere(tmp_path: Path) -> None:
    made = tc.publish(STRONG.apply(people(), seed=1), tmp_path / "out", measures=["il1s"], limits=LINKED)
    verdict, internal, external = sides(made)
    assert verdict["state"] == "passed"
    assert "Passed" in internal
    assert "Passed" in external
    assert "dld" in internal
    assert "intruder who knows" not in external, "limits and what was measured against them stay inside"
    assert json.loads((made / "internal/ledger.json").read_text())[0]["verdict"] == "passed"


def test_a_release_without_limits_is_not_judged(tmp_path: Path) -> None:
    verdict, internal, external = sides(tc.publish(STRONG.apply(people(), seed=1), tmp_path / "out", measures=["il1s"]))
    assert verdict["state"] == "not judged"
    for text in (internal, external):
        assert "Not judged" in text
        assert "may leave" not in text
        assert "may be published" not in text


def test_a_failed_release_is_written_only_when_somebody_insists(tmp_path: Path) -> None:
    release = NOTHING.apply(people(), seed=1)
    for more in ({}, {"insist": True}, {"because": SECRET_REASON}):
        with pytest.raises(ReleaseError):
            tc.publish(release, tmp_path / "out", measures=["il1s"], limits=LINKED, **more)  # type: ignore[arg-type]
        assert list(tmp_path.iterdir()) == []
    made = tc.publish(release, tmp_path / "out", measures=["il1s"], limits=LINKED, insist=True, because=SECRET_REASON)
    verdict, internal, external = sides(made)
    assert (verdict["state"], verdict["insisted"], verdict["because"]) == ("failed", True, SECRET_REASON)
    assert SECRET_REASON in internal
    assert SECRET_REASON not in external
    assert "Failed" in external
    ledger = json.loads((made / "internal/ledger.json").read_text())[0]
    assert (ledger["verdict"], ledger["because"]) == ("failed", SECRET_REASON)


def test_limits_of_the_recipe_cannot_be_walked_around(tmp_path: Path) -> None:
    recipe = tc.Recipe(NOTHING.steps, limits=LINKED)
    release = recipe.apply(people(), seed=1)
    assert tc.judge(release).state == "failed"
    with pytest.raises(ReleaseError, match="must be judged"):
        release.write(tmp_path / "out")
    with pytest.raises(ReleaseError, match="failed"):
        release.write(tmp_path / "out", verdict=tc.judge(release).as_plain())
    with pytest.raises(ReleaseError, match="failed"):
        tc.publish(release, tmp_path / "out", measures=["il1s"], limits={"dld": 100})
    assert list(tmp_path.iterdir()) == []
    made = tc.publish(STRONG.apply(people(), seed=1), tmp_path / "out", measures=["il1s"], limits=LINKED)
    assert tc.Recipe.read(made / "internal/recipe.toml").steps == STRONG.steps


def test_limits_do_not_change_the_released_data() -> None:
    data = people()
    a, b = (tc.Recipe(STRONG.steps, limits=limits).apply(data, seed=1) for limits in (None, "internal"))
    assert a.public.same_content(b.public)
