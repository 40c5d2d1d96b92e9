"""``tacita demo``: the main job on the built-in sample data, from file to release and report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.cards import show_card

__all__ = ["demo"]

_SEED = 20_240_501


def demo(
    output_directory: Annotated[
        Path, typer.Option("--output", "-o", help="Directory for the demonstration; replaced if it exists.")
    ] = Path("demo-output"),
    records: Annotated[int, typer.Option(help="Persons in the sample survey.", min=50)] = 2000,
    as_json: output.Json = False,
) -> None:
    """Make a sample survey, mask it in three ways, measure each, and write a release with its reports."""
    from tacita.compare.evaluate import evaluate
    from tacita.data import samples
    from tacita.data.write import write
    from tacita.mask.recipe import Recipe
    from tacita.report.publish import publish

    columns = ["age", "earnings", "other_income", "tax", "savings"]
    with output.progress_bars(as_json):
        data = samples.household_survey(records, seed=_SEED)
        recipes = {name: Recipe(steps) for name, steps in _candidates(columns).items()}
        cards = {
            name: evaluate(data, recipe.apply(data, seed=_SEED), columns=columns) for name, recipe in recipes.items()
        }
        best = min(cards, key=lambda name: cards[name].score or float("inf"))
        output_directory.mkdir(parents=True, exist_ok=True)
        write(data, output_directory / "survey.csv", overwrite=True)
        data.schema.write(output_directory / "survey.toml")
        recipes[best].write(output_directory / "recipe.toml")
        release = recipes[best].apply(data, seed=_SEED)
        others = {name: card for name, card in cards.items() if name != best}
        publish(release, output_directory / "release", overwrite=True, card=cards[best], candidates=others)
    report = output_directory / "release" / "internal" / "report.html"
    if as_json:
        shown: dict[str, Any] = {name: card.as_plain() for name, card in cards.items()}
        output.print_json({"candidates": shown, "chosen": best, "report": str(report)})
        return
    output.say(f"A household survey of {len(data):,} persons, masked in {len(cards)} ways ({', '.join(columns)}):\n")
    rows = [
        (name, *(output.number(card[m]) for m in ("il", "strongest", "rid")), output.number(card.score))
        for name, card in cards.items()
    ]
    output.table(
        "Candidates",
        ("recipe", "il %", "strongest %", "rid %", "score"),
        rows,
        right=("il %", "strongest %", "rid %", "score"),
    )
    output.say("")
    show_card(cards[best], title=f"Scorecard of the chosen recipe: {best}")
    output.say(f"\nOriginal, schema and recipe:  {output_directory}/survey.csv, survey.toml, recipe.toml")
    output.say(f"Release (may leave):          {output_directory}/release/public/")
    output.say(f"Report (open in a browser):   {report}")


def _candidates(columns: list[str]) -> dict[str, list[Any]]:
    from tacita.mask import AdditiveNoise, Mdav, RankSwap

    # Were the parts of income left as they are, the true income could be added up from the release.
    sums = ("income = earnings + other_income",)
    return {
        "rank swapping, p = 15": [RankSwap(columns=columns, p=15, identities=sums)],
        "microaggregation, k = 5": [Mdav(columns=columns, k=5, integers=True, identities=sums)],
        "additive noise, 20 %": [AdditiveNoise(columns=columns, sd_ratio=0.2, integers=True, identities=sums)],
    }
