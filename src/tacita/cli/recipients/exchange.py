"""``tacita exchange``: the messages of the asymmetric form, in which recipients draw a part of their marks themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.cli.files import check_there, read_input
from tacita.core.errors import FileError

if TYPE_CHECKING:
    from tacita.core.keyed import Key

__all__ = ["NOT_SHOWN", "exchange"]

NOT_SHOWN = 3
"""Exit status where a leaked file does not show the recipient's own marks."""

exchange = typer.Typer(
    name="exchange",
    help="Messages of fingerprints that the office alone cannot forge: request, answer, open, judge.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Offer = Annotated[Path, typer.Argument(help="The office's offer (JSON).", show_default=False)]
OwnKey = Annotated[
    Path, typer.Option("--key", help="The recipient's own secret key ('tacita key new').", show_default=False)
]
CopiesDirectory = Annotated[
    Path, typer.Option("--release", "-r", help="Directory that 'tacita fingerprint' made.", show_default=False)
]
OfficeKey = Annotated[
    Path | None, typer.Option("--office-key", help="File with the office's key, where it is not in internal/.")
]
MessageFile = Annotated[Path, typer.Option("--output", "-o", help="The message to write (JSON).", show_default=False)]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what was written there before.")]


@exchange.callback()
def messages() -> None:
    """Messages of fingerprints that the office alone cannot forge: request, answer, open, judge."""


@exchange.command("request")
def request(
    offer: Offer, key: OwnKey, output_file: MessageFile, overwrite: Overwrite = False, as_json: output.Json = False
) -> None:
    """As a recipient: answer an offer with choices that the office cannot see and the recipient cannot change."""
    from tacita.release.recipients.exchange.messages import read_exchange_message, write_exchange_message
    from tacita.release.recipients.exchange.recipient import make_request

    output.settings.as_json = as_json
    _check_free(output_file, overwrite)
    with output.progress_bars(as_json):
        made = make_request(read_exchange_message(offer, "offer"), _key(key))
    write_exchange_message(made, output_file)
    _say(
        as_json,
        {"file": str(output_file)},
        f"Request written to {output_file}. Keep key and offer: they open the answer.",
    )


@exchange.command("answer")
def answer(
    request: Annotated[Path, typer.Argument(help="The recipient's request (JSON).", show_default=False)],
    copies: CopiesDirectory,
    output_directory: Annotated[
        Path, typer.Option("--output", "-o", help="Directory of the answer.", show_default=False)
    ],
    key: OfficeKey = None,
    overwrite: Overwrite = False,
    as_json: output.Json = False,
) -> None:
    """As the office: give a recipient the items that it chose, without learning which."""
    from tacita.data.disk.outputs import check_directory
    from tacita.release.recipients.exchange.messages import read_exchange_message
    from tacita.release.recipients.stored import ANSWER_KIND, read_copies, write_answer

    output.settings.as_json = as_json
    check_directory(output_directory, ANSWER_KIND, overwrite=overwrite, inputs=[request])
    with output.progress_bars(as_json):
        known = read_copies(copies, None if key is None else _key(key))
        write_answer(known, copies, read_exchange_message(request, "request"), output_directory, overwrite=overwrite)
    _say(
        as_json,
        {"directory": str(output_directory)},
        f"Answer written to {output_directory}. Send all of it, and keep the request: a judge needs both.",
    )


@exchange.command("open")
def open_copy(
    directory: Annotated[Path, typer.Argument(help="Directory of the office's answer.", show_default=False)],
    offer: Annotated[Path, typer.Option("--offer", help="The office's offer (JSON).", show_default=False)],
    key: OwnKey,
    output_file: Annotated[Path, typer.Option("--output", "-o", help="The data file to write.", show_default=False)],
    overwrite: Overwrite = False,
    as_json: output.Json = False,
) -> None:
    """As a recipient: put the file together from the answer."""
    from tacita.data.write import write
    from tacita.release.recipients.exchange.messages import read_exchange_message
    from tacita.release.recipients.exchange.recipient import open_answer

    output.settings.as_json = as_json
    _check_free(output_file, overwrite)
    found = sorted(directory.glob("data.*")) if directory.is_dir() else []
    if len(found) != 1:
        raise FileError(f"'{directory.name}' must be the directory of an answer, with one data file.")
    with output.progress_bars(as_json):
        blank = read_input(found[0], directory / "schema.toml")
        made = open_answer(
            read_exchange_message(offer, "offer"),
            read_exchange_message(directory / "answer.json", "answer"),
            blank,
            _key(key),
        )
        write(made, output_file, overwrite=overwrite)
    _say(
        as_json,
        {"file": str(output_file)},
        f"Your copy is {output_file}; {directory}/schema.toml describes it.",
    )


@exchange.command("judge")
def judge(
    leaked: Annotated[Path, typer.Argument(help="The leaked file.", show_default=False)],
    copies: CopiesDirectory,
    request: Annotated[Path, typer.Option("--request", help="The recipient's request (JSON).", show_default=False)],
    answer: Annotated[
        Path, typer.Option("--answer", help="The office's answer, as the recipient has it.", show_default=False)
    ],
    key: OwnKey,
    office_key: OfficeKey = None,
    false_accusation: Annotated[
        float, typer.Option("--false-accusation", help="Greatest chance of a wrong judgement.")
    ] = 1e-4,
    as_json: output.Json = False,
) -> None:
    """As a judge: say whether a leaked file has marks that nobody but this recipient could have put there.

    Exit status: 0 it has, 3 it does not.
    """
    from tacita.release.recipients.exchange.judge import judge_recipient
    from tacita.release.recipients.exchange.messages import read_exchange_message
    from tacita.release.recipients.stored import read_copies

    output.settings.as_json = as_json
    check_there(leaked)
    with output.progress_bars(as_json):
        found = judge_recipient(
            read_copies(copies, None if office_key is None else _key(office_key)),
            read_input(leaked),
            request=read_exchange_message(request, "request"),
            answer=read_exchange_message(answer / "answer.json" if answer.is_dir() else answer, "answer"),
            opened_with=_key(key),
            false_accusation=false_accusation,
        )
    _say(as_json, found.to_plain(), found.words())
    raise typer.Exit(0 if found.is_guilty else NOT_SHOWN)


def _key(file: Path) -> Key:
    from tacita.core.keyed import Key

    return Key.read(file)


def _check_free(file: Path, overwrite: bool) -> None:
    if file.exists() and not overwrite:
        raise FileError(f"'{file.name}' is there already; choose another name or say --overwrite.")


def _say(as_json: bool, told: dict[str, object], words: str) -> None:
    if as_json:
        output.print_json(told)
    else:
        output.say(words)
