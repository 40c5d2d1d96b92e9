from __future__ import annotations

import re

from tacita.release.recipients.tracing import LeakTrace, Suspect
from tacita.report.recipients.trace_page import trace_chart, trace_page


def found(*, named: bool) -> LeakTrace:
    high = Suspect("Bank <b>&", 25.0, 1e-30) if named else Suspect("Bank <b>&", 2.0, 1.0)
    rest = tuple(Suspect(f"Institute {i}", 1.5 - i / 10, 1.0) for i in range(25))
    return LeakTrace((high, *rest), 1e-4, 5.2, 900, 850, "nearest", ("turnover", "wages"), 4000)


def test_the_page_names_who_is_named_and_shows_the_highest_scores() -> None:
    text = trace_page(found(named=True))
    assert "Bank &lt;b&gt;&amp;" in text
    assert "Bank <b>" not in text
    assert "<svg" in text
    assert "chance of an error at most 1.0e-30" in text
    assert "Institute 18" in text
    assert "Institute 20" not in text
    assert "850" in text
    assert text == trace_page(found(named=True))


def test_the_page_says_when_nobody_can_be_named() -> None:
    assert "Nobody can be named" in trace_page(found(named=False))


def test_the_page_opens_without_a_network() -> None:
    text = trace_page(found(named=True))
    assert not re.findall(r'(?:src|href)="https?:', text)
    assert "<script" not in text


def test_the_chart_passes_the_check_of_its_parts() -> None:
    plain = trace_chart(found(named=True)).to_dict()
    assert len(plain["layer"]) == 2
    endless = LeakTrace((Suspect("a", 0.0, 1.0),), 1e-4, float("inf"), 0, 0, "nearest", (), 0)
    assert len(trace_chart(endless).to_dict()["layer"]) == 1
