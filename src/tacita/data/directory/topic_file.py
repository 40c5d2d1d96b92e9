"""The file of an index: a head that says what stands where, and then arrays, which are used from the disk.

The file begins with a mark and the length of its head; the head is JSON and has, for each array, its type, place and checksum.
Nothing in the file is ever run, and a file that was changed by accident is refused.
"""

from __future__ import annotations

import json
import mmap
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.errors import FileError
from tacita.data.atomic import atomic_file

__all__ = ["is_index", "load_sections", "save_sections"]

_MARK = b"TACITA-TOPICS-1\n"
_ALIGNED = 64
_STEP = 1 << 22
_LARGEST_HEAD = 1 << 20
_TYPES = {"int32": "<i4", "int64": "<i8", "float32": "<f4", "uint8": "|u1"}
_NEEDED = {
    "words": "uint8",
    "words_starts": "int64",
    "names": "uint8",
    "names_starts": "int64",
    "titles": "uint8",
    "titles_starts": "int64",
    "parents": "int32",
    "category_of": "int32",
    "category_starts": "int64",
    "categories": "int32",
    "category_scores": "float32",
    "document_starts": "int64",
    "documents": "int32",
    "document_scores": "float32",
}


def is_index(path: Path) -> bool:
    """Whether a file begins as an index does."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MARK)) == _MARK
    except OSError:
        return False


def save_sections(path: Path, sections: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Write arrays into one file, which appears whole or not at all."""
    head, at = {}, 0
    for name, kind in _NEEDED.items():
        array = sections[name]
        length = len(array) * np.dtype(kind).itemsize
        head[name] = {"type": kind, "place": at, "length": len(array), "checksum": _checksum(array, kind)}
        at += -(-length // _ALIGNED) * _ALIGNED
    text = json.dumps(head, sort_keys=True).encode("ascii")
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        file.write(_MARK + struct.pack("<Q", len(text)) + text)
        file.write(b"\0" * (_first(len(text)) - file.tell()))
        for name, kind in _NEEDED.items():
            for start in range(0, len(sections[name]), _STEP):
                file.write(sections[name][start : start + _STEP].astype(_TYPES[kind]).tobytes())
            file.write(b"\0" * (-file.tell() % _ALIGNED))


def load_sections(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a file; they are read from the disk where they are needed.

    Raises
    ------
    FileError
        When the file cannot be read, is no index, or was damaged.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(_MARK) + 8)
            if not start.startswith(_MARK) or len(start) < len(_MARK) + 8:
                raise FileError(f"'{path.name}' is no index of topics, or one of another version; build it anew.")
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"'{path.name}' cannot be read: {error.strerror or 'unknown reason'}.") from error
    damaged = FileError(f"'{path.name}' is damaged or cut off; build the index again.")
    try:
        length = struct.unpack("<Q", start[len(_MARK) :])[0]
        if length > _LARGEST_HEAD:
            raise damaged
        head = json.loads(bytes(whole[len(start) : len(start) + length]))
        sections = {name: _array(whole, _first(length), head[name], kind) for name, kind in _NEEDED.items()}
    except (ValueError, KeyError, TypeError, struct.error, OverflowError):
        raise damaged from None
    if not _is_consistent(sections):
        raise damaged
    return sections


def _array(whole: memoryview, first: int, said: Mapping[str, Any], kind: str) -> npt.NDArray[Any]:
    if said["type"] != kind or not int(said["length"]) >= 0 or not int(said["place"]) >= 0:
        raise ValueError
    array = np.frombuffer(whole, _TYPES[kind], int(said["length"]), first + int(said["place"]))
    if _checksum(array, kind) != said["checksum"]:
        raise ValueError
    return array


def _is_consistent(sections: Mapping[str, npt.NDArray[Any]]) -> bool:
    """Whether everything that is a place in another array is one, so that no lookup can go astray."""
    categories, documents = len(sections["parents"]), len(sections["category_of"])
    words = len(sections["words_starts"]) - 1
    pairs = [("words", "words"), ("names", "names"), ("titles", "titles")]
    pairs += [("category", "categories"), ("document", "documents")]
    fits = all(_leads_through(sections[f"{name}_starts"], len(sections[data])) for name, data in pairs)
    fits &= len(sections["names_starts"]) == categories + 1
    fits &= len(sections["titles_starts"]) == documents - categories + 1
    fits &= len(sections["category_starts"]) == len(sections["document_starts"]) == words + 1
    fits &= len(sections["categories"]) == len(sections["category_scores"])
    fits &= len(sections["documents"]) == len(sections["document_scores"])
    fits &= _within(sections["category_of"], 0, categories) and _within(sections["categories"], 0, categories)
    return bool(fits and _within(sections["documents"], 0, documents) and _within(sections["parents"], -1, categories))


def _leads_through(starts: npt.NDArray[Any], length: int) -> bool:
    return bool(len(starts) and starts[0] == 0 and starts[-1] == length and (np.diff(starts) >= 0).all())


def _within(places: npt.NDArray[Any], least: int, end: int) -> bool:
    return not len(places) or bool(least <= places.min() and places.max() < end)


def _checksum(array: npt.NDArray[np.generic], kind: str) -> int:
    found = 0
    for start in range(0, len(array), _STEP):
        found = zlib.crc32(array[start : start + _STEP].astype(_TYPES[kind]).tobytes(), found)
    return found


def _first(head: int) -> int:
    """Where the arrays begin behind a head of some bytes."""
    return -(-(len(_MARK) + 8 + head) // _ALIGNED) * _ALIGNED
