"""The recipient's side: a request that hides its choices and binds it to them, and the file that comes out of the answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.core.progress import track
from tacita.core.signatures import public_part
from tacita.data.microdata import Microdata
from tacita.release.recipients.exchange.group import GENERATOR, FixedBase, from_text, to_text
from tacita.release.recipients.exchange.messages import check_signed, from_base64, sign
from tacita.release.recipients.exchange.office import file_digest
from tacita.release.recipients.exchange.transfer import ITEMS, choose, commitment, constants, open_item

__all__ = ["choices_of", "make_request", "open_answer"]

_MOST_SYMBOLS = 1 << 15


def make_request(offer: Any, key: Key) -> dict[str, Any]:
    """Return the second message: for each symbol PK_0, which hides what the recipient chose.

    Parameters
    ----------
    offer
        The office's message.
    key
        The recipient's own secret. It draws the choices and signs; whoever has it can make the recipient's copy.

    Raises
    ------
    DataError
        When the offer was changed.

    Complexity
    ----------
    One power in the group for each symbol. The same offer and key give the same request.
    """
    told, session, symbols = _offered(offer)
    own, fixed, generator = key.derive("exchange", "choices"), constants(session), FixedBase(GENERATOR)
    places = track(range(symbols), "Drawing choices")
    asked = [to_text(commitment(choose(own, session, place), fixed, generator)) for place in places]
    body = {"kind": "request", "recipient": told["recipient"], "session": told["session"], "asked": asked}
    return sign(body, key)


def choices_of(offer: Any, request: Any, key: Key) -> IntArray:
    """Return (symbols,): the items that a request chose, opened with the recipient's key and checked against the request.

    Raises
    ------
    DataError
        When the request was not made with this key.

    Complexity
    ----------
    One power in the group for each symbol.
    """
    _, session, symbols = _offered(offer)
    signed = check_signed(request, "request", public_part(key))
    if signed.get("asked") != make_request(offer, key)["asked"]:
        raise DataError("The request does not open with this key: it was made with other choices.")
    own = key.derive("exchange", "choices")
    return np.array([choose(own, session, place).item for place in range(symbols)], np.int64)


def open_answer(offer: Any, answer: Any, blank: Microdata, key: Key) -> Microdata:
    """Return the recipient's copy: the file of the answer with the values of the chosen items in it.

    Parameters
    ----------
    offer, answer
        The office's messages.
    blank
        The file that came with the answer.
    key
        The recipient's secret.

    Raises
    ------
    DataError
        When a message was changed, belongs to another exchange or another key, or an item does not open.

    Complexity
    ----------
    One power in the group for each symbol.
    """
    told, session, symbols = _offered(offer)
    given = check_signed(answer, "answer", told["by"])
    if given.get("session") != told["session"]:
        raise DataError("The answer belongs to another offer than this one.")
    if given.get("file") != file_digest(blank):
        raise DataError("The file is not the one that the answer was signed with; read it with the schema beside it.")
    own, announced = key.derive("exchange", "choices"), FixedBase(from_text(told["announced"]))
    names, cells, items = _parts(given, symbols, blank)
    values = {name: blank.float(name).copy() for name in names}
    for place in track(range(symbols), "Opening items"):
        locked = [from_base64(item) for item in items[place]]
        item = open_item(choose(own, session, place), announced, session, place, locked)
        _fill(values, names, cells[place], item)
    return blank.with_numbers(values)


def _fill(values: dict[str, FloatArray], names: list[str], cells: list[list[int]], item: bytes) -> None:
    if len(item) != 8 * sum(map(len, cells)):
        raise DataError("The answer is damaged, or was not made by this program.")
    numbers, first = np.frombuffer(item, "<f8"), 0
    for name, rows in zip(names, cells, strict=True):
        values[name][rows] = numbers[first : first + len(rows)]
        first += len(rows)


def _offered(offer: Any) -> tuple[dict[str, Any], bytes, int]:
    told = check_signed(offer, "offer")
    try:
        session, symbols = bytes.fromhex(told["session"]), int(told["symbols"])
        from_text(told["announced"])
        if len(session) != 16 or not 1 <= symbols <= _MOST_SYMBOLS or not isinstance(told["recipient"], str):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise DataError("The offer is damaged, or was not made by this program.") from None
    return told, session, symbols


def _parts(
    given: dict[str, Any], symbols: int, blank: Microdata
) -> tuple[list[str], list[list[list[int]]], list[list[str]]]:
    """Return columns, cells and items of an answer, which must have the shape that they have in one."""
    names, cells, items, n = given.get("columns"), given.get("cells"), given.get("items"), len(blank)
    if isinstance(names, list) and isinstance(cells, list) and isinstance(items, list):
        is_long = len(cells) == symbols and len(items) == symbols
        is_known = all(name in blank.schema and blank.schema[name].scale == "numeric" for name in names)
        if is_long and is_known and all(_is_list(five, ITEMS) for five in items):
            shaped = all(_is_list(parts, len(names)) and all(_are_rows(rows, n) for rows in parts) for parts in cells)
            if shaped:
                return names, cells, items
    raise DataError("The answer is damaged, or was not made by this program.")


def _is_list(value: Any, length: int) -> bool:
    return isinstance(value, list) and len(value) == length


def _are_rows(value: Any, n: int) -> bool:
    return isinstance(value, list) and all(type(i) is int and 0 <= i < n for i in value)
