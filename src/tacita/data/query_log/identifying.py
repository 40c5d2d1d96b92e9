"""Identifying texts: which queries of a log could name a person, and by what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.data.query_log.persons.check_digits import has_account, has_card
from tacita.data.query_log.persons.folded_texts import folded, split_words
from tacita.data.query_log.persons.names_in_texts import has_given_names, has_name, may_have_name
from tacita.data.query_log.persons.patterns import AT_SIGN, LONG_DIGITS, PATTERNS, SPELLED_MAIL, YEARS
from tacita.data.query_log.query_log import QueryLog

__all__ = ["RARE", "REASONS", "IdentifyingTexts", "identifying", "identifying_queries", "rare_texts"]

REASONS = (
    "e-mail", "telephone", "card", "account", "identity number", "long number", "address", "postcode", "name", "possible name",
    "user page", "date of birth", "IP address",
)  # fmt: skip
"""Why a text could name a person, in the order of the bits."""

RARE = "rare"
"""The reason of a query that few users asked."""

_MOST = 64


@dataclass(frozen=True, eq=False)
class IdentifyingTexts:
    """For each text why it could name a person; it has no text.

    Parameters
    ----------
    reasons
        The names of the reasons.
    mask
        For each text a number whose bit i says whether ``reasons[i]`` holds.
    """

    reasons: tuple[str, ...]
    mask: npt.NDArray[np.uint64]

    def __post_init__(self) -> None:
        if len(self.reasons) > _MOST or len(set(self.reasons)) < len(self.reasons):
            raise ParameterError(f"IdentifyingTexts: there can be {_MOST} reasons, each once, got {len(self.reasons)}.")

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self.mask)

    def __repr__(self) -> str:
        found = ", ".join(f"{reason} {count}" for reason, count in self.counts().items() if count)
        return f"IdentifyingTexts: {int((self.mask > 0).sum())} of {len(self)} texts ({found or 'none'})"

    def of(self, *reasons: str) -> BoolArray:
        """Return which texts have at least one of some reasons; without any named, one at all."""
        if not reasons:
            return self.mask > 0
        wanted = np.uint64(0)
        for reason in reasons:
            if reason not in self.reasons:
                near = did_you_mean(reason, self.reasons)
                raise ParameterError(f"'{reason}' is no reason here; there are {', '.join(self.reasons)}.{near}")
            wanted |= np.uint64(1 << self.reasons.index(reason))
        return (self.mask & wanted) > 0

    def counts(self) -> dict[str, int]:
        """Return how many texts each reason has; a text may have several."""
        return {reason: int(self.of(reason).sum()) for reason in self.reasons}

    def reasons_of(self, text: int) -> tuple[str, ...]:
        """Return the reasons of one text, by its place."""
        return tuple(reason for bit, reason in enumerate(self.reasons) if int(self.mask[text]) >> bit & 1)

    def with_reason(self, reason: str, texts: BoolArray) -> IdentifyingTexts:
        """Return the same with one reason more, or with more texts that have one of its reasons."""
        if len(texts) != len(self):
            raise DataError(
                f"IdentifyingTexts: there must be a flag for each of the {len(self)} texts, got {len(texts)}."
            )
        reasons = self.reasons if reason in self.reasons else (*self.reasons, reason)
        bit = np.uint64(1 << reasons.index(reason)) if len(reasons) <= _MOST else np.uint64(0)
        return IdentifyingTexts(reasons, self.mask | np.where(texts, bit, np.uint64(0)))


def identifying(
    texts: pa.StringArray, *, names: Iterable[str] | None = None, patterns: Mapping[str, str] | None = None
) -> IdentifyingTexts:
    r"""Find what in texts could name a person.

    Looked for are e-mail addresses, also spelled out; telephone numbers; cards (check digit of Luhn), accounts (IBAN), numbers of
    identity papers and social security, other numbers of seven digits or more; addresses of streets and post boxes; postcodes;
    names of people; pages and names of users; complete dates, and dates of birth; addresses of computers. Case and accents do
    not matter.

    Protects those who searched for themselves and for people they know. Does not protect whoever is named in another way: see the
    notes.

    Parameters
    ----------
    texts
        The texts, each once; null has no reason.
    names
        Further names, of one word or several, that are found as whole words (reason ``name``): of employees, of the small town.
    patterns
        Further reasons, each with a regular expression of RE2, such as ``{"customer number": r"\bc-[0-9]{4}\b"}``; case does not
        matter. A reason that there is already is extended.

    Returns
    -------
    IdentifyingTexts
        One entry for each text.

    Raises
    ------
    ParameterError
        When a pattern is no regular expression.

    Complexity
    ----------
    O(n) in the characters of all texts; a million texts take a few seconds.

    Notes
    -----
    Names are found by lists of 850 given names and 700 surnames of Europe and America, and by titles: ``name``. A word that often
    stands beside such a name is perhaps one itself, and every text with it a ``possible name``. That depends on the other texts:
    it finds more in a large log, and takes ``madonna ringtone`` for a person where few others want a ringtone. In the made log of
    ``tc.samples.query_log`` 88 % of the searches for the own name are found, typing errors included, and all mail addresses,
    numbers and streets; of the searches for a topic 2 % are taken for something else.

    Not found: a given name or a surname alone, and nicknames; names of which no part is in a list, as most of Asia and Africa;
    names in other scripts, misspelt or run together (``johnsmith``); number plates; addresses without a street word or without a
    number; numbers that other signs than blanks, dots, hyphens, slashes and brackets break up, and digits of other scripts;
    employers, schools, diseases and other interests, which name a person when they stand together, as do all searches of a user.
    Found, although nobody is meant: stars (``michael jackson``), numbers of articles, dates of events.

    Examples
    --------
    >>> found = identifying(pa.array(["jane miller", "me@example.com", "212-555-0143", "cheap flights"]))
    >>> found
    IdentifyingTexts: 3 of 4 texts (e-mail 1, telephone 1, long number 1, name 1)
    >>> found.of("name", "e-mail").tolist()
    [True, True, False, False]
    """
    column = texts.cast(pa.string()).combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts.cast(pa.string())
    own = _checked_patterns(patterns or {})
    plain = folded(column)
    found = IdentifyingTexts(REASONS, np.zeros(len(column), np.uint64))
    for reason, flags in (*_numbers(plain), ("e-mail", _mails(plain)), ("user page", _pages(plain))):
        found = found.with_reason(reason, flags)
    words = split_words(plain)
    found = found.with_reason("name", has_name(words)).with_reason("possible name", may_have_name(words))
    if names is not None:
        given = [names] if isinstance(names, str) else names
        found = found.with_reason("name", has_given_names(words, given))
    for reason, pattern in own.items():
        either = _matches(column, pattern, ignore_case=True) | _matches(plain, pattern, ignore_case=True)
        found = found.with_reason(reason, either)
    return found


def rare_texts(log: QueryLog, users: int) -> BoolArray:
    """Return which texts of a log fewer than so many users asked; one that nobody asked is rare.

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "bob", "ann"], ["tea", "tea", "milk"])
    >>> rare_texts(log, users=2).tolist()
    [False, True]
    """
    if isinstance(users, bool) or not isinstance(users, (int, np.integer)) or users < 1:
        raise ParameterError(f"rare_texts: 'users' must be a whole number from 1, got {users!r}.")
    asked: IntArray = np.bincount(log.asked.indices, minlength=len(log.texts))
    return asked < users


def identifying_queries(
    log: QueryLog,
    *,
    rare: int | None = None,
    names: Iterable[str] | None = None,
    patterns: Mapping[str, str] | None = None,
) -> IdentifyingTexts:
    """Find what in the queries of a log could name a person, as :func:`identifying` does; one entry for each of its texts.

    Parameters
    ----------
    log
        The log.
    rare
        A query that fewer users asked gets the reason ``rare``; None leaves that reason out.
    names, patterns
        As in :func:`identifying`.
    """
    found = identifying(log.texts, names=names, patterns=patterns)
    return found if rare is None else found.with_reason(RARE, rare_texts(log, rare))


# --- reasons --------------------------------------------------------------------------------------------------------------------


def _numbers(plain: pa.StringArray) -> list[tuple[str, BoolArray]]:
    """Return the reasons that need a digit; texts without one are not looked at again."""
    has_digit = _matches(plain, "[0-9]") | _matches(plain, "::")
    some = plain.filter(pa.array(has_digit))
    found = {reason: _any_of(some, patterns) for reason, patterns in PATTERNS.items() if reason != "user page"}
    count = pc.fill_null(pc.count_substring_regex(some, "[0-9]"), 0).to_numpy(zero_copy_only=False)
    found["long number"] = _matches(some, LONG_DIGITS) | _of_some(some, count >= 9, _long_in_groups)
    found["card"] = _of_some(some, count >= 13, has_card)
    found["account"] = _of_some(some, count >= 4, has_account)
    return [(reason, _spread(flags, has_digit)) for reason, flags in found.items()]


def _long_in_groups(plain: pa.StringArray) -> BoolArray:
    """Return which texts have nine digits with single signs between them; years side by side are no number."""
    joined = pc.replace_substring_regex(plain, YEARS, "y")
    for _ in range(2):  # what one pass has taken as the second digit of a pair is the first of another
        joined = pc.replace_substring_regex(joined, r"([0-9])[ ./-]([0-9])", r"\1\2")
    return _matches(joined, "[0-9]{9}")


def _mails(plain: pa.StringArray) -> BoolArray:
    has_sign = _matches(plain, "@")
    may_be_spelled = _matches(plain, r"[ (\[](?:at|arroba)[ )\]]|[._].* ")
    return _of_some(plain, has_sign, lambda some: _matches(some, AT_SIGN)) | _of_some(
        plain, may_be_spelled, lambda some: _matches(some, SPELLED_MAIL)
    )


def _pages(plain: pa.StringArray) -> BoolArray:
    return _of_some(plain, _matches(plain, "[@/~?]|[.]com"), lambda some: _any_of(some, PATTERNS["user page"]))


def _of_some(texts: pa.StringArray, some: BoolArray, look: object) -> BoolArray:
    """Look at some of the texts only; the others have it not."""
    if not some.any():
        return some
    return _spread(look(texts.filter(pa.array(some))), some)  # type: ignore[operator]


def _spread(flags: BoolArray, some: BoolArray) -> BoolArray:
    found = np.zeros(len(some), bool)
    found[some] = flags
    return found


def _any_of(texts: pa.StringArray, patterns: tuple[str, ...]) -> BoolArray:
    return _matches(texts, "|".join(f"(?:{pattern})" for pattern in patterns))


def _matches(texts: pa.StringArray, pattern: str, *, ignore_case: bool = False) -> BoolArray:
    hit = pc.match_substring_regex(texts, pattern, ignore_case=ignore_case)
    flags: BoolArray = pc.fill_null(hit, False).to_numpy(zero_copy_only=False)
    return flags


def _checked_patterns(patterns: Mapping[str, str]) -> dict[str, str]:
    for reason, pattern in patterns.items():
        if not isinstance(reason, str) or not reason or not isinstance(pattern, str):
            raise ParameterError("identifying: 'patterns' must have a regular expression for each name of a reason.")
        try:
            _matches(pa.array([""]), pattern)
        except pa.ArrowInvalid:
            raise ParameterError(
                f"identifying: the pattern of '{reason}' is no regular expression of RE2; it knows no look-ahead and no back "
                "references."
            ) from None
    return dict(patterns)
