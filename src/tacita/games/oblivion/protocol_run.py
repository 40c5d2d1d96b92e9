"""The protocol played once: enrolment, codewords, forwarding by transfers, a leak, its trace, the name, and the date."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Annotated, Any

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.errors import DataError
from tacita.core.parameters import coerce
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams, check_seed
from tacita.games.oblivion.content import MarkableContent
from tacita.games.oblivion.expiry_dates import may_be_used, read_date
from tacita.games.oblivion.marked_copy import (
    MarkedCopy,
    MarkLayout,
    forward_marked,
    receive_marked,
    signed_receipt,
    source_copy,
)
from tacita.games.oblivion.offices import CodeOffice, TracedCopy
from tacita.games.oblivion.pseudonyms import Registrar, Signer

__all__ = ["DatedUse", "ProtocolRun", "date_of_copy", "run_protocol"]

_TODAY = date(2026, 6, 1)


@dataclass(frozen=True)
class DatedUse:
    """What a detector finds in a copy that is used.

    Parameters
    ----------
    expires
        The date in the copy's marks; None where it cannot be read.
    is_past
        Whether the copy is used after it; None where it cannot be read.
    traced
        Whom the copy points at; None for nobody, and where it is not past its date.
    """

    expires: date | None
    is_past: bool | None
    traced: TracedCopy | None


def date_of_copy(copy: Any, content: MarkableContent, layout: MarkLayout, office: CodeOffice, today: date) -> DatedUse:
    """Look at a copy in use: read its date, and trace it where that is past.

    Parameters
    ----------
    copy
        As it was met.
    content, layout, office
        What reads its marks, and who traces.
    today
        The day on which it is used.
    """
    symbols = content.read(copy)
    expires = read_date(symbols[layout.dated])
    if expires is None:
        return DatedUse(None, None, None)
    is_past = today > expires
    return DatedUse(expires, is_past, office.trace(symbols) if is_past else None)


@dataclass(frozen=True)
class ProtocolRun:
    """What happened, for each holder along the chain.

    Parameters
    ----------
    names
        The holders, in the order in which they got the content.
    resolved
        Whose name the registrar told when a copy of each was leaked; empty for nobody.
    bare
        Whose name was told when the last holder's copy had been forwarded to her bare.
    late
        Whose name was told when the last holder used her copy past its date.
    refused
        What a client said of the content a day after its date.
    positions, transfers
        Positions of the content, and pairs that were sealed and opened.
    """

    names: tuple[str, ...]
    resolved: tuple[str, ...]
    bare: str
    late: str
    refused: str
    positions: int
    transfers: int

    @property
    def is_right(self) -> bool:
        """Whether every name is that of the one to blame."""
        before = self.names[-2] if len(self.names) > 1 else ""
        return self.resolved == self.names and self.bare == before and self.late == self.names[-1]

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {**asdict(self), "is_right": self.is_right}


def run_protocol(
    content: MarkableContent, *, length: int, hops: int = 3, coalition: int = 2, days: int = 30, seed: Seed = 1
) -> ProtocolRun:
    """Hand content on along a chain, with every transfer, certificate and signature, and leak it at every hop.

    Parameters
    ----------
    content
        With positions enough for ``hops`` codes and a date.
    length
        Of the code of one hop.
    hops
        How many holders there are.
    coalition
        Colluders that the code is made for; here each holder leaks alone.
    days
        After how many days the content expires.
    seed
        Draws all keys and codewords: for simulations only.

    Raises
    ------
    DataError
        When the content has too few positions.

    Complexity
    ----------
    O(length) products on a curve for each hop: about a second for 1500 positions.

    Examples
    --------
    >>> from tacita.games.oblivion.content import NumberContent
    >>> values = np.random.default_rng(1).normal(50, 10, 200)
    >>> run = run_protocol(NumberContent(values, 0.1), length=70, hops=2, coalition=1)
    >>> run.resolved == run.names, run.refused
    (True, 'expired')
    """
    streams = Streams(check_seed(seed, owner="run_protocol")).within("oblivion", "protocol")
    hops = coerce(hops, Annotated[int, Interval(1, 50)], owner="run_protocol", name="hops")
    days = coerce(days, Annotated[int, Interval(0, 36500)], owner="run_protocol", name="days")
    positions = len(content.pairs)
    layout = MarkLayout.drawn(positions, length, hops, streams.stream("layout"))
    registrar = Registrar(streams.stream("registrar"))
    office = CodeOffice(layout, coalition, registrar.public, streams.stream("office"))
    registrar.trust(office.public)
    expires = _TODAY + timedelta(days=days)
    copies = [source_copy(content, layout, "content", expires, Signer(streams.stream("source")))]
    receipts: dict[bytes, tuple[bytes, tuple[Any, ...]]] = {}
    names = tuple(f"holder {i}" for i in range(1, hops + 1))
    with task("Forwarding", float(hops)) as running:
        for hop, name in enumerate(names, 1):
            holder = registrar.enrol(name, streams.stream("holder", name))
            offer, choices = office.issue(holder.certificate, hop, streams.stream("codeword", name))
            rng = streams.stream("transfer", name)
            receipt = signed_receipt(holder, offer, copies[-1].notice)
            parcel = forward_marked(
                copies[-1], layout, offer, receipt, registrar=registrar.public, office=office.public, rng=rng
            )
            copies.append(receive_marked(parcel, layout, choices, content, _TODAY))
            receipts[holder.certificate.pseudonym] = receipt
            running.advance()

    def told(traced: TracedCopy | None) -> str:
        if traced is None:
            return ""
        receipt = receipts[traced.pseudonym]
        return registrar.resolve(traced.pseudonym, receipt, office.finding(traced, receipt))

    leaks = [copy.rendered(content, streams.stream("leak")) for copy in copies[1:]]
    resolved = tuple(told(office.trace(content.read(leak))) for leak in leaks)
    bare = (
        told(office.trace(content.read(leaks[-2]))) if hops > 1 else ""
    )  # the last holder got the copy of the one before
    late = date_of_copy(leaks[-1], content, layout, office, expires + timedelta(days=1))
    refused = _refused(content, layout, copies[-1], expires + timedelta(days=1))
    return ProtocolRun(names, resolved, bare, told(late.traced), refused, positions, length * hops)


def _refused(content: MarkableContent, layout: MarkLayout, copy: MarkedCopy, day: date) -> str:
    symbols = content.read(copy.rendered(content, np.random.default_rng(0)))
    said = may_be_used(symbols[layout.dated], copy.notice, day)
    if said == "may be used":
        raise DataError("run_protocol: content past its date was not refused.")
    return said
