"""What peers say to each other: a query with a number, an answer to it, or a refusal; as JSON that is checked strictly.

Whoever sends anything else has broken the rules, and the connection ends. Messages are padded to whole blocks, so that their
lengths say little on the line.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import Any, TypeAlias

from tacita.core.errors import ParameterError
from tacita.core.metadata import MetadataLimits, parse_json
from tacita.games.peers.limits import LONGEST_QUERY, MOST_FRAME, MOST_HITS
from tacita.games.peers.noise import TAG, BrokenRulesError

__all__ = [
    "BLOCK",
    "REASONS",
    "PeerMessage",
    "SearchAnswer",
    "SearchRefusal",
    "SearchRequest",
    "check_query",
    "decode_message",
    "encode_message",
    "padded",
    "unpadded",
]

BLOCK = 512
"""A message fills whole blocks of so many bytes, with its length in front."""
REASONS = ("unwilling", "busy", "no back end")
"""Why a query is refused: it would not serve the helper's privacy; too many; the back end cannot be reached."""
LONGEST_TITLE = 120
"""Characters of a document's title in an answer."""

_LIMITS = MetadataLimits(size=MOST_FRAME, keys=200, depth=4, digits=20)
_MOST_NUMBER = 2**53
_REFUSED = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class SearchRequest:
    """A query to be submitted on behalf of whoever sends it."""

    number: int
    query: str


@dataclass(frozen=True)
class SearchAnswer:
    """What the back end found: titles with their scores, best first."""

    number: int
    hits: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class SearchRefusal:
    """That a query is not submitted, and why."""

    number: int
    reason: str


PeerMessage: TypeAlias = SearchRequest | SearchAnswer | SearchRefusal


def check_query(query: object) -> str:
    """Return a query with single blanks, none around it.

    Raises
    ------
    ParameterError
        When it is no text, empty, too long, or has control characters in it.
    """
    text = " ".join(query.split()) if isinstance(query, str) else ""
    if not text or len(text) > LONGEST_QUERY or not _is_clean(text):
        raise ParameterError(f"A query must be a line of text with 1 to {LONGEST_QUERY} characters.")
    return text


def encode_message(message: PeerMessage) -> bytes:
    """Return a message as bytes."""
    if isinstance(message, SearchRequest):
        said: dict[str, Any] = {"ask": message.number, "query": message.query}
    elif isinstance(message, SearchAnswer):
        said = {"answer": message.number, "hits": [[title, score] for title, score in message.hits]}
    else:
        said = {"refuse": message.number, "reason": message.reason}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def decode_message(content: bytes) -> PeerMessage:
    """Return the message that some bytes say.

    Raises
    ------
    BrokenRulesError
        When they say none.
    """
    said = parse_json(content, "A message", limits=_LIMITS, error=_FormError)
    if isinstance(said, dict):
        keys = tuple(said)
        if keys == ("ask", "query") and _is_number(said["ask"]) and _is_query(said["query"]):
            return SearchRequest(said["ask"], said["query"])
        if keys == ("refuse", "reason") and _is_number(said["refuse"]) and said["reason"] in REASONS:
            return SearchRefusal(said["refuse"], said["reason"])
        if keys == ("answer", "hits") and _is_number(said["answer"]) and _are_hits(said["hits"]):
            return SearchAnswer(said["answer"], tuple((title, float(score)) for title, score in said["hits"]))
    raise _FormError("A message has none of the forms that a message may have.")


class _FormError(BrokenRulesError):
    def __init__(self, message: str) -> None:
        super().__init__("form", message)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_NUMBER


def _is_query(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_QUERY and value == value.strip() and _is_clean(value)


def _is_clean(text: str) -> bool:
    """Whether a text has no control characters, no ends of lines and no half pairs; joiners of letters may stand in it."""
    return text.isprintable() or all(unicodedata.category(letter) not in _REFUSED for letter in text)


def _are_hits(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST_HITS and all(_is_hit(hit) for hit in value)


def _is_hit(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and len(value[0]) <= LONGEST_TITLE
        and _is_clean(value[0])
        and isinstance(value[1], (int, float))
        and not isinstance(value[1], bool)
        and abs(value[1]) < 1e12
    )


# --- padding --------------------------------------------------------------------------------------------------------------


def padded(content: bytes) -> bytes:
    """Return content with its length in front, filled up with zeros to whole blocks.

    Raises
    ------
    BrokenRulesError
        When it does not fit into a frame.
    """
    length = -(-(len(content) + 2) // BLOCK) * BLOCK
    if length + TAG > MOST_FRAME:
        raise BrokenRulesError("size", f"A message must fit into {MOST_FRAME} bytes.")
    return len(content).to_bytes(2, "big") + content + bytes(length - 2 - len(content))


def unpadded(filled: bytes) -> bytes:
    """Return the content of whole blocks.

    Raises
    ------
    BrokenRulesError
        When these are no whole blocks, or more of them than the content fills.
    """
    length = int.from_bytes(filled[:2], "big")
    if not filled or len(filled) != -(-(length + 2) // BLOCK) * BLOCK or any(filled[length + 2 :]):
        raise BrokenRulesError("form", "A message does not fill the blocks that it comes in.")
    return filled[2 : length + 2]
