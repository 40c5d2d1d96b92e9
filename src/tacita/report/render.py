"""Charts to bytes: SVG and PNG by vl-convert, without a browser, a network or a clock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import altair as alt
import vl_convert
from altair.utils.schemapi import debug_mode

__all__ = ["png_bytes", "svg_bytes", "svg_inline", "unchecked", "vega_lite_version"]

PNG_SCALE = 2.0
"""Pixels for each unit of a chart: sharp on paper and on dense screens."""


@contextmanager
def unchecked() -> Iterator[None]:
    """Build charts without Altair's check of every part against its schema, which takes half of the time.

    The charts are ours and the tests draw each of them with the check.
    """
    with debug_mode(False):
        yield


def vega_lite_version() -> str:
    """Return the version of Vega-Lite that Altair writes, in the form that vl-convert asks for."""
    return ".".join(str(alt.SCHEMA_VERSION).lstrip("v").split(".")[:2])


def _svg(chart: Any) -> str:
    # No base URL is allowed: a chart that wants something from elsewhere fails instead of asking the network.
    return str(vl_convert.vegalite_to_svg(chart.to_dict(), vl_version=vega_lite_version(), allowed_base_urls=[]))


def svg_bytes(chart: Any) -> bytes:
    """Return a chart as an SVG file; the same chart gives the same bytes."""
    return _svg(chart).encode("utf-8") + b"\n"


def png_bytes(chart: Any) -> bytes:
    """Return a chart as a PNG file; the same chart gives the same bytes."""
    return bytes(
        vl_convert.vegalite_to_png(
            chart.to_dict(), vl_version=vega_lite_version(), scale=PNG_SCALE, allowed_base_urls=[]
        )
    )


def svg_inline(chart: Any, *, name: str, describe: str) -> str:
    """Return a chart as an element of a page.

    Parameters
    ----------
    chart
        The chart.
    name
        Different for every picture of the page: Vega gives the same ids to the parts of every picture, and on one page
        the first of them would win.
    describe
        What the picture shows, for those who cannot see it.
    """
    text = _svg(chart)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'\bhref="#([^"]+)"', rf'href="#{name}-\1"', text)
    # The picture is one thing with one description; the roles that Vega gives its groups only add noise.
    text = re.sub(r' (?:role|aria-roledescription|aria-hidden|aria-label)="[^"]*"', "", text)
    label = escape(describe, quote=True)
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
