"""What was asked for beside what was found: rates, times, errors, memory, and whether the journal has every answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["is_error", "kinds_table", "knee", "summary"]

_MOST_GROWTH = 5.0
"""Percent by which memory that is flat may differ between the middle and the end of the long step."""

Row = Mapping[str, Any]
_Claim = tuple[str, Any, str, bool | None]


def is_error(kind: str) -> bool:
    """Whether a kind of outcome is an error of the server: not what its rules refuse, nor what was never sent.

    Examples
    --------
    >>> [is_error(kind) for kind in ("answered", "refused: few", "http 503: busy", "connection: EOFError", "not sent: x", "late")]
    [False, False, True, True, False, True]
    """
    return not kind.startswith(("answered", "refused", "not sent"))


def knee(rows: Sequence[Row]) -> float:
    """Return the highest rate that is kept up with, as are all lower ones; 0 for none.

    A rate is kept up with when at least 95 % of it are dealt with, answered or refused by a rule, a second.

    Examples
    --------
    >>> knee([{"offered/s": 10, "dealt with/s": 9.9}, {"offered/s": 99, "dealt with/s": 50}])
    10
    """
    found = 0.0
    for row in sorted(rows, key=lambda row: row["offered/s"]):
        if row["dealt with/s"] < 0.95 * row["offered/s"]:
            break
        found = row["offered/s"]
    return found


def kinds_table(kinds: Sequence[Mapping[str, int]], rates: Sequence[float]) -> list[dict[str, Any]]:
    """Return how often each kind of outcome came, at which rates, and whose fault it is.

    Examples
    --------
    >>> kinds_table([{"answered": 5}, {"late": 2, "answered": 3}], [10, 99])[1]
    {'outcome': 'late', 'times': 2, 'at': '99/s', 'whose fault': 'the server'}
    """
    total: Counter[str] = Counter()
    for found in kinds:
        total.update(found)
    rows = []
    for kind, times in total.most_common():
        at = ", ".join(f"{rate:g}/s" for rate, found in zip(rates, kinds, strict=True) if found.get(kind))
        fault = "the server" if is_error(kind) else "the generator" if kind.startswith("not sent") else ""
        rows.append({"outcome": kind, "times": times, "at": at, "whose fault": fault})
    return rows


def summary(rows: Sequence[Row], facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what was asked for beside what was found.

    Parameters
    ----------
    rows
        The steps; the first is the one without haste, the last the long one.
    facts
        ``journal`` and ``missing``; ``memory``, for each part of the server what it holds at three moments, in megabytes.
    """
    low, last = rows[0], rows[-1]
    errors, new = sum(row["errors"] for row in rows), last["not asked before, %"]
    claims: list[_Claim] = [
        ("cold p95 at the lowest rate, ms", low["cold p95 ms"], "< 150", low["cold p95 ms"] < 150),
        ("repeated p95 at the lowest rate, ms", low["repeated p95 ms"], "< 10", low["repeated p95 ms"] < 10),
        ("answered a second, long step", last["answered/s"], ">= 300", last["answered/s"] >= 300),
        ("of these not asked before, %", new, ">= 70", new >= 70),
        ("cold p99, long step, ms", last["cold p99 ms"], "", None),
        ("repeated p99, long step, ms", last["repeated p99 ms"], "", None),
        ("knee, questions a second", knee(rows), "", None),
        ("errors of the server, all steps", errors, "0", not errors),
        ("not sent for want of a connection, long step", last["not sent"], "0", not last["not sent"]),
        ("generator's share of the processors, long step, cores", last["generator cpu"], "", None),
        ("journal", facts["journal"], "verified", facts["journal"] == "verified"),
        ("answers without an entry", facts["missing"], "0", facts["missing"] == 0),
    ]
    for name, (warm, middle, end) in facts["memory"].items():
        growth = 100 * (end - middle) / middle if middle else float("nan")
        held = f"{warm:.0f}, {middle:.0f}, {end:.0f}"
        claims.append((f"{name}: MB after warm-up, in the middle of the long step, at its end", held, "", None))
        flat = abs(growth) <= _MOST_GROWTH
        claims.append((f"{name}: growth from the middle to the end, %", growth, f"<= {_MOST_GROWTH:g}", flat))
    said = {True: "holds", False: "does not hold", None: ""}
    return [{"case": n, "found": v, "target": t, "claim": said[ok]} for n, v, t, ok in claims]
