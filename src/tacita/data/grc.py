"""Recoding rules in the form of mu-ARGUS and tau-ARGUS ``.grc`` files.

One line a new code: the code, a colon, and the old codes that become it, separated by commas.

=====================  ================================================================================================
``1: 1-10``            all codes from 1 to 10, both included
``2: 11,12,15-19``     single codes and ranges in one line
``3: 20-``             20 and everything above
``1: -4``              everything up to 4
``north: "A-1", "B,2"``  codes with a hyphen, a comma or a colon stand in quotes
``<MISSING> 98, 99``   codes that stand for a missing value afterwards
``<CODELIST> new.cdl`` file with the labels of the new codes; its name is kept, the file is not read
=====================  ================================================================================================

A code that no line names stays as it is. A code that two lines name would become one thing or the other by the order of the
lines; such rules are refused. Where all ends of a range are numbers, numbers are compared as numbers; other ranges
follow the order of texts. A single code is compared as text (``01`` is not ``1``), or as a number where the column holds
numbers. Negative numbers need quotes. Lines that are empty are skipped; other words in angle brackets are refused, because a
rule that is not understood must not be passed over.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacita.core.errors import SchemaError
from tacita.core.metadata import read_text

__all__ = ["CodeRange", "Recoding"]

_PART = re.compile(r'\s*(?P<low>"[^"]*"|[^",\-:]*?)\s*(?P<dash>-)?\s*(?P<high>"[^"]*"|[^",\-:]*?)\s*(?:,|$)')
_HEAD = re.compile(r'\s*(?P<new>"[^"]*"|[^":]+?)\s*:(?P<rest>.*)')
_NEEDS_QUOTES = re.compile(r"[\-,:]|^\s|\s$|^<|^$")


@dataclass(frozen=True)
class CodeRange:
    """Old codes from ``low`` to ``high``; None is an open end, equal ends are a single code."""

    low: str | None
    high: str | None

    def holds(self, value: str, *, is_number: bool) -> bool:
        """Whether a value (as text) is in the range; ``is_number`` says that the column holds numbers."""
        if self.low is not None and self.low == self.high:
            number, end = _number(value), _number(self.low)
            return value == self.low or (is_number and number is not None and number == end)
        ends = [_number(end) for end in (self.low, self.high) if end is not None]
        number = _number(value)
        if number is not None and None not in ends:
            low, high = _number(self.low), _number(self.high)
            return (low is None or low <= number) and (high is None or number <= high)
        if None not in ends:
            return False  # a text such as "unknown" lies in no range of numbers
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    def meets(self, other: CodeRange) -> bool:
        """Whether some code is in both ranges."""
        for one, two in ((self, other), (other, self)):
            if one.low is not None and one.low == one.high:
                return two.holds(one.low, is_number=False)
        lows = [end for end in (self.low, other.low) if end is not None]
        highs = [end for end in (self.high, other.high) if end is not None]
        numbers = [[_number(end) for end in ends] for ends in (lows, highs)]
        low, high = (lows, highs) if any(None in ends for ends in numbers) else numbers
        return not low or not high or bool(max(low) <= min(high))  # type: ignore[type-var, operator]

    def __str__(self) -> str:
        if self.low == self.high:
            return _quoted(self.low)
        return f"{_quoted(self.low)}-{_quoted(self.high)}"


@dataclass(frozen=True)
class Recoding:
    r"""The rules of one ``.grc`` file.

    Parameters
    ----------
    rules
        New codes, each with the old codes that become it, in the order of the file.
    missing
        Codes that stand for a missing value afterwards.
    codelist
        Name of the file with labels of the new codes.

    Examples
    --------
    >>> young = Recoding.from_grc("1: -29\n2: 30-64\n3: 65-\n")
    >>> [young.new_code(age, is_number=True) for age in ("17", "30", "80")]
    ['1', '2', '3']
    >>> print(young.to_grc(), end="")
    1: -29
    2: 30-64
    3: 65-
    """

    rules: tuple[tuple[str, tuple[CodeRange, ...]], ...]
    missing: tuple[str, ...] = ()
    codelist: str | None = None

    @classmethod
    def read(cls, path: str | Path) -> Recoding:
        """Read a ``.grc`` file."""
        path = Path(path)
        return cls.from_grc(read_text(path, "The recoding file", encodings=("utf-8-sig", "cp1252", "latin-1")))

    @classmethod
    def from_grc(cls, text: str) -> Recoding:
        """Read the text of a ``.grc`` file; all problems are reported at once."""
        rules: list[tuple[str, tuple[CodeRange, ...]]] = []
        missing: list[str] = []
        codelist: str | None = None
        problems: list[str] = []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip():
                continue
            word = re.match(r"\s*<(\w+)>\s*(.*)", line)
            if word is None:
                problems += _read_rule(line, number, rules)
            elif word[1].upper() == "MISSING":
                missing += [_bare(code) for code in re.findall(r'"[^"]*"|[^\s,]+', word[2])]
            elif word[1].upper() == "CODELIST":
                codelist = _bare(word[2].strip())
            else:
                problems.append(f"Line {number} of the .grc text has a word in angle brackets that is not known.")
        problems += _overlaps(rules)
        if not rules and not missing and not problems:
            problems.append("The .grc text has no rule such as '1: 1-10'.")
        if problems:
            raise SchemaError(problems)
        return cls(tuple(rules), tuple(missing), codelist)

    def to_grc(self) -> str:
        """Return the text of a ``.grc`` file."""
        lines = [f"{_quoted(new)}: {', '.join(map(str, old))}" for new, old in self.rules]
        if self.missing:
            lines.append(f"<MISSING> {', '.join(map(_quoted, self.missing))}")
        if self.codelist is not None:
            lines.append(f"<CODELIST> {self.codelist}")
        return "".join(line + "\n" for line in lines)

    def write(self, path: str | Path) -> Path:
        """Write a ``.grc`` file, atomically."""
        from tacita.data.atomic import atomic_file

        with atomic_file(path) as temporary:
            temporary.write_text(self.to_grc(), encoding="utf-8", newline="\n")
        return Path(path)

    def new_code(self, value: str, *, is_number: bool) -> str | None:
        """Return what a value becomes: the code of the rule that holds it, itself, or None where it is missing afterwards."""
        named = (new for new, old in self.rules if any(part.holds(value, is_number=is_number) for part in old))
        found = next(named, value)
        return None if found in self.missing else found

    @property
    def new_codes(self) -> tuple[str, ...]:
        """The new codes in the order of the file, without those that stand for missing."""
        return tuple(dict.fromkeys(new for new, _ in self.rules if new not in self.missing))


def _read_rule(line: str, number: int, rules: list[tuple[str, tuple[CodeRange, ...]]]) -> Iterator[str]:
    """Add the rule of a line; yield what is wrong with it."""
    head = _HEAD.fullmatch(line)
    if head is None:
        yield f"Line {number} of the .grc text must have the form 'new code: old codes'."
        return
    parts, place, rest = [], 0, head["rest"].strip()
    while place < len(rest):
        part = _PART.match(rest, place)
        if part is None or part.end() == place or not (part["low"] or part["high"]):
            yield f"Line {number} of the .grc text has a list of old codes that cannot be read; quote codes with '-' or ','."
            return
        low, high = part["low"] and _bare(part["low"]), part["high"] and _bare(part["high"])
        if part["dash"] is None and part["high"]:
            low = high
        parts.append(CodeRange(low or None, high or None) if part["dash"] else CodeRange(low or high, low or high))
        place = part.end()
    if not parts:
        yield f"Line {number} of the .grc text names no old code."
        return
    rules.append((_bare(head["new"]), tuple(parts)))


def _overlaps(rules: list[tuple[str, tuple[CodeRange, ...]]]) -> Iterator[str]:
    """Yield which rules name a code together."""
    for (i, (new, old)), (j, (other, more)) in itertools.combinations(enumerate(rules, 1), 2):
        if new != other and any(one.meets(two) for one in old for two in more):
            yield f"Rules {i} and {j} of the .grc text overlap: an old code would have two new ones."


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _bare(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _quoted(code: str | None) -> str:
    if code is None:
        return ""
    return f'"{code}"' if _NEEDS_QUOTES.search(code) else code
