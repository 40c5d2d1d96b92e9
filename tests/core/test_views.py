"""Views: a drawing is found by the name under which it was announced."""

from __future__ import annotations

import pytest

from tacita.core.errors import UnknownMethodError
from tacita.core.views import view
from tacita.report.charts import scorecard_chart
from tacita.report.map import search_chart, search_page
from tacita.report.notebook.bars import notebook_bars
from tacita.report.notebook.summaries import notebook_html


@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        ("scorecard", scorecard_chart),
        ("search", search_chart),
        ("search_page", search_page),
        ("notebook", notebook_html),
        ("notebook_bars", notebook_bars),
    ],
)
def test_a_view_is_what_report_announces(name: str, drawing: object) -> None:
    assert view(name) is drawing


def test_an_unknown_view_is_an_error_of_ours() -> None:
    with pytest.raises(UnknownMethodError, match="no view named 'hologram'"):
        view("hologram")
