"""``tacita fingerprint``: a copy of a release for each recipient, marked inside the noise of the mask."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacita.cli import output
from tacita.cli.files import SchemaFile, check_there, read_input, release_files
from tacita.core.errors import ParameterError

if TYPE_CHECKING:
    from tacita.core.keyed import Key
    from tacita.release.recipients.copies import FingerprintedCopies
    from tacita.release.recipients.released import ReleasedFile

__all__ = ["fingerprint"]

RecipientsFile = Annotated[
    Path, typer.Option("--recipients", help="Text file with the name of a recipient in each line.", show_default=False)
]
OriginalFile = Annotated[
    Path | None,
    typer.Option("--original", help="The file before masking, to measure the noise of the mask.", show_default=False),
]
NoiseOption = Annotated[
    list[str] | None,
    typer.Option("--noise", help="Instead of --original: column=standard deviation of its noise; may be repeated."),
]
KeyFile = Annotated[
    Path | None,
    typer.Option("--key", help="File with the key ('tacita key new'); without it one is drawn and kept in internal/."),
]
FalseAccusation = Annotated[
    float, typer.Option("--false-accusation", help="Greatest chance that anybody innocent is named.")
]
_SHOWN = 5
_THEIR_SYMBOLS = 1024
"""Symbols that recipients draw, enough for a judge to find one of four."""


def fingerprint(
    release: Annotated[Path, typer.Argument(help="The directory of the release.", show_default=False)],
    output_directory: Annotated[
        Path, typer.Option("--output", "-o", help="Directory of the copies.", show_default=False)
    ],
    recipients: RecipientsFile,
    original: OriginalFile = None,
    noise: NoiseOption = None,
    schema: SchemaFile = None,
    key: KeyFile = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--column", "-c", help="A column to mark; may be repeated. Default: all that can be."),
    ] = None,
    coalition: Annotated[int, typer.Option(help="Most recipients who put their copies together.")] = 4,
    false_accusation: FalseAccusation = 1e-4,
    share: Annotated[float, typer.Option(help="Size of the marks, in standard deviations of the mask's noise.")] = 0.1,
    asymmetric: Annotated[
        bool,
        typer.Option(
            "--asymmetric",
            help="Recipients draw a part of their marks: writes an offer for each, which 'tacita exchange' turns into a copy.",
        ),
    ] = False,
    add: Annotated[
        bool, typer.Option("--add", help="Add recipients to copies that are there; earlier copies stay as they are.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace earlier copies in the directory.")] = False,
    as_json: output.Json = False,
) -> None:
    """Write a copy of a release for each recipient, with marks inside the noise of the mask that tell whose it is.

    All copies share the mask's noise and count as one release. What 'tacita trace' needs stays in internal/.
    """
    from tacita.data.disk.outputs import check_directory
    from tacita.release.recipients.released import read_released
    from tacita.release.recipients.stored import KIND, write_copies

    blocks = _THEIR_SYMBOLS if asymmetric else 0
    output.settings.as_json = as_json
    inputs = [p for p in (recipients, original, schema, key, *release_files(release)) if p is not None]
    check_directory(output_directory, KIND, overwrite=overwrite or add, inputs=inputs)
    names = _names(recipients)
    with output.progress_bars(as_json):
        released = read_released(release)
        given = _key(key)
        if add:
            _check_add(original, noise, columns, asymmetric=asymmetric)
            copies = _with_more(output_directory, released, names, given)
        else:
            found = _noise(released, original, schema, noise)
            copies = _planned(
                released, found, names, given, columns=columns, share=share, coalition=coalition, blocks=blocks
            )
        need = copies.check_room(false_accusation)
        write_copies(
            copies, released, output_directory, keeps_key=given is None, overwrite=overwrite or add, inputs=inputs
        )
    _tell(copies, released.verdict, output_directory, need, false_accusation, keeps_key=given is None)


def _planned(
    released: ReleasedFile, noise: dict[str, Any], names: tuple[str, ...], key: Key | None, **how: Any
) -> FingerprintedCopies:
    from tacita.core.keyed import Key
    from tacita.release.recipients.copies import FingerprintedCopies
    from tacita.release.recipients.plan import plan_fingerprints

    plan = plan_fingerprints(released.masked, noise, bounds=released.bounds, **how)
    return FingerprintedCopies(
        masked=released.masked, plan=plan, key=key or Key.draw(), recipients=names, release=released.digest
    )


def _with_more(directory: Path, released: ReleasedFile, names: tuple[str, ...], key: Key | None) -> FingerprintedCopies:
    from tacita.release.recipients.stored import check_same_release, read_copies, with_recipients

    known = read_copies(directory, key)
    check_same_release(known, released)
    return with_recipients(known, names)


def _names(file: Path) -> tuple[str, ...]:
    from tacita.core.metadata import read_text
    from tacita.release.recipients.copies import recipient_names

    check_there(file)
    return recipient_names(read_text(file, "The file of recipients").splitlines())


def _key(file: Path | None) -> Key | None:
    from tacita.core.keyed import Key

    return None if file is None else Key.read(file)


def _noise(
    released: ReleasedFile, original: Path | None, schema: Path | None, given: list[str] | None
) -> dict[str, Any]:
    """Measure the noise of the mask, or take what was given."""
    from tacita.release.recipients.released import measured_noise

    if (original is None) == (not given):
        raise ParameterError("Give either --original, to measure the noise of the mask, or --noise for each column.")
    if original is not None:
        check_there(original)
        kept = released.internal / "schema.toml"
        return measured_noise(released, read_input(original, schema or (kept if kept.exists() else None)))
    found: dict[str, Any] = {}
    for entry in given or []:
        name, sign, size = entry.rpartition("=")
        try:
            found[name] = float(size)
        except ValueError:
            sign = ""
        if not sign or not name:
            raise ParameterError(f"'--noise' must be column=standard deviation, got '{entry}'.")
        released.masked.schema[name]  # raises with a suggestion where the name is unknown
    return found


def _check_add(original: Path | None, noise: list[str] | None, columns: list[str] | None, *, asymmetric: bool) -> None:
    if original is not None or noise or columns or asymmetric:
        raise ParameterError(
            "With --add the marks are those of the copies that are there: leave out --original, --noise, "
            "--column and --asymmetric."
        )


def _tell(
    copies: FingerprintedCopies, verdict: str, directory: Path, need: int, false_accusation: float, *, keeps_key: bool
) -> None:
    added = _added(copies)
    if output.settings.as_json:
        output.print_json(
            {
                "directory": str(directory),
                "verdict": verdict,
                "recipients": len(copies.recipients),
                "coalition": copies.plan.coalition,
                "false_accusation": false_accusation,
                "symbols": copies.room,
                "symbols_needed": need,
                "noise_variance_added": added,
                "unmarked": dict(copies.plan.unmarked),
                "key_kept_inside": keeps_key,
            }
        )
        return
    rows = [
        [
            c.name,
            output.number(float(max(c.sd))),
            "-" if c.decimals is None else str(c.decimals),
            f"{100 * added[c.name]:.2f} %",
        ]
        for c in copies.plan.columns
    ]
    heads = ["column", "noise up to", "decimals", "variance added"]
    output.table("Marked columns", heads, rows, right=heads[1:])
    if copies.plan.unmarked:
        output.table("Columns without marks", ["column", "why"], [list(pair) for pair in copies.plan.unmarked])
    where = f"offers in {directory}/offers" if copies.plan.blocks else f"copies in {directory}/copies"
    output.say(
        f"\n{len(copies.recipients)} {where}. The code has {copies.room} symbols; coalitions of up to "
        f"{copies.plan.coalition} need {need}."
    )
    if verdict != "passed":
        output.say(f"The release was {verdict.upper()}, so nothing here says that its copies may leave.")
    output.say(
        "internal/ must stay: it holds the masked file"
        + (
            " and the key. Whoever has them can take the marks off."
            if keeps_key
            else "; with the key it takes the marks off."
        )
    )


def _added(copies: FingerprintedCopies) -> dict[str, float]:
    """Return for each column how much variance the marks add to that of the noise, over a few recipients."""
    some = [copies.change(name) for name in copies.recipients[:_SHOWN]]
    return {name: sum(found[name] for found in some) / len(some) for name in some[0]}
