"""``tacita journal``: whether a journal is whole, what anchors it, what stands in it, and its answers once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import SchemaFile
from tacita.core.errors import ParameterError, did_you_mean

if TYPE_CHECKING:
    from tacita.query.journal.entry import JournalEntry
    from tacita.query.journal.verify import Verification

__all__ = ["EXIT", "journal"]

EXIT = {"verified": 0, "broken": 3, "consistent": 4}
"""Exit status of ``verify``, as of every verb that judges: passed, failed, not judged."""
_TAKES = {
    "verify": ("key", "anchor"),
    "head": (),
    "show": ("key", "last", "status", "user", "rule"),
    "answers": ("key", "data", "schema", "policy", "catalogue", "output"),
}


def journal(
    action: Annotated[
        str, typer.Argument(help="What to do: verify, head (print the anchor), show or answers.", show_default=False)
    ],
    file: Annotated[Path, typer.Argument(help="The journal of a database.", show_default=False)],
    anchor: Annotated[
        str | None,
        typer.Option(help="For verify: what 'tacita journal head' printed earlier; shows whether the end was cut off."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(
            help="The file with the key of the database. For verify: shows entries that somebody without the key wrote. "
            "For show: --user is a name then."
        ),
    ] = None,
    last: Annotated[
        int | None, typer.Option(help="For show: how many entries, the last ones; default 20.", min=0)
    ] = None,
    status: Annotated[str | None, typer.Option(help="For show: answered, refused or review.")] = None,
    user: Annotated[str | None, typer.Option(help="For show: a pseudonym, or with --key the name of a user.")] = None,
    rule: Annotated[str | None, typer.Option(help="For show: entries about which this rule said something.")] = None,
    data: Annotated[
        str | None, typer.Option(help="For answers: the data that the database answers from, as for 'tacita serve'.")
    ] = None,
    schema: SchemaFile = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", "-p", help="For answers: the policy that they were given under; default mas."),
    ] = None,
    catalogue: Annotated[Path | None, typer.Option(help="For answers: the catalogue file of the database.")] = None,
    output_file: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="For answers: where they are written, such as into a ledger of releases."),
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Verify the journal of a database, print its anchor, show its entries, or make its answers again.

    'verify' looks at every entry. Exit status 0: verified with the key or the anchor; 3: broken, something was changed,
    removed, put in, moved or cut off; 4: the chain is whole, but without --key and --anchor nobody can tell whether all of it
    was computed anew. 'head' prints the number and the hash of the last entry: keep them where nobody who can write the
    journal can change them. 'show' prints the last entries and counts all that fit; users are
    pseudonyms, and answers are not kept.

    'answers' makes the answers of a journal again from the data, the policy and the key, holds them against their digests, and
    writes them as JSON for 'tacita attack --ledger'. What cannot be repeated, such as noise of differential privacy, is counted.
    """
    output.settings.as_json = as_json
    given = {"key": key, "anchor": anchor, "last": last, "status": status, "user": user, "rule": rule}
    given |= {"data": data, "schema": schema, "policy": policy, "catalogue": catalogue, "output": output_file}
    _check_options(action, given)
    if action == "verify":
        _verify(file, key, anchor, as_json)
    elif action == "head":
        _head(file, as_json)
    elif action == "answers":
        if data is None or key is None or output_file is None:
            raise ParameterError("'tacita journal answers' must have --data, --key and --output.")
        _again(file, data, output_file, as_json, schema=schema, policy=policy or "mas", key=key, catalogue=catalogue)
    else:
        from tacita.query.journal.reading import read_entries

        _show(
            file.name,
            read_entries(file, key=key, status=status, user=user, rule=rule),
            20 if last is None else last,
            as_json,
        )


def _check_options(action: str, given: dict[str, Any]) -> None:
    """Refuse an action that is none, and options that another one has."""
    if action not in _TAKES:
        raise ParameterError(
            f"The action must be one of {', '.join(_TAKES)}, got '{action}'.{did_you_mean(action, _TAKES)}"
        )
    for name, value in given.items():
        if value is not None and name not in _TAKES[action]:
            raise ParameterError(f"'tacita journal {action}' must not have --{name}; leave it out.")


def _verify(file: Path, key: Path | None, anchor: str | None, as_json: bool) -> None:
    from tacita.query.journal.verify import verify

    with output.progress_bars(as_json):
        found = verify(file, key=key, anchor=anchor)
    if as_json:
        output.print_json(found.to_plain())
    else:
        _tell(file.name, found)
    if EXIT[found.state]:
        raise typer.Exit(EXIT[found.state])


def _tell(name: str, found: Verification) -> None:
    title = f"{name}: {found.state.upper()}, entries: {found.entries:,}"
    output.table(title, ("line", "what is wrong"), [(str(flaw.line), flaw.what) for flaw in found.flaws])
    if found.more:
        output.say(f"Further flaws that are not shown: {found.more:,}.")
    for note in found.notes:
        output.say(note)
    if found.head is not None and found.state != "broken":
        output.say(f"Anchor: {found.head}")


def _head(file: Path, as_json: bool) -> None:
    from tacita.query.journal.reading import last_anchor

    anchor = last_anchor(file)
    if as_json:
        output.print_json({"anchor": anchor})
    else:
        typer.echo(anchor)


def _again(file: Path, data: str, place: Path, as_json: bool, **of_database: Any) -> None:
    from tacita.query.steward.answers_again import answers_again

    with output.progress_bars(as_json):
        found = answers_again(file, data, **of_database)
    found.write(place)
    if as_json:
        output.print_json({"answers": len(found.answers), "lost": dict(found.lost)})
    else:
        typer.echo(found.words())


def _show(name: str, entries: Iterator[JournalEntry], last: int, as_json: bool) -> None:
    from tacita.query.journal.reading import summarise

    found = summarise(entries, last=last)
    if as_json:
        output.print_json(found.to_plain())
        return
    rows = [
        (str(e.number), e.time, e.kind, (e.user or "")[:8], _asked(e), e.status or "", _said(e)) for e in found.last
    ]
    heads = ("number", "time", "kind", "user", "request", "status", "rules")
    output.table(f"{name}: entries: {found.entries:,}, shown: {len(rows):,}", heads, rows, right=("number",))
    output.say(_counts("status", found.statuses))
    for rule, counts in found.rules.items():
        output.say(_counts(f"rule {rule}", counts))


def _counts(name: str, counts: dict[str, int]) -> str:
    return f"{name}: " + (", ".join(f"{word} {number:,}" for word, number in counts.items()) or "none")


def _asked(entry: JournalEntry) -> str:
    from tacita.query.journal.entry import canonical_json

    return "" if entry.request is None else canonical_json(dict(entry.request)).decode("utf-8")


def _said(entry: JournalEntry) -> str:
    """The rules that did not simply allow, with their decision."""
    return ", ".join(f"{said.rule} {said.decision}" for said in entry.rules if said.decision != "allow")
