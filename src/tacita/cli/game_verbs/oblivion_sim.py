"""``tacita games oblivion-sim``: content with marks and expiry dates, handed on in a tree: who forwards how, who is traced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output

if TYPE_CHECKING:
    from tacita.games.oblivion.oblivion_study import OblivionStudy

__all__ = ["oblivion_sim"]

_KIND = "simulation of forwarding"


def oblivion_sim(
    receivers: Annotated[int, typer.Option(help="How many receivers there are.")] = 3000,
    branching: Annotated[int, typer.Option(help="To how many each may forward.")] = 4,
    rounds: Annotated[int, typer.Option(help="Contents that are sent, one after the other.")] = 8,
    coalition: Annotated[int, typer.Option(help="Colluders that the code is made for.")] = 2,
    attack: Annotated[str, typer.Option(help="Of a coalition: mix, majority, minority or erase.")] = "mix",
    code: Annotated[
        int | None, typer.Option(help="Positions of the code of a hop; default: as many as it takes.")
    ] = None,
    reward: Annotated[float, typer.Option(help="For forwarding with marks.")] = 1.0,
    cost: Annotated[float, typer.Option(help="Of forwarding with marks.")] = 0.4,
    price: Annotated[float, typer.Option(help="That a receiver pays for a bare copy.")] = 1.2,
    gain: Annotated[float, typer.Option(help="From leaking a copy, or using it past its date.")] = 1.0,
    found: Annotated[float, typer.Option(help="Chance that such a copy is found.")] = 0.5,
    penalty: Annotated[float, typer.Option(help="For whoever such a copy is traced to.")] = 5.0,
    opportunists: Annotated[float, typer.Option(help="Chance that a holder of a bare copy leaks it.")] = 0.5,
    forwarders: Annotated[int, typer.Option(help="In the chain of the game that is solved.")] = 2,
    trials: Annotated[int, typer.Option(help="By which tracing is measured.", min=1)] = 60,
    seed: Annotated[int, typer.Option(help="Repeats everything.", min=0)] = 1,
    directory: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON.", show_default=False)
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")] = False,
    as_json: output.Json = False,
) -> None:
    """Simulate content with fingerprints and expiry dates that its receivers forward, and whether forwarding honestly pays."""
    from tacita.data.disk.outputs import check_directory
    from tacita.games.oblivion.forwarding_game import Forwarding
    from tacita.games.oblivion.multicast import Multicast
    from tacita.games.oblivion.oblivion_study import study_oblivion

    output.settings.as_json = as_json
    settings = Forwarding(
        reward=reward, cost=cost, price=price, gain=gain, found=found, penalty=penalty, opportunists=opportunists
    )
    asked: dict[str, object] = {
        "receivers": receivers, "branching": branching, "rounds": rounds, "coalition": coalition, "attack": attack,
        "length": code,
    }  # fmt: skip
    tree = Multicast.from_plain(asked)
    if directory is not None:
        check_directory(directory, _KIND, overwrite=overwrite)
    with output.progress_bars(as_json):
        study = study_oblivion(settings, tree, seed, forwarders=forwarders, trials=trials)
        if directory is not None:
            _write(study, directory, overwrite=overwrite)
    if as_json:
        output.print_json(study.as_plain())
        return
    _show(study)
    if directory is not None:
        output.say(f"Page: {directory / 'oblivion.html'}")


def _show(study: OblivionStudy) -> None:
    from tacita.report.games.oblivion_page import (
        ROUND_HEADS,
        TRACING_HEADS,
        oblivion_figures,
        round_rows,
        tracing_rows,
    )

    output.table("Forwarded content", ("figure", "value"), oblivion_figures(study), right=("value",))
    output.table("\nCoalitions", TRACING_HEADS, tracing_rows(study), right=TRACING_HEADS)
    output.table("\nRounds", ROUND_HEADS, round_rows(study.rounds), right=ROUND_HEADS)
    output.say(f"\n{study.coprivacy.words()}")
    run = study.protocol
    said = (
        "every leaked copy was traced to its holder"
        if run.is_right
        else "NOT every leaked copy was traced to its holder"
    )
    output.say(
        f"The protocol, played once with {run.transfers:,} transfers: {said}; past its date the content is refused."
    )


def _write(study: OblivionStudy, directory: Path, *, overwrite: bool) -> None:
    from tacita.cli.game_verbs.game_output import write_game_output
    from tacita.report.games.oblivion_page import oblivion_page

    write_game_output(directory, "oblivion", oblivion_page(study), study.as_plain(), kind=_KIND, overwrite=overwrite)
