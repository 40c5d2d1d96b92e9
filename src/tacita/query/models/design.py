"""The columns of a model: numbers, dummies, products of both, made in blocks of records when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.models.cases import ModelData
from tacita.query.models.terms import ModelSpec, Term
from tacita.query.models.transforms import transformed

__all__ = ["Categories", "Design", "DesignColumn", "design_of"]


@dataclass(frozen=True)
class Categories:
    """How the classes of a categorical predictor enter a model.

    Parameters
    ----------
    reference
        Code of the reference, the most common class (of several, the first).
    kept
        Codes of the classes with a dummy, ascending.
    absorbed
        Codes of the classes that count as the reference, ascending: the sparse ones and those that nobody is in.
    """

    reference: int
    kept: tuple[int, ...]
    absorbed: tuple[int, ...] = ()

    def without(self, code: int) -> Categories:
        """Return it with one more class absorbed."""
        return Categories(
            self.reference, tuple(k for k in self.kept if k != code), tuple(sorted({*self.absorbed, code}))
        )


@dataclass(frozen=True)
class DesignColumn:
    """One column of the design.

    Parameters
    ----------
    term
        Place of its term among the terms of the design.
    effects
        The main effects whose product it is, each with the class of a dummy, or None for a numerical one.
    rows
        For a product, the places of the main effects' columns.
    """

    term: int
    effects: tuple[tuple[Term, str | None], ...]
    rows: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        """Its name, such as ``age:sex[f]``."""
        return ":".join(term.label + ("" if name is None else f"[{name}]") for term, name in self.effects)


@dataclass(frozen=True, eq=False)
class Design:
    """The columns of a model over the records, without the constant one.

    Parameters
    ----------
    data
        Complete cases.
    columns
        What each column is: main effects in the order of the model, then interactions.
    terms
        Labels of the terms with a column.
    categories
        For each categorical predictor, what became of its classes.
    """

    data: ModelData = field(repr=False)
    columns: tuple[DesignColumn, ...]
    terms: tuple[str, ...]
    categories: Mapping[str, Categories]
    codes: tuple[int, ...] = field(default=(), repr=False)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def fill(self, rows: slice, out: FloatArray) -> None:
        """Write the leading columns for some records into ``out``, one row for each; the number of its rows says how many.

        Products come after their factors and are made of these. O(m) a column.
        """
        for place in range(len(out)):
            column = self.columns[place]
            if column.rows:
                np.multiply(out[column.rows[0]], out[column.rows[1]], out=out[place])
                for more in column.rows[2:]:
                    out[place] *= out[more]
                continue
            term = column.effects[0][0]
            predictor = self.data.named(term.variable)
            if predictor.values is not None:
                transformed(predictor.values[rows], term.transform, out=out[place])
            else:
                out[place] = predictor.codes[rows] == self.codes[place]  # type: ignore[index]

    def matrix(self) -> FloatArray:
        """Return all columns as one (n, width) array; for small data and tests."""
        made = np.empty((self.width, self.data.size))
        self.fill(slice(0, self.data.size), made)
        return np.ascontiguousarray(made.T)

    def leading(self, terms: int) -> int:
        """Return the number of columns of the first so many terms: models of these are nested."""
        return sum(column.term < terms for column in self.columns)


def design_of(spec: ModelSpec, data: ModelData, categories: Mapping[str, Categories]) -> Design:
    """Return the columns of a model.

    A numerical main effect has one column, a categorical one a dummy for every kept class; an interaction has the products of
    the columns of its main effects. A term without any column (all classes absorbed) is left out.

    Parameters
    ----------
    spec
        The model, whose form was checked.
    data
        Complete cases.
    categories
        For each categorical predictor, what becomes of its classes.

    Returns
    -------
    Design
        The columns; no record was touched.

    Examples
    --------
    >>> from tacita.query.models.cases import Predictor
    >>> sex = Predictor("sex", codes=np.array([0, 1, 1]), classes=("f", "m"))
    >>> data = ModelData(np.zeros(3), (sex, Predictor("age", np.array([3.0, 4.0, 5.0]))))
    >>> made = design_of(ModelSpec.of("y", ["sex", "age"], [("sex", "age")]), data, {"sex": Categories(1, (0,))})
    >>> [column.label for column in made.columns], made.matrix().tolist()
    (['sex[f]', 'age', 'sex[f]:age'], [[1.0, 3.0, 3.0], [0.0, 4.0, 0.0], [0.0, 5.0, 0.0]])
    """
    columns: list[DesignColumn] = []
    codes: list[int] = []
    terms: list[str] = []
    places: dict[str, list[int]] = {}
    for term in spec.terms:
        kept = _classes_of(term, data, categories)
        places[term.label] = list(range(len(columns), len(columns) + len(kept)))
        columns += [DesignColumn(len(terms), ((term, name),)) for _, name in kept]
        codes += [code for code, _ in kept]
        terms += [term.label] if kept else []
    ordered = sorted(
        spec.interactions, key=len
    )  # a pair stands before the three that contain it, however it was written
    for names in ordered:
        effects = spec.resolved(names) or ()
        made = list(product(*(places[term.label] for term in effects)))
        for rows in made:
            columns.append(DesignColumn(len(terms), tuple(columns[row].effects[0] for row in rows), rows))
            codes.append(-1)
        terms += [":".join(term.label for term in effects)] if made else []
    return Design(data, tuple(columns), tuple(terms), dict(categories), tuple(codes))


def _classes_of(term: Term, data: ModelData, categories: Mapping[str, Categories]) -> list[tuple[int, str | None]]:
    predictor = data.named(term.variable)
    if predictor.kind == "numeric":
        return [(-1, None)]
    return [(code, predictor.classes[code]) for code in categories[term.variable].kept]
