"""``tacita games peer``: keys, a roster, the back end, peers, and what the back end learned."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.core.errors import FileError, ParameterError

if TYPE_CHECKING:
    from tacita.games.peers.rehearsal import Rehearsed
    from tacita.games.peers.view import ViewMeasured

__all__ = ["peer"]

peer = typer.Typer(
    name="peer",
    help="Peers that search for each other: keys, a roster, the back end, a peer, and what the back end learned.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

RosterFile = Annotated[Path, typer.Option("--roster", "-r", help="The roster: who takes part.", show_default=False)]
KeyFile = Annotated[Path, typer.Option("--key", "-k", help="The private key; a file.", show_default=False)]
Descriptor = Annotated[
    int | None,
    typer.Option("--descriptor", help="Number of a listening socket that was handed over; for supervisors.", min=3),
]
Beyond = Annotated[bool, typer.Option("--beyond-this-machine", help="Allow addresses that other machines can reach.")]
InputEnds = Annotated[bool, typer.Option("--until-input-ends", help="Stop when standard input ends; for supervisors.")]
Status = Annotated[
    Path | None, typer.Option("--status", help="A file for counts as JSON, written anew every two seconds.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]

# --- key ------------------------------------------------------------------------------------------------------------------


@peer.command("key")
def make_key(
    file: Annotated[Path, typer.Argument(help="The file to write; there must be none.", show_default=False)],
    as_json: output.Json = False,
) -> None:
    """Make a pair of keys. FILE is the private one, which only its owner can read; FILE.pub is for everybody."""
    from tacita.games.peers.keys import PeerKey, fingerprint_of

    output.settings.as_json = as_json
    public = file.with_name(f"{file.name}.pub")
    if public.exists():
        raise FileError(f"'{public.name}' is there already; choose another name.")
    made = PeerKey.draw()
    made.write(file)
    try:
        with public.open("x", encoding="ascii") as written:
            written.write(made.public.hex() + "\n")
    except OSError as error:
        file.unlink(missing_ok=True)
        raise FileError(f"'{public.name}' cannot be written: {error.strerror}.") from None
    if as_json:
        output.print_json(
            {
                "file": str(file),
                "public_file": str(public),
                "public": made.public.hex(),
                "fingerprint": fingerprint_of(made.public),
            }
        )
    else:
        output.say(
            f"The private key is in '{file}', the public one in '{public}'. Fingerprint {fingerprint_of(made.public)}: tell it "
            "to whoever makes the roster by another way than the file."
        )


# --- roster ---------------------------------------------------------------------------------------------------------------


@peer.command("roster")
def make_roster(
    file: Annotated[Path, typer.Argument(help="The roster to write, or with no --peer to show.", show_default=False)],
    backend_entry: Annotated[
        str | None, typer.Option("--backend", help="'ADDRESS FILE.pub' of the back end.", show_default=False)
    ] = None,
    peers: Annotated[
        list[str] | None, typer.Option("--peer", help="'NAME ADDRESS FILE.pub'; one for each peer.", show_default=False)
    ] = None,
    overwrite: Overwrite = False,
    as_json: output.Json = False,
) -> None:
    """Write or show the roster. It is made of addresses and public keys, and shown with their fingerprints."""
    from tacita.games.peers.keys import fingerprint_of, read_public_key
    from tacita.games.peers.roster import BACKEND, Roster, roster_entry

    output.settings.as_json = as_json
    if (backend_entry is None) != (not peers):
        raise ParameterError("'--backend' and '--peer' go together; without both the roster is shown.")
    if backend_entry is not None:
        parts = [_parts(f"{BACKEND} {backend_entry}", "--backend"), *(_parts(said, "--peer") for said in peers or ())]
        first, *others = (roster_entry(name, address, read_public_key(key)) for name, address, key in parts)
        Roster(first, tuple(others)).write(file, overwrite=overwrite)
    roster = Roster.read(file)
    entries = (roster.backend, *roster.peers)
    if as_json:
        rows = [{"name": e.name, "address": e.address, "fingerprint": fingerprint_of(e.key)} for e in entries]
        output.print_json({"file": str(file), "entries": rows})
    else:
        shown = [(e.name, e.address, fingerprint_of(e.key)) for e in entries]
        output.table(f"{file.name}: {len(roster.peers)} peers", ("name", "address", "fingerprint"), shown)


def _parts(said: str, option: str) -> tuple[str, str, str]:
    parts = said.split(maxsplit=2)
    if len(parts) != 3:
        wanted = "ADDRESS FILE.pub" if option == "--backend" else "NAME ADDRESS FILE.pub"
        raise ParameterError(f"'{option}' must read '{wanted}', in one pair of quotes.")
    return parts[0], parts[1], parts[2]


# --- backend and serve ------------------------------------------------------------------------------------------------------


@peer.command("backend")
def run_backend(
    roster: RosterFile,
    key: KeyFile,
    documents: Annotated[
        str,
        typer.Option("--documents", "-d", help="A file with a document a line, a folder of .txt files, or 'sample'."),
    ] = "sample",
    view: Annotated[
        Path | None, typer.Option("--view", help="Write down who asked what, to measure it; holds the queries.")
    ] = None,
    overwrite: Overwrite = False,
    status: Status = None,
    descriptor: Descriptor = None,
    until_input_ends: InputEnds = False,
    beyond: Beyond = False,
    as_json: output.Json = False,
) -> None:
    """Run the back end. It is the database that the peers search in, until it is told to stop (Ctrl-C, SIGTERM)."""
    from tacita.games.peers.backend import SearchBackend, ViewFile
    from tacita.games.peers.documents import read_documents
    from tacita.games.peers.keys import PeerKey
    from tacita.games.peers.roster import Roster
    from tacita.games.peers.running import listening_socket, run_party

    output.settings.as_json = as_json
    everybody, own = Roster.read(roster), PeerKey.read(key)
    made = SearchBackend(everybody, own, read_documents(documents), beyond_this_machine=beyond)
    sock = None if descriptor is None else listening_socket(descriptor, beyond_this_machine=beyond)
    if view is not None:
        made.view = ViewFile(view, overwrite=overwrite)
    run_party(made, _teller(as_json), sock=sock, status_file=status, until_input_ends=until_input_ends)


@peer.command("serve")
def serve_peer(
    name: Annotated[str, typer.Argument(help="Which peer of the roster this one is.", show_default=False)],
    roster: RosterFile,
    key: KeyFile,
    queries: Annotated[
        str | None, typer.Option("--queries", "-q", help="Own queries, one a line; '-' reads standard input.")
    ] = None,
    attempts: Annotated[int, typer.Option(help="Peers asked before a query is submitted by this one.", min=0)] = 3,
    free_rider: Annotated[bool, typer.Option("--free-rider", help="Submit nothing for others.")] = False,
    at_once: Annotated[int, typer.Option(help="Own queries asked at the same time.", min=1, max=256)] = 4,
    linger: Annotated[
        float | None,
        typer.Option(help="Seconds to go on serving after the last own query. Default: until told to stop.", min=0),
    ] = None,
    per_minute: Annotated[int, typer.Option(help="Queries submitted for one peer in a minute.", min=1)] = 600,
    patience: Annotated[float, typer.Option(help="Seconds to wait for a back end that is away.", min=0.1)] = 30.0,
    seed: Annotated[int | None, typer.Option(help="Repeats the choice between equally good peers.", min=0)] = None,
    status: Status = None,
    descriptor: Descriptor = None,
    beyond: Beyond = False,
    as_json: output.Json = False,
) -> None:
    """Run a peer. It has its queries answered, and submits those of others where that serves its own privacy.

    Answers go to standard output, with --json as a line of JSON each. It goes on serving until it is told to stop (Ctrl-C,
    SIGTERM). Exit status: 0, or 4 when a query could not be answered.
    """
    from tacita.games.peers.keys import PeerKey
    from tacita.games.peers.limits import PeerLimits
    from tacita.games.peers.peer import Peer
    from tacita.games.peers.roster import Roster
    from tacita.games.peers.running import listening_socket, run_party

    output.settings.as_json = as_json
    party = Peer(
        name,
        Roster.read(roster),
        PeerKey.read(key),
        attempts=attempts,
        helps=not free_rider,
        limits=PeerLimits(queries_per_minute=per_minute, patience_seconds=patience),
        seed=seed,
        beyond_this_machine=beyond,
    )
    sock = None if descriptor is None else listening_socket(descriptor, beyond_this_machine=beyond)
    is_whole = run_party(
        party, _teller(as_json), sock=sock, queries=queries, at_once=at_once, linger=linger, status_file=status
    )
    if not is_whole:
        raise typer.Exit(4)


def _teller(as_json: bool) -> Callable[[dict[str, Any]], None]:
    """What shows events: answers on standard output, everything else of interest on standard error."""

    def tell(event: dict[str, Any]) -> None:
        if as_json:
            typer.echo(json.dumps(event, ensure_ascii=False))
            sys.stdout.flush()
        elif event["event"] == "answer":
            titles = "; ".join(_printable(title) for title, _ in event["hits"]) or "nothing found"
            typer.echo(f"{event['number']} (through {event['via']}): {titles}")
        elif event["event"] == "ready":
            output.say(f"'{event['name']}' listens. Ctrl-C stops it.")
        elif event["event"] == "unanswered":
            output.say(f"{event['number']}: {event['reason']}")
        elif event["event"] == "done":
            output.say(f"{event['answered']} queries answered, {event['unanswered']} not.")
        elif event["event"] == "fault":
            output.say(f"A fault of the program, a {event['kind']}; it goes on.")
        else:
            output.say(f"Stopped. {json.dumps(event['status'])}")

    return tell


def _printable(title: str) -> str:
    return "".join(letter if letter.isprintable() else "·" for letter in title)


# --- measure and rehearse ---------------------------------------------------------------------------------------------------


@peer.command("measure")
def measure_learned(
    view: Annotated[Path, typer.Argument(help="What the back end wrote down.", show_default=False)],
    queries: Annotated[
        list[str],
        typer.Option("--queries", "-q", help="NAME=FILE: what a peer really asked; one for each.", show_default=False),
    ],
    as_json: output.Json = False,
) -> None:
    """Measure what was learned. The queries that came under each name, against the true ones; for whoever has both."""
    from tacita.core.metadata import LARGE, read_text
    from tacita.games.peers.view import measure_view, read_seen

    output.settings.as_json = as_json
    true = {}
    for said in queries:
        name, equals, file = said.partition("=")
        if not equals or not name or name in true:
            raise ParameterError("'--queries' must read NAME=FILE, once for each peer.")
        lines = read_text(file, f"The queries of '{name}'", limits=LARGE).split("\n")
        true[name] = [line.strip() for line in lines if line.strip()]
    _show_view(measure_view(read_seen(view), true), as_json)


@peer.command("rehearse")
def rehearse_group(
    peers: Annotated[int, typer.Option(help="How many peers.", min=2, max=64)] = 6,
    each: Annotated[int, typer.Option(help="Queries of each peer.", min=1, max=10_000)] = 12,
    kill: Annotated[int, typer.Option(help="How many peers are killed on the way.", min=0)] = 1,
    attempts: Annotated[
        int, typer.Option(help="Peers asked before a query is submitted by the peer itself.", min=0)
    ] = 3,
    seed: Annotated[int, typer.Option(help="Draws the queries and who is killed.", min=0)] = 1,
    seconds: Annotated[float, typer.Option(help="After so long everything is stopped.", min=1)] = 120.0,
    as_json: output.Json = False,
) -> None:
    """Try it all out. A group of processes on this machine with sample queries, some killed, and what the back end learned."""
    from tacita.games.peers.rehearsal import rehearse

    output.settings.as_json = as_json
    program = [sys.executable, "-m", "tacita.cli.main", "games", "peer"]
    with output.progress_bars(as_json):
        found = rehearse(
            program,
            _sample_queries(peers, each, seed),
            kill=kill,
            options=["--attempts", str(attempts)],
            seed=seed,
            seconds=seconds,
        )
    if as_json:
        output.print_json(_plain(found))
        return
    output.say(
        f"{found.answered} of {found.queries} queries answered by {peers} peers in {found.seconds:.1f} seconds; "
        f"{len(found.killed)} killed on the way ({', '.join(found.killed) or 'nobody'}), "
        f"{found.total('helped by others')} queries submitted by another peer."
    )
    _show_view(found.view, as_json=False)


def _sample_queries(peers: int, each: int, seed: int) -> dict[str, list[str]]:
    """The first queries of users of the sample log, over and over where one has few."""
    from tacita.data.samples.query_logs.query_log import query_log

    log = query_log(peers, seed=seed).log.searches()
    texts = log.texts.to_pylist()
    own: dict[str, list[str]] = {f"peer-{user + 1}": [] for user in range(peers)}
    for user, query in zip(log.user.tolist(), log.query.tolist(), strict=True):
        own[f"peer-{user + 1}"].append(texts[query])
    return {name: [asked[i % len(asked)] for i in range(each)] for name, asked in own.items()}


def _plain(found: Rehearsed) -> dict[str, Any]:
    return {
        "queries": found.queries,
        "answered": found.answered,
        "answered_by_survivors_after_the_kill": found.answered_by_survivors,
        "killed": list(found.killed),
        "on_their_way_at_the_kill": found.pending_at_kill,
        "helped_by_others": found.total("helped by others"),
        "seconds": found.seconds,
        "view": found.view.as_plain(),
        "statuses": dict(found.statuses),
    }


def _show_view(view: ViewMeasured, as_json: bool) -> None:
    if as_json:
        output.print_json(view.as_plain())
        return
    heads = ("peer", "queries", "seen", "H true", "H seen", "distance", "exposed", "own")
    rows = [
        (
            p.name,
            str(p.queries),
            str(p.seen),
            *(output.number(v, 3) for v in (p.entropy_true, p.entropy_seen, p.distance, p.exposed, p.own)),
        )
        for p in view.peers
    ]
    output.table("What the back end learned", heads, rows, right=heads[1:])
    output.say(f"Bits that it lacks to tell whose a query is: {output.number(view.entropy_of_asker, 3)}")
