"""Local suppression of a file: by hand, recounts, linked columns, households, strata, rules and bad input.

It tests ``tacita.mask.suppress.risk_suppression``, ``tacita.mask.suppress.suppression_plan`` through the only door that
they have.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import tacita as tc
from tacita.core import registry
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError, UnknownMethodError
from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.data.microdata import Microdata
from tacita.mask.suppress import local_suppression
from tacita.mask.suppress.local_suppression import LocalSuppression, suppressions
from tacita.numeric.keys.frequencies import find_patterns
from tacita.numeric.keys.missing_keys import pattern_frequencies
from tacita.release.recipe import Recipe
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle

PEOPLE = ["region", "urban", "sex", "marital", "education", "household_size"]


def make(**columns: Any) -> Microdata:
    return Microdata.from_frame(pa.table(columns), keys=list(columns), scales=dict.fromkeys(columns, "nominal"))


def codes_of(data: Microdata, names: Any) -> np.ndarray:
    return np.stack([data.codes(name).values for name in names], axis=1)


def smallest(data: Microdata, names: Any, missing: MissingKeys, strata: np.ndarray | None = None) -> float:
    """Smallest frequency of a file, counted from its columns alone."""
    columns = [(data.codes(name).values, len(data.codes(name).categories)) for name in names]
    patterns = find_patterns([(strata, int(strata.max()) + 1), *columns] if strata is not None else columns)
    return float(pattern_frequencies(patterns, patterns.counts, missing).min())


def test_by_hand() -> None:
    """The third record hides behind its sex when it loses its region."""
    data = make(sex=["f", "f", "f"], region=["n", "n", "s"])
    masked = LocalSuppression(k=2).apply(data)
    assert masked.to_arrow().to_pydict() == {"sex": ["f", "f", "f"], "region": ["n", "n", None]}
    assert suppressions(data, masked) == {"sex": 0, "region": 1}


def test_costs_decide_which_key_is_lost() -> None:
    data = make(a=["x", "x", "y"], b=["u", "u", "u"], c=["p", "p", "p"])
    tied = make(a=["x", "x", "x", "x"], b=["u", "u", "v", "v"], c=["p", "p", "q", "q"])
    assert suppressions(data, LocalSuppression(k=2).apply(data)) == {"a": 1, "b": 0, "c": 0}
    lost = suppressions(tied, LocalSuppression(k=3, costs={"a": 1, "b": 9, "c": 2}).apply(tied))
    assert lost["a"] == 0, "nothing is won by the first key"
    person = make(a=["x", "y", "x"], b=["u", "u", "v"])
    first = suppressions(person, LocalSuppression(k=3, costs=[1, 50]).apply(person))
    second = suppressions(person, LocalSuppression(k=3, importance=[1, 2]).apply(person))
    assert first["a"] >= first["b"]
    assert second["a"] <= second["b"]


def test_ranks_are_the_costs_of_the_paper() -> None:
    """Rank 1 of seven costs 70, rank 7 costs 10."""
    data = tc.samples.household_survey(400, seed=3)
    columns = [*PEOPLE, "employment"]
    ranked = LocalSuppression(columns=columns, importance=list(range(1, 8))).apply(data)
    priced = LocalSuppression(columns=columns, costs=[70, 60, 50, 40, 30, 20, 10]).apply(data)
    assert ranked.same_content(priced)
    counts = suppressions(data, ranked, columns)
    assert counts["region"] < counts["employment"]


@pytest.mark.parametrize("missing", MISSING_KEYS)
@pytest.mark.parametrize("subsets", [None, 2, [["region", "sex", "marital"], ["education", "urban"]]])
def test_recount_of_the_household_sample(missing: MissingKeys, subsets: Any) -> None:
    data = tc.samples.household_survey(600, seed=1)
    masked = LocalSuppression(columns=PEOPLE, subsets=subsets, missing=missing, k=3).apply(data)
    asked = {None: [tuple(PEOPLE)], 2: list(combinations(PEOPLE, 2))}.get(
        subsets if subsets in (None, 2) else "", subsets
    )
    for names in asked:
        assert smallest(masked, names, missing) >= 3
    places = tuple(tuple(PEOPLE.index(name) for name in names) for names in asked[:4])
    assert is_k_anonymous_oracle(codes_of(masked, PEOPLE), places, 3, missing)
    for name in PEOPLE:
        before, after = (file.to_arrow(codes=False).column(name).to_pylist() for file in (data, masked))
        assert all(b in (None, a) for a, b in zip(before, after, strict=True)), "what stays must be true"


@pytest.fixture(scope="module")
def adult(reference: Callable[[str], Path]) -> Microdata:
    table = pyarrow.csv.read_csv(reference("adult/adult.csv"), parse_options=pyarrow.csv.ParseOptions(delimiter=";"))
    return Microdata.from_frame(table, keys=table.column_names)


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_recount_of_adult(adult: Microdata, missing: MissingKeys) -> None:
    columns = ["sex", "race", "marital-status", "education", "workclass"]
    masked = LocalSuppression(columns=columns, missing=missing).apply(adult)
    for size in range(1, 6):
        for names in combinations(columns, size):
            assert smallest(masked, names, missing) >= 3, "what holds for all keys holds for fewer"


def test_subsets_of_adult_that_once_took_minutes(adult: Microdata) -> None:
    """What one triple lost broke the others, round after round; the way over all keys together has an end in sight."""
    columns = ["sex", "race", "marital-status", "workclass", "salary-class"]
    masked = LocalSuppression(columns=columns, subsets=3, missing="own category").apply(adult)
    for names in combinations(columns, 3):
        assert smallest(masked, names, "own category") >= 3
    assert sum(suppressions(adult, masked, columns).values()) <= 250


@pytest.mark.slow
@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_recount_of_adult_for_all_pairs_and_triples(adult: Microdata, missing: MissingKeys) -> None:
    masked = LocalSuppression(subsets=2, missing=missing).apply(adult)
    for names in combinations(adult.schema.keys, 2):
        assert smallest(masked, names, missing) >= 3
    fewer = ["sex", "race", "marital-status", "workclass", "occupation", "salary-class"]
    masked = LocalSuppression(columns=fewer, subsets=3, missing=missing).apply(adult)
    for names in combinations(fewer, 3):
        assert smallest(masked, names, missing) >= 3


@pytest.mark.slow
def test_recount_of_adult_with_all_keys(adult: Microdata) -> None:
    masked = LocalSuppression().apply(adult)
    assert smallest(masked, adult.schema.keys, "wildcard") >= 3


def test_strata() -> None:
    data = tc.samples.household_survey(800, seed=2)
    masked = LocalSuppression(columns=["sex", "marital", "education"], by="region").apply(data)
    assert smallest(masked, ["sex", "marital", "education"], "wildcard", data.groups(["region"])) >= 3


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_households_lose_their_columns_together(missing: MissingKeys) -> None:
    data = tc.samples.household_survey(500, seed=1)
    masked = LocalSuppression(columns=PEOPLE, unit="household", missing=missing).apply(data)
    assert smallest(masked, PEOPLE, missing) >= 3
    homes = data.groups(["household"])
    for name in ("region", "urban", "household_size"):
        gone = np.bincount(homes, weights=masked.is_missing(name))
        assert set(np.round(gone / np.bincount(homes), 9)) <= {0.0, 1.0}
        assert gone.any()
    some = LocalSuppression(columns=PEOPLE, unit="household", unit_columns=["region"], missing=missing).apply(data)
    gone = np.bincount(homes, weights=some.is_missing("region"))
    assert set(np.round(gone / np.bincount(homes), 9)) <= {0.0, 1.0}


def test_linked_columns_inherit_the_pattern() -> None:
    table = pa.table(
        {
            "age": pa.array([30, 30, 41, None, 30]),
            "birth_year": pa.array([1994, 1994, 1983, 1960, 1994]),
            "sign": pa.array(["a", "b", "c", "d", "e"]).dictionary_encode(),
            "income": [1, 2, 3, 4, 5],
        }
    )
    data = Microdata.from_frame(table, keys=["age"], linked={"birth_year": "age", "sign": "birth_year"})
    masked = LocalSuppression(k=2, missing="own category").apply(data)
    assert masked.is_missing("age").tolist() == [False, False, True, True, False]
    for name in ("birth_year", "sign"):
        assert masked.is_missing(name).tolist() == [False, False, True, True, False]
    assert masked.to_arrow().column("income").to_pylist() == [1, 2, 3, 4, 5]


def test_missing_codes_and_categories_stay() -> None:
    table = pa.table({"a": pa.array(["x", "x", "y", "z"]).dictionary_encode(), "b": [1, 1, 2, -9]})
    data = Microdata.from_frame(table, keys=["a", "b"], missing={"b": [-9]})
    masked = LocalSuppression(k=2).apply(data)
    assert masked.to_arrow().column("b").to_pylist()[3] == -9
    assert masked.to_arrow().schema == data.to_arrow().schema
    assert masked.schema == data.schema


# --- rules -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_individual_risk_is_at_most_the_threshold(missing: MissingKeys) -> None:
    data, columns = tc.samples.household_survey(3000, seed=1), ["region", "sex", "marital", "education"]
    rule: Any = registry.find("risk", "individual_risk")
    before = rule(columns=columns, missing=missing).assess(data).per_record
    mask = LocalSuppression(columns=columns, rule="individual_risk", threshold=0.005, missing=missing)
    masked = mask.apply(data)
    after = rule(columns=columns, missing=missing).assess(masked).per_record
    assert before.max() > 0.005 >= after.max()
    assert sum(suppressions(data, masked, columns).values()) < 0.2 * len(data) * len(columns)


def test_a_rule_works_with_subsets_strata_and_units() -> None:
    data = tc.samples.household_survey(600, seed=1)
    mask = LocalSuppression(
        columns=PEOPLE, subsets=3, rule="k_anonymity", threshold=0.0, missing="conservative", unit="household"
    )
    masked = mask.apply(data)
    for names in combinations(PEOPLE, 3):
        assert smallest(masked, names, "conservative") >= 3
    homes = data.groups(["household"])
    assert set(np.round(np.bincount(homes, weights=masked.is_missing("region")) / np.bincount(homes), 9)) <= {0.0, 1.0}
    by = LocalSuppression(columns=["sex", "marital"], rule="k_anonymity", threshold=0.0, by="urban").apply(data)
    assert smallest(by, ["sex", "marital"], "wildcard", data.groups(["urban"])) >= 3


def test_a_threshold_that_cannot_be_met() -> None:
    data = make(a=["x", "y"], b=["u", "v"])
    with pytest.raises(DataError, match="stay above the threshold"):
        LocalSuppression(rule="k_anonymity", threshold=0.0).apply(data)


def test_rules_that_are_none() -> None:
    data = make(a=["x", "y", "y"])
    with pytest.raises(UnknownMethodError, match="Did you mean 'individual_risk'"):
        LocalSuppression(rule="individual_risc", threshold=0.1).apply(data)
    with pytest.raises(ParameterError, match="'rule' must name a risk of a single file"):
        LocalSuppression(rule="dld", threshold=0.1).apply(data)


# --- effort ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_exact_is_never_dearer(missing: MissingKeys) -> None:
    data = tc.samples.household_survey(25, seed=4)
    columns = ["region", "sex", "marital", "urban"]
    price = np.array([4.0, 3.0, 2.0, 1.0])

    def cost(effort: Any) -> float:
        mask = LocalSuppression(columns=columns, costs=price.tolist(), missing=missing, effort=effort)
        return float(np.dot(list(suppressions(data, mask.apply(data), columns).values()), price))

    exact = cost("exact")
    assert exact <= cost("quality") + 1e-9 <= cost("fast") + 2e-9
    assert cost("normal") <= 1.3 * exact


def test_exact_is_for_small_files() -> None:
    with pytest.raises(DataError, match="effort 'exact' is for up to 60 records"):
        LocalSuppression(columns=["sex"], effort="exact").apply(tc.samples.household_survey(61, seed=1))


def test_nothing_leaves_that_fails_the_recount(monkeypatch: pytest.MonkeyPatch) -> None:
    from tacita.numeric.local_suppression import local_suppression as kernel

    monkeypatch.setattr(kernel, "suppress_cells", lambda codes, _: np.zeros(codes.shape, dtype=bool))
    with pytest.raises(TacitaError, match="1 records are still below k = 2 in a; this is a fault of the program"):
        LocalSuppression(k=2).apply(make(a=["x", "x", "y"]))


# --- parameters --------------------------------------------------------------------------------------------------------------


def test_a_recipe_keeps_costs_and_subsets() -> None:
    mask = LocalSuppression(columns=["a", "b"], costs={"a": 70, "b": 60.5}, subsets=[["a"], ["b", "a"]])
    assert Recipe.from_toml(Recipe([mask]).to_toml()) == Recipe([mask])
    assert len({mask, LocalSuppression.from_plain(mask.to_plain())}) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 1}, "'k' must be"),
        ({"costs": {"a": -1.0}}, "'costs' must be numbers of 0 or more, got -1.0"),
        ({"costs": [1.0, float("nan")]}, "'costs' must be"),
        ({"costs": {"a": "dear"}}, "'costs' must be numbers of 0 or more"),
        ({"costs": [1, 2], "importance": [1, 2]}, "either 'costs' or 'importance'"),
        ({"rule": "k_anonymity"}, "'rule' needs 'threshold'"),
        ({"threshold": 0.1}, "'threshold' needs 'rule'"),
        ({"rule": "k_anonymity", "threshold": 0.0, "effort": "exact"}, "must not be 'exact'"),
        ({"unit": False, "unit_columns": ["a"]}, "'unit_columns' needs 'unit'"),
        ({"missing": "nothing"}, "'missing' must be one of"),
        ({"subsets": 0}, "'subsets' must be"),
    ],
)
def test_bad_parameters(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        LocalSuppression(**settings)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"k": 5}, DataError, "k = 5 needs at least 5 records in the file and in every stratum, got 4"),
        ({"columns": ["a"], "by": "c", "k": 2}, DataError, "got 1"),
        ({"by": "c"}, ColumnError, "'c' cannot be suppressed and a stratum at once"),
        ({"subsets": 4}, ParameterError, "'subsets' must be at most 3"),
        ({"subsets": [["a", "d"]]}, ColumnError, "'d' is not in the data"),
        ({"columns": ["a", "b"], "subsets": [["a", "c"]]}, ColumnError, "'subsets' names 'c'"),
        ({"subsets": [[]]}, ParameterError, "lists of one or more different columns"),
        ({"subsets": [["a", "a"]]}, ParameterError, "lists of one or more different columns"),
        ({"costs": {"a": 1, "b": 1, "cc": 1}}, ColumnError, "'costs' names 'cc'.*Did you mean 'c'"),
        ({"costs": {"a": 1, "b": 1}}, ParameterError, "lacks 'c'"),
        ({"costs": [1, 2]}, ParameterError, "one entry for each of the 3 columns, got 2"),
        ({"importance": [1, 2, 9]}, ParameterError, "one rank from 1 to 3"),
        ({"importance": [1, 2]}, ParameterError, "one rank from 1 to 3"),
        (
            {"columns": ["a", "b"], "unit": "home", "unit_columns": ["b"]},
            DataError,
            "'b' differs between the members of 1",
        ),
        ({"columns": ["a", "b"], "unit": "home", "unit_columns": ["c"]}, ColumnError, "'unit_columns' names 'c'"),
        ({"columns": ["a"], "unit_columns": ["a"]}, ColumnError, "'unit_columns' needs households"),
        ({"columns": ["b", "c"], "unit": "home"}, ColumnError, "no key is equal for all members"),
        ({"columns": ["a"], "unit": "gap"}, DataError, "the unit 'gap' is missing in 1 records"),
        ({"columns": ["a"], "unit": "home", "by": "c"}, DataError, "in different strata"),
    ],
)
def test_bad_input(settings: dict[str, Any], error: type[TacitaError], message: str) -> None:
    table = pa.table(
        {
            "a": ["x", "x", "y", "y"],
            "b": ["u", "v", "v", "v"],
            "c": ["p", "q", "q", "q"],
            "home": [1, 1, 2, 2],
            "gap": [1, 1, 2, None],
        }
    )
    data = Microdata.from_frame(table, keys=["a", "b", "c"])
    with pytest.raises(error, match=message):
        LocalSuppression(**settings).apply(data)


def test_too_many_keys() -> None:
    data = make(**{f"k{j}": ["x", "y", "z"] for j in range(18)})
    with pytest.raises(ParameterError, match="at most 16 keys can be counted together"):
        LocalSuppression().apply(data)
    with pytest.raises(ParameterError, match="more than 2000 subsets of 9"):
        LocalSuppression(subsets=9).apply(data)
    assert smallest(LocalSuppression(subsets=1).apply(data), ["k0"], "wildcard") >= 3


def test_an_unproven_optimum_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_suppression, "_EXACT_SECONDS", 0.0)
    with pytest.warns(tc.TacitaWarning, match="the optimum was not proven"):
        masked = LocalSuppression(columns=PEOPLE, effort="exact").apply(tc.samples.household_survey(25, seed=1))
    assert smallest(masked, PEOPLE, "wildcard") >= 3


def test_suppressions_by_row_order() -> None:
    data, other = make(a=["x", "y", "y"]), make(a=["x", None, "y"])
    assert suppressions(data, other) == {"a": 1}


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_a_k_for_each_size(missing: MissingKeys) -> None:
    """Single keys 30, pairs 10, all four 3: counted from the masked file, each with its own k."""
    data, names = tc.samples.household_survey(250, seed=2), ["sex", "marital", "education", "urban"]
    mask = LocalSuppression(columns=names, subsets={1: 30, "2": 10, 4: 3}, missing=missing, unit=False, effort="fast")
    masked = mask.apply(data)
    for size, k in ((1, 30), (2, 10), (4, 3)):
        for subset in combinations(names, size):
            assert smallest(masked, subset, missing) >= k
    assert sum(suppressions(data, masked, names).values()) > 0
    assert Recipe([mask]).to_toml() == Recipe.from_toml(Recipe([mask]).to_toml()).to_toml()


@pytest.mark.parametrize(
    ("subsets", "message"),
    [
        ({0: 3}, "sizes of 1 or more"),
        ({"two": 3}, "sizes of 1 or more"),
        ({2: 1}, "k of 2 or more"),
        ({2: 2.5}, "k of 2 or more"),
        ({}, "a size at least"),
    ],
)
def test_bad_tables_of_sizes(subsets: dict[Any, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        LocalSuppression(subsets=subsets)


def test_sizes_and_rules_exclude_each_other() -> None:
    with pytest.raises(ParameterError, match="with a 'rule'"):
        LocalSuppression(subsets={2: 3}, rule="individual_risk", threshold=0.1)
    with pytest.raises(ParameterError, match="at most 2"):
        LocalSuppression(columns=["a", "b"], subsets={3: 2}).apply(make(a=["1", "2"], b=["1", "2"]))
    with pytest.raises(DataError, match="k = 5"):
        LocalSuppression(columns=["a", "b"], subsets={1: 5}).apply(make(a=["1", "2"], b=["1", "2"]))


def test_a_smaller_subset_stays_when_it_needs_more() -> None:
    """Three records share everything but one pair that occurs twice: k = 2 holds for all keys, not 3 for that pair."""
    data = make(a=["1", "1", "1", "2", "2"], b=["1", "1", "1", "2", "2"])
    assert sum(suppressions(data, LocalSuppression(columns=["a", "b"], k=2).apply(data), ["a", "b"]).values()) == 0
    masked = LocalSuppression(columns=["a", "b"], subsets={2: 2, 1: 3}).apply(data)
    assert smallest(masked, ["a"], "wildcard") >= 3


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_exact_with_a_k_for_each_size(missing: MissingKeys) -> None:
    rng = np.random.default_rng(7)
    data = make(**{name: [str(v) for v in rng.integers(0, 3, 12)] for name in "abc"})
    settings: dict[str, Any] = {"columns": ["a", "b", "c"], "subsets": {1: 4, 3: 2}, "missing": missing}
    exact, quick = (LocalSuppression(**settings, effort=effort).apply(data) for effort in ("exact", "quality"))
    lost = [sum(suppressions(data, masked, ["a", "b", "c"]).values()) for masked in (exact, quick)]
    assert 0 < lost[0] <= lost[1]
    for name in "abc":
        assert smallest(exact, [name], missing) >= 4
    assert smallest(exact, ["a", "b", "c"], missing) >= 2


def test_households_with_a_k_for_each_size() -> None:
    data = tc.samples.household_survey(150, seed=4)
    names = ["region", "sex", "marital"]
    masked = LocalSuppression(columns=names, subsets={1: 10, 3: 2}, effort="fast").apply(data)
    house, lost = data.groups(["household"]), masked.is_missing("region") & ~data.is_missing("region")
    assert all(len(set(lost[house == h].tolist())) == 1 for h in np.unique(house[lost]))
    assert smallest(masked, names, "wildcard") >= 2
