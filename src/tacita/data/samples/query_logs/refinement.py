"""Questions of a session: the first one, and those that follow as the user adds a word, drops one, or mends a typing error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray
from tacita.data.query_log.query_log import Codes
from tacita.data.samples.draws import Draw, pick
from tacita.data.samples.query_logs.log_sample import KINDS
from tacita.data.samples.query_logs.sessions import PLACES, Sessions
from tacita.data.samples.query_logs.typing_errors import mistyped

__all__ = ["Questions", "draw_questions", "question_texts"]

_MOST = 8
_GOES_ON = 0.42
"""How often a user asks on in other words."""
_CHANGED = (0.08, 0.0, 0.36, 0.28, 0.14, 0.07, 0.07)
"""Which place is filled or emptied by the next question."""
_MENDED = 0.6
_REFINED = ("topical", "illness", "adult")
_UNTYPED = ("identifying", "none")
"""Kinds of questions that are copied and not typed."""
_BLOCK = 1 << 18


@dataclass(frozen=True, eq=False, repr=False)
class Questions:
    """Questions, one entry each, in the order of their sessions.

    Parameters
    ----------
    session
        The session that each one belongs to.
    filled
        Which places of the session's words it uses.
    mistyped
        Whether it has a typing error.
    """

    session: npt.NDArray[np.int64]
    filled: BoolArray
    mistyped: BoolArray

    def __len__(self) -> int:
        """How many questions there are."""
        return len(self.session)


def draw_questions(draw: Draw, sessions: Sessions, *, typo_share: float) -> Questions:
    """Draw how each session goes on. The loop is over the questions of one session, all sessions at once."""
    n = len(sessions)
    refined = np.isin(sessions.kind, [KINDS.index(kind) for kind in _REFINED])
    count = np.where(refined, np.minimum(draw("questions").geometric(1 - _GOES_ON, n), _MOST), 1)
    first = np.cumsum(count) - count
    total = int(count.sum())
    filled, wrong = np.zeros((total, PLACES), bool), np.zeros(total, bool)
    typed = ~np.isin(sessions.kind, [KINDS.index(kind) for kind in _UNTYPED])
    used, erred = sessions.filled.copy(), np.zeros(n, bool)
    for step in range(_MOST):
        on = np.flatnonzero(count > step)
        rng = draw("questions", str(step))
        if step:
            mends = erred[on] & (rng.random(len(on)) < _MENDED)
            place = pick(rng, _CHANGED, len(on))
            used[on, place] ^= ~mends & (sessions.words[on, place] >= 0)
        else:
            mends = np.zeros(len(on), bool)
        erred[on] = typed[on] & ~mends & (rng.random(len(on)) < typo_share)
        filled[first[on] + step], wrong[first[on] + step] = used[on], erred[on]
    return Questions(np.repeat(np.arange(n), count), filled, wrong)


def question_texts(draw: Draw, sessions: Sessions, questions: Questions, terms: pa.StringArray) -> pa.DictionaryArray:
    """Write the questions down, block by block, each different text once."""
    blocks = []
    for start in range(0, max(len(questions), 1), _BLOCK):
        rows = slice(start, start + _BLOCK)
        words = np.where(questions.filled[rows], sessions.words[questions.session[rows]], -1)
        texts = _joined(words, terms)
        blocks.append(mistyped(texts, questions.mistyped[rows], draw("typos", str(start // _BLOCK))))
    return pc.dictionary_encode(pa.chunked_array(blocks, pa.string())).combine_chunks()


def _joined(words: Codes, terms: pa.StringArray) -> pa.StringArray:
    columns = [terms.take(pa.array(column, mask=column < 0)) for column in words.T]
    return pc.binary_join_element_wise(*columns, " ", null_handling="skip")
