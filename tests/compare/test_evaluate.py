"""Evaluate and its scorecard: every applicable measure, each with its reason where it is left out."""

from __future__ import annotations

import html
import json
import sys
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare import Scorecard, evaluate
from tacita.compare.score import Score
from tacita.compare.search.search import search
from tacita.core import registry
from tacita.core.errors import ColumnError, MeasureError, ParameterError, UnknownMethodError
from tacita.core.progress import show_progress
from tacita.data.microdata import Microdata
from tacita.mask import AdditiveNoise, RankSwap
from tacita.mask.synthetic.new_records import new_records
from tacita.release.recipe import Recipe
from tacita.report.html import scorecard_html
from tacita.risk import DistanceLinkage, RankIntervals
from tests.core.test_progress import Recorder


def file(n: int = 120) -> Microdata:
    rng = np.random.default_rng(4)
    return Microdata.from_frame(
        pa.table({"a": rng.lognormal(5, 1, n), "b": rng.normal(9, 1, n), "s": ["x", "y"] * (n // 2), "w": np.ones(n)}),
        keys=["a"],
        weight="w",
    )


@pytest.fixture(scope="module")
def card() -> Scorecard:
    data = file()
    return evaluate(data, AdditiveNoise(columns=("a", "b"), sd_ratio=0.2).apply(data, seed=1))


def test_every_measure_is_on_the_card(card: Scorecard) -> None:
    names = {m.name for m in registry.methods() if m.kind in ("loss", "risk") and m.traits.by_default}
    assert set(card) | set(card.skipped) == names
    assert {"il", "il1", "il1s", "pil", "dld", "rid", "sdid"} <= set(card)
    assert card.pairing == "link"


def test_values_are_those_of_the_measures(card: Scorecard) -> None:
    for name in card:
        measure, measured = card.results[name]
        assert card[name] == measured.value == measure(card.original, card.masked).value
        assert card.measured(name) is measured


def test_score_is_half_loss_half_risk(card: Scorecard) -> None:
    numbers = evaluate(card.original, card.masked, columns=("a", "b"))
    assert numbers.score == pytest.approx(0.5 * numbers["il"] + 0.25 * numbers["strongest"] + 0.25 * numbers["rid"])
    some = evaluate(card.original, card.masked, measures=["il", "dld"])
    assert some.score is None


def test_release_and_its_data_give_the_same_card() -> None:
    data = file()
    release = Recipe([RankSwap(columns=("a",), p=20)]).apply(data, seed=1)
    one, two, three = evaluate(data, release), evaluate(data, release.data), evaluate(data, release.public)
    assert dict(one) == dict(two)
    assert dict(three) == pytest.approx(dict(one))


def test_strangers_get_primed_measures_and_the_card_says_so() -> None:
    data = file()
    stranger = Microdata(AdditiveNoise(columns=("a", "b")).apply(data, seed=1).to_arrow(), data.schema)
    card = evaluate(data, stranger)
    assert card.pairing == "nearest"
    assert "il1s" in card
    again = evaluate(data, stranger, scenario={"known": ("a", "b")})
    assert "right by definition" in again.skipped["dld"]
    with pytest.raises(MeasureError, match=r"The measure 'dld' was not computed: .*right by definition"):
        again["dld"]


def test_measures_asked_for_by_name_do_not_vanish() -> None:
    data = file()
    with pytest.raises(ColumnError, match="Il1: works on numeric columns, but 's' is nominal"):
        evaluate(data, data, measures=["il1"], columns=("s",))
    with pytest.raises(UnknownMethodError, match=r"There is no measure named 'il2'\. Did you mean"):
        evaluate(data, data, measures=["il2"])
    with pytest.raises(UnknownMethodError, match="There is no measure named 'mdav'"):
        evaluate(data, data, measures=["mdav"])
    with pytest.raises(ParameterError, match="'measures' must be names or measures, got int"):
        evaluate(data, data, measures=[3])  # type: ignore[list-item]


def test_measures_with_parameters_of_their_own() -> None:
    data = file()
    masked = AdditiveNoise(columns=("a",), sd_ratio=0.2).apply(data, seed=1)
    narrow = evaluate(data, masked, measures=[RankIntervals(columns=("a",), widths=(1.0,)), "il1"])
    wide = evaluate(data, masked, measures=[RankIntervals(columns=("a",), widths=(50.0,))])
    assert narrow["rid"] < wide["rid"]
    assert list(narrow) == ["rid", "il1"]


def test_weights_are_not_compared() -> None:
    data = file()
    masked = data.with_numbers({"w": np.full(120, 9.0)})
    assert evaluate(data, masked, measures=["il1", "il1s"])["il1"] == 0


def test_asking_whether_a_measure_is_there(card: Scorecard) -> None:
    assert "il1s" in card
    assert "il1x" not in card


def test_unknown_name_on_the_card(card: Scorecard) -> None:
    with pytest.raises(MeasureError, match=r"There is no measure 'il1x' on this card\. Did you mean 'il1"):
        card["il1x"]


def test_values_of_records(card: Scorecard) -> None:
    assert card.per_record("il1s").shape == (120,)
    with pytest.raises(MeasureError, match="'il' has no value for single records"):
        card.per_record("il")


def test_card_for_machines(card: Scorecard) -> None:
    shown = json.loads(json.dumps(card.as_plain(), allow_nan=False))
    assert shown["records"] == {"original": 120, "masked": 120}
    assert [row["measure"] for row in shown["measures"]] == list(card)
    assert {row["kind"] for row in shown["measures"]} == {"loss", "risk"}
    assert shown["score"] == card.score


@pytest.mark.parametrize(
    ("make", "kind"), [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table)]
)
def test_frame_of_the_kind_of_the_original(make: Any, kind: type) -> None:
    data = Microdata.from_frame(make({"a": [1.0, 2.0, 4.0]}))
    frame = evaluate(data, data).to_frame()
    assert isinstance(frame, kind)
    assert list(Microdata.from_frame(frame).names) == ["measure", "kind", "value", "unit", "note"]


def test_empty_card_still_has_its_columns() -> None:
    data = Microdata.from_frame(pa.table({"s": ["x", "y"]}))
    card = evaluate(data, data, measures=[])
    assert len(card) == 0
    assert card.to_frame().column_names == ["measure", "kind", "value", "unit", "note"]
    assert card.score is None
    assert repr(card) == "Scorecard ()"


def test_repr_is_short(card: Scorecard) -> None:
    assert repr(card).startswith("Scorecard (")
    assert "il1s 0." in repr(card)
    assert "score" in repr(card)


def test_progress_is_told() -> None:
    recorder = Recorder()
    data = file()
    with show_progress(recorder):
        evaluate(data, data, measures=["il1", "dld"], columns=("a", "b"))
    assert ("open", "Measuring", 2) in recorder.events
    assert ("open", "Linking records", 120) in recorder.events


def test_columns_that_no_measure_fits_are_an_error() -> None:
    data = Microdata.from_frame(pa.table({"v": [1.0, 2.0]})).take(np.array([], dtype=np.int64))
    with pytest.raises(MeasureError, match="No measure could be computed"):
        evaluate(data, data, columns=["v"])


# --- columns that cannot be compared --------------------------------------------------------------------------------------


def frame(**columns: Any) -> Microdata:
    return Microdata.from_frame(pd.DataFrame(columns))


def normal(seed: int) -> Any:
    return np.random.default_rng(seed).normal(size=50)


def test_columns_that_the_masked_file_lacks_are_named() -> None:
    original = frame(a=normal(1), b=normal(2), s=["x", "y"] * 25)
    card = evaluate(original, frame(a=normal(3)), pairing="order")
    assert card.notes == ("2 columns of the original not in the masked file, so not compared: 'b', 's'.",)
    assert card.as_plain()["notes"] == list(card.notes)
    assert card.measured("il").note.endswith("without 'b', not in the masked file")
    assert card.skipped["contingency"].endswith("It is without 's', not in the masked file.")
    page = html.unescape(scorecard_html(card, release=None, form="internal"))
    assert "without 'b', not in the masked file" in page
    assert "without 's', not in the masked file" in page
    assert "not in the masked file" not in scorecard_html(card, release=None, form="external")
    whole = evaluate(original, original)
    assert whole.notes == ()
    assert "without" not in whole.measured("il").note


def test_many_absent_columns_are_counted() -> None:
    original = frame(**{f"c{j}": normal(j) for j in range(40)})
    note = evaluate(original, frame(c0=normal(3)), pairing="order", measures=["il1"]).notes[0]
    assert note.startswith("39 columns")
    assert note.endswith("'c30' and 9 more.")


@pytest.mark.parametrize("pairing", ["order", "auto", "nearest"])
def test_files_without_a_shared_column_are_an_error(pairing: Any) -> None:
    with pytest.raises(MeasureError, match="share no column, so there is nothing to compare"):
        evaluate(frame(a=normal(1)), frame(q=normal(2)), pairing=pairing)


def test_the_file_that_lacks_a_column_is_named() -> None:
    both, one = frame(a=normal(1), b=normal(2)), frame(a=normal(3))
    with pytest.raises(ColumnError, match="column 'b' is not in the masked file, only in the original"):
        evaluate(both, one, columns=["a", "b"], pairing="order")
    with pytest.raises(ColumnError, match="column 'b' is not in the original, only in the masked file"):
        evaluate(one, both, columns=["a", "b"], pairing="order")


def test_an_empty_card_is_an_error_with_every_reason() -> None:
    data = Microdata.from_frame(pa.table({"v": [1.0, 2.0]})).take(np.array([], dtype=np.int64))
    with pytest.raises(MeasureError, match=r"il, .*: there are no paired records to measure") as caught:
        evaluate(data, data, columns=["v"])
    assert "contingency" in str(caught.value)
    assert "works on ordinal and nominal columns" in str(caught.value)


def test_a_column_that_is_text_in_one_file_leaves_the_others_measured() -> None:
    numbers = frame(a=normal(1), b=normal(2), s=["x", "y"] * 25)
    texts = frame(a=normal(3), b=[f"t{i}" for i in range(50)], s=["x", "y"] * 25)
    for original, masked in ((numbers, texts), (texts, numbers)):
        card = evaluate(original, masked, pairing="order")
        alone = evaluate(original.select(["a", "s"]), masked.select(["a", "s"]), pairing="order")
        assert card["unchanged"] < alone["unchanged"], "a number that became a text has changed"
        both = {name: value for name, value in card.items() if name != "unchanged"}
        assert both == {name: value for name, value in alone.items() if name != "unchanged"}
        assert card.notes[0].startswith("1 column numeric in one file only")
        assert "'b'" in card.notes[0]
        named = "il" if original is numbers else "direct_categorical"
        assert card.measured(named).note.endswith("without 'b', numeric in one file only")
    with pytest.raises(ColumnError, match="Il1: column 'b' is numeric in the original and nominal in the masked file"):
        evaluate(numbers, texts, pairing="order", columns=["b"], measures=["il1"])
    card = evaluate(numbers.select(["b"]), texts.select(["b"]), pairing="order")
    assert dict(card) == {"unchanged": 0.0}, "a number that became a text has changed; nothing else can be said"
    assert card.notes[0].startswith("1 column numeric in one file only")


def test_two_measures_of_one_name_are_refused() -> None:
    original, masked = frame(a=normal(1), b=normal(2)), frame(a=normal(3), b=normal(4))
    two = [DistanceLinkage(columns=["a"]), DistanceLinkage(columns=["b"])]
    with pytest.raises(ParameterError, match="'measures' must have one measure of each name, got 'dld' twice"):
        evaluate(original, masked, pairing="order", measures=two)
    with pytest.raises(ParameterError, match="'measures' must have one measure of each name, got 'dld' twice"):
        search(original, [RankSwap(columns=["a"])], measures=two, seeds=1)
    assert list(evaluate(original, masked, pairing="order", measures=["dld", "dld"])) == ["dld"]


def test_a_constant_column_does_not_hide_a_circle() -> None:
    """Two unrelated files: paired by nearness in a and b, every link by a and b is right whatever k says."""
    original = frame(a=normal(1), b=normal(2), k=np.ones(50))
    masked = frame(a=normal(3), b=normal(4), k=np.ones(50))
    with pytest.raises(MeasureError, match="right by definition"):
        evaluate(original, masked, measures=[DistanceLinkage(columns=["a", "b"])])
    assert evaluate(original, masked, measures=[DistanceLinkage(columns=["a"])])["dld"] < 100


def test_a_score_that_is_not_finite_is_no_score() -> None:
    original, masked = frame(a=normal(1), b=normal(2)), frame(a=normal(3), b=normal(4))
    card = evaluate(original, masked, pairing="order", score=Score({"dld": 1e308, "rid": 1e308}))
    assert card.score is None
    assert card.score_note.startswith("There is no score: The score 'score' cannot be formed: it is not finite")
    assert card.as_plain()["score_parts"] == []
    with pytest.raises(MeasureError, match="There is no score"):
        card.score_parts()


@pytest.mark.parametrize("pairing", ["link", "order", "nearest"])
def test_a_large_card_holds_no_array_for_all_records_and_gives_it_when_asked(
    monkeypatch: pytest.MonkeyPatch, pairing: Any
) -> None:
    data = tc.samples.household_survey(300, seed=1)
    masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    usual = tc.evaluate(data, masked, pairing=pairing)
    for module in ("tacita.compare.evaluate", "tacita.data.measure", "tacita.risk.individual_risk"):
        monkeypatch.setattr(sys.modules[module], "LARGE_FILE", 100)
    lean = tc.evaluate(data, masked, pairing=pairing)
    assert lean.rows() == usual.rows()
    for name, (_, measured) in usual.results.items():
        assert (lean.results[name][1].per_record is None) == (measured.per_record is None)
        if measured.per_record is not None:
            np.testing.assert_array_equal(lean.per_record(name), measured.per_record)
    assert not lean.results["unchanged"][1].holds_records  # few values
    assert not lean.results["strongest"][1].holds_records
    if pairing != "nearest":  # who is paired with whom is not kept there
        assert not lean.results["individual_risk"][1].holds_records
        assert not lean.results["il1"][1].holds_records


def test_part_of_a_large_file_keeps_its_records(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tc.samples.household_survey(300, seed=1)
    masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    monkeypatch.setattr(sys.modules["tacita.data.measure"], "LARGE_FILE", 100)
    part = tc.evaluate(data, masked, among=np.arange(300) < 150)
    assert part.per_record("il1").shape == (150,)


def test_a_large_card_forgets_what_was_counted_for_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    data = tc.samples.household_survey(300, seed=1)
    masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    usual = tc.evaluate(data, masked).as_plain()
    assert data._memo
    data.forget()
    monkeypatch.setattr(sys.modules["tacita.data.measure"], "LARGE_FILE", 100)
    assert tc.evaluate(data, masked, measures=["k_anonymity", "unchanged"])["k_anonymity"] >= 0
    assert all(held.is_small for held in data._memo)
    assert tc.evaluate(data, masked).as_plain() == usual


# --- synthetic files ------------------------------------------------------------------------------------------------------


def _drawn(data: Microdata, seed: int = 1) -> Microdata:
    """Records drawn from the original with every number moved: a poor synthetic file, but one that comes from nobody."""
    rng = np.random.default_rng(seed)
    made = data.take(rng.integers(0, len(data), len(data)))
    for column in data.schema:
        if column.scale == "numeric" and not {"weight", "household", "identifier"}.intersection(column.roles):
            values = made.float(column.name)
            made = made.with_numbers({column.name: values + 0.1 * np.nanstd(values) * rng.standard_normal(len(values))})
    return new_records(made, data)


def test_a_card_of_synthetic_records_has_what_needs_no_pairs() -> None:
    data = tc.samples.household_survey(400, seed=1)
    card = tc.evaluate(data, _drawn(data))
    assert {"table_pmse", "citizen_match", "tcap", "replicated_uniques", "strongest"} <= set(card)
    assert not any(measure.traits.paired or measure.traits.of_file for measure, _ in card.results.values())
    assert not card.skipped
    assert card.scoring.name == "synthetic"
    points = 5 * min(card["table_pmse"], 10) + 0.25 * card["strongest"] + 0.25 * card["citizen_match"]
    assert card.score == pytest.approx(points)
    assert card.strongest is not None
    assert card.strongest.value == max(card["citizen_match"], card["tcap"])


def test_a_measure_of_pairs_is_taken_by_nearness_where_it_is_named() -> None:
    data = tc.samples.household_survey(200, seed=1)
    card = tc.evaluate(data, _drawn(data), measures=["il1s"])
    assert card.pairing == "nearest"
    assert set(card) == {"il1s"}


def test_a_synthetic_file_without_numbers_has_a_card() -> None:
    data = tc.samples.household_survey(300, seed=1)
    words = data.drop(
        [c.name for c in data.schema if c.scale == "numeric" and not {"weight", "household"}.intersection(c.roles)]
    )
    card = tc.evaluate(words, _drawn(words))
    assert card["citizen_match"] > 50, "drawn with all values as they were: copies"
    assert card.score is not None


def test_masked_and_synthetic_files_stand_on_one_scale() -> None:
    data = tc.samples.household_survey(300, seed=1)
    swapped = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    cards = [tc.evaluate(data, masked, score="synthetic") for masked in (swapped, _drawn(data))]
    assert all({"table_pmse", "strongest", "citizen_match"} <= set(card) for card in cards)
    assert [card.pairing for card in cards] == ["link", "nearest"]
