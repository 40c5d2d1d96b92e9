"""What is attacked: a file of records, a published table, a database, or a running server; each makes a campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.cli.files import check_there, read_input, read_masked
from tacita.core.errors import ParameterError
from tacita.data.scenario import Scenario

if TYPE_CHECKING:
    from tacita.attack.judge.campaign import Campaign
    from tacita.data.microdata import Microdata
    from tacita.query.database import Database
    from tacita.release.recipe import Recipe

__all__ = [
    "AttackOptions",
    "attack_demo",
    "attack_path",
    "attack_policy",
    "attack_server",
    "attack_together",
    "is_address",
]


@dataclass(frozen=True, kw_only=True)
class AttackOptions:
    """What the options of the verb say, apart from what is attacked.

    Parameters
    ----------
    original, schema
        The data as they are, and their schema.
    scenario
        What the intruder knows; for files.
    wanted
        Columns that attackers want to know.
    of
        Class of the wanted variable, for databases.
    victims
        People who are attacked, for databases.
    common
        What every campaign takes: attacks, seed, seconds, margin, near.
    """

    original: Path | None
    schema: Path | None
    scenario: Scenario | None
    wanted: tuple[str, ...]
    of: str | None
    victims: int
    common: Mapping[str, Any]


def is_address(text: str) -> bool:
    """Whether a text is the address of a server."""
    return text.startswith(("http://", "https://"))


def attack_path(path: Path, chosen: AttackOptions) -> Campaign:
    """Attack a published table, a masked file or release, or a recipe that makes synthetic data."""
    from tacita.compare.red_team.attack_file import attack_file
    from tacita.compare.red_team.attack_table import attack_table
    from tacita.compare.red_team.stage_counts import attack_counts

    check_there(path)
    is_counts = path.is_dir() and (path / "public" / "about.json").is_file()
    if is_counts or (path.is_dir() and (path / "public" / "table.json").is_file()):
        if chosen.original is not None or chosen.scenario is not None or chosen.wanted:
            raise ParameterError(
                "A published table needs neither --original nor a scenario nor --wanted; leave them out."
            )
        return (attack_counts if is_counts else attack_table)(path, **chosen.common)
    if chosen.original is None:
        raise ParameterError(
            "--original must name the data as they are: without them nobody can say whether an attacker was right. For a "
            "database that is to answer questions give --policy."
        )
    check_there(chosen.original)
    before = read_input(chosen.original, chosen.schema)
    if (recipe := _synthetic_recipe(path)) is not None:
        return _attack_recipe(before, recipe, chosen)
    after, link = read_masked(path, before, None)
    if link is not None:
        after = after.with_origin(before, link)
    wanted = chosen.wanted or None
    return attack_file(before, after, scenario=chosen.scenario, wanted=wanted, **chosen.common)


def _synthetic_recipe(path: Path) -> Recipe | None:
    """Return the recipe of a release whose records come from nobody, or a recipe file that makes such ones."""
    from tacita.release.recipe import Recipe

    kept = path if path.suffix == ".toml" else path / "internal" / "recipe.toml"
    if not kept.is_file():
        return None
    recipe = Recipe.read(kept)
    return recipe if path == kept or any(step.traits.synthetic for step in recipe) else None


def _attack_recipe(before: Microdata, recipe: Recipe, chosen: AttackOptions) -> Campaign:
    """Attack what makes the data: no released record belongs to anybody, so that it is asked who was learned from."""
    from tacita.compare.red_team.attack_generator import attack_generator

    if chosen.scenario is not None:
        raise ParameterError(
            "Attackers of a recipe know all columns of the people whom they ask about; leave out the scenario."
        )
    return attack_generator(before, recipe, wanted=chosen.wanted or None, **chosen.common)


def attack_policy(path: Path, policy: str, chosen: AttackOptions) -> Campaign:
    """Attack the database that would answer from a data file under a policy; its key is made of the seed, so that it repeats."""
    from tacita.core.keyed import Key
    from tacita.query.opening import open_database

    _check_for_database(chosen)
    check_there(path)
    key = Key(f"a key for attacks with the seed {chosen.common['seed']}, which protects nobody".encode())
    db = open_database(path, schema=chosen.schema, policy=policy, key=key)
    return _database(db, chosen)


def attack_demo(policy: str, chosen: AttackOptions) -> Campaign:
    """Attack what the server of the demonstration would answer."""
    from tacita.data.samples import household_survey
    from tacita.query.opening import open_database

    _check_for_database(chosen)
    db = open_database(
        household_survey(5000, seed=1), policy=policy, key=b"the key of the demonstration, known to everybody"
    )
    return _database(db, chosen)


def attack_server(url: str, token: str | None, dataset: str | None, chosen: AttackOptions) -> Campaign:
    """Attack a running server over the wire: its questions are counted there, its answers are those that users get."""
    from tacita.query.opening import open_database
    from tacita.query.remote import connect

    _check_for_database(chosen)
    if chosen.original is None:
        raise ParameterError("--original must name the data behind the server, to judge what attackers say.")
    check_there(chosen.original)
    remote = connect(url, token, dataset=dataset)
    db = open_database(chosen.original, schema=chosen.schema, policy="internal", catalogue=remote.catalogue)

    def ask(request: Mapping[str, Any]) -> Mapping[str, Any]:
        return remote.ask(dict(request)).to_plain()

    return _database(db, chosen, ask=lambda: ask, called="the server")


def attack_together(
    ledger: Path | None, next_release: Path | None, target: str | None, chosen: AttackOptions
) -> Campaign:
    """Attack all releases of one population together, with one that has not left yet."""
    from tacita.compare.red_team.ledger import attack_ledger

    if ledger is None:
        raise ParameterError("--next needs --ledger, the directory of what was released before.")
    if target is not None or chosen.original is not None or chosen.scenario is not None or chosen.wanted:
        raise ParameterError(
            "--ledger is about releases alone; leave out the target, --original, the scenario and --wanted."
        )
    check_there(ledger)
    if next_release is not None:
        check_there(next_release)
    return attack_ledger(ledger, next_release=next_release, **chosen.common)


def _database(db: Database, chosen: AttackOptions, ask: Callable[[], Any] | None = None, called: str = "") -> Campaign:
    from tacita.query.steward.attack_database import attack_database

    wanted = chosen.wanted[0] if chosen.wanted else None
    return attack_database(
        db, wanted=wanted, of=chosen.of, victims=chosen.victims, ask=ask, called=called, **chosen.common
    )


def _check_for_database(chosen: AttackOptions) -> None:
    """Refuse options that would have no effect on a database, before anything is read."""
    if chosen.scenario is not None:
        raise ParameterError("Attackers of a database know what its catalogue publishes; leave out the scenario.")
    if len(chosen.wanted) > 1:
        raise ParameterError("--wanted must be one variable where a database is attacked.")
