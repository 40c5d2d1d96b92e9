"""The judge's side: whether a leaked file holds marks of a recipient that nobody but this recipient could have put there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.core.signatures import public_part
from tacita.data.microdata import Microdata
from tacita.numeric.fingerprints.innocent import innocent_bounds
from tacita.numeric.fingerprints.tardos import soft_scores
from tacita.release.recipients.copies import FingerprintedCopies
from tacita.release.recipients.exchange.messages import check_signed
from tacita.release.recipients.exchange.office import answer_request, drawn_symbols, make_offer, signing_key
from tacita.release.recipients.exchange.recipient import choices_of
from tacita.release.recipients.tracing import chance_in_words, leaked_weights

__all__ = ["Judgement", "judge_recipient"]


@dataclass(frozen=True)
class Judgement:
    """What the recipient's own symbols tell.

    Parameters
    ----------
    recipient
        Who is judged.
    score
        In standard deviations of somebody's who had nothing to do with the file.
    chance
        Bound on the chance of such a score when the file was made without this recipient's copy.
    false_accusation
        Chance of a wrong judgement that was allowed.
    """

    recipient: str
    score: float
    chance: float
    false_accusation: float

    @property
    def is_guilty(self) -> bool:
        """Whether the file was made from this recipient's copy, but for the chance."""
        return self.chance <= self.false_accusation

    def words(self) -> str:
        """Say in a sentence what was found."""
        chance = chance_in_words(self.chance)
        if self.is_guilty:
            return f"The file holds marks that only '{self.recipient}' had; chance of an error {chance}."
        return (
            f"The file does not show marks that only '{self.recipient}' had (chance {chance} if it had no part in it)."
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the judgement as JSON has it."""
        return {**vars(self), "is_guilty": self.is_guilty}


def judge_recipient(
    copies: FingerprintedCopies,
    leaked: Microdata,
    *,
    request: Any,
    answer: Any,
    opened_with: Key,
    false_accusation: float = 1e-4,
    renamed: Mapping[str, str] | None = None,
) -> Judgement:
    """Judge whether a leaked file was made from a recipient's copy, by the symbols that the office did not know.

    The judge has the office's copies and key, both signed messages, and the recipient's key. It makes the answer again: when the
    office sent anything else, its accusation fails. It opens the request with the recipient's key: when it does not open, the
    recipient hides its choices. Then it scores the recipient's own symbols as a trace scores the office's.

    Parameters
    ----------
    copies
        The office's side, with its key.
    leaked
        The leaked file.
    request
        The recipient's signed request.
    answer
        The office's signed answer, as the recipient has it.
    opened_with
        The recipient's key.
    false_accusation
        Greatest chance of a wrong judgement.
    renamed
        The name in the release of columns that the leaked file calls otherwise.

    Raises
    ------
    DataError
        When a message was changed, the office did not answer as it must, or the request does not open.

    Complexity
    ----------
    Some powers in the group for each symbol, and that of a trace.

    Notes
    -----
    An office that wants to blame a recipient does not know its symbols: of one of five items it cannot say which was taken. So a
    file that it makes alone has no higher score than that of a stranger, with the bound proven as for a trace.
    """
    office = public_part(signing_key(copies))
    given = check_signed(answer, "answer", office)
    made = answer_request(copies, request)
    if given["signature"] != made["signature"]:
        raise DataError("The office did not answer as it must: its answer is not the one that key and request give.")
    name = str(made["recipient"])
    chosen = choices_of(make_offer(copies, name), request, opened_with)
    symbols = drawn_symbols(copies, name, chosen)
    length = copies.plan.length
    weights, p = leaked_weights(copies, leaked, renamed)[0][length:], copies.biases[length:]
    score = float(soft_scores(weights, symbols[None].astype(np.uint8), p)[0])
    sd = float(np.sqrt((weights**2).sum())) or 1.0
    return Judgement(name, score / sd, float(innocent_bounds([score], weights, p)[0]), false_accusation)
