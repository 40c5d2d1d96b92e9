"""A column of texts that grows block by block: every text is kept once, each line has its number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from tacita.core.errors import DataError
from tacita.data.query_log.query_log import Codes

__all__ = ["GrowingTexts"]

_TOGETHER = 16
_Part: TypeAlias = pa.DictionaryArray


@dataclass
class GrowingTexts:
    """Texts of lines, numbered in the order in which they occur.

    Parameters
    ----------
    none
        Texts that stand for none, beside the empty one.

    Notes
    -----
    Blocks are numbered by themselves and put together sixteen at a time, those again, and so on, so that each text is looked
    up a few times only, and a text that stands in all blocks is not kept in each.
    """

    none: tuple[str, ...] = ()
    _levels: list[list[_Part]] = field(default_factory=list)

    def add(self, texts: pa.Array) -> None:
        """Take in the texts of the next lines; null stands for none."""
        self._put(0, texts.dictionary_encode())

    def _put(self, level: int, part: _Part) -> None:
        if level == len(self._levels):
            self._levels.append([])
        self._levels[level].append(part)
        if len(self._levels[level]) == _TOGETHER:
            parts, self._levels[level] = self._levels[level], []
            self._put(level + 1, _together(parts))

    def finish(self) -> tuple[Codes, pa.StringArray]:
        """Return the number of each line's text, -1 for none, and the texts; nothing is kept here."""
        parts = [part for level in reversed(self._levels) for part in level]
        self._levels.clear()
        if not parts:
            return np.zeros(0, np.int32), pa.array([], pa.string())
        whole = parts[0] if len(parts) == 1 else _together(parts)
        parts.clear()
        codes = whole.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        texts = whole.dictionary
        missing = np.zeros(len(texts) + 1, bool)
        for none in ("", *self.none):
            place = texts.index(none).as_py()
            if place >= 0:
                missing[place] = True
        if not missing.any():
            return codes, texts
        number = np.where(missing, -1, np.cumsum(~missing) - 1).astype(np.int32)
        number[-1] = -1  # what -1 finds
        return number[codes], texts.filter(pa.array(~missing[:-1]))


def _together(parts: list[_Part]) -> _Part:
    try:
        chunks = pa.chunked_array(parts).unify_dictionaries().chunks
        indices = pa.concat_arrays([chunk.indices for chunk in chunks])
    except pa.ArrowException:
        raise DataError(
            "The different texts of a log must have less than two gigabytes together; read its files one by one."
        ) from None
    return pa.DictionaryArray.from_arrays(indices, chunks[0].dictionary)
