"""``tacita demo``: the main job on the built-in sample data, from file to release and report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.cards import show_card
from tacita.cli.files import make_parents
from tacita.cli.verdicts import show_verdict

if TYPE_CHECKING:
    from tacita.compare.scorecard import Scorecard
    from tacita.data.microdata import Microdata
    from tacita.release.recipe import Recipe

__all__ = ["demo"]

_SEED = 20_240_501
_KIND = "demonstration"
_BECAUSE = "a demonstration with persons who do not exist"


def demo(
    output_directory: Annotated[
        Path, typer.Option("--output", "-o", help="Directory for the demonstration; an earlier one is replaced.")
    ] = Path("demo-output"),
    records: Annotated[
        int | None, typer.Option(help="Persons in the sample survey; 2000, or 100 where nothing is compiled.", min=50)
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Make a sample survey, mask it in three ways, measure each, judge the best, and write it with its reports."""
    from tacita.compare.verdict import judge
    from tacita.core import machine_code
    from tacita.data import samples
    from tacita.data.atomic import atomic_directory
    from tacita.data.disk.outputs import check_directory
    from tacita.data.write import write
    from tacita.release.recipe import Recipe
    from tacita.report.publish import publish

    check_directory(output_directory, _KIND, overwrite=True)
    columns = ["age", "earnings", "other_income", "tax", "savings"]
    with output.progress_bars(as_json):
        usual = 2000 if machine_code.is_there() else 100
        data = samples.household_survey(records or usual, seed=_SEED)
        limits = _limits(columns)
        recipes = {name: Recipe(steps, limits=limits) for name, steps in _candidates(columns).items()}
        cards = {name: _card(data, recipe, columns) for name, recipe in recipes.items()}
        best = min(cards, key=lambda name: cards[name].score or float("inf"))
        release = recipes[best].apply(data, seed=_SEED)
        others = {name: card for name, card in cards.items() if name != best}
        verdict = judge(release, card=cards[best])
        is_failed = verdict.state == "failed"  # of too few persons, say; there is nobody to protect here
        make_parents(output_directory)
        with atomic_directory(output_directory, overwrite=True, kind=_KIND) as made:
            write(data, made / "survey.csv")
            data.schema.write(made / "survey.toml")
            recipes[best].write(made / "recipe.toml")
            publish(
                release,
                made / "release",
                card=cards[best],
                candidates=others,
                verdict=verdict,
                insist=is_failed,
                because=_BECAUSE if is_failed else "",
            )
    report = output_directory / "release" / "internal" / "report.html"
    if as_json:
        shown: dict[str, Any] = {name: card.as_plain() for name, card in cards.items()}
        output.print_json({"candidates": shown, "chosen": best, "verdict": verdict.as_plain(), "report": str(report)})
        return
    output.say(f"A household survey of {len(data):,} persons, masked in {len(cards)} ways ({', '.join(columns)}):\n")
    _show_candidates(cards)
    show_card(cards[best], title=f"Scorecard of the chosen recipe: {best}")
    show_verdict(verdict)
    output.say(f"\nOriginal, schema and recipe:  {output_directory}/survey.csv, survey.toml, recipe.toml")
    output.say(f"Release ({verdict.state}):{' ' * (19 - len(verdict.state))}{output_directory}/release/public/")
    output.say(f"Report (open in a browser):   {report}")


def _card(data: Microdata, recipe: Recipe, columns: list[str]) -> Scorecard:
    """Measure one recipe against an intruder who knows the keys and the true values of all masked columns."""
    from tacita.compare.evaluate import evaluate
    from tacita.data.scenario import Scenario

    return evaluate(data, recipe.apply(data, seed=_SEED), columns=columns, scenario=Scenario(known=columns))


def _show_candidates(cards: dict[str, Scorecard]) -> None:
    """Show loss, risk and score of each recipe."""
    rows = [
        (name, *(output.number(card[m]) for m in ("il", "strongest", "rid")), output.number(card.score))
        for name, card in cards.items()
    ]
    heads = ("il %", "strongest %", "rid %", "score")
    output.table("Candidates", ("recipe", *heads), rows, right=heads)
    output.say("")


def _limits(columns: list[str]) -> Any:
    from tacita.data.limits import Limit

    # The keys are not masked here, so the preset for files of the public would fail: nearly all of them are unique.
    return [
        Limit(measure="strongest", at_most=5.0, columns=tuple(columns), why="an intruder who knows all masked columns"),
        Limit(measure="individual_risk", at_most=0.1, of="worst record", why="weights say how many others there are"),
    ]


def _candidates(columns: list[str]) -> dict[str, list[Any]]:
    from tacita.mask import AdditiveNoise, Mdav, RankSwap

    # Were the parts of income left as they are, the true income could be added up from the release.
    sums = ("income = earnings + other_income",)
    return {
        "rank swapping, p = 15": [RankSwap(columns=columns, p=15, identities=sums)],
        "microaggregation, k = 5": [Mdav(columns=columns, k=5, identities=sums)],
        "additive noise, 20 %": [AdditiveNoise(columns=columns, sd_ratio=0.2, identities=sums)],
    }
