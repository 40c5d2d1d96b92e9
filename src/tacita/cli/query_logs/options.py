"""Options that the commands of ``tacita logs`` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "By",
    "Categories",
    "Depth",
    "DirectoryOption",
    "FewestUsers",
    "Format",
    "Limit",
    "LogEncoding",
    "LogFile",
    "LogSeparator",
    "Method",
    "NeutraliseFormulas",
    "Overwrite",
    "QueryColumn",
    "RankColumn",
    "ReleaseDirectory",
    "ReleaseOutput",
    "Settings",
    "TimeColumn",
    "TimeFormat",
    "UrlColumn",
    "UserColumn",
]

LogFile = Annotated[
    Path,
    typer.Argument(
        help="The log: a file in the form of AOL, a table, Parquet or lines of JSON, or a folder of such files.",
        show_default=False,
    ),
]
DirectoryOption = Annotated[
    str | None,
    typer.Option(
        "--directory",
        "-d",
        help="Topic directory: an index made by 'tacita logs index', a dump of the Open Directory, a table of paths, a folder of "
        "WordNet, or 'sample'.",
        show_default=False,
    ),
]
Depth = Annotated[int, typer.Option("--levels", help="L, the deepest level of the directory that is looked at.", min=1)]
Categories = Annotated[
    int, typer.Option("--categories", help="So many categories of each term, best first; the paper has 1 and 5.", min=1)
]
By = Annotated[
    str, typer.Option("--by", help="What is classified: 'terms', as the paper has it, or the whole 'query'.")
]
ReleaseDirectory = Annotated[
    Path, typer.Argument(help="Directory of a release, with public/ and internal/.", show_default=False)
]
UserColumn = Annotated[str | None, typer.Option("--user", help="Column of the user, where it has another name.")]
QueryColumn = Annotated[str | None, typer.Option("--query", help="Column of the search.")]
TimeColumn = Annotated[str | None, typer.Option("--time", help="Column of the time.")]
RankColumn = Annotated[str | None, typer.Option("--rank", help="Column of the place of the click.")]
UrlColumn = Annotated[str | None, typer.Option("--url", help="Column of the address of the click.")]
TimeFormat = Annotated[
    str | None, typer.Option("--time-format", help="How times are written, such as '%d.%m.%Y %H:%M'.")
]
LogEncoding = Annotated[str, typer.Option("--encoding", help="Encoding of text.")]
LogSeparator = Annotated[str | None, typer.Option("--separator", help="Field separator; found out if not given.")]
Format = Annotated[str, typer.Option(help="tsv (the form of AOL), csv, jsonl, each with .gz if you like, or parquet.")]
Limit = Annotated[
    list[str] | None,
    typer.Option("--limit", "-l", help="What must hold, such as 'profile_linkage <= 20'; may be repeated."),
]
ReleaseOutput = Annotated[
    Path,
    typer.Option("--output", "-o", help="Directory of the release, with public/ and internal/.", show_default=False),
]
FewestUsers = Annotated[int | None, typer.Option("-k", "--k", help="Fewest users that a profile stands for.", min=1)]
Method = Annotated[
    str, typer.Option("--method", "-m", help="An anonymiser by name; 'tacita methods --kind anonymiser' lists them.")
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="A parameter of the method, such as time=week; may be repeated.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier release of a log.")]
NeutraliseFormulas = Annotated[
    bool,
    typer.Option(
        "--neutralise-formulas", help="Put an apostrophe before searches in a CSV file that a spreadsheet would run."
    ),
]
