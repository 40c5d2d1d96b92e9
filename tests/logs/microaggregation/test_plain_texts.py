"""Tests of ``tacita.logs.microaggregation.plain_texts`` and of ``tacita.logs.microaggregation.plain_log``."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.data.query_log.query_log import QueryLog
from tacita.logs.microaggregation.plain_log import PlainLog
from tacita.logs.microaggregation.plain_texts import plain_texts, same_texts

NBSP, DECOMPOSED = "\N{NO-BREAK SPACE}", "cafe\N{COMBINING ACUTE ACCENT}"


def test_blanks_capitals_and_forms_of_letters_do_not_count() -> None:
    texts = pa.array(["Café  au lait", f"{DECOMPOSED.upper()}{NBSP}AU\tLAIT", " ", NBSP, "tea"])
    assert plain_texts(texts).to_pylist() == ["café au lait", "café au lait", "", "", "tea"]
    assert same_texts(plain_texts(texts)).tolist() == [0, 0, -1, -1, 4]
    assert len(same_texts(pa.array([], pa.string()))) == 0


def test_lines_that_say_nothing_and_users_who_ask_nothing_take_no_part() -> None:
    log = QueryLog.from_columns(["a", "b", "c", "a", "c"], ["tea", " ", "Tea", "", "milk"])
    plain = PlainLog(log)
    assert plain.lines.tolist() == [0, 2, 4]
    assert plain.asking.tolist() == [0, 2]
    assert plain.user.tolist() == [0, 1, 1]
    assert np.array_equal(plain.text, log.query[[0, 2, 4]])
