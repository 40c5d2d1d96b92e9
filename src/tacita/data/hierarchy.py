"""Hierarchies of categories: each value with the ever coarser groups it belongs to.

Two file forms are read and written: the semicolon form of ARX (one line a value, one field a level) and tau-ARGUS
``.hrc`` (indentation by a lead string, the total not listed, leading blanks significant).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacita.core.errors import SchemaError
from tacita.core.metadata import LARGE, read_text

__all__ = ["Hierarchy"]

_TOTAL = "Total"


@dataclass(frozen=True)
class Hierarchy:
    """A tree of categories, as one row of labels for each value.

    Parameters
    ----------
    rows
        For each value its labels, finest first: the value itself, its group, the group's group, and so on. All rows
        have the same length; the last label is usually one for all (``*`` or ``Total``).

    Examples
    --------
    >>> tree = Hierarchy((("red", "warm", "*"), ("blue", "cold", "*")))
    >>> tree.depth
    3
    >>> tree.labels(1)["red"]
    'warm'
    """

    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        rows = tuple(tuple(str(label) for label in row) for row in self.rows)
        object.__setattr__(self, "rows", rows)
        problems = _problems(rows)
        if problems:
            raise SchemaError(problems)

    @property
    def depth(self) -> int:
        """Number of levels, the values themselves included."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def values(self) -> tuple[str, ...]:
        """The finest categories, in the order of the file."""
        return tuple(row[0] for row in self.rows)

    def labels(self, level: int) -> Mapping[str, str]:
        """Return for each value its label at a level (0 = the value itself)."""
        if not 0 <= level < self.depth:
            raise SchemaError([f"A hierarchy of {self.depth} levels has levels 0 to {self.depth - 1}, not {level}."])
        return {row[0]: row[level] for row in self.rows}

    # --- files -----------------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, path: str | Path, *, lead: str = "@") -> Hierarchy:
        """Read a hierarchy; the ending of the name (``.hrc`` or any other) says which form."""
        path = Path(path)
        text = read_text(path, "The hierarchy file", encodings=("utf-8-sig", "cp1252", "latin-1"), limits=LARGE)
        return cls.from_hrc(text, lead=lead) if path.suffix.lower() == ".hrc" else cls.from_csv(text)

    @classmethod
    def from_csv(cls, text: str, *, separator: str = ";") -> Hierarchy:
        """Read the semicolon form: ``value;group;...;*`` a line."""
        reader = csv.reader(io.StringIO(text), delimiter=separator)
        try:
            rows = [tuple(row) for row in reader if row]
        except csv.Error:  # a carriage return or zero byte in a field, or a field without end
            raise SchemaError(
                [f"Line {reader.line_num} of the hierarchy file cannot be cut into fields; check its quotation marks."]
            ) from None
        return cls(tuple(rows))

    def to_csv(self, *, separator: str = ";") -> str:
        """Write the semicolon form."""
        out = io.StringIO()
        csv.writer(out, delimiter=separator, lineterminator="\n").writerows(self.rows)
        return out.getvalue()

    @classmethod
    def from_hrc(cls, text: str, *, lead: str = "@") -> Hierarchy:
        """Read tau-ARGUS ``.hrc``: the depth of a code is the number of lead strings before it.

        Notes
        -----
        The total is not listed in such a file; it becomes the label ``Total`` of the top level. Where branches have
        different depths, a short branch repeats its leaf on the finer levels, so that every row is equally long.
        Blanks are part of a code.
        """
        if not lead:
            raise SchemaError(["The lead string of a .hrc file must have a character, such as '@'."])
        paths: list[tuple[str, ...]] = []
        stack: list[str] = []
        for number, line in enumerate(text.splitlines(), 1):
            if not line:
                continue
            depth = 0
            while line.startswith(lead, depth * len(lead)):
                depth += 1
            if depth > len(stack):
                raise SchemaError(
                    [f"Line {number} of the .hrc file is more than one level deeper than the line before."]
                )
            stack[depth:] = [line[depth * len(lead) :]]
            paths.append(tuple(stack))
        inner = {path[:-1] for path in paths}
        leaves = [path for path in paths if path not in inner]
        deepest = max((len(path) for path in leaves), default=0)
        rows = []
        for path in leaves:
            filled = path + (path[-1],) * (deepest - len(path))
            rows.append((*reversed(filled), _TOTAL))
        return cls(tuple(rows))

    def to_hrc(self, *, lead: str = "@") -> str:
        """Write tau-ARGUS ``.hrc``; a level that repeats its parent's label is not written again.

        Values of one group are put together, whatever their order here, because the form knows a parent by its place.
        """
        if any(label.startswith(lead) or len(label.splitlines()) > 1 for row in self.rows for label in row):
            raise SchemaError([f"A label begins with '{lead}' or has a line break; choose another lead string."])
        tree: _Tree = {}
        for row in self.rows:
            node, parent = tree, None
            for label in reversed(row[:-1] if self._has_total() else row):
                if label != parent:
                    node, parent = node.setdefault(label, {}), label
        return "".join(line + "\n" for line in _indented(tree, lead))

    def _has_total(self) -> bool:
        return self.depth > 1 and len({row[-1] for row in self.rows}) == 1

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[str]]) -> Hierarchy:
        """Build a hierarchy from lists, as they stand in a schema file."""
        return cls(tuple(tuple(row) for row in rows))


_Tree = dict[str, "_Tree"]


def _indented(tree: _Tree, lead: str, depth: int = 0) -> Iterator[str]:
    for label, children in tree.items():
        yield lead * depth + label
        yield from _indented(children, lead, depth + 1)


def _problems(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Say everything that keeps the rows from being a tree."""
    problems = []
    if any(not row for row in rows):
        return ["A row of a hierarchy is empty; it must begin with the value."]
    if len({len(row) for row in rows}) > 1:
        return ["All rows of a hierarchy must have the same number of levels."]
    values = [row[0] for row in rows]
    if len(set(values)) < len(values):
        problems.append("A value stands on two rows of a hierarchy; each value needs exactly one row.")
    for level in range(1, len(rows[0]) if rows else 0):
        parents: dict[str, str] = {}
        for row in rows:
            if parents.setdefault(row[level - 1], row[level]) != row[level]:
                problems.append(
                    f"A label of level {level - 1} belongs to two labels of level {level}; it needs one parent."
                )
                break
    return problems
