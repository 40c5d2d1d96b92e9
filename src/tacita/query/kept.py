"""Answers that are kept to be given again: the latest ones, as many as fit into a bounded memory."""

from __future__ import annotations

from collections import OrderedDict

from tacita.query.answer import Answer

__all__ = ["KeptAnswers", "numbers_in"]

_PLOTS = 20_000


def numbers_in(answer: Answer) -> int:
    """Return about how many numbers an answer holds.

    Examples
    --------
    >>> numbers_in(Answer(status="answered", value=3.0))
    100
    """
    cells = 0 if answer.table is None else 2 * int(answer.table.values.size)  # values and standard errors
    return 100 + cells + (0 if answer.plots is None else _PLOTS)


class KeptAnswers:
    """The latest answers by their questions.

    Parameters
    ----------
    most
        Answers that are kept.
    numbers
        Numbers that all of them may hold together: whoever asks for many large tables must not use up the memory.

    Notes
    -----
    An answer that is no longer kept is judged and computed again; keyed noise gives the same one.

    Examples
    --------
    >>> kept = KeptAnswers(most=1)
    >>> kept.keep("one", Answer(status="answered"))
    >>> kept.keep("two", Answer(status="answered"))
    >>> "one" in kept, "two" in kept
    (False, True)
    """

    def __init__(self, *, most: int = 4096, numbers: int = 4_000_000) -> None:
        self.most, self.numbers = most, numbers
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._held = 0

    def __len__(self) -> int:
        return len(self._answers)

    def __contains__(self, question: str) -> bool:
        return question in self._answers

    def get(self, question: str) -> Answer | None:
        """Return the answer to a question, which is then the latest one; None where it is not kept."""
        found = self._answers.get(question)
        if found is not None:
            self._answers.move_to_end(question)
        return found

    def keep(self, question: str, answer: Answer) -> None:
        """Keep an answer; the oldest ones go where there is no room."""
        if question in self._answers:
            self._held -= numbers_in(self._answers.pop(question))
        self._answers[question] = answer
        self._held += numbers_in(answer)
        while len(self._answers) > self.most or (self._held > self.numbers and len(self._answers) > 1):
            self._held -= numbers_in(self._answers.popitem(last=False)[1])
