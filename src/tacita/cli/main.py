"""``tacita``: the program, its verbs and its one way of showing errors."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from tacita.cli import output
from tacita.core.errors import TacitaError, TacitaNote, TacitaWarning, did_you_mean

__all__ = ["FAULT", "VERBS", "app", "run"]

FAULT = 70
"""Exit status of a fault of the program; errors in what it was given have 2, an interruption 130, a closed pipe 141."""

VERBS = (
    "demo", "describe", "assess", "mask", "evaluate", "attack", "search", "optimise", "table", "audit", "check", "census",
    "logs", "games", "study", "benchmark", "methods", "clean", "query", "journal", "key", "serve", "server",
    "fingerprint", "trace", "exchange",
)  # fmt: skip
"""What the program can do, in the order of its help; a verb is the function, or the group of commands, of its name in the
module of its name."""
_OF_RECIPIENTS = ("fingerprint", "trace", "exchange")
"""Verbs that stand in a folder of their own."""


class _Verbs(typer.core.TyperGroup):
    """Loads a verb when it is asked for, so that the program starts at once."""

    def list_commands(self, ctx: Any) -> list[str]:
        del ctx
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            ctx.fail(f"There is no command '{cmd_name}'.{did_you_mean(cmd_name, VERBS)}")
        if cmd_name not in self.commands:
            folder = "recipients" if cmd_name in _OF_RECIPIENTS else "verbs"
            verb = getattr(importlib.import_module(f"tacita.cli.{folder}.{cmd_name}"), cmd_name)
            if not isinstance(verb, typer.Typer):
                single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
                single.command(cmd_name)(verb)
                verb = single
            self.commands[cmd_name] = typer.main.get_command(verb)
        return self.commands[cmd_name]


app = typer.Typer(
    name="tacita",
    cls=_Verbs,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Statistical disclosure control: releases that are useful and safe, and the measurements that show it.",
)


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
    debug: Annotated[
        bool,
        typer.Option("--debug", help="After an error show where it came from in the program, without data values."),
    ] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Statistical disclosure control: releases that are useful and safe, and the measurements that show it."""
    del version  # its callback has done everything
    output.settings.show_values = show_values
    output.settings.debug = debug


def run() -> None:
    """Run the program; whatever goes wrong is one sentence and an exit code, never a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started the program
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
    with warnings.catch_warnings(record=False):
        warnings.simplefilter("default", TacitaWarning)
        warnings.simplefilter("default", TacitaNote)
        warnings.showwarning = output.show_warning
        status = _status()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # whoever read the output has gone, or it never had a place
        status = status or 128 + 13
        _forget_output()
    sys.exit(status)


def _status() -> int:
    try:
        app()
    except SystemExit as stop:
        return _status_of(stop)
    except KeyboardInterrupt as stop:
        return _status_of(stop)
    except BrokenPipeError as stop:
        return _status_of(stop)
    except TacitaError as error:
        output.show_error(error)
        return 2
    except OSError as error:
        reason = error.strerror or "it gave no reason"
        output.show_fault(error, f"The operating system refused something that the program needs: {reason}.")
        return 2
    except MemoryError as error:
        output.show_fault(
            error, "There is not enough memory for this; take fewer records or columns, or a larger machine."
        )
        return FAULT
    except Exception as error:  # noqa: BLE001 - the one place where everything ends as a sentence
        output.show_fault(error)
        return FAULT
    return 0


def _status_of(stop: BaseException) -> int:
    """Return the exit status of an end that typer may have wrapped into its own."""
    reasons: list[BaseException] = [stop]
    while (before := reasons[-1].__context__) is not None and before not in reasons:
        reasons.append(before)
    if any(isinstance(reason, KeyboardInterrupt) for reason in reasons):
        output.say("Interrupted; no file was left half-written.")
        return 130
    if any(isinstance(reason, OSError) and reason.errno == errno.EPIPE for reason in reasons):
        _forget_output()
        return 128 + 13
    code = stop.code if isinstance(stop, SystemExit) else 1
    return code if isinstance(code, int) else int(code is not None)


def _forget_output() -> None:
    """Let what is still to be flushed at the end go nowhere, without a complaint of the interpreter."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError, AttributeError):
            continue


if __name__ == "__main__":
    run()
