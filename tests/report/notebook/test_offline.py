"""Charts in a notebook: drawn here, and where there is something to point at with scripts that they bring along."""

from __future__ import annotations

import pickle
import re

import altair as alt
import pytest

from tacita.report.notebook.offline import OfflineChart, shown_offline


def bars() -> alt.Chart:
    return alt.Chart(alt.Data(values=[{"a": 3, "b": "</script><b>"}])).mark_bar().encode(x="a:Q")


def test_a_plain_chart_is_a_picture() -> None:
    made = shown_offline(bars())._repr_mimebundle_()
    assert set(made) == {"image/svg+xml", "text/plain"}
    assert made["image/svg+xml"].startswith("<svg ")
    assert 'xmlns="http://www.w3.org/2000/svg"' in made["image/svg+xml"]


def test_what_has_words_for_the_mouse_brings_its_scripts() -> None:
    html = shown_offline(bars().encode(tooltip="b:N"))._repr_mimebundle_()["text/html"]
    assert html.count("<svg ") >= 1
    assert "window.vegaEmbed(" in html
    assert html.count("</script") == 1
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", html)
    assert 500_000 < len(html) < 2_000_000


@pytest.mark.parametrize(
    "chart",
    [bars(), bars() + bars(), bars() | bars(), bars() & bars(), alt.concat(bars(), bars()), bars().facet("b:N")],
    ids=lambda chart: type(chart).__name__,
)
def test_every_kind_of_chart(chart: alt.Chart) -> None:
    ours = shown_offline(chart)
    assert isinstance(ours, type(chart))
    assert ours.to_dict() == chart.to_dict()
    assert not isinstance(chart, OfflineChart)
    assert "image/svg+xml" in ours._repr_mimebundle_()
    assert shown_offline(ours) is ours
    assert isinstance(ours.properties(title="t"), OfflineChart)
    there = pickle.loads(pickle.dumps(ours))
    assert isinstance(there, OfflineChart)
    assert there.to_dict() == ours.to_dict()


def test_who_chose_a_renderer_gets_it() -> None:
    with alt.renderers.enable("json"):
        assert list(shown_offline(bars())._repr_mimebundle_()[0]) == ["application/json", "text/plain"]


def test_what_is_no_chart_stays() -> None:
    assert shown_offline("text") == "text"
