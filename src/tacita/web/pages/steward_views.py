"""What a steward sees, ready for templates: entries in words, rules by how often they refused, spending beside the budgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacita.web.accounts.budget import BudgetRule, Per, SpendingRow
from tacita.web.pages.refusals import refusal_words
from tacita.web.pages.wording import Labels, question_words

__all__ = ["BudgetRow", "EntryRow", "RuleRow", "budget_rows", "entry_rows", "rule_rows"]

_PERIODS: dict[int, Per] = {len("ever"): "ever", 7: "month", 10: "day", 13: "hour"}
"""The length of a period by the length of its name: 2030-01, 2030-01-31, 2030-01-31T12."""


@dataclass(frozen=True, kw_only=True)
class EntryRow:
    """An entry of the journal, or a question that waits.

    Parameters
    ----------
    number, time, kind, status
        As the entry has them; the time to the second.
    user
        Pseudonym; empty where nobody asked, or none is kept.
    words
        What it is about, in words.
    request
        What it is about, as the entry has it.
    rules
        Rule, decision and detail each.
    """

    number: int
    time: str
    kind: str
    status: str
    user: str
    words: str
    request: Mapping[str, Any]
    rules: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, kw_only=True)
class RuleRow:
    """How often a rule said what.

    Parameters
    ----------
    rule, title, sentence
        The rule, its name in words, and what it is there for.
    denied, left, allowed
        How often it refused, left to a person, allowed.
    """

    rule: str
    title: str
    sentence: str
    denied: int
    left: int
    allowed: int


@dataclass(frozen=True, kw_only=True)
class BudgetRow:
    """What was spent of one budget.

    Parameters
    ----------
    scope, subject, dataset, period, spent
        As it was counted.
    questions
        How many the budget has; None where no rule counts this any more.
    """

    scope: str
    subject: str
    dataset: str
    period: str
    spent: int
    questions: int | None

    @property
    def is_used_up(self) -> bool:
        """Whether nothing is left."""
        return self.questions is not None and self.spent >= self.questions


def entry_rows(entries: Iterable[Mapping[str, Any]], labels: Labels) -> list[EntryRow]:
    """Return entries of a journal, or reviews, ready to be shown.

    Parameters
    ----------
    entries
        Their plain forms.
    labels
        What variables are called.
    """
    return [
        EntryRow(
            number=int(entry["number"]),
            time=str(entry["time"]).partition(".")[0].replace("T", " "),
            kind=str(entry.get("kind", "request")),
            status=str(entry.get("status") or ""),
            user=str(entry.get("user") or ""),
            words=_words(entry, labels),
            request=entry.get("request") or {},
            rules=tuple(map(_said, entry["rules"])),
        )
        for entry in entries
    ]


def _words(entry: Mapping[str, Any], labels: Labels) -> str:
    """What an entry is about: a question as a sentence, the switch as what it did, the rest by its kind."""
    request = entry.get("request") or {}
    if entry.get("kind") == "switch":
        return "The data set was closed." if request.get("closed") else "The data set was opened."
    if not isinstance(request.get("kind"), str):
        return ""
    if request.get("is_cut"):
        return "A question that was too long to be kept"
    try:
        return question_words(request, labels)
    except (AttributeError, KeyError, TypeError, ValueError):  # an entry of another version, perhaps
        return "A question that could not be read"


def _said(said: Any) -> tuple[str, str, str]:
    """Rule, decision and detail; an entry has the three in a list, a review has no decision since all of them are the same."""
    rule, decision, detail = (said["rule"], "review", said["detail"]) if isinstance(said, Mapping) else said
    return str(rule), str(decision), "" if detail is None else str(detail)


def rule_rows(rules: Mapping[str, Mapping[str, int]]) -> list[RuleRow]:
    """Return rules by how often they refused or left to a person, the most frequent first.

    Examples
    --------
    >>> [row.rule for row in rule_rows({"waits": {"deny": 1}, "table_size": {"deny": 2, "allow": 7}})]
    ['table_size', 'waits']
    """
    found = [
        RuleRow(
            rule=words.rule,
            title=words.title,
            sentence=words.sentence,
            denied=rules[words.rule].get("deny", 0),
            left=rules[words.rule].get("review", 0),
            allowed=rules[words.rule].get("allow", 0),
        )
        for words in refusal_words(rules)
    ]
    return sorted(found, key=lambda row: (-row.denied, -row.left, -row.allowed, row.rule))


def budget_rows(spending: Iterable[SpendingRow], rules: Sequence[BudgetRule]) -> list[BudgetRow]:
    """Return what was spent beside what the rules allow, the latest periods first, in each the most spent first.

    Examples
    --------
    >>> spent = [SpendingRow("user", "ann", "survey", "2030-01-31", 12)]
    >>> budget_rows(spent, [BudgetRule(scope="user", questions=100, per="day")])[0].questions
    100
    """
    allowed: dict[tuple[str, str], int] = {}
    for rule in rules:
        place = (rule.scope, rule.per)
        allowed[place] = min(rule.questions, allowed.get(place, rule.questions))
    found = [
        BudgetRow(
            scope=row.scope,
            subject=row.subject,
            dataset=row.dataset,
            period=row.period,
            spent=row.spent,
            questions=allowed.get((row.scope, _PERIODS.get(len(row.period), ""))),
        )
        for row in spending
    ]
    found.sort(key=lambda row: (-row.spent, row.scope, row.subject, row.dataset))
    return sorted(found, key=lambda row: row.period, reverse=True)
