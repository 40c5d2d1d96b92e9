"""No data value in a message, a warning, a log line or a repr.

A text and a number that occur nowhere else are planted in the data. Every kind of error is provoked, and everything
that could reach a screen or a log is searched for them. ``error.details`` may have them: it is shown on request only.
"""

from __future__ import annotations

import logging
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.evaluate import evaluate
from tacita.core import registry
from tacita.core.errors import TacitaError
from tacita.data.columns import Codes
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations
from tests.conformance.examples import EXAMPLES, all_examples, changed, label

TEXT = "CANARY-" + str(7351)
NUMBER = float(f"{7351}{7351}")
NEEDLES = (TEXT, "73517351", "7.3517351e", "73,517,351", "7.35e+07", "73.5e6")


def leaks(text: str) -> bool:
    """Whether a text shows one of the planted values."""
    return any(needle in text for needle in NEEDLES)


def data(n: int = 30) -> Microdata:
    """A file in which every value that could be shown is a canary."""
    names = [TEXT if i % 3 else f"{TEXT}-{i}" for i in range(n)]
    x = np.full(n, NUMBER) + np.arange(n)
    table = pa.table(
        {
            "name": names,
            "house": np.repeat(np.arange(n // 2 + 1), 2)[:n],
            "region": [TEXT + "ab"[i % 2] for i in range(n)],
            "level": [TEXT if i else "low" for i in range(n)],
            "income": x,
            "part": x - 1,
            "total": 2 * x - 1,
            "broken": np.where(np.arange(n) == 3, NUMBER, np.inf),
            "weight": np.where(np.arange(n) == 3, -NUMBER, 1.0),
        }
    )
    return Microdata.from_frame(
        table,
        identifiers=["name"],
        keys=["region", "level", "income"],
        confidential=["part", "total"],
        strata=["region"],
        household="house",
        weight="weight",
        schema=None,
    ).with_schema(
        Schema(
            (
                Column(name="name", scale="nominal", roles=("identifier",)),
                Column(name="house", scale="nominal", roles=("household",)),
                Column(name="region", scale="nominal", roles=("key", "stratum")),
                Column(name="level", scale="ordinal", roles=("key",), categories=("low", "high")),
                Column(name="income", scale="numeric", roles=("key",)),
                Column(name="part", scale="numeric", roles=("confidential",)),
                Column(name="total", scale="numeric", roles=("confidential",)),
                Column(name="broken", scale="numeric"),
                Column(name="weight", scale="numeric", roles=("weight",)),
            )
        )
    )


def clean_values(n: int = 30) -> Microdata:
    """The same without what would be refused."""
    return data(n).drop(["broken", "level"])


Trouble = dict[str, Callable[[Path], Any]]

IN_DATA: Trouble = {
    "no frame": lambda _: Microdata.from_frame({"a": [TEXT]}),
    "mixed pandas": lambda _: Microdata.from_frame(pd.DataFrame({"a": pd.Series([1, TEXT, NUMBER], dtype=object)})),
    "objects in pandas": lambda _: Microdata.from_frame(pd.DataFrame({"a": [{TEXT: NUMBER}, 3, object()]})),
    "objects in polars": lambda _: Microdata.from_frame(
        pl.DataFrame({"a": pl.Series([object(), TEXT], dtype=pl.Object)})
    ),
    "nested": lambda _: Microdata.from_frame(pa.table({"a": [[TEXT]]})),
    "roles": lambda _: Microdata.from_frame(pa.table({"a": [TEXT]}), keys=["b"]),
    "two names": lambda _: Microdata.from_frame(pa.table([[TEXT], [NUMBER]], names=["a", "a"])),
    "schema and roles": lambda _: Microdata.from_frame(data().to_arrow(), schema=data().schema, keys=["income"]),
    "other schema": lambda _: Microdata(data().to_arrow(), data().schema.select(["income"])),
    "float of text": lambda _: data().float("region"),
    "float of a wrong scale": lambda _: (
        data().with_schema(data().schema.change("region", scale="numeric")).float("region")
    ),
    "infinite": lambda _: data().floats(["income", "broken"]),
    "weights": lambda _: data().weights(),
    "categories": lambda _: data().codes("level"),
    "ordinal numbers": lambda _: data().numbers("level"),
    "rows": lambda _: data().take(np.array([99])),
    "select": lambda _: data().select(["incom"]),
    "drop": lambda _: data().drop(["incom"]),
    "column": lambda _: data().with_column("incom", pa.array([NUMBER] * 30)),
    "length": lambda _: data().with_column("income", pa.array([NUMBER] * 3)),
    "numbers": lambda _: data().with_numbers({"income": np.array([NUMBER])}),
    "origin": lambda _: data().with_origin(data(), np.array([1])),
    "with schema": lambda _: data().with_schema(Schema(())),
}

IN_SCHEMA: Trouble = {
    "hierarchy twice": lambda _: Hierarchy(((TEXT, "a"), (TEXT, "b"))),
    "hierarchy levels": lambda _: Hierarchy(((TEXT, "a"), (TEXT,))),
    "hierarchy parents": lambda _: Hierarchy((("a", TEXT, "x"), ("b", TEXT, "y"))),
    "hrc": lambda _: Hierarchy.from_hrc(f"{TEXT}\n@@@{TEXT}\n"),
    "csv": lambda _: Hierarchy.from_csv(f"{TEXT};a\n{TEXT};b\n"),
    "level": lambda _: Hierarchy(((TEXT, "*"),)).labels(9),
    "categories twice": lambda _: Schema((Column(name="a", scale="ordinal", categories=(TEXT, TEXT)),)),
    "bounds": lambda _: Schema((Column(name="a", scale="numeric", bounds=(NUMBER, 1.0)),)),
    "file": lambda _: read_declarations(f'[columns.a]\ncategories = "{TEXT}"\nlabels = {NUMBER}\n'),
    "file labels": lambda _: read_declarations(f'[columns.a]\nlabels = [["{TEXT}"]]\nmissing = [{{x = {NUMBER}}}]\n'),
    "file hierarchy": lambda _: read_declarations(f'[columns.a]\nhierarchy = [["{TEXT}", "a"], ["{TEXT}"]]\n'),
    "toml": lambda _: read_declarations(f'[columns.a]\nlabels = [["{TEXT}" {NUMBER}]]\n'),
}


def _rewritten(folder: Path) -> Any:
    release = tc.Recipe([tc.mask.RankSwap(columns=["income"])]).apply(clean_values(), seed=1)
    release.write(folder / "out")
    return release.write(folder / "out")


def _damaged_link(folder: Path) -> Any:
    (folder / "link.parquet").write_text(f"{TEXT},{NUMBER}")
    return tc.Release.read_link(folder)


def _not_utf8(folder: Path) -> Path:
    (folder / "file.toml").write_bytes(f"# {TEXT}\xe9\n".encode("latin-1"))
    return folder / "file.toml"


IN_RECIPES: Trouble = {
    "toml": lambda _: tc.Recipe.from_toml("[[step]]\nmask = "),
    "bytes": lambda folder: tc.Recipe.read(_not_utf8(folder)),
    "schema bytes": lambda folder: read_declarations(_not_utf8(folder)),
    "no recipe": lambda folder: tc.Recipe.read(folder / "none.toml"),
    "not a mask": lambda _: tc.Recipe([data()]),  # type: ignore[list-item]
    "not microdata": lambda _: tc.Recipe([]).apply(data().to_arrow()),  # type: ignore[arg-type]
    "step": lambda _: tc.Recipe([tc.mask.RankSwap(columns=["broken"])]).apply(data(), seed=1),
    "place": lambda folder: tc.Recipe([]).apply(clean_values(), seed=1).write(folder / "a", documents={"x": b""}),
    "written twice": _rewritten,
    "link": _damaged_link,
    "measure": lambda _: evaluate(data(), data(), measures=["ild"]),
    "column": lambda _: evaluate(data(), data(), measures=["il1"], columns=("region",)),
    "infinite": lambda _: evaluate(data(), data()),
    "lengths": lambda _: evaluate(clean_values(), clean_values(20), pairing="order"),
    "frames": lambda _: evaluate(data().to_arrow(), data()),  # type: ignore[arg-type]
}


def _mask_troubles() -> Trouble:
    found: Trouble = {}
    for mask in all_examples("mask"):
        if hasattr(mask, "columns") and (mask.kind, mask.name) not in EXAMPLES:
            for column in ("region", "broken", "level", "incom"):
                found[f"{label(mask)} on {column}"] = _apply(changed(mask, columns=(column,)), data)
            for option in (
                {"identities": ("total = income + broken",)},
                {"identities": ("total = income",)},
                {"unit": "house"},
                {"by": ("level",)},
                {"by": ("regio",)},
            ):
                if set(option) <= {p.name for p in type(mask).parameters()}:
                    found[f"{label(mask)} with {option}"] = _apply(changed(mask, columns=("income",), **option), data)
            found[f"{label(mask)} on few"] = _apply(changed(mask, columns=("income",)), lambda: data(1))
            found[f"{label(mask)} on gaps"] = _apply(changed(mask, columns=("income", "part")), _gaps)
        found[f"{label(mask)} on a frame"] = _apply(mask, lambda: data().to_arrow())
    return found


def _measure_troubles() -> Trouble:
    found: Trouble = {}
    for measure in all_examples("loss", "risk"):
        for column in ("region", "broken", "level", "incom"):
            made = changed(measure, columns=(column,))
            found[f"{label(measure)} on {column}"] = lambda _, made=made: made(data(), data(), pairing="order")
        found[f"{label(measure)} lengths"] = lambda _, m=measure: m(clean_values(), clean_values(7), pairing="order")
        found[f"{label(measure)} link"] = lambda _, m=measure: m(clean_values(), clean_values(), pairing="link")
        found[f"{label(measure)} empty"] = lambda _, m=measure: m(clean_values(0), clean_values(0))
    return found


def _apply(mask: Any, make: Callable[[], Any]) -> Callable[[Path], Any]:
    return lambda _: mask.apply(make(), seed=1)


def _gaps() -> Microdata:
    made = data()
    part = made.float("part").copy()
    part[:1] = np.nan
    return made.with_numbers({"part": part})


TROUBLES = {
    f"{group}: {name}": act
    for group, acts in (("data", IN_DATA), ("schema", IN_SCHEMA), ("recipe", IN_RECIPES))
    for name, act in acts.items()
}
MAYBE = {**_mask_troubles(), **_measure_troubles()}


def _said(act: Callable[[Path], Any], folder: Path, caplog: pytest.LogCaptureFixture) -> tuple[str, bool]:
    """Return all that could reach a screen or a log, and whether it was an error of ours."""
    with caplog.at_level(logging.DEBUG), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome, raised = repr(act(folder)), False
        except TacitaError as error:
            shown = [str(error), repr(error), str(error.args), "".join(traceback.format_exception(error))]
            outcome, raised = "\n".join(shown), True
    return "\n".join([outcome, caplog.text, *(str(w.message) for w in caught)]), raised


@pytest.mark.parametrize("name", TROUBLES)
def test_errors_show_no_values(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    said, raised = _said(TROUBLES[name], tmp_path, caplog)
    assert raised, "this was meant to be an error"
    assert not leaks(said)


@pytest.mark.parametrize("name", MAYBE)
def test_methods_show_no_values(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A method may accept the strange file; what it then shows of the result has no values either."""
    said, _ = _said(MAYBE[name], tmp_path, caplog)
    assert not leaks(said)


def test_most_troubles_of_methods_are_errors(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    raised = [_said(act, tmp_path, caplog)[1] for act in MAYBE.values()]
    assert np.mean(raised) > 0.6


def test_details_may_have_the_value() -> None:
    with pytest.raises(TacitaError) as caught:
        data().codes("level")
    assert TEXT in caught.value.details["values"]


def test_the_search_finds_a_leak() -> None:
    assert leaks(f"got '{TEXT}'")
    assert leaks(str(NUMBER))
    assert leaks(f"{NUMBER:,.2f}")
    assert leaks(repr(np.array([NUMBER])))
    assert leaks(f"{int(NUMBER)}")
    assert not leaks("Microdata: 30 records, 9 columns")


@pytest.mark.filterwarnings("ignore:Recipe. 'total'")  # which is not masked here
def test_reprs_show_no_values() -> None:
    original = clean_values()
    release = tc.Recipe([tc.mask.RankSwap(columns=["income", "part"], p=50)]).apply(original, seed=1)
    pair = pair_records(original, release.data)
    card = evaluate(original, release, measures=["il1", "rid", "sdid"], columns=("income", "part"))
    codes: Codes = original.codes("region")
    objects = [
        original, release.data, release.public, release, pair, card, codes, original.schema, original.schema["income"],
        card.measured("il1"), card.measured("rid"), *all_examples("mask", "loss", "risk"), *registry.methods(),
    ]  # fmt: skip
    for shown in objects:
        assert not leaks(repr(shown)), type(shown).__name__
        assert not leaks(str(shown)), type(shown).__name__
        assert not leaks(f"{[shown]}"), type(shown).__name__


# --- the command line ------------------------------------------------------------------------------------------------

SCHEMA = """
[columns.income]
role = "key"
scale = "numeric"
[columns.level]
role = "key"
scale = "ordinal"
categories = ["low", "high"]
"""

COMMANDS = {
    "text in a numeric column": ("mask", "bad.csv", "-s", "schema.toml", "-o", "out", "-m", "rank_swap", "--seed", "1"),
    "infinite": ("mask", "inf.csv", "-s", "schema.toml", "-o", "out", "-m", "additive_noise", "--seed", "1"),
    "categories": ("mask", "good.csv", "-s", "schema.toml", "-o", "out", "-m", "rank_swap", "--set", "columns=level"),
    "unknown column": ("mask", "good.csv", "-o", "out", "-m", "rank_swap", "--set", "columns=incom"),
    "nominal column": ("mask", "good.csv", "-o", "out", "-m", "mdav", "--set", "columns=level"),
    "few records": ("mask", "good.csv", "-o", "out", "-m", "mdav", "--set", "k=500", "--set", "columns=income"),
    "evaluate lengths": ("evaluate", "good.csv", "short.csv", "--row-order"),
    "evaluate text": ("evaluate", "good.csv", "good.csv", "--measure", "il1", "-c", "level"),
    "evaluate infinite": ("evaluate", "inf.csv", "good.csv"),
    "ragged": ("describe", "ragged.csv"),
    "bad schema": ("describe", "good.csv", "-s", "good.csv"),
    "recipe is data": ("mask", "good.csv", "-o", "out", "-r", "good.csv"),
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    good = "".join(f"{int(NUMBER) + i},{TEXT}\n" for i in range(40))
    (tmp_path / "good.csv").write_text("income,level\n" + good)
    (tmp_path / "short.csv").write_text("income,level\n" + good[:200].rpartition("\n")[0] + "\n")
    (tmp_path / "bad.csv").write_text("income,level\n" + good + f"{TEXT},low\n")
    (tmp_path / "inf.csv").write_text("income,level\n" + good + "inf,low\n")
    (tmp_path / "ragged.csv").write_text("income,level\n" + good + f"{NUMBER},{TEXT},{TEXT},7\n")
    (tmp_path / "schema.toml").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("name", COMMANDS)
def test_command_line_shows_no_values(
    name: str, as_json: bool, files: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tacita.cli.main import run

    monkeypatch.setattr("sys.argv", ["tacita", *COMMANDS[name], *(["--json"] if as_json else [])])
    with pytest.raises(SystemExit) as stopped:
        run()
    shown = "".join(capfd.readouterr())
    assert stopped.value.code == 2, shown
    assert shown.strip(), "an error without a word"
    assert not leaks(shown)
    assert "Traceback" not in shown
