"""Draws the pictures of the documentation: what each mask does to two columns, and the picture of the README."""

from __future__ import annotations

import argparse
import functools
import sys
import warnings
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.core.method import Method
from tacita.report.charts import risk_utility_map
from tacita.report.measures import MapPoint
from tacita.report.render import png_bytes, svg_bytes
from tacita.report.style import ORIGINAL, ORIGINAL_EDGE, RELEASE, axis_labels, styled

__all__ = ["draw_mask", "draw_readme", "has_picture"]

ROOT = Path(__file__).resolve().parent.parent
_RECORDS, _SEED = 240, 7
_SIDE = 250

_SETTINGS: dict[str, dict[str, Any]] = {
    "data_swap": {"columns": ["y"], "match": ["group"], "p": 30},
    "private_tables": {"domains": "public", "bins": 10, "epsilon": 5.0},
    "replace": {"keys": ["group"], "k": 45, "what": "records"},
    "sample": {"fraction": 0.3},
    "subsample": {"keys": ["group"], "k": 45},
    "shuffle": {"columns": ["y"], "given": ["x"]},
}
"""Parameters that show a mask better than its defaults do."""


def sample() -> tc.Microdata:
    """Return two correlated columns, one with a long tail, so that outliers show what a mask does to them."""
    rng = np.random.default_rng(_SEED)
    z = rng.multivariate_normal([0, 0], [[1, 0.75], [0.75, 1]], size=_RECORDS)
    x, y = np.round(50 + 12 * z[:, 0], 2), np.round(np.exp(0.45 * z[:, 1]) * 20, 2)
    group = np.digitize(x, [38, 46, 54, 62]).astype(str)
    return tc.Microdata.from_frame(pa.table({"x": x, "y": y, "group": group}), keys=["x", "y", "group"])


def has_picture(method: type[Method]) -> bool:
    """Whether two numeric columns can show what a method does."""
    needed = {p.name for p in method.parameters() if p.required} - {"columns", *_SETTINGS.get(method.name, {})}
    only_weights = method.traits.reweights and method.traits.keeps_rows
    drawn = "numeric" in method.traits.scales and not method.traits.recodes  # labels have no place on an axis
    has_gaps = method.name == "local_suppression"  # nor has a missing value
    return method.kind == "mask" and drawn and not needed and not only_weights and not has_gaps


def draw_mask(method: type[Method], target: Path) -> str | None:
    """Draw original and masked values side by side; return the caption, or None where a mask has no such picture."""
    if not has_picture(method):
        return None
    data = sample()
    takes_columns = any(p.name == "columns" for p in method.parameters())
    settings = {**({"columns": ["x", "y"]} if takes_columns else {}), **_SETTINGS.get(method.name, {})}
    mask: Any = method(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tc.TacitaWarning)
        masked = mask.apply(data, seed=_SEED)
    target.write_bytes(svg_bytes(_mask_chart(data, masked)))
    shown = [f"{p.name} = {_shown(getattr(mask, p.name))}" for p in _own_parameters(method) if _is_shown(mask, p.name)]
    return (
        f"{_RECORDS} records, {', '.join(shown) or 'default parameters'}. Left: the original. "
        "Right: the masked values; a grey line leads from each record's original values to its masked ones."
    )


def _own_parameters(method: type[Method]) -> list[Any]:
    """Return the parameters of the method itself, not those that all numeric masks share."""
    from tacita.mask.numeric_mask import NumericMask

    shared = {p.name for p in NumericMask.parameters()} if issubclass(method, NumericMask) else {"by"}
    return [p for p in method.parameters() if p.name not in shared]


