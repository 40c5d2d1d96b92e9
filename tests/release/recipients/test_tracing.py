from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.release.recipients.tracing import trace_leak
from tests.release.recipients.material import AMOUNTS, made_once, mixed

GUILTY = ("Institute 4", "Institute 9", "Institute 21")
WAYS = ["averaged", "cell by cell", "row by row", "the least", "the largest", "rounded to hundreds"]


@pytest.fixture(scope="module")
def files() -> list[Microdata]:
    copies = made_once()[2]
    return [copies.copy(name) for name in GUILTY]


@pytest.mark.parametrize("how", WAYS)
def test_a_coalition_of_three_is_named_and_nobody_else(files: list[Microdata], how: str) -> None:
    found = trace_leak(made_once()[2], mixed(files, how))
    assert found.named
    assert set(found.named) <= set(GUILTY)


@pytest.mark.parametrize("how", ["one", "noisy"])
def test_a_single_leaker_is_named(files: list[Microdata], how: str) -> None:
    assert trace_leak(made_once()[2], mixed(files[:1], how)).named == (GUILTY[0],)


def test_half_of_the_records_of_an_average_in_another_order_with_fewer_columns(files: list[Microdata]) -> None:
    rows = np.random.default_rng(3).permutation(len(files[0]))[:700]
    leaked = mixed(files, "averaged").select(["sector", "turnover", "stock", "wages"]).take(rows)
    found = trace_leak(made_once()[2], leaked)
    assert found.by == "nearest"
    assert found.found > 650
    assert found.named
    assert set(found.named) <= set(GUILTY)


def test_columns_under_other_names(files: list[Microdata]) -> None:
    table = files[0].to_arrow().select(["turnover", "wages", "stock"]).rename_columns(["a", "b", "c"])
    leaked = Microdata.from_frame(table)
    with pytest.raises(ColumnError, match="none of the marked columns"):
        trace_leak(made_once()[2], leaked)
    found = trace_leak(made_once()[2], leaked, renamed={"a": "turnover", "b": "wages", "c": "stock"})
    assert found.named == (GUILTY[0],)
    with pytest.raises(ColumnError, match="'x' is not in the leaked file"):
        trace_leak(made_once()[2], leaked, renamed={"x": "turnover"})
    with pytest.raises(ColumnError, match="Did you mean 'wages'"):
        trace_leak(made_once()[2], leaked, renamed={"a": "wage"})


@pytest.mark.parametrize(("factor", "shift"), [(0.001, 0.0), (1.95583, 0.0), (1.02, 500.0)])
def test_amounts_in_other_units(files: list[Microdata], factor: float, shift: float) -> None:
    leaked = mixed(files, "averaged")
    leaked = Microdata.from_frame(pa.table({name: leaked.float(name) * factor + shift for name in AMOUNTS}))
    found = trace_leak(made_once()[2], leaked.take(np.random.default_rng(6).permutation(1500)))
    assert found.named
    assert set(found.named) <= set(GUILTY)


def test_what_is_nobodys_names_nobody() -> None:
    original, released, copies = made_once()
    for leaked in (released.masked, original.drop(["firm"])):
        found = trace_leak(copies, leaked)
        assert found.named == ()
        assert "Nobody can be named" in found.words()
    assert trace_leak(copies, original.take(np.arange(0))).named == ()


def test_a_recipient_who_is_not_on_the_list_is_not_turned_into_another(files: list[Microdata]) -> None:
    """The copy of a later recipient, traced with the list of the earlier ones."""
    from tacita.release.recipients.stored import with_recipients

    copies = made_once()[2]
    later = with_recipients(copies, ["Institute 99"])
    leaked = later.copy("Institute 99")
    assert trace_leak(later, leaked).named == ("Institute 99",)
    assert trace_leak(copies, leaked).named == ()


def test_an_innocent_one_is_hardly_ever_named() -> None:
    """10 000 innocent codewords against averages of three: the bound for one in a thousand holds."""
    from tacita.numeric.fingerprints.innocent import accusation_threshold
    from tacita.numeric.fingerprints.tardos import draw_codewords, soft_scores
    from tacita.release.recipients.tracing import leaked_weights

    copies = made_once()[2]
    leaked = mixed([copies.copy(name) for name in GUILTY], "averaged")
    weights = leaked_weights(copies, leaked)[0]
    words = draw_codewords(copies.biases, 10_000, np.random.default_rng(5))
    scores = soft_scores(weights, words, copies.biases)
    assert (scores >= accusation_threshold(weights, copies.biases, 1e-3)).sum() <= 8
    assert (scores >= accusation_threshold(weights, copies.biases, 1e-6)).sum() == 0


def test_texts_instead_of_numbers(files: list[Microdata]) -> None:
    table = files[0].to_arrow()
    words = pa.table({**{n: table.column(n) for n in AMOUNTS[1:]}, "turnover": pa.array(["x"] * len(table))})
    with pytest.raises(DataError, match="Column 'turnover' of the leaked file must have numbers"):
        trace_leak(made_once()[2], Microdata.from_frame(words))
    commas = pa.array([None if v is None else str(v).replace(".", ",") for v in table.column("stock").to_pylist()])
    leaked = Microdata.from_frame(pa.table({"turnover": table.column("turnover"), "stock": commas}))
    assert trace_leak(made_once()[2], leaked).named == (GUILTY[0],)


def test_a_chance_that_is_none_is_refused(files: list[Microdata]) -> None:
    with pytest.raises(ParameterError, match="'false_accusation'"):
        trace_leak(made_once()[2], files[0], false_accusation=0)


def test_plain_form_has_everything(files: list[Microdata]) -> None:
    plain = trace_leak(made_once()[2], files[0]).to_plain()
    assert plain["named"] == [GUILTY[0]]
    assert len(plain["suspects"]) == 30
    assert plain["records"] == plain["found"] == 1500
