"""``tacita games solve``: dominance, equilibria and coprivacy of a game that stands in a small file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.cli.files import check_there, make_parents
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.games.solved import SolvedGame

__all__ = ["solve"]

_KIND = "solved game"
_MOST_ROWS = 25


def solve(
    file: Annotated[Path, typer.Argument(help="A game as TOML or JSON.", show_default=False)],
    concepts: Annotated[
        list[str] | None,
        typer.Option("--concept", "-c", help="pure, mixed or correlated; may be repeated. Default: all three."),
    ] = None,
    best: Annotated[
        str,
        typer.Option("--welfare", help="The best correlated equilibrium by: utilitarian, egalitarian, or a player."),
    ] = "utilitarian",
    epsilon: Annotated[
        float, typer.Option(help="How much a player may gain by leaving correlated advice.", show_default=True)
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Repeats the searches that draw.", min=0)] = 1,
    directory: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory for a page with pictures and the JSON.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier result in the directory.")] = False,
    as_json: output.Json = False,
) -> None:
    """Solve a game: what is dominated, where rational players end, and whether helping is in the helper's interest."""
    from tacita.data.disk.outputs import check_directory
    from tacita.games.coprivacy.help import helps_of
    from tacita.games.model.game_file import game_of, read_game_file
    from tacita.games.solved import CONCEPTS, solve_game

    output.settings.as_json = as_json
    asked = [name for name in CONCEPTS if concepts is None or name in concepts]
    unknown = [name for name in concepts or [] if name not in CONCEPTS]
    if unknown:
        raise ParameterError(f"'--concept' must be one of {', '.join(CONCEPTS)}, got {unknown[0]!r}.")
    check_there(file)
    if directory is not None:
        check_directory(directory, _KIND, overwrite=overwrite, inputs=[file])
    said = read_game_file(file)
    game, helps = game_of(said), helps_of(said)
    with output.progress_bars(as_json):
        found = solve_game(game, helps, concepts=asked, best=best, epsilon=epsilon, seed=seed)
        written = None if directory is None else _write(found, directory, file, overwrite=overwrite)
    if as_json:
        output.print_json(found.as_plain())
    else:
        _show(found)
    if written is not None:
        output.say(f"Page: {written}")


def _write(found: SolvedGame, directory: Path, file: Path, *, overwrite: bool) -> Path:
    import json

    from tacita.data.atomic import atomic_directory
    from tacita.report.games.solved_game import solved_game_page

    text, plain = solved_game_page(found), json.dumps(found.as_plain(), indent=2, ensure_ascii=False)
    make_parents(directory)
    with atomic_directory(directory, overwrite, kind=_KIND, inputs=[file]) as made:
        (made / "game.html").write_text(text, encoding="utf-8")
        (made / "game.json").write_text(plain + "\n", encoding="utf-8")
    return directory / "game.html"


def _show(found: SolvedGame) -> None:
    from tacita.report.games.solved_game import equilibrium_rows

    game = found.game
    rows = [
        (player, ", ".join(own), ", ".join(found.dominant[player]) or "–", ", ".join(left))
        for player, own, left in zip(game.players, game.strategies, found.eliminated.game.strategies, strict=True)
    ]
    output.table(
        game.name or "Game", ("player", "strategies", "dominant", "left by strict dominance"), rows[:_MOST_ROWS]
    )
    for one in found.eliminated.fallen[:_MOST_ROWS]:
        output.say(one.words())
    heads, listed = equilibrium_rows(found)
    output.table("Equilibria", heads, listed[:_MOST_ROWS], right=heads[2:])
    if len(listed) > _MOST_ROWS:
        output.say(f"And {len(listed) - _MOST_ROWS} more; '--json' has them.")
    if found.pure_count == 0:
        output.say("There is no pure equilibrium.")
    for answer in found.coprivacy:
        for line in answer.words().splitlines()[:_MOST_ROWS]:
            output.say(line)
    if not found.helps:
        output.say("The file does not say what counts as help ('help'), so coprivacy was not judged.")
    for note in found.notes:
        output.say(note)
