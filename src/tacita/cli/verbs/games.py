"""``tacita games``: co-operative privacy as games; each command is a file of ``cli/game_verbs``."""

from __future__ import annotations

import typer

from tacita.cli.game_verbs.oblivion_sim import oblivion_sim
from tacita.cli.game_verbs.peer import peer
from tacita.cli.game_verbs.search_sim import search_sim
from tacita.cli.game_verbs.social_sim import social_sim
from tacita.cli.game_verbs.solve import solve
from tacita.cli.game_verbs.vanet_sim import vanet_sim

__all__ = ["games"]

games = typer.Typer(
    name="games",
    help="Co-operative privacy: solve games, simulate them, and run the peers of a protocol.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

# --- one line a command, in the order of the help -------------------------------------------------------------------------
games.command("solve")(solve)
games.command("search-sim")(search_sim)
games.command("social-sim")(social_sim)
games.command("vanet-sim")(vanet_sim)
games.command("oblivion-sim")(oblivion_sim)
games.add_typer(peer)
