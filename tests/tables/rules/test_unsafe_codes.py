"""Cells with certain codes."""

from __future__ import annotations

import pytest

from tacita.cli.settings import method_of
from tacita.core.errors import ParameterError
from tacita.tables.rules.unsafe_codes import UnsafeCodes
from tests.tables.tables_by_hand import row_of


def test_codes_that_are_there_and_codes_that_are_not() -> None:
    table = row_of([[5.0, 5.0], [1.0], []])
    assert UnsafeCodes(column="cell", codes=["c1", "c2"]).judge(table).cells.tolist() == [False, False, True, False]
    assert not UnsafeCodes(column="cell").judge(table).cells.any()
    with pytest.raises(ParameterError, match="Did you mean 'cell'"):
        UnsafeCodes(column="cel").judge(table)


def test_one_word_is_a_list_of_one() -> None:
    table = row_of([[5.0, 5.0], [1.0], []])
    one = UnsafeCodes(column="cell", codes="c1")
    assert one.judge(table).cells.tolist() == [False, False, True, False]
    assert one.words() == UnsafeCodes(column="cell", codes=["c1"]).words()
    written = method_of("rule", "unsafe_codes:column=cell,codes=c1")
    assert isinstance(written, UnsafeCodes)
    assert written.judge(table).cells[2]
