"""``tacita games social-sim``: users of a social network who disclose to each other or not; figures and a page with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output

if TYPE_CHECKING:
    from tacita.games.social.network import Network
    from tacita.games.social.social_study import SocialStudy

__all__ = ["social_sim"]

_KIND = "simulation of a social network"

Edges = Annotated[
    Path | None, typer.Argument(help="A table whose rows are links: CSV, TSV, Parquet.", show_default=False)
]
Users = Annotated[int, typer.Option(help="Of a made network: how many.", min=2)]
Graph = Annotated[str, typer.Option(help="Of a made network: scale-free, small-world or random.")]
Links = Annotated[int, typer.Option(help="Of a made network: links that each user brings.", min=1)]
Attributes = Annotated[int, typer.Option(help="How many; the i-th of n has the sensitivity i / n.", min=1)]
Distance = Annotated[int, typer.Option(help="Selfish play: links up to which something may be shown.", min=1, max=4)]
Name = Annotated[str, typer.Option(help="selfish, tit-for-tat or reputation.")]
Rounds = Annotated[int, typer.Option(help="How many.", min=2)]
Penance = Annotated[
    int | None,
    typer.Option(help="Tit-for-tat: rounds. Default: the least that leaves nobody a gain.", show_default=False),
]
Threshold = Annotated[float, typer.Option(help="Reputation: from which one is shown something.")]
Newcomers = Annotated[str, typer.Option(help="wait: they disclose first; or trust.")]
Slips = Annotated[float, typer.Option(help="How often a user does not disclose although he meant to.")]
Riders = Annotated[float, typer.Option("--free-riders", help="Share of users who never disclose.")]
Washers = Annotated[
    float, typer.Option("--whitewashers", help="Share who never disclose and come back under new names.")
]
Turnover = Annotated[float, typer.Option(help="Share of users replaced by new ones each round.")]
Continuation = Annotated[float, typer.Option(help="How likely a user expects a next round.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Repeats everything.", min=0)]
Directory = Annotated[
    Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON.", show_default=False)
]
OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")]


def social_sim(
    edges: Edges = None,
    users: Users = 1000,
    graph: Graph = "scale-free",
    links: Links = 3,
    attributes: Attributes = 3,
    distance: Distance = 1,
    protocol: Name = "tit-for-tat",
    rounds: Rounds = 50,
    penance: Penance = None,
    threshold: Threshold = 0.9,
    newcomers: Newcomers = "wait",
    slips: Slips = 0.02,
    free_riders: Riders = 0.1,
    whitewashers: Washers = 0.0,
    turnover: Turnover = 0.0,
    continuation: Continuation = 0.95,
    seed: SeedOption = 1,
    directory: Directory = None,
    overwrite: OverwriteOption = False,
    as_json: output.Json = False,
) -> None:
    """Simulate users of a social network: what selfish play ends at, what a protocol sustains, what leaving it brings."""
    from tacita.data.disk.outputs import check_directory
    from tacita.games.social.social_study import SocialPopulation, made_sensitivities, protocol_of, study_social

    output.settings.as_json = as_json
    sensitivities = made_sensitivities(attributes, distance)
    chosen = protocol_of(
        protocol, sensitivities, penance=penance, threshold=threshold, newcomers=newcomers,  # type: ignore[arg-type]
        continuation=continuation,
    )  # fmt: skip
    population = SocialPopulation(slips=slips, free_riders=free_riders, whitewashers=whitewashers, turnover=turnover)
    if directory is not None:
        check_directory(directory, _KIND, overwrite=overwrite, inputs=[] if edges is None else [edges])
    with output.progress_bars(as_json):
        network = _network(edges, graph, users, links, seed)
        study = study_social(
            network, sensitivities, chosen, population=population, rounds=rounds, continuation=continuation, seed=seed
        )
        if directory is not None:
            _write(study, directory, overwrite=overwrite)
    if as_json:
        output.print_json(study.as_plain())
        return
    _show(study)
    if directory is not None:
        output.say(f"Page: {directory / 'social.html'}")


def _network(edges: Path | None, graph: str, users: int, links: int, seed: int) -> Network:
    from tacita.core.errors import ParameterError
    from tacita.games.social import generators
    from tacita.games.social.network_file import read_network

    if edges is not None:
        return read_network(edges)
    makers = {
        "scale-free": generators.scale_free_network,
        "small-world": generators.small_world_network,
        "random": generators.random_network,
    }
    if graph not in makers:
        raise ParameterError(f"'--graph' must be one of {', '.join(makers)}, got '{graph}'.")
    return makers[graph](users, links, seed=seed)


def _show(study: SocialStudy) -> None:
    from tacita.report.games.social_page import TROUBLE_HEADS, trouble_rows

    for line in study.words():
        output.say(line)
    heads = ("ties", "disclosing at first, %", "at the end, %", "rounds")
    rows = [
        (ties, f"{100 * play.disclosing[0]:.1f}", f"{100 * play.disclosing[-1]:.1f}", f"{len(play.changed)}")
        for ties, play in study.selfish.items()
    ]
    output.table("Selfish play", heads, rows, right=heads[1:])
    if study.run is not None:
        output.table("\nWhat troubles leave", TROUBLE_HEADS, trouble_rows(study), right=TROUBLE_HEADS[1:])
    if study.advice is not None:
        output.say(f"The user with most neighbours is told: {study.advice.words()}")


def _write(study: SocialStudy, directory: Path, *, overwrite: bool) -> None:
    from tacita.cli.game_verbs.game_output import write_game_output
    from tacita.report.games.social_page import social_page

    write_game_output(directory, "social", social_page(study), study.as_plain(), kind=_KIND, overwrite=overwrite)
