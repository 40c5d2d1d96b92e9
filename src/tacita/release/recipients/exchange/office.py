"""The office's side: an offer to each recipient, and an answer that gives it one of five items at every symbol."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.core.progress import track
from tacita.data.microdata import Microdata
from tacita.release.recipients.copies import FingerprintedCopies
from tacita.release.recipients.exchange.group import from_text, to_text
from tacita.release.recipients.exchange.messages import check_signed, sign, to_base64
from tacita.release.recipients.exchange.transfer import ITEMS, Sender

__all__ = ["answer_request", "blank_file", "drawn_symbols", "file_digest", "make_offer", "signing_key"]


def signing_key(copies: FingerprintedCopies) -> Key:
    """Return the key that the office signs with; its public part stands in every offer."""
    return copies.key.derive("exchange", copies.release)


def make_offer(copies: FingerprintedCopies, name: str) -> dict[str, Any]:
    """Return the first message: who is offered what, and R = g^r.

    Raises
    ------
    ParameterError
        When the copies are not of the asymmetric form, or nobody is called so.
    """
    if not copies.plan.blocks:
        raise ParameterError("These copies are complete: only those of the asymmetric form are exchanged.")
    if name not in copies.recipients:
        copies.codeword(name)  # raises with a suggestion
    key = signing_key(copies)
    body = {
        "kind": "offer",
        "recipient": name,
        "session": _session(copies, name).hex(),
        "symbols": copies.plan.length + copies.plan.blocks,
        "announced": to_text(_sender(copies, name).announced),
    }
    return sign(body, key)


def answer_request(copies: FingerprintedCopies, message: Any) -> dict[str, Any]:
    """Return the answer to a request: the cells of every symbol, and five items for each, which open with five keys.

    At the office's symbols all five items hold the office's choice. At the recipient's, one holds the variant that is rare there
    and four the other one, in an order that the key draws. The recipient cannot tell the two kinds of symbols apart.

    Parameters
    ----------
    copies
        Of the asymmetric form.
    message
        The request.

    Raises
    ------
    DataError
        When the request does not answer the offer, or was changed.

    Complexity
    ----------
    One power in the group for each symbol, O(cells) besides. The same request gives the same answer.
    """
    request = check_signed(message, "request")
    name = str(request.get("recipient"))
    offer = make_offer(copies, name)
    asked = request.get("asked")
    if request.get("session") != offer["session"] or not isinstance(asked, list) or len(asked) != offer["symbols"]:
        raise DataError("The request does not belong to the offer of these copies.")
    sender, order, cells = _sender(copies, name), _order(copies), _cells(copies)
    word, types, length = copies.codeword(name), _types(copies, name), copies.plan.length
    places, locked = [], []
    for place, symbol in enumerate(track(order.tolist(), "Encrypting items")):
        variants = [_payload(copies, cells[symbol], side) for side in (0, 1)]
        kinds = np.full(ITEMS, word[symbol]) if symbol < length else types[symbol - length]
        items = sender.encrypt(place, from_text(asked[place]), [variants[kind] for kind in kinds])
        locked.append([to_base64(item) for item in items])
        places.append([part.tolist() for part in cells[symbol]])
    body = {
        "kind": "answer",
        "recipient": name,
        "session": offer["session"],
        "columns": [c.name for c in copies.plan.columns],
        "cells": places,
        "items": locked,
        "request": hashlib.sha256(str(request["signature"]).encode()).hexdigest(),
        "file": file_digest(blank_file(copies)),
    }
    return sign(body, signing_key(copies))


def blank_file(copies: FingerprintedCopies) -> Microdata:
    """Return the masked file with one filling in all cells that the items hold."""
    filled = {}
    for column in copies.plan.columns:
        x, decimals = copies.masked.float(column.name), column.decimals
        filling = 0.123456789 if decimals is None else 10.0 ** -max(decimals, 0)
        filled[column.name] = np.where(np.isfinite(x), filling, np.nan)
    return copies.masked.with_numbers(filled)


def file_digest(data: Microdata) -> str:
    """Return a hash of the values of a file that does not depend on how the file's format keeps numbers."""
    found = hashlib.sha256()
    for name in data.names:
        found.update(b"|%d|" % len(name.encode("utf-8", "surrogatepass")) + name.encode("utf-8", "surrogatepass"))
        if data.schema[name].scale == "numeric":
            x = data.float(name)
            found.update(np.where(np.isnan(x), np.nan, x).astype("<f8").tobytes())
            continue
        codes = data.codes(name)
        words = [str(value).encode("utf-8", "surrogatepass") for value in codes.categories]
        found.update(b"".join(b"%d:" % len(word) + word for word in words))
        found.update(np.asarray(codes.values, "<i8").tobytes())
    return found.hexdigest()


def drawn_symbols(copies: FingerprintedCopies, name: str, chosen: IntArray) -> IntArray:
    """Return (blocks,): the symbols that a recipient has when it chose these items, one for each symbol of the exchange."""
    order, length = _order(copies), copies.plan.length
    types, found = _types(copies, name), np.zeros(copies.plan.blocks, np.int64)
    is_theirs = order >= length
    found[order[is_theirs] - length] = types[order[is_theirs] - length, chosen[is_theirs]]
    return found


def _session(copies: FingerprintedCopies, name: str) -> bytes:
    return copies.key.digest("exchange", "session", copies.release, name)[:16]


def _sender(copies: FingerprintedCopies, name: str) -> Sender:
    session = _session(copies, name)
    return Sender(copies.key.derive("exchange", "transfer", session.hex()), session)


def _order(copies: FingerprintedCopies) -> IntArray:
    """Return the order of the symbols in the exchange, which hides whose they are."""
    rng = copies.key.derive("exchange", copies.release).generator("order")
    return np.asarray(rng.permutation(copies.plan.length + copies.plan.blocks), np.int64)


def _types(copies: FingerprintedCopies, name: str) -> IntArray:
    """Return (blocks, 5): which items hold the variant of 1 at the recipient's symbols: one of five, or four of five."""
    rng = copies.key.generator("exchange", "items", _session(copies, name))
    is_rare = copies.biases[copies.plan.length :] < 0.5
    marked = rng.integers(0, ITEMS, copies.plan.blocks)[:, None] == np.arange(ITEMS)
    return np.asarray(np.where(is_rare[:, None], marked, ~marked), np.int64)


def _cells(copies: FingerprintedCopies) -> list[list[IntArray]]:
    """Return for each symbol, and each marked column, the rows of its cells."""
    symbols = copies.plan.length + copies.plan.blocks
    found: list[list[IntArray]] = [[] for _ in range(symbols)]
    for column in copies.variants:
        rows = np.flatnonzero(np.isfinite(column.masked))
        rows = rows[np.argsort(column.position[rows], kind="stable")]
        ends = np.searchsorted(column.position[rows], np.arange(1, symbols))
        for symbol, part in enumerate(np.split(rows, ends)):
            found[symbol].append(part)
    return found


def _payload(copies: FingerprintedCopies, cells: list[IntArray], side: int) -> bytes:
    values: list[FloatArray] = [
        (column.one if side else column.zero)[rows] for column, rows in zip(copies.variants, cells, strict=True)
    ]
    return np.concatenate(values).astype("<f8").tobytes()
