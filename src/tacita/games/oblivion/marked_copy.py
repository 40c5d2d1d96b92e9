"""Copies on their way: each hop fixes the marks of one block for the receiver, by a transfer that does not show which.

Positions are shared out over the hops and the date. A copy at depth d has one variant alone in the blocks up to d, its holder's
own among them, and both variants in the blocks below, which she fixes for those to whom she forwards it. A copy that is passed on
as it is therefore still bears the marks of who passed it on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.content import MarkableContent
from tacita.games.oblivion.expiry_dates import DATE_BITS, ExpiryNotice, date_bits, may_be_used, signed_notice
from tacita.games.oblivion.oblivious_transfer import Choices, Point, SealedPairs, open_pairs, seal_pairs
from tacita.games.oblivion.pseudonyms import Holder, PseudonymCertificate, Signer, signature_holds

__all__ = [
    "MarkLayout",
    "MarkedCopy",
    "Offer",
    "Parcel",
    "forward_marked",
    "points_digest",
    "receive_marked",
    "signed_receipt",
    "source_copy",
]


@dataclass(frozen=True, eq=False)
class MarkLayout:
    """Which positions each hop fixes, and which say the date.

    Parameters
    ----------
    blocks
        For each depth, from 1, the positions of its marks.
    dated
        The positions of the expiry date.
    """

    blocks: tuple[IntArray, ...]
    dated: IntArray

    @classmethod
    def drawn(cls, positions: int, length: int, depth: int, rng: np.random.Generator) -> MarkLayout:
        """Share positions out at random: ``length`` for each hop, all others for the date.

        Parameters
        ----------
        positions
            How many the content has.
        length
            Of the code of one hop.
        depth
            How many hops there are from the source to the last receiver.
        rng
            Where the order comes from.

        Examples
        --------
        >>> layout = MarkLayout.drawn(100, 20, 3, np.random.default_rng(1))
        >>> [len(block) for block in layout.blocks], len(layout.dated)
        ([20, 20, 20], 40)
        """
        if length < 1 or depth < 1:
            raise ParameterError("MarkLayout: 'length' and 'depth' must be at least 1.")
        if positions < length * depth + DATE_BITS:
            raise DataError(
                f"The content has {positions} positions for marks; {depth} hops of {length} and a date need "
                f"{length * depth + DATE_BITS}. Take longer content, fewer hops or a smaller coalition."
            )
        order = rng.permutation(positions).astype(np.int64)
        blocks = tuple(np.sort(order[hop * length : (hop + 1) * length]) for hop in range(depth))
        return cls(blocks, np.sort(order[length * depth :]))


@dataclass(frozen=True, eq=False, repr=False)
class MarkedCopy:
    """What somebody holds.

    Parameters
    ----------
    held
        For each position the variants that she has: both, or the one that was fixed; None for the other.
    depth
        How many hops it came; 0 at the source.
    notice
        What the source says of it.
    """

    held: tuple[tuple[str | None, str | None], ...]
    depth: int
    notice: ExpiryNotice

    def rendered(self, content: MarkableContent, rng: np.random.Generator) -> Any:
        """Return the content as it is read; positions that are still open get one of their variants at random."""
        drawn = rng.integers(0, 2, len(self.held))
        chosen = [
            pair[bit] if (pair[0] is not None and pair[1] is not None) else next(v for v in pair if v is not None)
            for pair, bit in zip(self.held, drawn.tolist(), strict=True)
        ]
        return content.render([str(variant) for variant in chosen])


@dataclass(frozen=True)
class Offer:
    """What a receiver shows to get a copy: her certificate, and the points of her choices as the code office certified them."""

    certificate: PseudonymCertificate
    depth: int
    points: tuple[Point, ...]
    signature: bytes


@dataclass(frozen=True, eq=False, repr=False)
class Parcel:
    """A copy on its way: what is the same for all, and the sealed pairs of the receiver's block."""

    copy: MarkedCopy
    sealed: SealedPairs


def source_copy(content: MarkableContent, layout: MarkLayout, name: str, expires: date, source: Signer) -> MarkedCopy:
    """Return the copy of the source: the marks of the date are fixed, all others open.

    Parameters
    ----------
    content, layout
        What is forwarded, and which positions are whose.
    name, expires
        What the notice says.
    source
        Who signs it.
    """
    held: list[tuple[str | None, str | None]] = list(content.pairs)
    for place, bit in zip(layout.dated.tolist(), date_bits(expires, len(layout.dated)).tolist(), strict=True):
        held[place] = (held[place][0], None) if bit == 0 else (None, held[place][1])
    return MarkedCopy(tuple(held), 0, signed_notice(name, expires, source))


