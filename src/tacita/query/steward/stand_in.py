"""A stand-in to look at: a file with the same columns and classes that tells nothing about how variables belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.core.streams import Seed, Streams
from tacita.data.made.made_like import made_like, with_new_ids
from tacita.data.microdata import Microdata
from tacita.data.schema import Column
from tacita.data.store.opening import open_store
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import Variable
from tacita.query.catalogue.version import Version
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.partitioned import Partitioned
from tacita.query.universe.universe import class_word

if TYPE_CHECKING:
    from tacita.release.recipe import Recipe

__all__ = ["stand_in"]

_SIZES = (1, 2, 2, 3, 4)
"""Sizes of households in a stand-in: invented, so that whoever counts households has some."""


def stand_in(
    source: Microdata,
    recipe: Recipe | None = None,
    *,
    seed: Seed,
    tells: Literal["marginals", "catalogue"] = "marginals",
    n: int | None = None,
    catalogue: Catalogue | None = None,
) -> Microdata:
    """Make a file to write analyses on: analysts see it, and the same request then runs on the original records.

    Every variable is drawn on its own from its published classes or bins, so that nothing joint survives: with
    ``marginals`` in the shares that they have in the data, with ``catalogue`` all equally often. A number is drawn
    evenly within its bin. Every class stands there at least once. Identifiers and households are invented; all weights
    are the same.

    Protects against everybody who wants to know which values meet in one record, whatever he knows: no variable was
    looked at together with another, and no row was copied. Does not protect the marginals: ``marginals`` tells the
    share of each class, and so about how many records a rare one has. ``catalogue`` tells nothing but what the
    catalogue tells.

    Parameters
    ----------
    source
        The original records.
    recipe
        Masks that make the file instead, with the protection that they have; rows are shuffled, identifiers and
        households get new numbers.
    seed
        Same seed, same file. Where no recipe is given, numbers are drawn from counts alone, so that who finds the seed
        learns no more than the file tells; with a recipe the seed is as secret as that of a release.
    tells
        What the file may tell.
    n
        Number of records; by default as many as there are, or 1000 with ``catalogue``, which tells not even that.
    catalogue
        The published variables; by default they are drafted with cutpoints of at least 50 records a bin.

    Returns
    -------
    Microdata
        The same schema.

    Raises
    ------
    ParameterError
        When ``n`` is too small for every class to be there, or stands beside a recipe.

    Complexity
    ----------
    O(n d) for d columns, and reading the original once.

    Notes
    -----
    A row may equal an original one by chance, as often as for variables that have nothing to do with each other; taking
    such rows out would tell which combinations exist. Columns that the catalogue does not have are empty; a numeric one
    without cutpoints has numbers without meaning.

    References
    ----------
    Bleninger, P., Drechsler, J. and Ronning, G. (2011), Remote data access and the risk of disclosure from linear
    regression, section 1: the researcher sees an anonymised version, the queries run on the original data.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> seen = stand_in(data, seed=7)
    >>> seen.schema == data.schema, len(seen)
    (True, 500)
    """
    streams = Streams(seed).within("stand_in")
    if recipe is not None:
        if n is not None or catalogue is not None or tells != "marginals":
            raise ParameterError(
                "stand_in: 'n', 'catalogue' and 'tells' have no meaning where a recipe makes the file."
            )
        return _masked(source, recipe, seed, streams)
    if tells not in ("marginals", "catalogue"):
        raise ParameterError(f"stand_in: 'tells' must be 'marginals' or 'catalogue', got {tells!r}.")
    store = open_store(source)
    known = Catalogue.draft(store, cutpoints=Partitioned(minimum=50), coarsen=True) if catalogue is None else catalogue
    size = n if n is not None else len(source) if tells == "marginals" else 1000
    largest = max((variable.size for variable in known), default=0)
    if size < max(largest, 1):
        raise ParameterError(
            f"stand_in: 'n' must be at least {max(largest, 1)}, so that every class is there, got {size}."
        )
    version = Version(store, known, Key.draw()) if tells == "marginals" else None
    drawn = _Drawn(source, known, version, size, streams)
    return made_like(source, size, numbers=drawn.numbers, classes=drawn.classes, labels=drawn.labels)


def _masked(source: Microdata, recipe: Recipe, seed: Seed, streams: Streams) -> Microdata:
    """The file that masks make: rows in another order, with identifiers and households of their own."""
    masked = recipe.apply(source, seed=seed).data
    masked = masked.take(streams.stream("rows").permutation(len(masked)))
    labels = {}
    for column in masked.schema:
        if column.has_role("identifier"):
            labels[column.name] = np.arange(len(masked))
        elif column.has_role("household") or column.has_role("cluster"):
            groups = masked.groups([column.name])
            new = streams.stream("column", column.name).permutation(int(groups.max()) + 1 if len(groups) else 0)
            labels[column.name] = new[groups]
    return with_new_ids(masked, labels)


class _Drawn:
    """Draws the columns of a stand-in, each from a stream of its own."""

    def __init__(
        self, source: Microdata, catalogue: Catalogue, version: Version | None, n: int, streams: Streams
    ) -> None:
        self.source, self.catalogue, self.version, self.n = source, catalogue, version, n
        self.numbers: dict[str, FloatArray] = {}
        self.classes: dict[str, tuple[IntArray, tuple[Any, ...]]] = {}
        self.labels: dict[str, IntArray] = {}
        for column in source.schema:
            self._draw(column, streams.stream("column", column.name))

    def _draw(self, column: Column, rng: np.random.Generator) -> None:
        name = column.name
        if column.has_role("identifier"):
            self.labels[name] = np.arange(self.n)
        elif column.has_role("household") or column.has_role("cluster"):
            self.labels[name] = np.repeat(np.arange(self.n), rng.choice(_SIZES, size=self.n))[: self.n]
        elif column.has_role("weight"):
            self.numbers[name] = np.full(self.n, self._weight(column))
        elif name in self.catalogue:
            self._variable(self.catalogue[name], column, rng)

    def _variable(self, variable: Variable, column: Column, rng: np.random.Generator) -> None:
        if variable.bins is not None:
            self.numbers[column.name] = self._within(variable, variable.bins, column, rng)
        elif variable.is_numeric:
            low, high = _ends(column)
            self.numbers[column.name] = low + (high - low) * rng.random(self.n)
        else:
            codes = self._codes(variable, rng)
            by_word = {class_word(value): value for value in self.source.codes(variable.name).categories}
            words = [words[0] for _, words in variable.groups] or variable.classes
            categories = tuple(by_word.get(word, word) for word in words)
            self.classes[column.name] = np.where(codes < len(categories), codes, -1), categories

    def _weight(self, column: Column) -> float:
        """One weight for all: the mean, to two figures, where shares may be told."""
        if self.version is None:
            return 1.0
        return float(f"{float(np.nanmean(self.source.float(column.name))):.1e}")

    def _codes(self, variable: Variable, rng: np.random.Generator) -> IntArray:
        """Classes by number: each once at least, the rest in the shares of the data or evenly; from counts alone."""
        size = variable.size
        shares = np.full(size, 1.0 / size)
        if self.version is not None:
            counts = np.bincount(self.version.codes(variable.name), minlength=size)
            shares = counts / counts.sum() if counts.sum() else shares
        drawn = np.concatenate([np.arange(size), rng.choice(size, size=self.n - size, p=shares)])
        return rng.permutation(drawn)

    def _within(self, variable: Variable, bins: Bins, column: Column, rng: np.random.Generator) -> FloatArray:
        """Numbers, evenly within their bins; open bins are as wide as their neighbours, and end where the schema says."""
        codes, edges = self._codes(variable, rng), bins.edges
        low, high = column.bounds or (None, None)
        if not np.isfinite(edges).any():  # one bin, and nothing public about it
            edges[:] = _ends(column)
        if not np.isfinite(edges[0]):
            start = edges[1] - _width(edges[1:-1], edges[1])
            edges[0] = start if low is None or low > edges[1] else max(start, low)
        if not np.isfinite(edges[-1]):
            end = edges[-2] + _width(edges[:-1][::-1], edges[-2])
            edges[-1] = end if high is None or not high > edges[-2] else min(end, high)
        is_missing = codes >= len(variable.classes)
        place = np.where(is_missing, 0, codes)
        bottom, top = edges[place], edges[place + 1]
        values = top - (top - bottom) * rng.random(self.n)  # in (bottom, top], as bins are; a bin of one value has it
        if bins.whole:
            rounded = np.ceil(values)
            values = np.where((rounded > bottom) & (rounded <= top), rounded, top)
        return np.where(is_missing, np.nan, values)


def _width(edges: FloatArray, near: float) -> float:
    """How wide an open bin is drawn: as its neighbour, or where there is none as its limit is large."""
    found = abs(edges[1] - edges[0]) if len(edges) > 1 else np.inf
    return float(found) if np.isfinite(found) else max(abs(float(near)), 1.0)


def _ends(column: Column) -> tuple[float, float]:
    """A range for numbers of which nothing is published: what the definition allows, else from 0 to 1."""
    low, high = column.bounds or (None, None)
    start = 0.0 if low is None else float(low)
    return start, start + 1.0 if high is None else float(high)
