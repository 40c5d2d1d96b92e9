"""The Open Directory's own dump: ``structure.rdf.u8`` says which categories there are, ``content.rdf.u8`` what is filed there.

The two files are gigabytes, so both are read as a stream. What is kept are the categories and, of every page, its title and
description; addresses, editors and dates are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError, FileError
from tacita.data.directory.category_tree import DEEPEST, CategoryTree
from tacita.data.directory.directory import Directory
from tacita.data.directory.directory_reading import DirectoryReading
from tacita.data.directory.odp_records import is_closed, readable, records, tag_text

__all__ = ["WITHOUT", "read_odp"]

WITHOUT = ("Adult", "Bookmarks", "Test")
"""Categories of the first level that are left out."""
LETTERS = 10
"""So many children with a letter for their name make a letter bar, where no structure file says it."""

_ID = re.compile(r"""\br:id\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_LINK = re.compile(r"""<(letterbar|symbolic\d?|Target)\s+r:resource\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_LETTER = re.compile(r"[A-Z]|[0-9]|[0-9](?:-|_to_| to )[0-9]")
_CHUNK = 50_000

_NO_CATEGORY = "without a category"
_AT_ROOT = "of the root"
_LEFT_OUT = "of categories that were left out"
_NO_TITLE = "without a title"


def read_odp(
    content: str | Path | None,
    structure: str | Path | None = None,
    *,
    without: Sequence[str] = WITHOUT,
    languages: Sequence[str] | None = None,
    letter_bars: bool = False,
) -> Directory:
    """Read a dump of the Open Directory, plain or gzip.

    Parameters
    ----------
    content
        The file of pages, ``content.rdf.u8``; None for the categories alone.
    structure
        The file of categories, ``structure.rdf.u8``. Without it there are the categories of the pages, and what is said of the
        categories themselves is lacking.
    without
        Categories of the first level that are left out.
    languages
        Which languages stay, in the words of the dump: ``English`` and the children of ``World``, such as ``Deutsch``; None
        for all.
    letter_bars
        Whether ``A`` to ``Z`` below a category are categories of their own. Otherwise their pages belong to the category above.

    Returns
    -------
    Directory
        Its ``reading`` counts what was left out or mended.

    Raises
    ------
    FileError
        When a file cannot be read, is cut off, or is no dump.
    ParameterError
        When there is nothing in one of the languages.

    Notes
    -----
    ``Top`` itself is level 0 and no category; what lies deeper than 64 levels is filed at the 64th. An underscore in a name is a
    blank. A link from one category to another (``symbolic``, ``Alias``) is another name of the one it leads to, once, and is
    never followed further. A page without a ``topic`` belongs to the category that stands before it, as in dumps from before
    May 2003. Bytes that are not UTF-8 are taken for Windows-1252.
    """
    if content is None and structure is None:
        raise FileError("A dump of the Open Directory has a content file, a structure file or both; give one.")
    topics, pages = _Topics(), _Pages()
    if structure is not None:
        topics.read(Path(structure))
    if content is not None:
        pages.read(Path(content), topics)
    made = _directory(topics, pages, frozenset(without), letter_bars)
    return made if languages is None else made.in_languages(languages)


@dataclass
class _Topics:
    """What a structure file says of the categories, by their paths as they are written there."""

    titles: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    others: dict[str, dict[str, None]] = field(default_factory=dict)
    letter_bars: set[str] = field(default_factory=set)
    broken: Counter[str] = field(default_factory=Counter)

    def read(self, path: Path) -> None:
        found = False
        for record in records(path, self.broken):
            found = True
            if not is_closed(record):
                self.broken["records without an end"] += 1
            for kind, double, single in _LINK.findall(record):
                self._link(kind, double or single, record)
            name = _named(record, self.broken)
            if record.startswith("<Alias") or name is None:
                continue
            self.titles[name] = tag_text(record, "d:Title", self.broken) or ""
            if description := tag_text(record, "d:Description", self.broken):
                self.descriptions[name] = description
        if not found:
            raise FileError(f"'{path.name}' is no structure file of the Open Directory: there is no Topic in it.")

    def _link(self, kind: str, resource: str, record: str) -> None:
        resource = readable(resource, self.broken)
        label, _, target = resource.rpartition(":Top/")
        if kind == "letterbar":
            self.letter_bars.add(resource)
        elif kind == "Target":  # of an Alias, whose title is the label
            label = tag_text(record, "d:Title", self.broken) or ""
            self._other(resource, label)
        elif label:
            self._other(f"Top/{target}", label)

    def _other(self, target: str, label: str) -> None:
        label = label.replace("_", " ")
        if label and label != target.rpartition("/")[2].replace("_", " "):
            self.others.setdefault(target, {})[label] = None

    def about(self, name: str) -> str:
        """Everything that is said of a category: what else it is called, and its description."""
        title = self.titles.get(name, "").replace("_", " ")
        own = name.rpartition("/")[2].replace("_", " ")
        said = [
            *([title] if title and title != own else []),
            *self.others.get(name, {}),
            self.descriptions.get(name, ""),
        ]
        return " ".join(text for text in said if text)


@dataclass
class _Pages:
    """The pages of a content file; their categories are numbers of paths as they are written there."""

    topics: dict[str, int] = field(default_factory=dict)
    codes: list[np.ndarray] = field(default_factory=list)
    titles: list[pa.Array] = field(default_factory=list)
    descriptions: list[pa.Array] = field(default_factory=list)
    broken: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    records: int = 0

    def read(self, path: Path, known: _Topics) -> None:
        rows: list[tuple[int, str, str]] = []
        found, before = False, None
        for record in records(path, self.broken):
            found = True
            closed = is_closed(record)
            if not closed:
                self.broken["records without an end"] += 1
            if record.startswith("<Topic"):
                before = _named(record, self.broken)
                if before:
                    known.titles.setdefault(before, "")
            elif record.startswith("<ExternalPage"):
                self.records += 1
                row = self._row(record, before if closed else None)
                if row is not None:
                    rows.append(row)
            if len(rows) == _CHUNK:
                self._keep(rows)
        self._keep(rows)
        if not found:
            raise FileError(f"'{path.name}' is no content file of the Open Directory: there is no Topic or page in it.")

    def _row(self, record: str, before: str | None) -> tuple[int, str, str] | None:
        topic = tag_text(record, "topic", self.broken) or before
        if topic is None:
            self.left_out[_NO_CATEGORY] += 1
            return None
        title = tag_text(record, "d:Title", self.broken) or ""
        description = tag_text(record, "d:Description", self.broken) or ""
        if not title and not description:
            self.left_out[_NO_TITLE] += 1
            return None
        return self.topics.setdefault(topic, len(self.topics)), title, description

    def _keep(self, rows: list[tuple[int, str, str]]) -> None:
        codes, titles, descriptions = zip(*rows, strict=True) if rows else ((), (), ())
        self.codes.append(np.array(codes, np.int32))
        self.titles.append(pa.array(titles, pa.string()))
        self.descriptions.append(pa.array(descriptions, pa.string()))
        rows.clear()


def _named(record: str, broken: Counter[str]) -> str | None:
    """Return the path of a Topic as it is written; an empty one is the root."""
    found = _ID.search(record, 0, record.find(">") + 1)
    if found is None:
        broken["topics without a name"] += 1
        return None
    return readable(found.group(1) or found.group(2) or "", broken)


# --- paths as they are written, and categories ----------------------------------------------------------------------------


def _directory(topics: _Topics, pages: _Pages, without: frozenset[str], letter_bars: bool) -> Directory:
    written = list(dict.fromkeys([*topics.titles, *pages.topics]))
    paths = [_path(text) for text in written]
    if not letter_bars:
        bars = {_path(text) for text in topics.letter_bars} or _letter_bars(paths)
        paths = [_without_letters(path, bars) for path in paths]
    kept = [path if path and path[0] not in without else () for path in paths]
    tree = CategoryTree.from_paths(path for path in kept if path)
    places = tree.places
    about: list[str | None] = [None] * len(tree)
    for text, path in zip(written, kept, strict=True):
        if path and (said := topics.about(text)):
            at = places[path]
            about[at] = said if about[at] is None else f"{about[at]} {said}"
    place_of = dict(zip(written, (places.get(path, -1) for path in kept), strict=True))
    reasons = dict(zip(written, (_AT_ROOT if not path else _LEFT_OUT for path in paths), strict=True))
    return _filed(
        tree, about, pages, topics.broken, [place_of[t] for t in pages.topics], [reasons[t] for t in pages.topics]
    )


def _filed(
    tree: CategoryTree,
    about: list[str | None],
    pages: _Pages,
    broken: Counter[str],
    places: list[int],
    reasons: list[str],
) -> Directory:
    """File the pages under their categories and say what was left out."""
    codes = np.concatenate([*pages.codes, np.zeros(0, np.int32)])
    category = np.append(np.array(places, np.int32), np.int32(-1))[codes]
    left_out = Counter(pages.left_out)
    for code, count in enumerate(np.bincount(codes[category < 0], minlength=len(places)).tolist()):
        left_out[reasons[code]] += count
    kept = category >= 0
    return Directory(
        tree=tree,
        category=category[kept],
        title=_joined(pages.titles, kept),
        description=_joined(pages.descriptions, kept),
        about=pa.array(about, pa.string()),
        reading=DirectoryReading(
            form="odp",
            records=pages.records,
            kept=int(kept.sum()),
            left_out=+left_out,
            broken=+(broken + pages.broken),
        ),
    )


def _joined(chunks: list[pa.Array], kept: BoolArray) -> pa.StringArray:
    """Return the kept texts of all chunks as one array; the chunks are let go."""
    start = 0
    for number, chunk in enumerate(chunks):
        chunks[number] = chunk.filter(pa.array(kept[start : start + len(chunk)]))
        start += len(chunk)
    whole = pa.chunked_array(chunks, pa.string()).combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # above two gigabytes
        if whole.num_chunks > 1:
            raise DataError(
                "The titles or descriptions have more than two gigabytes; choose some languages of the dump."
            )
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], pa.string())
    chunks.clear()
    return whole


def _path(written: str) -> tuple[str, ...]:
    """Return the names of a path such as ``Top/Arts/Movies``; older dumps leave ``Top`` out."""
    names = tuple(name for part in written.split("/") if (name := part.replace("_", " ").strip()))
    return (names[1:] if names[:1] == ("Top",) else names)[:DEEPEST]


def _letter_bars(paths: Iterable[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Find the categories that are letters of a bar: many brothers with a letter for their name."""
    letters = {
        path[:depth] for path in paths for depth in range(2, len(path) + 1) if _LETTER.fullmatch(path[depth - 1])
    }
    brothers = Counter(path[:-1] for path in letters)
    return {path for path in letters if brothers[path[:-1]] >= LETTERS}


def _without_letters(path: tuple[str, ...], bars: set[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(name for depth, name in enumerate(path, 1) if path[:depth] not in bars)
