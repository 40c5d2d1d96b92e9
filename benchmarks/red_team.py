"""The matrix of the red team: every attack in a setting that it breaks, and under a defence that holds it.

    python -m benchmarks.red_team                                    the whole matrix
    python -m benchmarks.red_team files tables                       some families
    python -m benchmarks.red_team --write docs/benchmarks/red-team.md

It ends with status 1 where a scene ends otherwise than it is known to.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

from tacita.core.errors import TacitaNote, TacitaWarning
from tacita.study.base import StudyTable
from tacita.study.red_team.matrix import FAMILY_WORDS, Played, every_scene, matrix_tables, play

__all__ = ["main", "red_team_markdown"]

_HEAD = """# Red team

Every attack of the [red team](../explanation/red-team.md) in a setting that it is known to break, and under a defence that is
known to hold it. `make redteam` plays all scenes again and writes this page; it fails where one ends otherwise than it is known
to. A cell says how the target stands, the percentage of victims that were told rightly, in brackets what guessing gets right, and
the rules that refused questions. Targets are small samples of the package. *Default* marks what this package does by itself.
"""


def main() -> int:
    """Play scenes, print the matrix, and perhaps write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.red_team", description=__doc__)
    parser.add_argument("families", nargs="*", help=f"only these: {', '.join(FAMILY_WORDS)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="the page to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TacitaWarning)
    warnings.simplefilter("ignore", TacitaNote)
    started = time.perf_counter()
    played = play(every_scene(options.families), seed=options.seed)
    text = red_team_markdown(played, time.perf_counter() - started)
    print(text)
    if options.write is not None:
        options.write.write_text(text, encoding="utf-8")
    return 0 if all(one.is_as_known for one in played) else 1


def red_team_markdown(played: tuple[Played, ...], seconds: float) -> str:
    """Return the page."""
    wrong = [one for one in played if not one.is_as_known]
    lines = [_HEAD, f"{len(played)} scenes in {seconds:.0f} s.", ""]
    if wrong:
        lines += [
            "**Not as known:** " + "; ".join(f"{o.scene.attack.name} against {o.scene.defence}" for o in wrong),
            "",
        ]
    for table in matrix_tables(played):
        lines += [f"## {table.title}", "", *_table(table), ""]
        family = next(name for name, title in FAMILY_WORDS.items() if title == table.title)
        lines += _known(family, played)
    return "\n".join(lines).rstrip() + "\n"


def _known(family: str, played: tuple[Played, ...]) -> list[str]:
    """List what is known of the scenes of a family, and which of them are our defaults."""
    lines = [
        f"- `{one.scene.attack.name}` against {one.scene.defence}{' (default)' if one.scene.is_default else ''}: {one.scene.why}"
        for one in played
        if one.family == family and one.scene.why
    ]
    return [*lines, ""] if lines else []


def _table(table: StudyTable) -> list[str]:
    def row(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"

    return [row(table.heads), row(("---",) * len(table.heads)), *map(row, table.rows)]


if __name__ == "__main__":
    sys.exit(main())
