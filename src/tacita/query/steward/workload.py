"""A workload: the questions that users of a database ask, or may ask, each with its weight."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from tacita.core.errors import FileError, ParameterError, TacitaError
from tacita.core.metadata import LARGE, parse_json, read_text
from tacita.core.streams import Seed, Streams, check_seed
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import Use, Variable
from tacita.query.requests import Correlate, Quantiles, QueryRequest, Regress, Statistic, Tabulate, request_from_plain
from tacita.query.requests.regress import Effect
from tacita.query.universe.universe import Universe

__all__ = ["KINDS", "Workload", "WorkloadKind", "random_workload"]

WorkloadKind: TypeAlias = Literal["table", "mean", "sum", "quantiles", "correlation", "regression"]
"""What a random workload may hold: tables of counts, tables of means, single sums, and so on."""

KINDS: tuple[WorkloadKind, ...] = get_args(WorkloadKind)


@dataclass(frozen=True)
class Workload:
    """Questions with weights, in the order in which they are asked.

    Parameters
    ----------
    requests
        The questions.
    weights
        How much each counts, all 1 where they are left out.

    Raises
    ------
    ParameterError
        When there are not as many weights as questions, or a weight is no positive number.

    Examples
    --------
    >>> workload = Workload([Tabulate(by=["sex"]), Tabulate(by=["region"])], [3, 1])
    >>> Workload.from_jsonl(workload.to_jsonl()) == workload
    True
    """

    requests: tuple[QueryRequest, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "requests", tuple(self.requests))
        given = tuple(map(float, self.weights)) or (1.0,) * len(self.requests)
        object.__setattr__(self, "weights", given)
        if len(given) != len(self.requests):
            raise ParameterError(f"Workload: there must be {len(self.requests)} weights, got {len(given)}.")
        if not all(np.isfinite(weight) and weight > 0 for weight in given):
            raise ParameterError("Workload: 'weights' must be positive numbers, got others.")
        if not all(isinstance(request, QueryRequest) for request in self.requests):
            raise ParameterError("Workload: 'requests' must be requests; read their JSON form with 'from_jsonl'.")

    def __len__(self) -> int:
        return len(self.requests)

    def __iter__(self) -> Iterator[tuple[QueryRequest, float]]:
        return iter(zip(self.requests, self.weights, strict=True))

    @classmethod
    def of(cls, given: Workload | Iterable[QueryRequest]) -> Workload:
        """Return a workload from what a user may give: one, or requests that all count the same."""
        return given if isinstance(given, Workload) else cls(tuple(given))

    # --- files --------------------------------------------------------------------------------------------------------

    def to_jsonl(self) -> str:
        """Return JSON lines: ``{"request": ..., "weight": ...}`` for each question, the weight only where it is not 1."""
        rows = [{"request": r.to_plain(), **({} if w == 1 else {"weight": w})} for r, w in self]
        return "".join(json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n" for row in rows)

    @classmethod
    def from_jsonl(cls, text: str) -> Workload:
        """Read what :meth:`to_jsonl` gives; a line may also be a request without more.

        Raises
        ------
        ParameterError
            When a line is no request; the message names the line.
        """
        requests, weights = [], []
        for number, line in enumerate(text.split("\n"), 1):
            if not line.strip():
                continue
            try:
                row = parse_json(line, "A line", error=ParameterError)
                asked, weight = _read_row(row)
                requests.append(request_from_plain(asked))
            except TacitaError as error:
                raise ParameterError(f"Line {number} of the workload: {error}") from error
            weights.append(weight)
        return cls(tuple(requests), tuple(weights))

    def write(self, path: str | Path) -> Path:
        """Write the workload as JSON lines; an old file is replaced whole."""
        from tacita.data.atomic import atomic_file

        with atomic_file(path) as temporary:
            temporary.write_text(self.to_jsonl(), encoding="utf-8")
        return Path(path)

    @classmethod
    def read(cls, path: str | Path) -> Workload:
        """Read a file of JSON lines.

        Raises
        ------
        FileError
            When the file cannot be read, or is no workload; the message names the file and the line.
        """
        text = read_text(path, "The workload", limits=LARGE)
        try:
            return cls.from_jsonl(text)
        except TacitaError as error:
            raise FileError(f"The workload '{Path(path).name}' cannot be read: {error}") from error


def _read_row(row: Any) -> tuple[Any, float]:
    if not isinstance(row, dict) or "request" not in row:
        return row, 1.0
    if set(row) - {"request", "weight"}:
        raise ParameterError("A line must have 'request' and 'weight', and nothing else.")
    weight = row.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, (int, float)):
        raise ParameterError("'weight' must be a number.")
    return row["request"], float(weight)


# --- questions as users ask them ------------------------------------------------------------------------------------------


def random_workload(
    catalogue: Catalogue,
    n: int,
    *,
    seed: Seed,
    kinds: Sequence[WorkloadKind] = ("table", "mean", "regression"),
    cells: int = 500,
    about: str | None = None,
) -> Workload:
    """Draw questions as users ask them: mostly small tables, about everybody or a part, now and then a model.

    Tables have one variable (40 %), two (45 %) or three (15 %). Three of ten questions are about everybody, five about
    a simple universe of one or two conditions, two about a complex one of two pieces. A condition picks some classes of
    a categorical variable, or a run of bins of a numeric one. Regressions have one to five predictors.

    Parameters
    ----------
    catalogue
        The published variables; nothing else is looked at, so a workload tells nothing about the data.
    n
        How many questions.
    seed
        Same seed, same questions.
    kinds
        What is asked, each as often as the others; kinds that the catalogue has no variables for are left out.
    cells
        Most cells of a table.
    about
        A variable that every question is about: it stands among the variables of each table, or is the response. This
        is how somebody asks who wants to find out that variable.

    Raises
    ------
    ParameterError
        When no kind can be asked with these variables.
    ColumnError
        When there is no variable ``about``.

    Complexity
    ----------
    O(n) questions, each O(variables).

    Notes
    -----
    The shares are a choice: no published log says how users of such a system ask. Where one has a log, that is the
    workload.

    Examples
    --------
    >>> catalogue = Catalogue([Variable(name="sex", classes=("f", "m"), uses=("table", "universe"))])
    >>> random_workload(catalogue, 3, seed=1, kinds=["table"]).requests[0].kind
    'tabulate'
    """
    check_seed(seed, owner="random_workload")
    if n < 0:
        raise ParameterError(f"random_workload: 'n' must be at least 0, got {n}.")
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise ParameterError(f"random_workload: 'kinds' must be some of {', '.join(KINDS)}.")
    wanted = None if about is None else catalogue[about]
    drawing = _Drawing(catalogue, Streams(seed).stream("workload"), cells, wanted)
    possible = [kind for kind in kinds if drawing.is_possible(kind)]
    if not possible:
        raise ParameterError(f"random_workload: the catalogue has no variables to ask for {', '.join(kinds)}.")
    return Workload(tuple(drawing.request(possible[drawing.below(len(possible))]) for _ in range(n)))


class _Drawing:
    """Draws requests from a catalogue, one after the other."""

    def __init__(
        self, catalogue: Catalogue, rng: np.random.Generator, cells: int, about: Variable | None = None
    ) -> None:
        self.rng, self.cells, self.about = rng, cells, about
        self.usable = {use: self._with(catalogue, use) for use in ("universe", "table", "response", "predictor")}
        self.tabular = [v for v in self.usable["table"] if v.size <= cells]
        self.responses = [v for v in self.usable["response"] if v.is_numeric and about in (None, v)]
        self.averaged = [r for r in self.responses if any(v is not r for v in self.tabular)]
        self.cut = [v for v in self.usable["table"] if v.is_cutpoint and about in (None, v)]
        self.numeric = [v for v in self.usable["predictor"] if v.is_numeric]
        self.makers: dict[str, Callable[[], QueryRequest]] = {
            "table": self._table,
            "mean": self._mean,
            "sum": self._sum,
            "quantiles": self._quantiles,
            "correlation": self._correlation,
            "regression": self._regression,
        }

    @staticmethod
    def _with(catalogue: Catalogue, use: str) -> list[Variable]:
        wanted: Use = use  # type: ignore[assignment]
        return [variable for variable in catalogue if wanted in variable.uses]

    def is_possible(self, kind: str) -> bool:
        needed = {
            "table": bool(self.tabular) and (self.about is None or self.about in self.tabular),
            "mean": bool(self.averaged),
            "sum": bool(self.responses),
            "quantiles": bool(self.cut),
            "correlation": len(self.numeric) >= 2 and (self.about is None or self.about in self.numeric),
            "regression": bool(self.responses) and len(self.usable["predictor"]) >= 2,
        }
        return needed[kind]

    def below(self, count: int) -> int:
        return int(self.rng.integers(count))

    def request(self, kind: str) -> QueryRequest:
        return self.makers[kind]()

    def _some(self, variables: Sequence[Variable], count: int) -> list[Variable]:
        order = self.rng.permutation(len(variables))[:count]
        return [variables[int(i)] for i in order]

    def _by(self, response: Variable | None = None) -> list[Variable]:
        """Variables of a table; those that would make it too large are passed over."""
        wanted = int(self.rng.choice([1, 2, 3], p=[0.4, 0.45, 0.15]))
        found = [] if self.about is None or response is not None else [self.about]
        size = found[0].size if found else 1
        wanted += len(found)  # who is after a variable crosses it with others
        for variable in self._some(self.tabular, len(self.tabular)):
            if len(found) == wanted:
                break
            if variable is not response and variable not in found and size * variable.size <= self.cells:
                found.append(variable)
                size *= variable.size
        return found

    def _where(self, taken: Sequence[Variable]) -> Universe:
        free = [v for v in self.usable["universe"] if v not in taken and v.size > 1]
        chance = self.rng.random()
        if not free or chance < 0.3:
            return Universe()
        if chance < 0.8:
            return self._piece(free)
        return self._piece(free) | self._piece(free)

    def _piece(self, free: Sequence[Variable]) -> Universe:
        chosen = self._some(free, 1 + int(self.rng.random() < 0.4))
        return Universe({v.name: [v.all_classes[i] for i in self._classes(v)] for v in chosen})

    def _classes(self, variable: Variable) -> list[int]:
        """A run of bins, or some classes: fewer rather than more, and never all of them."""
        most = max(variable.size // 2, 1)
        count = 1 + self.below(most)
        if variable.is_cutpoint:
            start = self.below(len(variable.classes) - min(count, len(variable.classes)) + 1)
            return list(range(start, min(start + count, len(variable.classes))))
        return sorted(int(i) for i in self.rng.permutation(variable.size)[:count])

    def _table(self) -> QueryRequest:
        by = self._by()
        return Tabulate(by=tuple(v.name for v in by), where=self._where(by))

    def _mean(self) -> QueryRequest:
        (response,) = self._some(self.averaged, 1)
        by = self._by(response)
        return Tabulate(
            by=tuple(v.name for v in by),
            response=response.name,
            statistic="mean",
            where=self._where([*by, response]),
        )

    def _sum(self) -> QueryRequest:
        (response,) = self._some(self.responses, 1)
        return Statistic(response=response.name, statistic="sum", where=self._where([response]))

    def _quantiles(self) -> QueryRequest:
        (response,) = self._some(self.cut, 1)
        return Quantiles(response=response.name, where=self._where([response]))

    def _correlation(self) -> QueryRequest:
        chosen = self._some(self.numeric, 2 + self.below(min(3, len(self.numeric) - 1)))
        if self.about is not None and self.about not in chosen:
            chosen[0] = self.about
        return Correlate(columns=tuple(v.name for v in chosen), where=self._where(chosen))

    def _regression(self) -> QueryRequest:
        (response,) = self._some(self.responses, 1)
        others = [v for v in self.usable["predictor"] if v is not response]
        chosen = self._some(others, 1 + self.below(min(5, len(others))))
        return Regress(
            response=response.name,
            predictors=tuple(Effect(v.name) for v in chosen),
            where=self._where([response, *chosen]),
        )
