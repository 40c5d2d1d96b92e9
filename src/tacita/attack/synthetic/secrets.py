"""Secrets: the column that an attacker wants to know, as numbers or as classes with their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import FloatArray, IntArray
from tacita.data.microdata import Microdata
from tacita.data.side_by_side.person_space import columns_of_people

__all__ = ["Secret", "declined_secret", "secret_column"]


@dataclass(frozen=True, eq=False)
class Secret:
    """The wanted column of a file.

    Parameters
    ----------
    name
        Of the column.
    values
        Its numbers; of a column of classes none.
    codes
        Its classes, -1 where missing; of a column of numbers none.
    words
        What the classes are called.
    """

    name: str
    values: FloatArray
    codes: IntArray
    words: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return not self.words

    def worded(self, codes: IntArray) -> NDArray[np.generic]:
        """Return classes by their words; an empty one where the class is -1."""
        return np.asarray(np.array([*self.words, ""], dtype=object)[codes], dtype=object)


def secret_column(data: Microdata, name: str, words: tuple[Any, ...] = ()) -> Secret:
    """Return the wanted column of a file, its classes numbered by ``words`` where these are given."""
    if data.schema[name].scale == "numeric":
        return Secret(name, data.float(name), np.empty(0, np.int64))
    found = data.codes(name)
    own = tuple(str(c) for c in found.categories)
    named = words or own or ("",)
    place = {word: j for j, word in enumerate(named)}
    where = np.array([*(place.get(word, -1) for word in own), -1], np.int64)
    return Secret(name, np.empty(0), where[found.values], named)


def declined_secret(target: GeneratorTarget) -> str:
    """Return why an attack on a secret cannot be tried; empty where it can."""
    if target.secret is None:
        return "It asks for a secret column, and the target names none."
    if target.secret not in target.released.schema:
        return "The synthetic file has no such column as the secret one."
    if not len(target.released):
        return "The synthetic file has no record."
    if not columns_of_people(target.candidates, target.released):
        return "What is known of the candidates is not in the synthetic file."
    return ""
