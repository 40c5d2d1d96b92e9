"""The language of rules: "employment is missing where age < 15", "tax <= income", "never marital = married and age < 16".

A rule is read word by word into claims about columns; nothing in it is ever evaluated.

    rule   = claim ["where" claims {"or" claims}] | "never" claims
    claims = claim {"and" claim}
    claim  = column ("=" | "!=" | "<" | "<=" | ">" | ">=") value
           | column ["not"] "in" "(" value {"," value} ")"
           | column "is" ["not"] "missing"

A value is a number, a class, a date, or the name of another numeric column. What has blanks or is a word of the language stands
in quotes; the name of such a column in backquotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from tacita.core.errors import ParameterError
from tacita.mask.synthetic.column_source import ColumnSource
from tacita.numeric.synthesis.rules import ColumnRule, ColumnTest, Comparison

__all__ = ["RuleClaim", "RuleText", "read_rules"]

_TOKEN = re.compile(r"""\s*(?:`([^`]+)`|'([^']*)'|"([^"]*)"|(<=|>=|!=|[=<>(),])|([^\s()=<>!,'"`]+))""")
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_WORDS = frozenset({"where", "and", "or", "in", "is", "not", "missing", "never"})


@dataclass(frozen=True)
class RuleClaim:
    """A claim about a column, as it is written."""

    column: str
    how: str
    values: tuple[str, ...] = ()
    negated: bool = False

    def columns(self, known: Mapping[str, ColumnSource]) -> tuple[str, ...]:
        """Return the columns that it looks at."""
        return (self.column,) if self._other(known) is None else (self.column, self.values[0])

    def _other(self, known: Mapping[str, ColumnSource]) -> str | None:
        """Return the column that it compares with: what is written is the name of one, and no class of this one."""
        if self.how == "missing" or len(self.values) != 1 or self.values[0] not in known:
            return None
        return None if self.values[0] in map(str, known[self.column].categories) else self.values[0]

    def test(self, known: Mapping[str, ColumnSource], owner: str) -> ColumnTest:
        """Return the claim on numbers and positions of classes."""
        source, other = known[self.column], self._other(known)
        if self.how == "missing":
            return ColumnTest(self.column, "missing", negated=self.negated)
        if source.form is None and not source.values.is_ordered and self.how in _TURNED:
            raise ParameterError(
                f"{owner}: 'rules' compares '{self.column}' by '{self.how}', but its classes have no order."
            )
        if other is not None:
            if source.form is None or known[other].form is None or source.unit or known[other].unit:
                raise ParameterError(
                    f"{owner}: 'rules' compares '{self.column}' with '{other}'; columns that are compared must be numeric."
                )
            if self.how == "in":
                raise ParameterError(
                    f"{owner}: 'rules' compares two columns by '='; name such a total in 'identities'."
                )
            return ColumnTest(self.column, cast(Comparison, self.how), (), other, self.negated)
        values = tuple(source.position(word, owner) for word in self.values)
        return ColumnTest(self.column, cast(Comparison, self.how), values, None, self.negated)


@dataclass(frozen=True)
class RuleText:
    """A rule as it is written: a claim with alternatives under which it holds, or claims that never hold together."""

    text: str
    then: RuleClaim | None
    where: tuple[tuple[RuleClaim, ...], ...] = ()
    never: tuple[RuleClaim, ...] = ()

    @property
    def claims(self) -> tuple[RuleClaim, ...]:
        """All claims of the rule."""
        return (
            *(() if self.then is None else (self.then,)),
            *(c for claims in self.where for c in claims),
            *self.never,
        )

    def needs(self, known: Mapping[str, ColumnSource]) -> tuple[str, tuple[str, ...]] | None:
        """Return a column and those that must be drawn before it; None where the rule fits any order."""
        if self.then is None:
            return None
        others = (
            *self.then.columns(known)[1:],
            *(n for claims in self.where for c in claims for n in c.columns(known)),
        )
        return self.then.column, tuple(dict.fromkeys(others))

    def rule(self, known: Mapping[str, ColumnSource], order: Sequence[str], owner: str) -> ColumnRule:
        """Return the rule for columns that are drawn in an order; known ones come first."""
        place = {name: j for j, name in enumerate(order)}
        if self.then is not None:
            alternatives = tuple(tuple(claim.test(known, owner) for claim in claims) for claims in self.where)
            return ColumnRule(_last_first(self.then.test(known, owner), place), alternatives, self.text)
        tests = [_last_first(claim.test(known, owner), place) for claim in self.never]
        last = max(range(len(tests)), key=lambda j: place[tests[j].column])
        rest = tuple(test for j, test in enumerate(tests) if j != last)
        return ColumnRule(tests[last].opposite(), (rest,) if rest else (), self.text)


def _last_first(test: ColumnTest, place: Mapping[str, int]) -> ColumnTest:
    """Turn a comparison of two columns round, so that it is about the one that is drawn later."""
    if test.other is None or place[test.other] < place[test.column]:
        return test
    return replace(test, column=test.other, other=test.column, how=cast(Comparison, _TURNED[test.how]))


def read_rules(texts: Sequence[str], owner: str) -> tuple[RuleText, ...]:
    """Read rules.

    Raises
    ------
    ParameterError
        When one is not written in the language.

    Examples
    --------
    >>> read_rules(["employment is missing where age < 15"], "Mask")[0].then
    RuleClaim(column='employment', how='missing', values=(), negated=False)
    """
    return tuple(_Reader(text, owner).rule() for text in texts)


class _Reader:
    """Reads one rule, token by token. A token is a word, a sign, or a quoted text, which is marked as such."""

    def __init__(self, text: str, owner: str) -> None:
        self._text, self._owner, self._at = text, owner, 0
        self._tokens: list[tuple[str, str]] = []
        position = 0
        while text[position:].strip():
            found = _TOKEN.match(text, position)
            if found is None:
                raise self._misread()
            name, *quoted, sign, word = found.groups()
            if name is not None:
                self._tokens.append(("name", name))
            elif quoted[0] is not None or quoted[1] is not None:
                self._tokens.append(("text", quoted[0] if quoted[0] is not None else quoted[1]))
            else:
                self._tokens.append(("sign", sign) if sign else ("word", word))
            position = found.end()

    def rule(self) -> RuleText:
        if self._takes("never"):
            claims = self._claims()
            self._ends()
            return RuleText(self._text, None, never=claims)
        then, where = self._claim(), []
        if self._takes("where"):
            where.append(self._claims())
            while self._takes("or"):
                where.append(self._claims())
        self._ends()
        return RuleText(self._text, then, tuple(where))

    def _claims(self) -> tuple[RuleClaim, ...]:
        found = [self._claim()]
        while self._takes("and"):
            found.append(self._claim())
        return tuple(found)

    def _claim(self) -> RuleClaim:
        column = self._value()
        if self._takes("is"):
            negated = self._takes("not")
            self._must("missing")
            return RuleClaim(column, "missing", (), negated)
        negated = self._takes("not")
        if negated or (self._kind() == "word" and self._peek() == "in"):
            self._must("in")
            self._must("(")
            values = [self._value()]
            while self._takes(","):
                values.append(self._value())
            self._must(")")
            return RuleClaim(column, "in", tuple(values), negated)
        sign = self._peek()
        if self._kind() != "sign" or sign not in {"=", "!=", *_TURNED}:
            raise self._misread()
        self._at += 1
        value = self._value()
        return RuleClaim(column, sign, (value,)) if sign in _TURNED else RuleClaim(column, "in", (value,), sign == "!=")

    def _kind(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _takes(self, word: str) -> bool:
        """Go past a word of the language, if it is the next one."""
        found = self._kind() in ("word", "sign") and self._peek() == word
        self._at += found
        return found

    def _must(self, word: str) -> None:
        if not self._takes(word):
            raise self._misread()

    def _value(self) -> str:
        kind, value = self._kind(), self._peek()
        if kind not in ("name", "text", "word") or (kind == "word" and value in _WORDS):
            raise self._misread()
        self._at += 1
        return value

    def _ends(self) -> None:
        if self._at < len(self._tokens):
            raise self._misread()

    def _misread(self) -> ParameterError:
        return ParameterError(
            f"{self._owner}: 'rules' must read like 'employment is missing where age < 15', 'tax <= income' or "
            f"'never marital = married and age < 16', got '{self._text}'."
        )
