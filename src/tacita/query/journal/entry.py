"""One entry of the journal: who asked what and when, what the rules said, and a digest of what left.

An entry holds no data and no names. The user is a pseudonym, the answer a keyed digest, the request its canonical form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tacita.core.errors import FileError, ParameterError

__all__ = ["JournalEntry", "RuleOutcome", "canonical_json"]

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RULE = re.compile(r"[^\x00-\x1f\x7f]{1,100}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PSEUDONYM = re.compile(r"[0-9a-f]{32}")
_NAMES = {"answer", "kind", "number", "previous", "request", "rules", "status", "time", "user", "versions"}


def canonical_json(value: Any, what: str = "The value") -> bytes:
    """Write plain values as JSON in the one way that everybody writes them: names sorted, no blanks, UTF-8.

    Parameters
    ----------
    value
        Texts, finite numbers, booleans, None, lists or tuples, and mappings with texts as names.
    what
        What it is, for messages: "The request".

    Returns
    -------
    bytes
        The JSON, on one line.

    Raises
    ------
    ParameterError
        When something in it has no such form.

    Notes
    -----
    ``1`` and ``1.0`` are different, as they are in JSON; whoever makes a canonical form decides for one of them. O(n log n)
    time in the number of names.

    Examples
    --------
    >>> canonical_json({"b": (1, 2.5), "a": None})
    b'{"a":null,"b":[1,2.5]}'
    """
    try:
        if not _has_texts_as_names(value):
            raise ParameterError(f"{what} must have texts as names; change the other names into texts.")
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8")
    except ParameterError:
        raise
    except (TypeError, ValueError, RecursionError):  # ValueError: not finite, in a circle, a half of a character
        raise ParameterError(
            f"{what} must consist of plain values: texts, finite numbers, booleans, lists and mappings; change the others."
        ) from None


def _has_texts_as_names(value: Any) -> bool:
    """Whether every mapping has texts as names: JSON would turn 1 and "1" into the same one."""
    if isinstance(value, dict):
        return all(isinstance(name, str) for name in value) and all(map(_has_texts_as_names, value.values()))
    return all(map(_has_texts_as_names, value)) if isinstance(value, (list, tuple)) else True


@dataclass(frozen=True)
class RuleOutcome:
    """What one rule said about a request.

    Parameters
    ----------
    rule
        Name of the rule.
    decision
        ``allow``, ``deny`` or ``review``.
    detail
        Why, in plain values, for the steward; the analyst never sees it.
    """

    rule: str
    decision: str
    detail: Any = None


@dataclass(frozen=True, kw_only=True)
class JournalEntry:
    """One entry of the journal.

    Parameters
    ----------
    number
        Its place in the chain, from 0.
    time
        When it was written, in UTC: ``2030-01-31T12:00:00.000000Z``.
    kind
        ``journal`` (the first entry of every journal), ``request``, ``version`` (of the data), ``recovery`` (an incomplete
        line was set aside) or another word.
    user
        Pseudonym of who asked; None when nobody did or when no identities are kept.
    request
        The canonical request, or what else the entry is about.
    status
        ``answered``, ``refused``, ``review``, or None.
    rules
        What the rules said.
    answer
        Keyed digest of the answer; None when none left.
    versions
        What the answer was made of: ``data``, ``policy``, ``package``.
    previous
        Hash of the entry before; zeros for the first.
    seal
        Keyed digest of all that stands above.
    hash
        SHA-256 of all that stands above and of the seal.
    """

    number: int
    time: str
    kind: str
    user: str | None
    request: Mapping[str, Any] | None
    status: str | None
    rules: tuple[RuleOutcome, ...]
    answer: str | None
    versions: Mapping[str, str]
    previous: str
    seal: str
    hash: str

    @classmethod
    def from_body(cls, body: Any, *, seal: str, hash: str) -> JournalEntry:
        """Make an entry of what was read; everything is checked, for the file may come from anybody.

        Raises
        ------
        FileError
            When it is no entry.
        """
        if not (isinstance(body, dict) and set(body) == _NAMES and _is_sound(body)):
            raise FileError("A line of the journal must hold an entry, but it holds something else.")
        rules = tuple(RuleOutcome(*said) for said in body["rules"])
        return cls(**{**body, "rules": rules}, seal=seal, hash=hash)

    def to_body(self) -> dict[str, Any]:
        """Return the plain form of what is sealed: all but seal and hash."""
        return {
            "answer": self.answer,
            "kind": self.kind,
            "number": self.number,
            "previous": self.previous,
            "request": None if self.request is None else dict(self.request),
            "rules": [[said.rule, said.decision, said.detail] for said in self.rules],
            "status": self.status,
            "time": self.time,
            "user": self.user,
            "versions": dict(self.versions),
        }

    def to_plain(self) -> dict[str, Any]:
        """Return the plain form with seal and hash."""
        return {**self.to_body(), "hash": self.hash, "seal": self.seal}


def _is_sound(body: Mapping[str, Any]) -> bool:
    """Whether everything is of the kind that is written."""
    number, rules, versions = body["number"], body["rules"], body["versions"]
    return (
        isinstance(number, int)
        and not isinstance(number, bool)
        and 0 <= number < 1 << 62
        and _fits(_TIME, body["time"])
        and _fits(_WORD, body["kind"])
        and (body["user"] is None or _fits(_PSEUDONYM, body["user"]))
        and (body["request"] is None or isinstance(body["request"], dict))
        and (body["status"] is None or _fits(_WORD, body["status"]))
        and (body["answer"] is None or _fits(_DIGEST, body["answer"]))
        and _fits(_DIGEST, body["previous"])
        and isinstance(rules, list)
        and all(map(_is_outcome, rules))
        and isinstance(versions, dict)
        and all(isinstance(version, str) for version in versions.values())
    )


def _is_outcome(said: Any) -> bool:
    return isinstance(said, list) and len(said) == 3 and _fits(_RULE, said[0]) and _fits(_WORD, said[1])


def _fits(form: re.Pattern[str], text: Any) -> bool:
    return isinstance(text, str) and form.fullmatch(text) is not None
