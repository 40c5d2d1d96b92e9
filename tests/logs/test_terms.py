"""Terms of queries: letters and digits of any language, in small letters."""

from __future__ import annotations

import pyarrow as pa

from tacita.logs.terms import terms_of


def test_terms_are_counted_with_repetitions() -> None:
    found = terms_of(pa.array(["New York, new york!", "", "...", "ÁRBOL árbol 42"]))
    assert found.words.to_pylist() == ["new", "york", "árbol", "42"]
    assert found.counts.toarray().tolist() == [[2, 2, 0, 0], [0] * 4, [0] * 4, [0, 0, 2, 1]]


def test_no_text_has_no_term() -> None:
    assert terms_of(pa.array([], pa.string())).counts.shape == (0, 0)


def test_no_term_is_shown() -> None:
    assert repr(terms_of(pa.array(["ann lee"]))) == "Terms of 1 texts, 2 different ones"