def forward_marked(
    copy: MarkedCopy,
    layout: MarkLayout,
    offer: Offer,
    receipt: tuple[bytes, tuple[Any, ...]],
    *,
    registrar: bytes,
    office: bytes,
    rng: np.random.Generator,
) -> Parcel:
    """Seal the next block for a receiver whose pseudonym and choices are certified, and who signed for the copy beforehand.

    The forwarder learns neither who she is nor which variants she gets, and hands the receipt to the code office.

    Parameters
    ----------
    copy
        What the forwarder holds.
    layout
        Which positions the next hop fixes.
    offer, receipt
        What the receiver shows, and her signature for this content, its date and her choices.
    registrar, office
        The public keys that certify pseudonyms and points.
    rng
        Where the secrets of the transfer come from.

    Raises
    ------
    DataError
        When a certificate or the receipt does not hold, or the copy cannot be forwarded any further.
    """
    depth = copy.depth + 1
    if depth > len(layout.blocks):
        raise DataError(f"The copy came {copy.depth} hops, and there are marks for no more.")
    block = layout.blocks[depth - 1].tolist()
    certificate = offer.certificate
    if not signature_holds(registrar, certificate.signature, "pseudonym", certificate.pseudonym):
        raise DataError("The receiver's pseudonym is not certified by the registrar.")
    told = ("choices", certificate.pseudonym, offer.depth, points_digest(offer.points))
    if not signature_holds(office, offer.signature, *told):
        raise DataError("The receiver's choices are not certified by the code office.")
    if receipt[1] != _receipt_parts(offer, copy.notice) or not signature_holds(
        certificate.pseudonym, receipt[0], *receipt[1]
    ):
        raise DataError("The receiver must sign for this content, its date and her choices before she gets it.")
    if offer.depth != depth or len(offer.points) != len(block):
        raise DataError("The receiver's choices are for another hop than this one.")
    pairs = [copy.held[place] for place in block]
    if any(zero is None or one is None for zero, one in pairs):
        raise DataError("The copy has a mark of the next hop fixed already.")
    sealed = seal_pairs([(str(zero).encode(), str(one).encode()) for zero, one in pairs], offer.points, rng)
    held = list(copy.held)
    for place in block:
        held[place] = (None, None)
    return Parcel(MarkedCopy(tuple(held), depth, copy.notice), sealed)


def receive_marked(
    parcel: Parcel, layout: MarkLayout, choices: Choices, content: MarkableContent, today: date
) -> MarkedCopy:
    """Open a parcel: the receiver gets her variants of her block, and refuses content that she may not use.

    Parameters
    ----------
    parcel, layout, choices
        What came, which positions are whose, and the receiver's secrets.
    content
        Reads the date.
    today
        The day.

    Raises
    ------
    DataError
        When the content is expired, bears no date, or another date than its notice says.
    """
    block = layout.blocks[parcel.copy.depth - 1].tolist()
    held = list(parcel.copy.held)
    for place, text, bit in zip(block, open_pairs(parcel.sealed, choices), choices.bits, strict=True):
        held[place] = (text.decode(), None) if bit == 0 else (None, text.decode())
    copy = replace(parcel.copy, held=tuple(held))
    symbols = content.read(copy.rendered(content, np.random.default_rng(0)))[layout.dated]
    use = may_be_used(symbols, copy.notice, today)
    if use != "may be used":
        raise DataError(f"The content is refused: {use}.")
    return copy


def signed_receipt(holder: Holder, offer: Offer, notice: ExpiryNotice) -> tuple[bytes, tuple[Any, ...]]:
    """Sign for a copy with the pseudonym: which content, until when, and with which choices."""
    parts = _receipt_parts(offer, notice)
    return holder.signer.sign(*parts), parts


def _receipt_parts(offer: Offer, notice: ExpiryNotice) -> tuple[Any, ...]:
    return "receipt", notice.content, notice.expires.isoformat(), offer.depth, points_digest(offer.points)


def points_digest(points: Sequence[Point]) -> str:
    """Return a digest of points, for signatures."""
    return hashlib.sha256(";".join(f"{x:x},{y:x}" for x, y in points).encode()).hexdigest()