def _is_shown(mask: Any, name: str) -> bool:
    return getattr(mask, name) not in (None, (), False)


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(str(entry) for entry in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


class _Spec:
    """A finished Vega-Lite specification, for functions that take a chart."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec

    def to_dict(self) -> dict[str, Any]:
        return self._spec


def _mask_chart(data: tc.Microdata, masked: tc.Microdata) -> _Spec:
    before, after = data.floats(["x", "y"]), masked.floats(["x", "y"])
    rows = masked.origin_rows()  # -1 for a record that comes from nowhere; it has no line
    start, end = before[rows[rows >= 0]], after[rows >= 0]
    datasets = {
        "before": _values(x=before[:, 0], y=before[:, 1]),
        "moves": _values(x=start[:, 0], y=start[:, 1], x2=end[:, 0], y2=end[:, 1]),
        "after": _values(x=after[:, 0], y=after[:, 1]),
    }
    return _Spec({**_template(), "datasets": datasets})


@functools.cache
def _template() -> dict[str, Any]:
    """Return the picture without its data: Altair checks every number that it holds, which takes long."""
    zoomed = alt.Scale(zero=False, nice=True)
    x = alt.X("x:Q", title="x", axis=alt.Axis(**axis_labels()), scale=zoomed)
    y = alt.Y("y:Q", title="y", axis=alt.Axis(**axis_labels()), scale=zoomed)
    dots = {"filled": True, "size": 24, "opacity": 0.8}
    size = {"width": _SIDE, "height": _SIDE}
    left = alt.Chart(alt.NamedData("before")).mark_point(color=ORIGINAL_EDGE, **dots).encode(x=x, y=y)
    moves = alt.Chart(alt.NamedData("moves")).mark_rule(color=ORIGINAL, strokeWidth=0.8)
    right = alt.Chart(alt.NamedData("after")).mark_point(color=RELEASE, **dots).encode(x=x, y=y)
    lines = moves.encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    panels = (left.properties(title="original", **size), alt.layer(lines, right).properties(title="masked", **size))
    found: dict[str, Any] = styled(alt.hconcat(*panels, spacing=30).resolve_scale(x="shared", y="shared")).to_dict()
    return found


def _values(**columns: np.ndarray[Any, Any]) -> list[dict[str, float]]:
    names = list(columns)
    rows = np.stack([columns[name] for name in names], axis=-1)
    return [dict(zip(names, row, strict=True)) for row in rows[~np.isnan(rows).any(axis=1)].tolist()]


# --- pictures that are kept under version control -------------------------------------------------------------------------


_MONEY = ["earnings", "other_income", "tax", "savings"]
_IDENTITIES = ["income = earnings + other_income"]


def draw_readme(target: Path) -> None:
    """Draw the scorecard that the tour of the README ends with."""
    data = tc.samples.household_survey(2000, seed=1)
    release = tc.Recipe([tc.mask.RankSwap(columns=_MONEY, p=10, identities=_IDENTITIES)]).apply(data, seed=7)
    target.write_bytes(png_bytes(tc.evaluate(data, release, columns=_MONEY, scenario=tc.Scenario(known=_MONEY)).plot()))


def draw_candidates(target: Path) -> None:
    """Draw the candidates of the tutorial by their risk and loss."""
    data = tc.samples.household_survey(2000, seed=1)
    shared = {"columns": _MONEY, "identities": _IDENTITIES}
    candidates = {
        "noise, 10 %": tc.mask.AdditiveNoise(sd_ratio=0.1, **shared),
        "noise, 50 %": tc.mask.AdditiveNoise(sd_ratio=0.5, **shared),
        "swapping, p = 5": tc.mask.RankSwap(p=5, **shared),
        "swapping, p = 15": tc.mask.RankSwap(p=15, **shared),
        "groups, k = 3": tc.mask.Mdav(k=3, **shared),
        "groups, k = 10": tc.mask.Mdav(k=10, **shared),
    }
    intruder = tc.Scenario(known=_MONEY)
    cards = {
        name: tc.evaluate(data, mask.apply(data, seed=7), columns=_MONEY, scenario=intruder)
        for name, mask in candidates.items()
    }
    chosen = "swapping, p = 15"
    points = [
        MapPoint(name, card["dld"], card["il1s"], "release" if name == chosen else "candidate")
        for name, card in cards.items()
    ]
    chart = risk_utility_map(points, loss_title="il1s", risk_title="dld, %")
    target.write_bytes(png_bytes(chart))


def main() -> int:
    """Draw the pictures that are kept under version control."""
    parser = argparse.ArgumentParser(description="Draw the pictures that are kept under version control.")
    parser.add_argument("--directory", type=Path, default=ROOT / "docs" / "images")
    directory = parser.parse_args().directory
    directory.mkdir(parents=True, exist_ok=True)
    for name, draw in {"scorecard.png": draw_readme, "candidates.png": draw_candidates}.items():
        draw(directory / name)
        sys.stdout.write(f"{directory / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
