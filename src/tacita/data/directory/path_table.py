"""A directory as a table: the path of a category, a title and a description in each line, separated by commas or tabs."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from tacita.core.errors import ColumnError, FileError, ParameterError, did_you_mean
from tacita.core.progress import track
from tacita.data.atomic import atomic_file
from tacita.data.directory.category_tree import DEEPEST, CategoryTree
from tacita.data.directory.directory import Directory
from tacita.data.directory.directory_reading import DirectoryReading
from tacita.data.directory.odp_records import opened, said_clearly
from tacita.data.formats.csv_form import fields_up_to

__all__ = ["COLUMNS", "read_path_table", "write_path_table"]

COLUMNS = ("category", "title", "description")
"""What a table of paths has; ``description`` may be lacking."""
LONGEST = 1 << 20
"""The longest field in characters; a quotation mark that nobody closed would swallow the file otherwise."""


def read_path_table(
    path: str | Path,
    *,
    separator: str | None = None,
    path_separator: str = "/",
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> Directory:
    """Read a directory from a CSV or TSV file, plain or gzip.

    Parameters
    ----------
    path
        The file; its first line names the columns.
    separator
        What stands between two columns; by default the tab, semicolon or comma that the first line has most of.
    path_separator
        What stands between two names of a category's path. What lies deeper than 64 levels is filed at the 64th.
    columns
        What the columns are called in the file, such as ``{"category": "topic"}``; by default as in :data:`COLUMNS`. Capitals
        make no difference.
    encoding
        How the characters are written. Bytes that do not fit become a replacement sign and are counted.

    Returns
    -------
    Directory
        Its ``reading`` counts the lines that were left out: without a category, without title and description.

    Raises
    ------
    FileError
        When the file cannot be read, is empty, or is a damaged gzip file.
    ColumnError
        When a column is lacking.
    """
    path = Path(path)
    if not path_separator:
        raise ParameterError("read_path_table: 'path_separator' must have at least one character, got none.")
    broken: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    written: dict[str, int] = {}
    codes, titles, descriptions = [], [], []
    count = 0
    for category, title, description in _rows(path, separator, dict(columns or {}), encoding, broken):
        count += 1
        if not category.strip(f"{path_separator} "):
            left_out["without a category"] += 1
        elif not title and not description:
            left_out["without a title"] += 1
        else:
            codes.append(written.setdefault(category, len(written)))
            titles.append(title)
            descriptions.append(description)
    paths = [tuple(name for part in text.split(path_separator) if (name := part.strip()))[:DEEPEST] for text in written]
    tree = CategoryTree.from_paths(paths)
    places = np.array([tree.places[names] for names in paths], np.int32)
    return Directory(
        tree=tree,
        category=places[np.array(codes, np.int64)],
        title=pa.array(titles, pa.string()),
        description=pa.array(descriptions, pa.string()),
        reading=DirectoryReading(form="table", records=count, kept=len(codes), left_out=left_out, broken=+broken),
    )


def write_path_table(
    directory: Directory, path: str | Path, *, separator: str | None = None, path_separator: str = "/"
) -> None:
    """Write a directory as a CSV or TSV file, gzip where the name ends with ``.gz``.

    Parameters
    ----------
    directory
        The directory. Categories without an entry, what is said of categories and weights are not written.
    path
        The file; it appears whole or not at all.
    separator
        What stands between two columns; by default a tab where the name says ``.tsv``, a comma otherwise.
    path_separator
        What stands between two names of a path.

    Raises
    ------
    FileError
        When the file cannot be written, or a name holds the separator of paths.
    """
    path = Path(path)
    used = np.unique(directory.category)
    if any(path_separator in name for place in used.tolist() for name in directory.tree.paths[place]):
        raise FileError(
            f"'{path.name}' cannot be written: the name of a category holds '{path_separator}'; choose another "
            "'path_separator'."
        )
    mark = separator or ("\t" if ".tsv" in path.suffixes else ",")
    with atomic_file(path) as temporary, temporary.open("wb") as raw:
        packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
        with io.TextIOWrapper(packed, encoding="utf-8", newline="") as text:
            writer = csv.writer(text, delimiter=mark, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(_lines(directory, path_separator))


def _lines(directory: Directory, path_separator: str) -> Iterator[tuple[str, str, str]]:
    paths = directory.tree.paths
    places = directory.category.tolist()
    for start in track(range(0, len(directory), 50_000), "Writing the directory"):
        part = slice(start, start + 50_000)
        titles, descriptions = directory.title[part].to_pylist(), directory.description[part].to_pylist()
        for place, title, description in zip(places[part], titles, descriptions, strict=True):
            yield path_separator.join(paths[place]), title or "", description or ""


def _rows(
    path: Path, separator: str | None, columns: dict[str, str], encoding: str, broken: Counter[str]
) -> Iterator[tuple[str, str, str]]:
    """Give category, title and description of every line."""
    for name in columns:
        if name not in COLUMNS:
            raise ParameterError(f"'columns' must map {', '.join(COLUMNS)}, got '{name}'.{did_you_mean(name, COLUMNS)}")
    try:
        "".encode(encoding)
    except LookupError as error:
        raise ParameterError(f"'encoding' must be one that Python knows, got '{encoding}'.") from error
    with fields_up_to(LONGEST), said_clearly(path), opened(path) as raw:
        text = io.TextIOWrapper(raw, encoding=encoding, errors="replace", newline="")
        head = text.readline(LONGEST).lstrip("\ufeff")
        if not head.strip():
            raise FileError(f"'{path.name}' is empty; its first line must name the columns.")
        mark = separator or max("\t;,", key=head.count)
        names = [name.strip() for name in next(csv.reader([head], delimiter=mark))]
        places = [_place(columns.get(column, column), names, column != "description") for column in COLUMNS]
        lines = iter(lambda: text.readline(4 * LONGEST), "")  # a line without an end comes in parts
        reader = csv.reader((line.replace("\0", "") for line in lines), delimiter=mark)
        while (row := _next(reader, broken)) is not None:
            if not row:
                continue
            if len(row) != len(names):
                broken["lines with another number of columns"] += 1
            found = [row[place].strip() if 0 <= place < len(row) else "" for place in places]
            broken["texts that do not fit the encoding"] += sum("\ufffd" in value for value in found)
            yield found[0], found[1], found[2]


def _next(reader: Iterator[list[str]], broken: Counter[str]) -> list[str] | None:
    while True:
        try:
            return next(reader, None)
        except csv.Error:
            broken["lines that are no table"] += 1


def _place(column: str, names: list[str], is_needed: bool) -> int:
    folded = [name.casefold() for name in names]
    if column.casefold() in folded:
        return names.index(column) if column in names else folded.index(column.casefold())
    if is_needed:
        raise ColumnError(
            f"Column '{column}' is not in the table of the directory.{did_you_mean(column, names)} "
            "Say what it is called with 'columns'."
        )
    return -1
