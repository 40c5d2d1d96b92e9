"""PRAM: categories are changed at random by a transition matrix that the data owner knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, ParameterError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.streams import Seed, Streams, check_seed
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.data.units import Unit, find_units, say_units
from tacita.mask.base import Mask

__all__ = ["MISSING", "Pram", "Transition"]


MISSING = "(missing)"
"""Label of the missing value in a transition matrix."""
_JOINT = "|"
"""Between the labels of a joint category."""


@dataclass(frozen=True, eq=False)
class Transition:
    """What was done to one column (or one joint set of columns) of one stratum.

    Parameters
    ----------
    origin, released
        Labels of the rows and of the columns of the matrix.
    matrix
        Probabilities, rows sum to 1.
    """

    origin: tuple[str, ...]
    released: tuple[str, ...]
    matrix: FloatArray


@dataclass(frozen=True, kw_only=True)
class Pram(Mask):
    """Change categories at random: a value i becomes j with probability p_ij.

    The matrix is given, or built: its diagonal is uniform on [pd, 1] and the rest of each row shared at random. The
    **invariant** form turns it into a matrix that keeps the expected frequencies of the variable, and mixes it with the
    identity: ``alpha R + (1 - alpha) I``.

    Protects by uncertainty: a rare combination in the release may be the work of chance. Does not protect a category
    that stays with probability 1, nor against an intruder who matches several changed variables of small pd at once.

    Parameters
    ----------
    columns
        The columns to change.
    matrix
        Transition matrix: for each original label the probabilities of released labels; a label that is left out stays
        as it is. Released labels may be new (recoding), ``(missing)`` is the missing value (suppression).
    invariant
        Whether a built matrix is made to keep expected frequencies.
    pd
        Smallest diagonal entry of a built matrix.
    alpha
        Share of the change in the invariant form; 0 changes nothing.
    by
        Strata: a matrix is built, and frequencies kept, within each.
    joint
        Whether the columns are changed together, as one variable of their combinations (labels joined by ``|``).
    missing
        ``keep`` leaves missing values as they are; ``category`` treats missing as one more category.

    unit
        The household column: a column that has one value for all members of every household is drawn once for each household.
        By default the column with that role; ``False`` for none.

    Returns
    -------
    Microdata
        With the chosen columns changed.

    Raises
    ------
    ParameterError
        When the rows of the matrix do not sum to 1 or a probability is negative.
    ColumnError
        When the matrix names labels that the column does not have.

    Preserves
    ---------
    Nothing exactly. The invariant form keeps the frequencies of every changed variable in expectation.

    Complexity
    ----------
    O(n log m) time for m categories, O(n + m^2) memory.

    Notes
    -----
    Built matrices follow the two parameters of the field's R tool. With ``by`` the invariant form keeps the expected
    table of each column by the strata. Data users who get the matrix (:meth:`transitions`) correct their tables by
    :func:`tacita.mask.randomise.pram_estimate.pram_table`; where values were drawn for households, its errors are too
    small, because it counts members as independent. Were the members drawn apart, their most frequent
    value would tell the original.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg and de Wolf (1998), Post randomisation for statistical disclosure control.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Pram(columns=["region"], pd=0.7).apply(data, seed=7)
    """

    name = "pram"
    title = "Post-randomisation (PRAM)"
    attacks = (Attack(measure="agreement_linkage", knows="how often each column keeps its value"),)
    faces = ("key_match", "pram_inversion", "probabilistic_link")
    traits = Traits(scales={"nominal", "ordinal"}, stochastic=True)
    columns: Columns = Selector("categorical keys")
    matrix: Mapping[str, Mapping[str, float]] | None = None
    invariant: bool = True
    pd: Annotated[float, Interval(0, 1)] = 0.8
    alpha: Annotated[float, Interval(0, 1)] = 0.5
    by: Columns = ()
    joint: bool = False
    missing: Literal["keep", "category"] = "keep"
    unit: Unit = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for label, row in (self.matrix or {}).items():
            if not isinstance(row, Mapping) or not all(isinstance(p, (int, float)) for p in row.values()):
                raise ParameterError(f"Pram: 'matrix' must have a table of probabilities in row '{label}'.")
            total = sum(row.values())
            if min(row.values(), default=0) < 0 or abs(total - 1) > 1e-9:
                raise ParameterError(
                    f"Pram: row '{label}' of 'matrix' must have probabilities that sum to 1, got a sum of {total:.6g}."
                )

    @property
    def keeps_at_most(self) -> float | None:
        """99 percent where the matrix is built, whose chances to stay are often high; any share of a matrix that was given."""
        return 0.99 if self.matrix is None else None

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Change the chosen columns."""
        return self._work(data, streams)[0]

    def transitions(self, data: Microdata, *, seed: Seed) -> dict[tuple[str, ...], list[Transition]]:
        """Return the matrices that :meth:`apply` uses for these data and this seed, by columns, one for each stratum."""
        return self._work(data, self.own(Streams(check_seed(seed, owner="Pram")), data))[1]

    def _work(self, data: Microdata, streams: Streams) -> tuple[Microdata, dict[tuple[str, ...], list[Transition]]]:
        names = data.schema.resolve(self.columns, owner="Pram", scales=self.traits.scales)
        by = data.schema.resolve(self.by, owner="Pram", parameter="by") if self.by != () else ()
        both = [name for name in names if name in by]
        if both:
            raise ColumnError(f"Pram: column '{both[0]}' cannot be changed and be a stratum at once.")
        strata = _rows_of(data.groups(by)) if by else [slice(None)] if len(data) else []
        units = find_units(data, self.unit, owner="Pram")
        shared = () if units is None else units.shared(data, names)
        say_units(units, shared, owner="Pram", done="values are drawn once for each household")
        used: dict[tuple[str, ...], list[Transition]] = {}
        for together in (names,) if self.joint else tuple((name,) for name in names):
            variable = _Variable(data, together, self.missing == "category")
            rng = streams.stream(self.name, *together)
            members = units.labels if units is not None and set(together) <= set(shared) else None
            codes, used[together] = self._changed(variable, strata, rng, members)
            data = variable.with_codes(data, codes, used[together][0].released if used[together] else ())
        return data, used

    def _changed(
        self,
        variable: _Variable,
        strata: Sequence[IntArray | slice],
        rng: np.random.Generator,
        members: IntArray | None,
    ) -> tuple[IntArray, list[Transition]]:
        """Return the released codes and the matrices of the strata; members of a unit have one random number."""
        from tacita.numeric.perturbation.pram import draw_transitions  # loads when used

        released = variable.codes.copy()
        found: list[Transition] = []
        for rows in strata:
            codes = variable.codes[rows]
            transition = self._transition(variable, codes, rng)
            cumulative = np.cumsum(transition.matrix, axis=1)
            drawn = rng.random(len(codes))
            if members is not None:
                _, first, unit = np.unique(members[rows], return_index=True, return_inverse=True)
                drawn = drawn[first][unit.ravel()]
            released[rows] = draw_transitions(codes, cumulative, drawn)
            found.append(transition)
        return released, found

    def _transition(self, variable: _Variable, codes: IntArray, rng: np.random.Generator) -> Transition:
        from tacita.numeric.perturbation.pram import invariant_matrix, random_matrix

        size = len(variable.labels)
        if self.matrix is not None:
            return _given(self.matrix, variable.labels)
        frequencies = np.bincount(codes[codes >= 0], minlength=size).astype(np.float64)
        matrix = random_matrix(size, self.pd, rng)
        if self.invariant:
            matrix = invariant_matrix(matrix, frequencies, self.alpha)
        return Transition(variable.labels, variable.labels, matrix)


