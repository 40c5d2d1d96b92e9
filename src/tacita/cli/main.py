"""``tacita``: the program, its verbs and its one way of showing errors."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated

import typer

from tacita.cli import output
from tacita.cli.assess import assess
from tacita.cli.audit import audit
from tacita.cli.demo import demo
from tacita.cli.describe import describe
from tacita.cli.evaluate import evaluate
from tacita.cli.mask import mask
from tacita.cli.methods import methods
from tacita.cli.optimise import optimise
from tacita.cli.search import search
from tacita.cli.study import study
from tacita.cli.table import table
from tacita.core.errors import TacitaError, TacitaWarning

__all__ = ["app", "run"]

app = typer.Typer(
    name="tacita",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Statistical disclosure control: releases that are useful and safe, and the measurements that show it.",
)

for verb in (demo, describe, assess, mask, evaluate, search, optimise, table, audit, study, methods):
    app.command()(verb)


def _show_version(wanted: bool) -> None:
    if wanted:
        from tacita._version import __version__

        typer.echo(f"tacita {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    show_values: Annotated[
        bool, typer.Option("--show-values", help="Show data values in error details; keep such output inside.")
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Statistical disclosure control: releases that are useful and safe, and the measurements that show it."""
    del version  # its callback has done everything
    output.settings.show_values = show_values


def run() -> None:
    """Run the program; an error of ours is one sentence and exit code 2, never a traceback."""
    with warnings.catch_warnings(record=False):
        warnings.simplefilter("default", TacitaWarning)
        warnings.showwarning = output.show_warning
        try:
            app()
        except TacitaError as error:
            output.show_error(error)
            sys.exit(2)
        except KeyboardInterrupt:
            output.say("Interrupted; nothing was written.")
            sys.exit(130)


if __name__ == "__main__":
    run()
