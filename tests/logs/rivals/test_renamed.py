"""Numbers in the place of names: which of his numbers stands for a user."""

from __future__ import annotations

import numpy as np

from tacita.logs.rivals.renamed import most_of, without_gaps


def test_numbers_have_no_gaps() -> None:
    found, count = without_gaps(np.array([7, 3, 7, 9]))
    assert (found.tolist(), count) == ([1, 0, 1, 2], 3)


def test_the_number_of_most_lines_stands_for_a_user_and_the_lowest_of_equals() -> None:
    user, pseudonym = np.array([0, 0, 0, 2, 2]), np.array([1, 1, 0, 4, 3])
    assert most_of(user, pseudonym, 4).tolist() == [1, -1, 3, -1]
    assert most_of(user[:0], pseudonym[:0], 2).tolist() == [-1, -1]
