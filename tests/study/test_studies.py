"""Studies: the registry, the verb, and the promises of the multiplicative noise study."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

from tacita.cli.verbs.study import study as verb
from tacita.core.errors import ParameterError, TacitaError, UnknownMethodError
from tacita.study import StudyFinding, StudyOptions, StudyResult, find_study, studies
from tacita.study import base as registry

app = typer.Typer()
app.command()(verb)
runner = CliRunner()


@pytest.fixture(scope="module")
def short() -> StudyResult:
    return find_study("multiplicative-noise").run(replicates=12, seed=1)


def ours(result: StudyResult, quantity: str) -> dict[str, tuple[float, ...]]:
    return {f.setting: f.ours for f in result.findings if f.quantity == quantity}


def test_every_study_says_what_it_is() -> None:
    names = [s.name for s in studies()]
    assert "multiplicative-noise" in names
    assert names == sorted(names)
    for found in studies():
        assert found.summary.endswith(".")
        assert found.reference
        assert found.replicates >= 1


def test_unknown_study_is_suggested() -> None:
    with pytest.raises(UnknownMethodError, match="Did you mean 'multiplicative-noise'"):
        find_study("multiplicative-nose")


def test_a_study_enters_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_studies", {})

    @registry.study("twice", summary="Nothing.", reference="Nobody", replicates=3)
    def twice(options: StudyOptions) -> StudyResult:
        return StudyResult((StudyFinding("replicates", "none", (float(options.replicates),)),))

    assert find_study("twice").run().findings[0].ours == (3.0,)
    assert twice.run(replicates=5).findings[0].ours == (5.0,)
    with pytest.raises(TacitaError, match="Two studies are named 'twice'"):
        registry.study("twice", summary="", reference="", replicates=1)(lambda _: StudyResult(()))


def test_senseless_options_are_refused() -> None:
    for options in ({"replicates": 0}, {"replicates": True}, {"replicates": 1, "seed": -1}):
        with pytest.raises(ParameterError):
            StudyOptions(**options)


def test_broken_promise_is_seen() -> None:
    kept, broken = (StudyFinding("q", "s", (1.0,), met=met) for met in (True, False))
    assert StudyResult((kept, StudyFinding("q", "s", (1.0,)))).kept_promises
    assert not StudyResult((kept, broken)).kept_promises


def test_a_pair_is_no_range() -> None:
    assert StudyFinding("q", "s", (1.0, 2.0), unit="count").shown() == "1 to 2"
    assert StudyFinding("q", "s", (2.0, 1.0), unit="count", is_range=False).shown() == "2 and 1"


def test_one_replicate_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_studies", {})

    @registry.study("often", summary="Nothing.", reference="Nobody", replicates=3)
    def often(options: StudyOptions) -> StudyResult:
        return StudyResult((), notes=("As it was.", *registry.replicate_notes(options.replicates)))

    @registry.study("once", summary="Nothing.", reference="Nobody", replicates=1)
    def once(options: StudyOptions) -> StudyResult:
        del options
        return StudyResult(())

    assert often.run().notes == ("As it was.",)
    (said,) = often.run(replicates=1).notes[1:]
    assert said.startswith("One replicate only: ")
    assert once.run().notes == (), "a study that draws nothing needs no second run"


def test_short_run_has_every_finding_of_the_paper(short: StudyResult) -> None:
    assert len(ours(short, "mean ratio, range")) == 5
    for low, high in ours(short, "mean ratio, range").values():
        assert 0.95 < low < 1 < high < 1.05
    shares = ours(short, "covariance ratios in 0.98 to 1.02")
    assert shares["normal (21)"][0] > 85
    assert shares["log-normal (21)"][0] < 55 < shares["log-normal (21) in two zones"][0]
    fourth = ours(short, "fourth moments ratio")
    assert fourth["normal (21), as they are"][0] > 1.02
    assert fourth["normal (21), adjusted by (26)"][0] == pytest.approx(1, abs=0.02)
    links = ours(short, "records linked")
    assert 0.1 < links["log-normal (21), 2 of 3 known"][0] < 1.0


def test_study_is_repeatable(short: StudyResult) -> None:
    assert find_study("multiplicative-noise").run(replicates=12, seed=1) == short
    other = find_study("multiplicative-noise").run(replicates=1, seed=2)
    assert other != find_study("multiplicative-noise").run(replicates=1, seed=3)


def test_verb_lists_and_runs() -> None:
    listed = runner.invoke(app, [])
    assert "multiplicative-noise" in listed.output
    assert json.loads(runner.invoke(app, ["--json"]).output)[0]["name"] == studies()[0].name
    shown = runner.invoke(app, ["multiplicative-noise", "--replicates", "2"])
    assert shown.exit_code == 0
    for words in ("ours", "paper", "covariance ratio, median", "0.7 to 1.3", "95 % of replicates"):
        assert words in shown.output
    plain = json.loads(runner.invoke(app, ["multiplicative-noise", "--replicates", "2", "--json"]).stdout)
    assert plain["study"] == "multiplicative-noise"
    assert len(plain["findings"]) > 30
    assert isinstance(runner.invoke(app, ["nothing"]).exception, UnknownMethodError)


@pytest.mark.slow
def test_whole_study_keeps_its_promises() -> None:
    """500 replicates: median ratio 1 +- 0.005, 94 % of the entries for normal data, zones from about 30 % to 70 %."""
    result = find_study("multiplicative-noise").run()
    assert result.kept_promises, [f for f in result.findings if f.met is False]
