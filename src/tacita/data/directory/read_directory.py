"""Reading a topic directory, whatever its form: a dump of the Open Directory, a table of paths, or WordNet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from tacita.core.errors import FileError, ParameterError
from tacita.data.directory.directory import Directory
from tacita.data.directory.odp import WITHOUT, read_odp
from tacita.data.directory.odp_records import first_bytes, said_clearly
from tacita.data.directory.path_table import read_path_table
from tacita.data.directory.wordnet import DATA, INDEX, read_wordnet

__all__ = ["DirectoryForm", "read_directory"]

DirectoryForm = Literal["odp", "table", "wordnet"]
_HEAD = 1 << 16
_SUFFIXES = (".rdf.u8", ".rdf.u8.gz", ".rdf", ".rdf.gz")


def read_directory(
    path: str | Path,
    *,
    form: DirectoryForm | None = None,
    languages: Sequence[str] | None = None,
    without: Sequence[str] = WITHOUT,
    letter_bars: bool = False,
    separator: str | None = None,
    path_separator: str = "/",
    columns: Mapping[str, str] | None = None,
) -> Directory:
    """Read a topic directory and find out what it is.

    Parameters
    ----------
    path
        A folder with the dump of the Open Directory or with the database of WordNet; or one file: a content or structure file of
        a dump, a table of paths (CSV or TSV), ``data.noun``. Files may be gzip.
    form
        ``odp``, ``table`` or ``wordnet``; by default it is found out.
    languages
        Which languages stay, in the words of the directory; None for all.
    without, letter_bars
        For a dump: see :func:`~tacita.data.directory.odp.read_odp`.
    separator, path_separator, columns
        For a table: see :func:`~tacita.data.directory.path_table.read_path_table`.

    Returns
    -------
    Directory
        What was left out or mended stands in its ``reading``.

    Raises
    ------
    FileError
        When there is nothing, or nothing that is a directory.
    """
    path = Path(path)
    if form not in (None, "odp", "table", "wordnet"):
        raise ParameterError(f"read_directory: 'form' must be odp, table or wordnet, got '{form}'.")
    if not path.exists():
        raise FileError(f"'{path.name}' is not there; give a dump of the Open Directory, a table of paths, or WordNet.")
    found = form or _form(path)
    if found == "odp":
        content, structure = _parts(path)
        made = read_odp(content, structure, without=without, letter_bars=letter_bars)
    elif found == "wordnet":
        made = read_wordnet(path if path.is_dir() else path.parent)
    else:
        made = read_path_table(path, separator=separator, path_separator=path_separator, columns=columns)
    if not len(made.tree):
        raise FileError(f"'{path.name}' has no category, so nothing can be looked up in it.")
    return made if languages is None else made.in_languages(languages)


def _form(path: Path) -> DirectoryForm:
    if path.is_dir():
        if (path / DATA).is_file() and (path / INDEX).is_file():
            return "wordnet"
        if any(_parts(path)):
            return "odp"
        raise FileError(
            f"The folder '{path.name}' must hold content.rdf.u8 and structure.rdf.u8 (or .gz), or WordNet's {DATA} and {INDEX}."
        )
    if path.name == DATA:
        return "wordnet"
    with said_clearly(path):
        head = first_bytes(path, _HEAD)
    return "odp" if b"<RDF" in head or b"<Topic" in head or path.name.endswith(_SUFFIXES) else "table"


def _parts(path: Path) -> tuple[Path | None, Path | None]:
    """Return the content and the structure file; of a single file that is no structure it is taken that it is content."""
    if not path.is_dir():
        head = first_bytes(path, _HEAD)
        pages = b"<ExternalPage" in head or b"<link" in head
        is_structure = not pages and (b"<narrow" in head or b"<d:Title" in head or "structure" in path.name)
        return (None, path) if is_structure else (path, None)
    return _first(path, "content"), _first(path, "structure")


def _first(folder: Path, kind: str) -> Path | None:
    """Return the file of a kind: plain rather than gzip."""
    names = [f"{kind}.rdf.u8", f"{kind}.rdf.u8.gz"]
    return next((folder / name for name in names if (folder / name).is_file()), None)
