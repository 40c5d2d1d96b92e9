"""The code office: it draws codewords for pseudonyms and traces copies, and never learns a name.

Two offices share what it takes: the registrar knows names and no codewords, the code office codewords and no names. Forwarders
know neither. A leaked copy is traced to a pseudonym by the scores of a Tardos code, from the deepest block up. A holder who
rewrites the marks of her own block, whose positions she knows, makes it point at the forwarder before her: a trace to somebody
who holds receipts of others is evidence against her or one of those.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.marked_copy import MarkLayout, Offer, points_digest
from tacita.games.oblivion.oblivious_transfer import Choices, choose_variants
from tacita.games.oblivion.pseudonyms import PseudonymCertificate, Signer, signature_holds

__all__ = ["CodeOffice", "TracedCopy", "accused"]


@dataclass(frozen=True)
class TracedCopy:
    """Whom a copy points at.

    Parameters
    ----------
    pseudonym
        The public key of whoever held it last with marks of her own.
    depth
        How many hops from the source.
    score, threshold
        Hers, and the one that an innocent holder reaches with at most the chance that was asked for.
    """

    pseudonym: bytes = field(repr=False)
    depth: int
    score: float
    threshold: float


def accused(
    received: npt.NDArray[np.int64], codewords: npt.NDArray[np.uint8], p: FloatArray, false_accusation: float
) -> tuple[IntArray, FloatArray, float]:
    """Return whose codewords score above the threshold, all scores, and the threshold.

    Parameters
    ----------
    received
        (length,): 0, 1, -1.
    codewords, p
        (recipients, length) and (length,).
    false_accusation
        Chance that any innocent recipient is accused; it is divided by their number.

    Complexity
    ----------
    O(recipients x length).
    """
    from tacita.numeric.fingerprints.innocent import accusation_threshold  # loads when used
    from tacita.numeric.fingerprints.tardos import accusation_scores

    weights = np.where(received < 0, 0.0, 2.0 * received - 1.0)
    threshold = accusation_threshold(weights, p, false_accusation / max(len(codewords), 1))
    scores = accusation_scores(received, codewords, p)
    return np.asarray(np.flatnonzero(scores >= threshold), np.int64), scores, threshold


class CodeOffice:
    """Draws codewords, certifies the points of their choices, and traces.

    Parameters
    ----------
    layout
        Which positions each hop fixes.
    coalition
        Most holders of one depth who put their copies together.
    registrar
        The public key that certifies pseudonyms.
    rng
        Where biases and the office's key come from.

    Examples
    --------
    >>> from tacita.games.oblivion.pseudonyms import Registrar
    >>> registrar = Registrar(np.random.default_rng(1))
    >>> ada = registrar.enrol("Ada", np.random.default_rng(2))
    >>> layout = MarkLayout.drawn(200, 60, 2, np.random.default_rng(3))
    >>> office = CodeOffice(layout, 1, registrar.public, np.random.default_rng(4))
    >>> offer, choices = office.issue(ada.certificate, 1, np.random.default_rng(5))
    >>> len(offer.points), office
    (60, CodeOffice with 1 codewords)
    """

    def __init__(self, layout: MarkLayout, coalition: int, registrar: bytes, rng: np.random.Generator) -> None:
        from tacita.numeric.fingerprints.tardos import draw_biases  # loads when used

        self._layout, self._registrar = layout, registrar
        self._biases = [draw_biases(len(block), coalition, rng) for block in layout.blocks]
        self._words: list[dict[bytes, npt.NDArray[np.uint8]]] = [{} for _ in layout.blocks]
        self._signer = Signer(rng)

    def __repr__(self) -> str:
        return f"CodeOffice with {sum(map(len, self._words))} codewords"

    @property
    def public(self) -> bytes:
        """The key that its certificates and findings are checked with."""
        return self._signer.public

    def issue(self, certificate: PseudonymCertificate, depth: int, rng: np.random.Generator) -> tuple[Offer, Choices]:
        """Draw the codeword of a pseudonym for a depth, and make the points of its choices.

        The offer goes to whoever forwards, the choices to the holder alone.

        Raises
        ------
        DataError
            When the pseudonym is not certified, or has a codeword for this depth already.
        """
        from tacita.numeric.fingerprints.tardos import draw_codewords  # loads when used

        if not 1 <= depth <= len(self._biases):
            raise ParameterError(f"CodeOffice: 'depth' must be in [1, {len(self._biases)}], got {depth}.")
        pseudonym = certificate.pseudonym
        if not signature_holds(self._registrar, certificate.signature, "pseudonym", pseudonym):
            raise DataError("CodeOffice: the pseudonym is not certified by the registrar.")
        if pseudonym in self._words[depth - 1]:
            raise DataError("CodeOffice: the pseudonym has a codeword for this depth already.")
        word = draw_codewords(self._biases[depth - 1], 1, rng)[0]
        self._words[depth - 1][pseudonym] = word
        choices = choose_variants(word.tolist(), rng)
        signed = self._signer.sign("choices", pseudonym, depth, points_digest(choices.points))
        return Offer(certificate, depth, choices.points, signed), choices

    def trace(self, symbols: IntArray, *, false_accusation: float = 1e-4) -> TracedCopy | None:
        """Return whom a copy points at: the highest score above the threshold in the deepest block that has one; None for nobody.

        Parameters
        ----------
        symbols
            (positions,): what the content reads in the copy.
        false_accusation
            Chance that an innocent holder is named; it is divided over all blocks and holders.
        """
        for hop in reversed(range(len(self._biases))):
            listed = list(self._words[hop])
            received = symbols[self._layout.blocks[hop]]
            if not listed or (received < 0).all():
                continue
            words = np.stack([self._words[hop][pseudonym] for pseudonym in listed])
            found, scores, threshold = accused(received, words, self._biases[hop], false_accusation / len(self._biases))
            if len(found):
                best = int(found[np.argmax(scores[found])])
                return TracedCopy(listed[best], hop + 1, float(scores[best]), threshold)
        return None

    def finding(self, traced: TracedCopy, receipt: tuple[bytes, tuple[Any, ...]]) -> bytes:
        """Sign for the registrar that a copy was traced to a pseudonym, and which receipt it is about."""
        return self._signer.sign("finding", traced.pseudonym, receipt[0])
