"""What the commands of ``tacita logs`` are pointed at.

``tacita.cli.query_logs.options`` and ``tacita.cli.query_logs.shown_logs`` are seen at work in the tests of the verbs.
"""

from __future__ import annotations

import pytest

from tacita.cli.query_logs.pointed_at_logs import anonymiser_of, columns_of, topics_in_words
from tacita.core.errors import ParameterError
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation


def test_an_anonymiser_by_name() -> None:
    assert anonymiser_of("semantic_microaggregation", 7, ["time=week"]) == SemanticMicroaggregation(k=7, time="week")
    assert anonymiser_of("semantic_microaggregation", 7, ["k=9"]).to_plain() == {"k": 9}
    with pytest.raises(ParameterError, match="has no k"):
        anonymiser_of("infrequent_removal", 7, [])


def test_columns_and_words() -> None:
    assert columns_of(None, None, None, None, None, None) is None
    assert columns_of("who", "what", None, None, None, None).named() == {"user": "who", "query": "what"}
    assert topics_in_words("/a/b/topics", 5, 1, "query") == "topics, 5 levels, 1 categories of each query"
    assert topics_in_words(None, 5, 1, "query") == ""
