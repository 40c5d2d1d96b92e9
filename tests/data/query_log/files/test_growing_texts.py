from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.query_log.files import growing_texts
from tacita.data.query_log.files.growing_texts import GrowingTexts

BLOCKS = st.lists(st.lists(st.none() | st.sampled_from(["", "-", "a", "b", "c"]), max_size=4), max_size=40)


@given(BLOCKS)
def test_texts_are_numbered_as_they_occur(blocks: list[list[str | None]]) -> None:
    growing = GrowingTexts(none=("-",))
    for block in blocks:
        growing.add(pa.array(block, pa.string()))
    codes, texts = growing.finish()
    lines = [text for block in blocks for text in block]
    known = list(dict.fromkeys(text for text in lines if text and text != "-"))
    assert texts.to_pylist() == known
    assert codes.tolist() == [known.index(text) if text in known else -1 for text in lines]
    assert growing.finish()[0].tolist() == []


def test_too_much_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object) -> None:
        raise pa.ArrowCapacityError("canary")

    monkeypatch.setattr(growing_texts.pa, "concat_arrays", too_much)
    growing = GrowingTexts()
    growing.add(pa.array(["a"]))
    growing.add(pa.array(["b"]))
    with pytest.raises(DataError, match="two gigabytes") as caught:
        growing.finish()
    assert "canary" not in str(caught.value)
