"""The built site asks no other host for anything. The build itself is `make docs`, which `make test` runs."""

from __future__ import annotations

from pathlib import Path

from build_docs import ROOT, outside_requests


def test_outside_requests_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://example.org">a link to follow</a><script src="https://example.org/x.js"></script>'
        "<link rel=stylesheet href=//example.org/x.css><img src='images/own.png'>"
    )
    assert outside_requests(tmp_path) == ["a.html: https://example.org/x.js", "a.html: //example.org/x.css"]


def test_the_configuration_keeps_fonts_at_home_and_is_strict() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "font: false" in text
    assert "strict: true" in text
