"""``tacita serve``: put data on-line for statistical questions."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacita.cli import output
from tacita.cli.files import SchemaFile, TableName
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.web.settings import ServerSettings

__all__ = ["serve"]

Workers = Annotated[int, typer.Option("--workers", help="Processes that talk to the network; the data are held once.")]
Plain = Annotated[
    bool,
    typer.Option("--plain-http", help="Speak plain HTTP on a public address: only behind a proxy that speaks HTTPS."),
]
Proxy = Annotated[
    list[str] | None,
    typer.Option("--proxy", help="Address of a proxy whose word is taken for where requests come from; repeatable."),
]
Accounts = Annotated[
    str | None,
    typer.Option("--accounts", help="Tokens and budgets: a file or postgresql://...; accounts.sqlite by default."),
]


def serve(
    ctx: typer.Context,
    data: Annotated[
        str | None,
        typer.Argument(
            help="A settings file (.toml), a data file, or postgresql://user@host/database.", show_default=False
        ),
    ] = None,
    schema: SchemaFile = None,
    policy: Annotated[str, typer.Option("--policy", "-p", help="A preset or a policy file.")] = "mas",
    key: Annotated[Path | None, typer.Option("--key", help="The secret key; 'tacita key new FILE' makes one.")] = None,
    journal: Annotated[
        Path | None, typer.Option("--journal", help="The journal; beside the key by default, as NAME.journal.")
    ] = None,
    catalogue: Annotated[Path | None, typer.Option("--catalogue", help="A catalogue file.")] = None,
    accounts: Accounts = None,
    name: Annotated[str, typer.Option("--name", help="Name of the data set in addresses.")] = "survey",
    title: Annotated[str, typer.Option("--title", help="What people read on the pages.")] = "",
    open_to: Annotated[str, typer.Option("--open-to", help="public, researcher or steward.")] = "public",
    table: TableName = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port; 0 takes a free one.")] = 8000,
    server_name: Annotated[
        list[str] | None, typer.Option("--server-name", help="A name that the server is called by; repeatable.")
    ] = None,
    workers: Workers = 1,
    certificate: Annotated[Path | None, typer.Option("--certificate", help="Certificate for HTTPS.")] = None,
    certificate_key: Annotated[Path | None, typer.Option("--certificate-key", help="Its key.")] = None,
    plain_http: Plain = False,
    proxy: Proxy = None,
    demo: Annotated[bool, typer.Option("--demo", help="Serve the household sample, to look at.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="With --demo: do not open the page.")] = False,
) -> None:
    """Put data on-line: an API and pages that answer statistical questions under a policy.

    One process holds the data and the key; others talk to the network and have neither. The server does not start without a key
    that lasts, with a journal that does not verify, or over plain HTTP on a public address.
    """
    from tacita.web.needs import check_server_parts

    check_server_parts()
    from tacita.web.demo import demo_settings
    from tacita.web.serving import Binding, Supervisor

    binding = Binding(
        host=host,
        port=port,
        certificate=certificate,
        certificate_key=certificate_key,
        allow_plain=plain_http,
        trusts_proxy=tuple(proxy or ()),
    )
    if demo or (data or "").endswith(".toml"):
        _check_unused(ctx, "--demo" if demo else "a settings file")
    named = {"source": data, "schema": schema, "policy": policy, "catalogue": catalogue, "table": table}
    named |= {"name": name, "title": title, "open_to": open_to}
    with tempfile.TemporaryDirectory(prefix="tacita-demo-") as folder:
        settings = demo_settings(Path(folder)) if demo else _settings(data, key, journal, accounts, named)
        if server_name:
            settings = replace(settings, hosts=tuple(server_name))
        opens = demo and not no_browser
        Supervisor(settings, binding, workers=workers).run(ready=lambda url: _ready(url, settings, opens=opens))
    output.say("The server has ended.")


_OF_ONE_FILE = ("schema", "policy", "key", "journal", "catalogue", "name", "title", "open_to", "table")


def _check_unused(ctx: typer.Context, beside: str) -> None:
    """Refuse options that would have no effect."""
    for name in _OF_ONE_FILE:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ParameterError(
                f"'--{name.replace('_', '-')}' must be left out beside {beside}, which says it already."
            )


def _settings(
    data: str | None, key: Path | None, journal: Path | None, accounts: str | None, given: Mapping[str, object]
) -> ServerSettings:
    from tacita.web.settings import DatasetSettings, ServerSettings

    if data is None:
        raise ParameterError("Give a data file, a settings file, or --demo.")
    if data.endswith(".toml"):
        made = ServerSettings.read(data)
        return made if accounts is None else replace(made, accounts=accounts)
    if key is None:
        raise ParameterError(
            "'--key' must name a file with a secret key: without one that lasts, answers would change when the server starts "
            "again, and their mean would be closer to the truth. 'tacita key new FILE' makes one."
        )
    place = journal or key.with_name(f"{given['name']}.journal")
    plain = {name: str(value) for name, value in given.items() if value is not None}
    dataset = DatasetSettings.from_plain({**plain, "key": str(key), "journal": str(place)})
    return ServerSettings(datasets=(dataset,), accounts=accounts or str(key.with_name("accounts.sqlite")))


def _ready(url: str, settings: ServerSettings, *, opens: bool) -> None:
    if settings.is_demo:
        output.say(
            "DEMONSTRATION: sample data, and a key that everybody knows. It protects nobody; do not serve your data so."
        )
    for dataset in settings.datasets:
        output.say(f"{dataset.title or dataset.name}: policy '{Path(dataset.policy).name}', open to {dataset.open_to}")
    output.say(f"Serving on {url} (API: {url}/openapi.json). Ctrl-C ends it.")
    if opens:
        webbrowser.open(url)
