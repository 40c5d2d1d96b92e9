"""``tacita attack``: let every attacker that applies loose on what is about to leave."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.cli.attacks.campaigns import EXIT_OF_CAMPAIGN, show_campaign, write_campaign
from tacita.cli.attacks.pointed_at import (
    AttackOptions,
    attack_demo,
    attack_path,
    attack_policy,
    attack_server,
    attack_together,
    is_address,
)
from tacita.cli.files import SchemaFile
from tacita.cli.scenarios import KeyColumns, KnownColumns, ScenarioFile, scenario_of
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.attack.judge.campaign import Campaign

__all__ = ["attack"]


Target = Annotated[
    str | None,
    typer.Argument(
        help="A release or masked file, a recipe of synthetic data (TOML), a published table, a data file (with --policy), "
        "or the address of a server.",
        show_default=False,
    ),
]
OriginalFile = Annotated[
    Path | None, typer.Option("--original", help="The data as they are, to judge what attackers say.")
]
PolicyName = Annotated[
    str | None, typer.Option("--policy", help="Attack the database that would answer from the data under this policy.")
]
Demo = Annotated[bool, typer.Option("--demo", help="Attack the server of the demonstration.")]
LedgerDirectory = Annotated[
    Path | None,
    typer.Option(
        "--ledger", help="Attack everything together that was released from one population: a directory of it."
    ),
]
NextRelease = Annotated[
    Path | None, typer.Option("--next", help="With --ledger: a release that has not left yet, beside what has.")
]
Token = Annotated[str | None, typer.Option("--token", help="Token for a server.", envvar="TACITA_TOKEN")]
Dataset = Annotated[str | None, typer.Option("--dataset", help="Data set of a server that offers several.")]
Wanted = Annotated[
    list[str] | None,
    typer.Option("--wanted", "-w", help="What attackers want to know; repeatable. Default: what is confidential."),
]
OfClass = Annotated[str | None, typer.Option("--of", help="For a database: the class of a variable without numbers.")]
Victims = Annotated[int, typer.Option(help="For a database: people who are attacked.", min=1)]
Attacks = Annotated[
    list[str] | None, typer.Option("--attack", "-a", help="An attack by name; repeatable. Default: all that apply.")
]
Without = Annotated[list[str] | None, typer.Option("--without", help="An attack to leave out; repeatable.")]
Margin = Annotated[float, typer.Option(help="Points by which an attack may beat guessing.", min=0, max=99)]
Near = Annotated[float, typer.Option(help="Percent within which a number counts as known.", min=0, max=100)]
Seconds = Annotated[float, typer.Option(help="About how long it may take; long attacks try a sample.", min=1)]
SeedOption = Annotated[int, typer.Option(help="Repeats everything.", min=0)]
Directory = Annotated[
    Path | None, typer.Option("--output", "-o", help="Directory for the page and the JSON; it stays inside.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")]


def attack(
    target: Target = None,
    original: OriginalFile = None,
    schema: SchemaFile = None,
    policy: PolicyName = None,
    demo: Demo = False,
    ledger: LedgerDirectory = None,
    next_release: NextRelease = None,
    token: Token = None,
    dataset: Dataset = None,
    scenario: ScenarioFile = None,
    key: KeyColumns = None,
    known: KnownColumns = None,
    wanted: Wanted = None,
    of: OfClass = None,
    victims: Victims = 100,
    attacks: Attacks = None,
    without: Without = None,
    margin: Margin = 5.0,
    near: Near = 5.0,
    seconds: Seconds = 600.0,
    seed: SeedOption = 1,
    directory: Directory = None,
    overwrite: Overwrite = False,
    as_json: output.Json = False,
) -> None:
    """Attack a release before others do, and say what they would learn.

    Each attack gets what left and what its scenario says, never the original. It is judged by the original, against what a guess
    would get right. The exit status is 0 when all attacks are held, 3 when one beats guessing by more than the margin, and 4 when
    few victims are told for sure, or nothing could be tried.
    """
    common = {
        "attacks": tuple(attacks) if attacks else None,
        "without": tuple(without or ()),
        "margin": margin / 100,
        "near": near / 100,
        "seconds": seconds,
        "seed": seed,
    }
    told = scenario_of(scenario, key, known, knows_sample=False)
    chosen = AttackOptions(
        original=original,
        schema=schema,
        scenario=told,
        wanted=tuple(wanted or ()),
        of=of,
        victims=victims,
        common=common,
    )
    with output.progress_bars(as_json):
        if ledger is not None or next_release is not None:
            found = attack_together(ledger, next_release, target, chosen)
        else:
            found = _attacked(target, chosen, policy=policy, demo=demo, token=token, dataset=dataset)
        page = None if directory is None else write_campaign(found, directory, overwrite=overwrite)
    if as_json:
        output.print_json(found.to_plain())
    else:
        show_campaign(found)
        if page is not None:
            output.say(f"Page: {page}")
    if EXIT_OF_CAMPAIGN[found.state]:
        raise typer.Exit(EXIT_OF_CAMPAIGN[found.state])


def _attacked(
    target: str | None, chosen: AttackOptions, *, policy: str | None, demo: bool, token: str | None, dataset: str | None
) -> Campaign:
    """Find out what is meant, and attack it."""
    if demo:
        if target is not None or chosen.original is not None:
            raise ParameterError("--demo brings its own data; leave out the target and --original.")
        return attack_demo(policy or "mas", chosen)
    if target is None:
        raise ParameterError("Say what to attack: a release, a masked file, a published table, a server, or --demo.")
    if is_address(target):
        if policy is not None:
            raise ParameterError("A running server has its own policy; leave out --policy.")
        return attack_server(target, token, dataset, chosen)
    if policy is not None:
        return attack_policy(Path(target), policy, chosen)
    return attack_path(Path(target), chosen)
