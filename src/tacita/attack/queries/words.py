"""What an attacker can say to a server: how many people are in a set, and what they have of the variable that he wants."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tacita.attack.queries.class_sets import MOST_PIECES_ASKED, ClassSet, people_of, published_classes
from tacita.attack.targets import Ask, ServerTarget
from tacita.core.arrays import FloatArray
from tacita.core.errors import AttackError

__all__ = ["ServerWords"]

_NOT_OFFERED = ("not_offered", "request_form")
"""Reasons that say: nobody is answered in these words."""
_TOO_WIDE = "table_size"
"""The rule by which a question names too many variables."""
_MOST_WIDTH = 8
"""Variables of a universe beyond which nobody needs more to single somebody out."""


class ServerWords:
    """An attacker's side of a conversation with a server.

    Parameters
    ----------
    target
        What he has.
    ask
        Whom he asks; by default the server of the target.

    Notes
    -----
    :meth:`look` tells of a set of people how many they are and what they have: their total of a number, or how many are in each
    class of a variable. It tries a single number first and tables after that; words that the server does not offer are not
    tried again. The same words are asked once, unless he wants them ``again``. Where a server answers with an interval he
    takes the middle, and is not sure (``is_vague``).
    """

    def __init__(self, target: ServerTarget, ask: Ask | None = None) -> None:
        self.target, self._ask = target, target.ask if ask is None else ask
        self.domain = published_classes(target.catalogue)
        self.queries = 0
        self.refused: Counter[str] = Counter()
        self.not_worded: dict[str, None] = {}
        self.is_vague = False
        self._known: dict[str, Mapping[str, Any]] = {}
        self._dead: set[str] = set()
        self._shares: dict[str, dict[str, float] | None] = {}
        self._width: int | None = None
        self.variables = {v["name"]: v for v in target.catalogue.get("variables", ())}
        if target.wanted not in self.variables:
            raise AttackError(f"The server has no variable '{target.wanted}'.")
        self.is_number = bool(self.variables[target.wanted].get("is_numeric")) and not target.of
        self._take_bins()
        self.classes = () if self.is_number else self.domain.get(target.wanted, ())
        if not self.is_number and not self.classes:
            raise AttackError(f"The classes of '{target.wanted}' must be published, or it must be a number.")

    def _take_bins(self) -> None:
        """Learn the words of bins, which a catalogue gives by their cutpoints, from tables by them."""
        needed = {name for known in self.target.known for name in known} | {self.target.wanted}
        for name in sorted(needed & set(self.variables) - set(self.domain)):
            variable = self.variables[name]
            if "bins" in variable and "universe" in variable.get("uses", ()):
                answer = self.asked({"kind": "tabulate", "by": [name]})
                if answer is not None and "table" in answer:
                    self.domain[name] = tuple(answer["table"]["classes"][name])

    # --- questions --------------------------------------------------------------------------------------------------------

    def asked(self, request: Mapping[str, Any], *, again: bool = False) -> Mapping[str, Any] | None:
        """Ask a question and return the answer, or None where it is refused, or where he cannot afford it."""
        text = json.dumps(request, sort_keys=True)
        if again or text not in self._known:
            if self.queries >= self.target.most_queries:
                self.refused["most_queries"] += 1
                return None
            self.queries += 1
            self._known[text] = self._ask(request)
            if self._known[text].get("status") != "answered":
                self.refused.update(self._known[text].get("reasons") or ["no reason"])
        answer = self._known[text]
        return answer if answer.get("status") == "answered" else None

    def look(self, people: ClassSet, *, again: bool = False) -> FloatArray | None:
        """Return how many people are in a set, then what they have of the wanted variable; None where he is not told.

        The number of people is NaN where it alone is refused.
        """
        if not people:
            return np.zeros(1 + max(1, len(self.classes)))
        if len(people.boxes) > MOST_PIECES_ASKED:
            self.not_worded[f"a universe of more than {MOST_PIECES_ASKED} pieces"] = None
            return None
        told = self.told(people, again=again)
        if told is None:
            return None
        if not self.is_number:
            return np.concatenate([[told.sum()], told])
        count = self.count(people, again=again)
        return np.array([np.nan if count is None else count, told[0]])

    def count(self, people: ClassSet, *, again: bool = False) -> float | None:
        """Return how many people are in a set; None where he is not told."""
        return self._first(self._ways_of_counting(people), again=again)

    def reasons(self, people: ClassSet) -> tuple[str, ...]:
        """Return the rules that refused to count a set, in the last way that was tried; none where nobody asked."""
        for way, request, _ in reversed(list(self._ways_of_counting(people))):
            answer = self._known.get(json.dumps(request, sort_keys=True))
            if way not in self._dead and answer is not None:
                return tuple(answer.get("reasons") or ())
        return ()

    def told(self, people: ClassSet, *, again: bool = False) -> FloatArray | None:
        """Return the total of the wanted number, or how many have each of its classes; None where he is not told."""
        wanted = self.target.wanted
        if self.is_number:
            total = self._first(self._ways_of_adding(people), again=again)
            return None if total is None else np.array([total])
        where = people.plain()
        table = self._try("tabulate", {"kind": "tabulate", "by": [wanted], "where": where}, _cells, again=again)
        if table is not None:
            return np.asarray(table, np.float64)
        each = [self.count(people & people_of(self.domain, {wanted: word}), again=again) for word in self.classes[:1]]
        if each[0] is None:  # the first is refused, and so will be the others
            return None
        each += [self.count(people & people_of(self.domain, {wanted: word}), again=again) for word in self.classes[1:]]
        return None if any(one is None for one in each) else np.array(each, np.float64)

    def shares(self, name: str) -> dict[str, float] | None:
        """Return the part of everybody that each class of a variable has; None where nobody may be named by it."""
        if name not in self._shares:
            self._shares[name] = self._shares_of(name)
        return self._shares[name]

    def _shares_of(self, name: str) -> dict[str, float] | None:
        classes = self.domain.get(name, ())
        if len(classes) < 2:
            return None
        some = people_of(self.domain, {name: classes[: len(classes) // 2]})
        if self.count(some) is None and self.told(some) is None:
            return None
        cells = self._try("tabulate", {"kind": "tabulate", "by": [name]}, _cells, again=False)
        if cells is None:  # those that are too few to be counted are rare
            counts = [self.count(people_of(self.domain, {name: word})) for word in classes]
            cells = [1.0 if count is None else count for count in counts]
        found = np.maximum(np.asarray(cells, np.float64), 0.5)
        return dict(zip(classes, (found / found.sum()).tolist(), strict=True))

    def width(self) -> int:
        """Return how many variables a universe may name: found by large universes that leave out a rare class of each."""
        if self._width is None:
            names = [name for name in sorted(self.domain) if name != self.target.wanted and self.shares(name)]
            self._width = next((n for n in range(min(len(names), _MOST_WIDTH), 1, -1) if self._is_narrow(names[:n])), 2)
        return self._width

    def _is_narrow(self, names: Sequence[str]) -> bool:
        """Whether a universe by these variables is not refused for being by too many of them."""
        most = {}
        for name in names:
            shares = self.shares(name) or {}
            rare = min(shares, key=lambda word: shares[word])
            most[name] = [word for word in self.domain[name] if word != rare]
        before = self.refused[_TOO_WIDE]
        self.told(people_of(self.domain, most))
        return self.refused[_TOO_WIDE] == before

    # --- ways of asking ---------------------------------------------------------------------------------------------------

    def _ways_of_counting(self, people: ClassSet) -> Iterator[tuple[str, dict[str, Any], Callable[[Any], Any]]]:
        where = people.plain()
        yield "count", {"kind": "statistic", "statistic": "count", "where": where}, _number
        yield "tabulate", {"kind": "tabulate", "by": [self._axis(people)], "where": where}, _sum

    def _ways_of_adding(self, people: ClassSet) -> Iterator[tuple[str, dict[str, Any], Callable[[Any], Any]]]:
        where, wanted = people.plain(), self.target.wanted
        yield "sum", {"kind": "statistic", "statistic": "sum", "response": wanted, "where": where}, _number
        table = {"kind": "tabulate", "by": [self._axis(people)], "where": where, "response": wanted}
        yield "total", {**table, "statistic": "total"}, _sum

    def _axis(self, people: ClassSet) -> str:
        """The variable of a table whose cells are added up: one that the set names already, with few classes."""
        named = [name for name in people.variables if name != self.target.wanted]
        return min(named or [name for name in self.domain if name != self.target.wanted], key=self._size)

    def _size(self, name: str) -> tuple[int, str]:
        return len(self.domain[name]), name

    def _first(self, ways: Iterator[tuple[str, dict[str, Any], Callable[[Any], Any]]], *, again: bool) -> float | None:
        for way, request, read in ways:
            found = self._try(way, request, read, again=again)
            if found is not None:
                return float(found)
        return None

    def _try(self, way: str, request: dict[str, Any], read: Callable[[Any], Any], *, again: bool) -> Any:
        """Ask in one way, unless the server said before that it does not offer it."""
        if way in self._dead:
            return None
        answer = self.asked(request, again=again)
        if answer is None:
            text = json.dumps(request, sort_keys=True)
            if set(self._known.get(text, {}).get("reasons") or ()) & set(_NOT_OFFERED):
                self._dead.add(way)
                self.not_worded[f"requests such as a {way}"] = None
            return None
        if "interval" in answer:
            self.is_vague = self.is_vague or answer["interval"][0] != answer["interval"][1]
        return read(answer)


def _number(answer: Mapping[str, Any]) -> float | None:
    if "interval" in answer:
        return float(np.mean(answer["interval"]))
    return None if answer.get("value") is None else float(answer["value"])


def _cells(answer: Mapping[str, Any]) -> list[float] | None:
    if "table" not in answer:
        return None
    return [0.0 if value is None else float(value) for value in answer["table"]["values"]]


def _sum(answer: Mapping[str, Any]) -> float | None:
    cells = _cells(answer)
    return None if cells is None else float(sum(cells))
