"""Shadows: synthetic files that an attacker makes himself, with the same generator, from people whom he has."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.random import Generator

from tacita.attack.targets import Generate, GeneratorTarget
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError, TacitaError
from tacita.core.progress import task
from tacita.data.made.made_like import made_like
from tacita.data.microdata import Microdata

__all__ = ["both_files", "generator_seconds", "shadow_files"]

_took: WeakKeyDictionary[Generate, tuple[int, float]] = WeakKeyDictionary()
"""How many records each generator was tried with, and how long it took: it is tried once."""


def both_files(one: Microdata, other: Microdata) -> Microdata:
    """Return the records of two files with the same columns as one file, without a link to where they came from.

    Examples
    --------
    >>> import pyarrow as pa
    >>> one = Microdata.from_frame(pa.table({"age": [31], "sex": ["m"]}))
    >>> two = Microdata.from_frame(pa.table({"age": [47, 5], "sex": ["f", "m"]}))
    >>> both_files(one, two).to_arrow().to_pydict()
    {'age': [31, 47, 5], 'sex': ['m', 'f', 'm']}
    """
    lacking = [name for name in one.names if name not in other.schema]
    if lacking:
        raise AttackError(f"Both files must have the column '{lacking[0]}'.")
    numbers, classes = {}, {}
    for column in one.schema:
        name = column.name
        if column.scale == "numeric":
            numbers[name] = np.concatenate([one.float(name), other.float(name)])
            continue
        first, second = one.codes(name), other.codes(name)
        words = tuple(dict.fromkeys((*first.categories, *second.categories)))
        classes[name] = (
            np.concatenate([_placed(part.values, part.categories, words) for part in (first, second)]),
            words,
        )
    return made_like(one, len(one) + len(other), numbers=numbers, classes=classes, labels={})


def shadow_files(
    generate: Generate, pool: Microdata, names: Sequence[str], *, size: int, shadows: int, rng: Generator
) -> Iterator[tuple[IntArray, Microdata]]:
    """Run the generator on random parts of a pool, and give the rows of each part with what was made from it.

    Raises
    ------
    AttackError
        When the generator cannot work on such a part, or leaves out one of the columns ``names``.
    """
    with task("Making shadows", shadows) as running:
        for _ in range(shadows):
            rows = np.sort(rng.choice(len(pool), size, replace=False))
            made = _generated(generate, pool.take(rows), int(rng.integers(2**63)))
            lacking = [name for name in names if name not in made.schema]
            if lacking:
                raise AttackError(f"The generator must give the column '{lacking[0]}', as the released file has it.")
            running.advance()
            yield rows, made


def generator_seconds(target: GeneratorTarget) -> float:
    """Return about how long the generator takes for as many records as it released; it is tried once."""
    size = min(len(target.released), len(target.reference))
    try:
        known = _took.get(target.generate)
    except TypeError:  # a callable that cannot be remembered
        known = None
    if known is None:
        started = time.process_time()
        with suppress(AttackError):  # the attack itself will say so
            _generated(target.generate, target.reference.take(np.arange(size)), 1)
        known = size, time.process_time() - started
        with suppress(TypeError):
            _took[target.generate] = known
    return known[1] * len(target.released) / max(known[0], 1)


def _generated(generate: Generate, data: Microdata, seed: int) -> Microdata:
    """Run the generator on records that know nothing of the file that they were taken from."""
    try:
        return generate(Microdata(data.to_arrow(codes=False), data.schema), seed)
    except TacitaError as error:
        raise AttackError(f"The generator cannot be run on people of the attacker's own: {error}") from error


def _placed(codes: IntArray, categories: tuple[Any, ...], words: tuple[Any, ...]) -> IntArray:
    """Return codes as positions in a longer list of categories."""
    place = {word: j for j, word in enumerate(words)}
    return np.asarray(np.array([*(place[c] for c in categories), -1], np.int64)[codes])
