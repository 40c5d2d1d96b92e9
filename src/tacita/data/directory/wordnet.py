"""WordNet as a directory: the tree of hypernyms of its nouns, each set of synonyms a category, each word an entry.

The database is that of WordNet itself (``data.noun`` and ``index.noun``; in Debian, ``wordnet-base``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from tacita.core.errors import FileError
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.directory import Directory
from tacita.data.directory.directory_reading import DirectoryReading
from tacita.data.directory.odp_records import said_clearly
from tacita.data.directory.words import words

__all__ = ["DATA", "INDEX", "read_wordnet"]

DATA, INDEX = "data.noun", "index.noun"
_HYPERNYMS = ("@", "@i")
_WORD, _PHRASE = 100_000.0, 10.0


@dataclass(frozen=True)
class _Synset:
    """A set of synonyms as a line of the database gives it."""

    lemmas: tuple[str, ...]
    hypernym: str | None
    gloss: str


def read_wordnet(folder: str | Path) -> Directory:
    """Read the nouns of WordNet.

    Parameters
    ----------
    folder
        Where ``data.noun`` and ``index.noun`` are, such as ``/usr/share/wordnet``.

    Returns
    -------
    Directory
        A category for each set of synonyms, called after its first word; an entry for each word of it; what is said of the
        category is its gloss.

    Raises
    ------
    FileError
        When a file is lacking or is no database of WordNet.

    Notes
    -----
    A set below several others is put under the first one; an instance (``@i``, as *Paris* of *national capital*) lies under what
    it is an instance of. Sets of the same name under one parent are numbered: ``bank (2)``. What is above nothing is a root, such
    as ``entity``. Entries weigh the less the rarer a word has their sense, so that an index names senses in WordNet's own order:
    100 000 / s for sense s of a word, 10 / s for an expression of several words.
    """
    folder = Path(folder)
    broken: Counter[str] = Counter()
    synsets = _synsets(folder / DATA, broken)
    senses = _senses(folder / INDEX, broken)
    order = _order(synsets, broken)
    place = {offset: number for number, offset in enumerate(order)}
    parents = [-1 if (above := synsets[offset].hypernym) is None else place.get(above, -1) for offset in order]
    rows = [
        (number, lemma.replace("_", " "), _weight(lemma, senses.get((lemma.lower(), offset))))
        for number, offset in enumerate(order)
        for lemma in synsets[offset].lemmas
    ]
    return Directory(
        tree=CategoryTree(
            _names([synsets[offset].lemmas[0] for offset in order], parents), np.array(parents, np.int32)
        ),
        category=np.array([number for number, _, _ in rows], np.int32),
        title=pa.array([lemma for _, lemma, _ in rows], pa.string()),
        description=pa.array([""] * len(rows), pa.string()),
        about=pa.array([synsets[offset].gloss for offset in order], pa.string()),
        weight=np.array([weight for _, _, weight in rows], np.float64),
        reading=DirectoryReading(form="wordnet", records=len(rows), kept=len(rows), broken=broken),
    )


def _synsets(path: Path, broken: Counter[str]) -> dict[str, _Synset]:
    """Read ``data.noun``: offset, file, kind, number of words, words with a number each, number of pointers, pointers, gloss."""
    found: dict[str, _Synset] = {}
    for line in _lines(path):
        fields, _, gloss = line.partition(" | ")
        parts = fields.split(" ")
        try:
            count = int(parts[3], 16)
            lemmas = tuple(parts[4 : 4 + 2 * count : 2])
            at = 4 + 2 * count
            pointers = [
                parts[at + 1 + 4 * number : at + 5 + 4 * number] for number in range(min(int(parts[at]), len(parts)))
            ]
            above = [pointer[1] for pointer in pointers if pointer[0] in _HYPERNYMS and pointer[2] == "n"]
        except (IndexError, ValueError):
            broken["lines that are no set of synonyms"] += 1
            continue
        if parts[2] != "n" or not lemmas or len(lemmas) != count:
            broken["lines that are no set of synonyms"] += 1
            continue
        found[parts[0]] = _Synset(lemmas, above[0] if above else None, gloss.strip())
    if not found:
        raise FileError(f"'{path.name}' is no database of WordNet: there is no set of synonyms in it.")
    return found


def _senses(path: Path, broken: Counter[str]) -> dict[tuple[str, str], int]:
    """Read ``index.noun``: the number of the sense of each word and set, 1 for the most frequent."""
    found: dict[tuple[str, str], int] = {}
    for line in _lines(path):
        parts = line.split()
        try:
            offsets = parts[-max(int(parts[2]), 1) :]
        except (IndexError, ValueError):
            broken["lines that are no word"] += 1
            continue
        found.update(((parts[0], offset), sense) for sense, offset in enumerate(offsets, 1))
    return found


def _lines(path: Path) -> list[str]:
    """Return the lines behind the licence, which begins every line with two blanks."""
    with said_clearly(path):
        text = path.read_bytes().decode("utf-8", "replace")
    return [line.rstrip() for line in text.split("\n") if line.strip() and not line.startswith("  ")]


def _order(synsets: dict[str, _Synset], broken: Counter[str]) -> list[str]:
    """Order the sets so that each stands behind the one above it, as they come otherwise."""
    order: dict[str, None] = {}
    for offset in synsets:
        above: dict[str, None] = {}
        at: str | None = offset
        while at is not None and at in synsets and at not in order:
            if at in above:
                broken["circles of hypernyms"] += 1
                synsets[at] = _Synset(synsets[at].lemmas, None, synsets[at].gloss)
                break
            above[at] = None
            at = synsets[at].hypernym
        if at is not None and at not in synsets:
            broken["hypernyms that are not there"] += 1
        # where a circle was cut, the set that has become a root goes first
        chain = list(reversed(above))
        start = next((number for number, name in enumerate(chain) if synsets[name].hypernym is None), 0)
        order.update(dict.fromkeys(chain[start:] + chain[:start]))
    return list(order)


def _names(words: list[str], parents: list[int]) -> tuple[str, ...]:
    """Return names that differ below each parent."""
    times: Counter[tuple[int, str]] = Counter()
    names = []
    for word, parent in zip(words, parents, strict=True):
        times[parent, word] += 1
        number = times[parent, word]
        names.append(word.replace("_", " ") + (f" ({number})" if number > 1 else ""))
    return tuple(names)


def _weight(lemma: str, sense: int | None) -> float:
    return (_WORD if len(words(lemma.replace("_", " "))) == 1 else _PHRASE) / (sense or 99)
