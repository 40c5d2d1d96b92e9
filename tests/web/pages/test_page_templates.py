"""Templates: everything is escaped, nothing is left out in silence, no page is kept on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from tacita.web.pages.page_templates import page_environment
from tests.web.pages.steward_server import make_server

HOSTILE = "</script>'\"><script>alert(1)</script>{{ 7 * 7 }}"


@pytest.mark.parametrize("shown", ["{{ said }}", "{{ {'a': said} | in_json }}", "<p title='{{ said }}'>"])
def test_whatever_is_put_into_a_page_is_escaped(shown: str) -> None:
    page = page_environment().from_string(shown).render(said=HOSTILE)
    assert "<script>" not in page
    assert "alert(1)" in page
    assert "{{ 7 * 7 }}" in page
    assert "'\"" not in page


def test_a_name_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        page_environment().from_string("{{ nothing }}").render()


def test_every_template_can_be_read() -> None:
    names = page_environment().list_templates(extensions=["html"])
    assert {"base.html", "sign_in.html", "steward/overview.html"} <= set(names)
    assert all(page_environment().get_template(name) for name in names)


def test_numbers_have_marks_of_thousands() -> None:
    assert page_environment().from_string("{{ 1234567 | thousands }}").render() == "1\u00a0234\u00a0567"


def test_a_page_is_not_kept_on_the_way(tmp_path: Path) -> None:
    page = make_server(tmp_path).client().get("/sign-in")
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["content-type"].startswith("text/html")
