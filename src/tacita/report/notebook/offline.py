"""Charts that a notebook shows without a network.

Altair's own way loads its scripts from a server elsewhere, which an office without a network never sees. Ours draws the picture
here, as SVG. A chart that has something under the mouse brings the scripts with it: the bundle that vl-convert carries.
"""

from __future__ import annotations

import json
import uuid
from functools import cache
from typing import Any

import altair as alt
import vl_convert

from tacita.report.markup import tag
from tacita.report.render import svg_inline, vega_lite_version

__all__ = ["OfflineChart", "shown_offline"]


class OfflineChart:
    """What our charts have beside Altair's: a form for notebooks that asks nobody for anything."""

    def _repr_mimebundle_(self, *args: Any, **settings: Any) -> Any:
        """Return the picture as SVG, and where there is something to point at also as HTML with its scripts.

        Whoever chose a renderer of Altair gets that one.
        """
        if alt.renderers.active != "default":
            return super()._repr_mimebundle_(*args, **settings)  # type: ignore[misc]
        spec = self.to_dict()  # type: ignore[attr-defined]
        name = f"tacita-{uuid.uuid4().hex}"
        picture = svg_inline(self, name=name, describe="Chart")
        made = {"image/svg+xml": picture, "text/plain": "Chart; .save('chart.svg') writes it."}
        if _has_tooltip(spec):
            made["text/html"] = _interactive(spec, picture, name)
        return made

    def __reduce__(self) -> Any:
        """Let other processes have the chart: as one of Altair's, which is made ours again there."""
        plain = next(kind for kind, ours in _KINDS.items() if type(self) is ours)
        return shown_offline, (_as_kind(self, plain),)


def shown_offline(chart: Any) -> Any:
    """Return a chart of Altair as one that shows itself without a network; everything else about it stays.

    Examples
    --------
    >>> chart = shown_offline(alt.Chart(alt.Data(values=[{"a": 1}])).mark_bar().encode(x="a:Q"))
    >>> isinstance(chart, alt.Chart), sorted(chart.properties(width=90)._repr_mimebundle_())
    (True, ['image/svg+xml', 'text/plain'])
    """
    return _as_kind(chart, _KINDS[type(chart)]) if type(chart) in _KINDS else chart


def _as_kind(chart: Any, kind: type) -> Any:
    made = chart.copy(deep=False)
    object.__setattr__(made, "__class__", kind)  # Altair's own setting of attributes writes into the chart
    return made


_KINDS = {
    kind: type(kind.__name__, (OfflineChart, kind), {"__doc__": kind.__doc__, "__module__": __name__})
    for kind in (alt.Chart, alt.LayerChart, alt.HConcatChart, alt.VConcatChart, alt.ConcatChart, alt.FacetChart)
}


def _has_tooltip(spec: Any) -> bool:
    """Whether anything in a chart has words for the mouse."""
    if isinstance(spec, dict):
        return "tooltip" in spec.get("encoding", {}) or any(_has_tooltip(part) for part in spec.values())
    return isinstance(spec, list) and any(map(_has_tooltip, spec))


def _interactive(spec: dict[str, Any], picture: str, name: str) -> str:
    """Return the picture, which a script replaces where scripts may run."""
    # "<" would end the script; JSON has another way to write it.
    plain = json.dumps(spec, allow_nan=False).replace("<", "\\u003c")
    options = json.dumps({"mode": "vega-lite", "actions": False, "renderer": "svg"})
    script = (
        f"(() => {{\nif (!window.vegaEmbed) {{\n{_bundle()}\n}}\n"
        f'window.vegaEmbed("#{name}", {plain}, {options}).catch(() => undefined);\n}})();'
    )
    frame = tag("div", id=name).removesuffix("</div>")
    return f"{frame}{picture}</div>\n<script>\n{script}\n</script>"


@cache
def _bundle() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, about 0.9 MB."""
    bundle: Any = vl_convert.javascript_bundle  # whose stub asks for more than it needs
    made = str(bundle(vl_version=vega_lite_version()))
    return made.replace("</script", "<\\/script")
