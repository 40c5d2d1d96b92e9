"""``tacita games vanet-sim``: cars that announce dangers, simulated; figures, the game between drivers, a page with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output

if TYPE_CHECKING:
    from tacita.games.vehicles.vehicle_study import VehicleStudy

__all__ = ["vanet_sim"]

_KIND = "simulation of vehicles"


def vanet_sim(
    roads: Annotated[str, typer.Option(help="grid or ring.")] = "grid",
    length: Annotated[float, typer.Option(help="Kilometres of road.")] = 40.0,
    streets: Annotated[int, typer.Option(help="Of a grid: how many run in each direction.")] = 8,
    density: Annotated[float, typer.Option(help="Cars for each kilometre.")] = 8.0,
    minutes: Annotated[float, typer.Option(help="How long is watched.")] = 60.0,
    threshold: Annotated[int, typer.Option("--threshold", "-t", help="Endorsements that make a message count.")] = 4,
    scheme: Annotated[str, typer.Option(help="threshold, anonymous or named.")] = "threshold",
    shares: Annotated[int, typer.Option(help="Different shares of the signature.")] = 60,
    selfish: Annotated[float, typer.Option(help="Share of cars that never announce.")] = 0.2,
    malicious: Annotated[float, typer.Option(help="Share of cars that lie.")] = 0.02,
    attackers: Annotated[
        str, typer.Option(help="near: liars at the place alone; pooled: with the shares of all.")
    ] = "near",
    deadline: Annotated[float, typer.Option(help="Seconds within which a message must count.")] = 60.0,
    functionality: Annotated[float, typer.Option(help="Weight of functionality.")] = 4.0,
    privacy: Annotated[float, typer.Option(help="Weight of privacy.")] = 1.0,
    players: Annotated[int, typer.Option(help="Drivers near one danger who decide.")] = 3,
    most_believed: Annotated[float, typer.Option(help="Share of lies that may be believed.")] = 0.01,
    signatures: Annotated[int, typer.Option(help="Messages of each kind that are signed for real.", min=0)] = 10,
    seed: Annotated[int, typer.Option(help="Repeats everything.", min=0)] = 1,
    directory: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON.", show_default=False)
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")] = False,
    as_json: output.Json = False,
) -> None:
    """Simulate cars that announce dangers by threshold endorsement, and whether drivers help each other to."""
    from tacita.data.disk.outputs import check_directory
    from tacita.games.vehicles.announcements import Endorsing
    from tacita.games.vehicles.traffic import Traffic
    from tacita.games.vehicles.vehicle_study import study_vehicles

    output.settings.as_json = as_json
    traffic = Traffic.from_plain(
        {"roads": roads, "length": length, "streets": streets, "density": density, "minutes": minutes}
    )
    endorsing = Endorsing.from_plain(
        {
            "threshold": threshold, "scheme": scheme, "shares": shares, "selfish": selfish, "malicious": malicious,
            "attackers": attackers, "deadline": deadline,
        }
    )  # fmt: skip
    if directory is not None:
        check_directory(directory, _KIND, overwrite=overwrite)
    with output.progress_bars(as_json):
        study = study_vehicles(
            traffic, endorsing, seed, weights=(functionality, privacy), players=players,
            most_believed=most_believed, signatures=signatures,
        )  # fmt: skip
        if directory is not None:
            _write(study, directory, overwrite=overwrite)
    if as_json:
        output.print_json(study.as_plain())
        return
    _show(study)
    if directory is not None:
        output.say(f"Page: {directory / 'vehicles.html'}")


def _show(study: VehicleStudy) -> None:
    from tacita.report.games.vanet_page import HEADS, LIE_HEADS, effect_rows, figure_rows, lie_rows

    output.table("Announcing cars", ("figure", "value"), figure_rows(study), right=("value",))
    for title, setting, effects in (
        ("By threshold", "threshold", study.by_threshold),
        ("By cars for each kilometre", "density", study.by_density),
        ("By share of selfish cars", "selfish", study.by_selfish),
    ):
        output.table(f"\n{title}", (setting, *HEADS), effect_rows(effects, setting), right=(setting, *HEADS))
    output.table("\nLies believed, %", LIE_HEADS, lie_rows(study), right=LIE_HEADS)
    output.say(f"\n{study.coprivacy.words()}")
    if study.signed is not None:
        done = study.signed
        output.say(
            f"Signatures: {done.real} announcements and {done.lies} lies verified; {done.too_few} with too few shares and "
            f"{done.repeated} of one car that repeats its share refused."
        )


def _write(study: VehicleStudy, directory: Path, *, overwrite: bool) -> None:
    from tacita.cli.game_verbs.game_output import write_game_output
    from tacita.report.games.vanet_page import vanet_page

    write_game_output(directory, "vehicles", vanet_page(study), study.as_plain(), kind=_KIND, overwrite=overwrite)