def _rows_of(strata: IntArray) -> list[IntArray | slice]:
    order = np.argsort(strata, kind="stable")
    return list(np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)) if len(order) else []


class _Variable:
    """One column, or several as one: codes into labels."""

    def __init__(self, data: Microdata, names: tuple[str, ...], has_missing: bool) -> None:
        self.names = names
        self.parts = [data.codes(name) for name in names]
        sizes = [len(part.categories) + has_missing for part in self.parts]
        combined = np.zeros(len(data), dtype=np.int64)
        absent = np.zeros(len(data), dtype=bool)
        for part, size in zip(self.parts, sizes, strict=True):
            lacking = part.values < 0
            absent |= lacking & (not has_missing)
            combined = combined * size + np.where(lacking, size - 1, part.values)
        if len(names) == 1:
            known = np.arange(sizes[0])  # also categories that do not occur
            combined[absent] = -1
            self.codes = combined
        else:
            known, place = np.unique(combined[~absent], return_inverse=True)
            self.codes = np.full(len(data), -1, dtype=np.int64)
            self.codes[~absent] = place.ravel()
        self._values = [self._spelled(known, sizes, position) for position in range(len(names))]
        self.labels = tuple(
            _JOINT.join(MISSING if value is None else str(value) for value in row)
            for row in zip(*self._values, strict=True)
        )

    def _spelled(self, known: IntArray, sizes: list[int], position: int) -> list[Any]:
        step = int(np.prod(sizes[position + 1 :], dtype=np.int64))
        categories = [*self.parts[position].categories, None]
        return [categories[min(int(code), len(categories) - 1)] for code in (known // step) % max(sizes[position], 1)]

    def with_codes(self, data: Microdata, codes: IntArray, released: tuple[str, ...]) -> Microdata:
        """Return data in which the columns have the categories of these codes."""
        place = {label: i for i, label in enumerate(self.labels)}
        for position, name in enumerate(self.names):
            kind = data.type_of(name)
            values = [
                self._values[position][place[label]] if label in place else self._new(label, position, kind, name)
                for label in released
            ]
            plain = kind.value_type if pa.types.is_dictionary(kind) else kind
            index = pa.array(np.where(codes < 0, 0, codes), mask=codes < 0)
            made = pa.array(values, type=plain).take(index) if values else pa.nulls(len(codes), plain)
            data = data.with_column(name, made.dictionary_encode() if pa.types.is_dictionary(kind) else made)
        return data

    def _new(self, label: str, position: int, kind: pa.DataType, name: str) -> Any:
        """Return the value of a label that the data do not have."""
        parts = label.split(_JOINT) if len(self.names) > 1 else [label]
        if len(parts) != len(self.names):
            raise ColumnError(f"Pram: a label of 'matrix' must join {len(self.names)} labels by '{_JOINT}'.")
        if parts[position] == MISSING:
            return None
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        if pa.types.is_string(plain) or pa.types.is_large_string(plain):
            return parts[position]
        try:
            return pa.scalar(parts[position]).cast(plain).as_py()
        except pa.ArrowInvalid:
            raise ColumnError(f"Pram: 'matrix' has a new label that column '{name}' ({plain}) cannot hold.") from None


def _given(matrix: Mapping[str, Mapping[str, float]], labels: tuple[str, ...]) -> Transition:
    """Return a user's matrix over the labels of the data; rows that are not given are those of the identity."""
    unknown = [label for label in matrix if label not in labels]
    if unknown:
        raise ColumnError(
            f"Pram: 'matrix' has {len(unknown)} row(s) for labels that do not occur, such as '{unknown[0]}'."
        )
    released = tuple(dict.fromkeys([*labels, *(label for row in matrix.values() for label in row)]))
    place = {label: j for j, label in enumerate(released)}
    made = np.zeros((len(labels), len(released)))
    for i, label in enumerate(labels):
        for target, probability in matrix.get(label, {label: 1.0}).items():
            made[i, place[target]] += probability
    return Transition(labels, released, made)
