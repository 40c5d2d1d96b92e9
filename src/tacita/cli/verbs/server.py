"""``tacita server``: tokens of a server, and backups of everything that it keeps."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.web.accounts import TokenFacts

__all__ = ["server"]

_USE = "Send it with every request, as the header 'Authorization: Bearer TOKEN'. It is not shown again."


def _group(name: str, said: str) -> typer.Typer:
    return typer.Typer(
        name=name,
        help=said,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


server = _group("server", "Look after a server: tokens, backups.")
token = _group("token", "Tokens: who may use the server.")
server.add_typer(token)

Accounts = Annotated[
    str,
    typer.Option(
        help="The accounts of the server: a file, or postgresql://USER@HOST/NAME (a password is best left to PGPASSFILE).",
        show_default=False,
    ),
]


# --- tokens ---------------------------------------------------------------------------------------------------------------


@token.command("new")
def new_token(
    accounts: Accounts,
    user: Annotated[str, typer.Option(help="Name of the user.", show_default=False)],
    role: Annotated[str, typer.Option(help="public, researcher or steward.")] = "researcher",
    organisation: Annotated[str, typer.Option(help="Where the user belongs to.")] = "",
    dataset: Annotated[
        list[str] | None, typer.Option(help="A data set that the user may see; repeat it for several. '*' means all.")
    ] = None,
    days: Annotated[int | None, typer.Option(help="After how many days the token ends; never without.", min=1)] = None,
    as_json: output.Json = False,
) -> None:
    """Make a token and print it once.

    Only a hash of the token is kept. Where there are no accounts, they are made. The token goes to standard output.
    """
    from tacita.web.accounts import open_accounts
    from tacita.web.accounts.visitor import check_role

    output.settings.as_json = as_json
    if not dataset:
        raise ParameterError("'--dataset' must be given: the name of a data set, or '*' for all.")
    try:
        expires = None if days is None else datetime.fromtimestamp(time.time(), UTC) + timedelta(days=days)
    except OverflowError:
        raise ParameterError(
            "'--days' must end within this calendar; leave it out for a token that never ends."
        ) from None
    wanted = check_role(role)  # before a file is made
    with open_accounts(accounts) as opened:
        made = opened.new_token(
            user=user, role=wanted, organisation=organisation, datasets=tuple(dataset), expires=expires
        )
    if as_json:
        output.print_json({"token": made.text, **made.facts.to_plain()})
        return
    typer.echo(made.text)
    output.say(_USE)


@token.command("list")
def list_tokens(accounts: Accounts, as_json: output.Json = False) -> None:
    """List the tokens, without their secrets."""
    from tacita.web.accounts import open_accounts

    output.settings.as_json = as_json
    with open_accounts(accounts, create=False) as opened:
        found = opened.tokens()
    if as_json:
        output.print_json([facts.to_plain() for facts in found])
    else:
        _show(f"tokens: {len(found):,}", found)


@token.command("revoke")
def revoke_token(
    number: Annotated[str, typer.Argument(help="The number of the token, as 'list' shows it.", show_default=False)],
    accounts: Accounts,
    as_json: output.Json = False,
) -> None:
    """End a token and its sessions; a running server sees it within two seconds."""
    from tacita.web.accounts import open_accounts

    output.settings.as_json = as_json
    with open_accounts(accounts, create=False) as opened:
        facts = opened.revoke(number)
    if as_json:
        output.print_json(facts.to_plain())
    else:
        _show("revoked", [facts])


def _show(title: str, found: list[TokenFacts]) -> None:
    heads = ("number", "user", "role", "organisation", "data sets", "made", "ends", "state")
    moment = time.time()
    rows = []
    for facts in found:
        ends = "never" if facts.expires is None else f"{facts.expires:%Y-%m-%d}"
        state = "valid" if facts.is_valid(moment) else "ended" if facts.revoked is None else "revoked"
        who = (facts.id, facts.user, facts.role, facts.organisation, ", ".join(facts.datasets))
        rows.append((*who, f"{facts.created:%Y-%m-%d}", ends, state))
    output.table(title, heads, rows)


# --- backups --------------------------------------------------------------------------------------------------------------


@server.command("backup")
def make_backup(
    directory: Annotated[Path, typer.Argument(help="The directory to make.", show_default=False)],
    key_file: Annotated[
        list[Path] | None, typer.Option("--key", help="A file with a key; repeat it for several.")
    ] = None,
    journal: Annotated[list[Path] | None, typer.Option(help="A journal; repeat it for several.")] = None,
    accounts: Annotated[str | None, typer.Option(help="The accounts: a file or postgresql://USER@HOST/NAME.")] = None,
    as_json: output.Json = False,
) -> None:
    """Write keys, journals and accounts into one directory, while the server runs.

    Every journal is verified with its key. Keep the directory as you keep the key.
    """
    from tacita.web.backup import backup

    with output.progress_bars(as_json):
        parts = backup(directory, keys=key_file or [], journals=journal or [], accounts=accounts)
    if as_json:
        output.print_json({"directory": str(directory), "parts": [vars(part) for part in parts]})
        return
    rows = [(part.kind, part.place, f"{part.size:,}", part.anchor or "") for part in parts]
    output.table(
        f"{directory.name}: files: {len(parts):,}", ("kind", "file", "bytes", "anchor"), rows, right=("bytes",)
    )


@server.command("restore")
def restore_backup(
    directory: Annotated[Path, typer.Argument(help="A directory that 'backup' made.", show_default=False)],
    into: Annotated[Path, typer.Argument(help="The directory to make.", show_default=False)],
    anchor: Annotated[
        list[str] | None,
        typer.Option(help="What 'tacita journal head' printed; a backup that is older is refused. May be repeated."),
    ] = None,
    accounts: Annotated[
        str | None, typer.Option(help="Where the accounts go instead: a new file or postgresql://USER@HOST/NAME.")
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Put a backup into a new directory, after everything in it was checked.

    A database that gets an old journal back forgets what it answered since: give the last anchor that you kept.
    """
    from tacita.web.backup import restore

    with output.progress_bars(as_json):
        found = restore(directory, into, anchor=anchor or [], accounts=accounts)
    if as_json:
        parts = [vars(part) for part in found.parts]
        output.print_json({"directory": str(into), "made": found.made, "parts": parts, "notes": list(found.notes)})
        return
    rows = [(part.kind, part.place, part.anchor or "") for part in found.parts]
    output.table(f"{into.name}: files: {len(rows):,}, of {found.made}", ("kind", "file", "anchor"), rows)
    for note in found.notes:
        output.say(f"Note: {note}")
