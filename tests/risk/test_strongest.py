"""The strongest attack counts: what a mask names, what the intruder knows, and what is said where something was not run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.mask import AdditiveNoise, CorrelatedNoise, Mdav, MultiplicativeNoise, RankSwap
from tacita.release.recipe import Recipe
from tacita.risk import DistanceLinkage, ProbabilisticLinkage, Strongest, StrongestAttack
from tacita.risk.strongest import AttackedMeasured

MONEY = ("earnings", "other_income", "tax", "savings")
ALL = ("age", "earnings", "other_income", "income", "tax", "savings")


@pytest.fixture(scope="module")
def data() -> Microdata:
    """A sample without the total of two of the masked columns, which would give them away."""
    return tc.samples.household_survey(400, seed=1).drop(["income"])


def attacked(measured: object) -> AttackedMeasured:
    assert isinstance(measured, AttackedMeasured)
    return measured


def test_rank_swapping_of_the_census_file_is_linked_by_its_p(reference: Callable[[str], Path]) -> None:
    """Issue 13: 91 % where plain distance linkage says 44 %.

    Over seeds the strongest attack goes from 90 to 94 and ``pld`` from 85 to 89, but ``dld`` from 42 to 49, so that one is
    compared by its mean.
    """
    census = tc.read(reference("census.csv"))
    masked = RankSwap(columns=census.names, p=14).apply(census, seed=1)
    card = tc.evaluate(census, masked)
    strongest = card.strongest
    assert strongest is not None
    assert strongest.measure == "rank_swap_linkage"
    assert strongest.value == strongest.upper == card["strongest"] == card["rank_swap_linkage"]
    assert strongest.value == pytest.approx(91, abs=3)
    assert card["pld"] == pytest.approx(87, abs=3)
    others = (RankSwap(columns=census.names, p=14).apply(census, seed=seed) for seed in range(2, 9))
    plain = [card["dld"], *(DistanceLinkage()(census, other).value for other in others)]
    assert np.mean(plain) == pytest.approx(45, abs=2)
    assert "at most 14 % of the ranks" in strongest.knows


def test_rank_swapping_of_the_household_sample_is_linked_by_its_p() -> None:
    """Issue 13: about 16.4 where plain distance linkage says 5.3; 1000 records, six columns, p = 11.

    One seed gives 16 to 21 and 4.9 to 7.1, so means over seeds are compared. In every single file the attack that knows p
    finds more than twice as many.
    """
    data = tc.samples.household_survey(1000, seed=7)
    found = []
    for seed in range(1, 6):
        masked = RankSwap(columns=ALL, p=11).apply(data, seed=seed)
        card = tc.evaluate(data, masked, scenario=tc.Scenario(known=ALL), measures=["dld", "strongest"])
        assert card.strongest is not None
        assert card.strongest.measure == "rank_swap_linkage"
        found.append((card["dld"], card["strongest"]))
    assert all(knowing > 2 * plain for plain, knowing in found)
    assert np.mean(found, axis=0) == pytest.approx([5.7, 17.3], abs=1.5)


def test_every_attack_is_among_the_parts_and_the_largest_counts(data: Microdata) -> None:
    recipe = Recipe([RankSwap(columns=MONEY, p=5), AdditiveNoise(columns=("age",), sd_ratio=0.1)])
    found = attacked(Strongest()(data, recipe.apply(data, seed=3).data))
    assert set(found.parts) == {
        "pld",
        "individual_risk",
        "rank_swap_linkage after rank_swap",
        "dld after additive_noise",  # age is the only numeric key, so this is plain "dld" as well
    }
    assert found.value == max(found.parts.values()) == found.attacks[0].attack.upper
    assert found.per_record is not None
    assert 100 * found.per_record.mean() == pytest.approx(found.value)


@pytest.mark.filterwarnings("ignore:MultiplicativeNoise. the covariance of the noise")
@pytest.mark.parametrize(
    ("mask", "wins"),
    [
        (RankSwap(columns=MONEY, p=3), "rank_swap_linkage"),  # with p = 5, "pld" finds as many for some seeds
        (CorrelatedNoise(columns=MONEY, sd_ratio=0.2), "dld"),
        (MultiplicativeNoise(columns=MONEY, inflation=0.05), "ratio_linkage"),
        (Mdav(columns=MONEY, k=3), "replay_linkage"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_attack_that_a_mask_names_beats_plain_distances(data: Microdata, mask: tc.mask.Mask, wins: str) -> None:
    masked = mask.apply(data, seed=3)
    found = attacked(Strongest(columns=MONEY)(data, masked))
    assert found.attacks[0].attack.measure == wins
    assert found.value > DistanceLinkage(columns=MONEY)(data, masked).value
    assert mask.name in found.attacks[0].attack.knows


def test_without_the_method_its_attacks_are_not_run_and_that_is_said(data: Microdata) -> None:
    masked = RankSwap(columns=MONEY, p=3).apply(data, seed=3)
    blind = attacked(Strongest(columns=MONEY)(data, masked.with_history(())))
    knowing = attacked(Strongest(columns=MONEY)(data, masked))
    assert "the method was not known to the evaluation" in blind.note
    assert "not known" not in knowing.note
    assert "rank_swap_linkage after rank_swap" not in blind.parts
    assert knowing.value > blind.value


def test_the_scenario_limits_what_the_intruder_knows(data: Microdata) -> None:
    masked = RankSwap(columns=MONEY, p=5).apply(data, seed=3)
    two = attacked(Strongest(columns=MONEY[:2])(data, masked))
    assert two.value < Strongest(columns=MONEY)(data, masked).value
    assert all("tax" not in run.attack.knows for run in two.attacks)
    none = attacked(Strongest(columns=("age",))(data, masked))
    assert "not run: rank_swap_linkage after rank_swap (the intruder knows none of the columns" in none.note


def test_history_follows_the_data_and_begins_at_the_original(data: Microdata) -> None:
    swap, noise = RankSwap(columns=MONEY, p=5), AdditiveNoise(columns=("age",))
    once = swap.apply(data, seed=1)
    twice = noise.apply(once.take(np.arange(300)).drop(["person_id"]), seed=2)
    assert data.history == ()
    assert twice.history == (swap, noise)
    assert pair_records(data, twice).steps == (swap, noise)
    assert pair_records(once, twice).steps == (noise,)
    assert Recipe([swap, noise]).apply(data, seed=1).data.history == (swap, noise)


def test_a_sampled_attack_counts_by_its_upper_limit(data: Microdata) -> None:
    masked = AdditiveNoise(columns=MONEY, sd_ratio=0.5).apply(data, seed=3)
    pair = pair_records(data, masked)
    part = DistanceLinkage(columns=MONEY, sample=100, many=100)
    found = Strongest(columns=("sex",)).of_card(pair, [(part, part.of_pair(pair))])
    first = found.attacks[0].attack
    assert first.is_sampled
    assert found.value == first.upper > first.value
    assert "a sample gave" in found.note
    card = tc.evaluate(data, masked, measures=[part])
    assert card.strongest == StrongestAttack("dld", card["dld"], first.upper, card.measured("dld").note, True)


def test_what_would_take_long_is_named_and_not_dropped(data: Microdata, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacita.risk import probabilistic_linkage as module

    masked = RankSwap(columns=MONEY, p=5).apply(data, seed=3)
    monkeypatch.setattr(module, "_MOST_LEARNING", 10)
    with pytest.raises(
        MeasureError, match=r"it would take about [\d,]+ seconds of one core; ask for it by name: 'pld'"
    ):
        ProbabilisticLinkage().fitted(pair_records(data, masked))
    card = tc.evaluate(data, masked)
    assert "ask for it by name: 'pld'" in card.skipped["pld"]
    assert "not run: pld" in card.measured("strongest").note
    assert tc.evaluate(data, masked, measures=["pld"])["pld"] > 0


def test_a_bounded_run_is_near_the_whole(data: Microdata) -> None:
    masked = RankSwap(columns=MONEY, p=5).apply(data, seed=3)
    pair = pair_records(data, masked)
    whole = ProbabilisticLinkage(columns=MONEY)
    assert whole.fitted(pair).of_pair(pair).value == whole.of_pair(pair).value
    assert whole.fitted(pair, share=0.01).of_pair(pair).value == pytest.approx(whole.of_pair(pair).value, abs=5)


def test_no_attack_at_all_is_an_error() -> None:
    import pyarrow as pa

    dates = Microdata.from_frame(pa.table({"d": pa.array([1, 2], pa.date32())}))
    with pytest.raises(MeasureError, match="no attack could be computed"):
        Strongest()(dates, dates)


def test_recoded_and_dropped_columns_do_not_stop_the_others() -> None:
    data = tc.samples.household_survey(400, seed=1)
    recipe = Recipe([RankSwap(columns=ALL, p=5), tc.mask.GlobalRecode(breaks={"age": [30, 60]})])
    masked = recipe.apply(data, seed=3).data.drop(["tax"])
    found = attacked(Strongest()(data, masked))
    swap = next(run for run in found.attacks if run.attack.measure == "rank_swap_linkage")
    assert swap.measure.columns == ("earnings", "other_income", "income", "savings")


def test_disturbed_numbers_are_not_identified_by_being_rare() -> None:
    import pyarrow as pa

    rng = np.random.default_rng(1)
    data = Microdata.from_frame(pa.table({"a": rng.normal(size=80), "b": rng.normal(size=80)}), keys=["a", "b"])
    card = tc.evaluate(data, AdditiveNoise(sd_ratio=5).apply(data, seed=1))
    assert card["individual_risk"] == 100.0  # every masked record is alone with its numbers
    assert card["strongest"] < 30
