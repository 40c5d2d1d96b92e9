from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.content import WORD_PAIRS, NumberContent, TextContent
from tests.effort import examples

TEXT = "A BIG shop. So the Shop began small, but it was often near the end of a rich street. Perhaps! " * 12
NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


@settings(max_examples=examples(60))
@given(NUMBERS, st.sampled_from([0.1, 1.0, 2.5]), st.integers(0, 2**30 - 1))
def test_numbers_change_by_one_step_at_most_and_are_read_back(values: list[float], step: float, mask: int) -> None:
    content = NumberContent(np.array(values), step)
    bits = [mask >> i & 1 for i in range(len(values))]
    copy = content.render([pair[bit] for pair, bit in zip(content.pairs, bits, strict=True)])
    assert content.read(copy).tolist() == bits
    assert np.abs(copy - values).max() <= step * (1 + 1e-9) + 1e-9
    assert all(int(a) % 2 == 0 and int(b) % 2 == 1 for a, b in content.pairs)


def test_numbers_that_were_changed_too_much_are_erased() -> None:
    content = NumberContent(np.array([10.0, 11.0, 12.0]), 1.0)
    assert content.read(np.array([15.0, np.nan, np.inf])).tolist() == [-1, -1, -1]
    assert content.read(np.array([10.2, 10.9, 12.5])).tolist()[:2] == [0, 1]


def test_words_keep_their_capitals_and_nothing_else_changes() -> None:
    content = TextContent(TEXT)
    first, second = (content.render([pair[bit] for pair in content.pairs]) for bit in (0, 1))
    assert first == TEXT
    assert second.startswith("A LARGE store. Thus the Store started little, yet it was frequently close the finish")
    assert content.read(first).tolist() == [0] * len(content.pairs)
    assert content.read(second).tolist() == [1] * len(content.pairs)


def test_marks_are_read_after_sentences_were_deleted_and_added() -> None:
    content = TextContent(" ".join(f"In {1900 + i} a big shop began to buy more, but errors occur." for i in range(40)))
    bits = np.random.default_rng(1).integers(0, 2, len(content.pairs))
    copy = content.render([pair[bit] for pair, bit in zip(content.pairs, bits, strict=True)])
    sentences = copy.split(". ")
    read = content.read("New beginning. " + ". ".join(sentences[3:20] + sentences[25:]))
    told = read >= 0
    assert told.mean() == pytest.approx(32 / 40, abs=0.02)
    assert (read[told] == bits[told]).mean() > 0.95  # at a cut one sentence may stand for another


def test_a_copy_of_other_words_says_nothing() -> None:
    assert (TextContent(TEXT).read("Nothing of it.") == -1).all()
    assert (TextContent(TEXT).read("") == -1).all()


def test_no_word_stands_in_two_pairs() -> None:
    words = [word for pair in WORD_PAIRS for word in pair]
    assert len(words) == len(set(words))
    with pytest.raises(ParameterError, match="a word twice"):
        TextContent(TEXT, [("big", "large"), ("large", "huge")])


def test_content_that_cannot_be_marked_is_refused() -> None:
    for values in ([np.nan], [np.inf], [], [[1.0]]):
        with pytest.raises(DataError, match="finite numbers"):
            NumberContent(np.array(values), 1.0)
    for step in (0.0, -1.0, np.nan):
        with pytest.raises(ParameterError, match="'step'"):
            NumberContent(np.array([1.0]), step)
    with pytest.raises(DataError, match="'step' is too small"):
        NumberContent(np.array([1e18]), 1e-3)
    with pytest.raises(DataError, match="no word"):
        TextContent("Hm.")
    with pytest.raises(DataError, match="a number, or NaN"):
        NumberContent(np.array([1.0]), 1.0).read(np.array([1.0, 2.0]))
    with pytest.raises(DataError, match="must be a text"):
        TextContent(TEXT).read(3)


def test_a_long_text_is_read_in_time_after_a_chapter_was_deleted() -> None:
    """Ten thousand words of which many repeat: stretches are found by the rare ones."""
    rng = np.random.default_rng(5)
    filler = [f"w{int(i)}" for i in rng.zipf(1.3, 10_000) % 4000]
    filler[::17] = ["big"] * len(filler[::17])
    content = TextContent(" ".join(filler))
    bits = rng.integers(0, 2, len(content.pairs))
    words = content.render([pair[bit] for pair, bit in zip(content.pairs, bits, strict=True)]).split()
    read = content.read(" ".join([*words[:3000], *words[5000:]]))
    told = read >= 0
    assert told.mean() > 0.75
    assert (read[told] == bits[told]).mean() > 0.97
