"""The page of announcing cars: the simulation, whether its drivers help each other, and what each setting changes."""

from __future__ import annotations

import math

from tacita.games.vehicles.effects import AnnouncementEffect
from tacita.games.vehicles.vehicle_study import SCHEMES, VehicleStudy
from tacita.report.games.vanet_charts import figures_along, lies_by_scheme, ratio_map
from tacita.report.study_page import PageFigure, PageTable, study_page

__all__ = ["HEADS", "LIE_HEADS", "effect_rows", "figure_rows", "lie_rows", "vanet_page"]

HEADS = ("announced in time, %", "cars warned, %", "crowd", "entropy, bits", "lies believed, %", "needed ratio")
"""Heads of a table of simulations, after that of the setting."""


LIE_HEADS = ("malicious cars, %", *SCHEMES.values())
"""Heads of the table of lies."""


def vanet_page(study: VehicleStudy) -> str:
    """Write the page; the same study gives the same text.

    Parameters
    ----------
    study
        What :func:`tacita.games.vehicles.vehicle_study.study_vehicles` found.
    """
    traffic, rule = study.made.sightings.traffic, study.made.endorsing
    notes = [
        f"{traffic.cars:,} cars on a {traffic.roads} of {traffic.length:g} kilometres, {traffic.minutes:g} minutes. A message "
        f"counts when {rule.threshold} endorsements are there within {rule.deadline:g} seconds.",
        study.coprivacy.words(),
        *study.coprivacy.coprivacy.reasons[:1],
        *_signed(study),
    ]
    table = PageTable("The simulation", ("Figure", "Value"), figure_rows(study), ("Value",))
    lies = PageTable("Lies believed, %", LIE_HEADS, lie_rows(study), LIE_HEADS)
    tables = [table, *(_table(*named) for named in _sweeps(study)), lies]
    return study_page("Announcing cars", notes=notes, figures=_figures(study), tables=tables)


def figure_rows(study: VehicleStudy) -> list[tuple[str, str]]:
    """Return the figures of the simulation in words."""
    made = study.made
    rows = [
        ("dangers announced in time, %", _percent(made.functionality)),
        ("cars warned before they came, %", _percent(made.warned)),
        ("lies believed, %", _percent(made.believed)),
        ("lies believed at most, with 95 % confidence, %", _percent(made.believed_at_most)),
        ("crowd of an announcer, cars", _number(made.crowd)),
        ("entropy of an announcer, bits", _number(made.entropy)),
        ("the same for one who listens at the place, bits", _number(made.listener_entropy)),
    ]
    if made.endorsing.scheme == "threshold":
        rows.append(("cars with the same share", _number(made.holders)))
    spans = " or ".join(f"{_number(low)} to {_number(high)}" for low, high in study.coprivacy.ratios)
    rows.append(("ratio of weights with coprivacy", spans or "none"))
    return rows


def effect_rows(effects: tuple[AnnouncementEffect, ...], *settings: str) -> list[tuple[str, ...]]:
    """Return a row for each simulation: the settings, then its figures under ``HEADS``."""
    return [
        (
            *(f"{one.settings[name]:g}" for name in settings),
            _percent(one.functionality),
            _percent(one.warned),
            _number(one.crowd),
            _number(one.entropy),
            _percent(one.believed),
            _number(one.ratio),
        )
        for one in effects
    ]


def lie_rows(study: VehicleStudy) -> list[tuple[str, ...]]:
    """Return a row for each share of malicious cars: what each scheme lets them make others believe, in percent."""
    found: dict[float, dict[tuple[str, str], float]] = {}
    for one in study.by_scheme:
        at = one.settings["scheme"], one.settings["attackers"]
        found.setdefault(one.settings["malicious"], {})[at] = one.believed
    return [
        (f"{100 * share:g}", *(_percent(believed.get(scheme, math.nan)) for scheme in SCHEMES))
        for share, believed in found.items()
    ]


def _sweeps(study: VehicleStudy) -> list[tuple[str, tuple[AnnouncementEffect, ...], str]]:
    return [
        ("By threshold", study.by_threshold, "threshold"),
        ("By cars for each kilometre", study.by_density, "density"),
        ("By share of selfish cars", study.by_selfish, "selfish"),
    ]


def _table(title: str, effects: tuple[AnnouncementEffect, ...], setting: str) -> PageTable:
    return PageTable(title, (setting, *HEADS), effect_rows(effects, setting), (setting, *HEADS))


def _figures(study: VehicleStudy) -> list[PageFigure]:
    along = [
        ("threshold", study.by_threshold, "threshold t", "A higher threshold keeps lies out, and needs more cars."),
        ("density", study.by_density, "cars for each kilometre", "More cars announce more, and each hides among more."),
        (
            "selfish",
            study.by_selfish,
            "share of selfish cars",
            "Who stays silent takes from the privacy of the others too.",
        ),
    ]
    pictures = [
        PageFigure(f"by-{name}", caption, _described(effects, name), figures_along(effects, name, title=title))
        for name, effects, title, caption in along
    ]
    said = ", ".join(
        f"{SCHEMES[one.settings['scheme'], one.settings['attackers']]}: {_percent(one.believed)} %"
        for one in study.by_scheme
        if one.settings["malicious"] == max(other.settings["malicious"] for other in study.by_scheme)
    )
    lies = PageFigure(
        "lies",
        "Without a defence one car endorses its own lie as often as it takes (Sybil attack); with one share a car as many liars "
        "as the threshold must meet at the place. Where liars have put their shares together, the defence is gone.",
        f"Lies believed at the largest share of malicious cars: {said}.",
        lies_by_scheme(study.by_scheme, SCHEMES),
    )
    ratios = PageFigure(
        "ratios",
        "How much more functionality must count than privacy for drivers to help each other (general coprivacy). Low where an "
        "endorsement decides, high or none where there are cars enough without it. A cross: more lies are believed than may be.",
        _described(study.by_density_and_threshold, "density", "threshold"),
        ratio_map(
            study.by_density_and_threshold, "density", "threshold", titles=("cars for each kilometre", "threshold t")
        ),
    )
    return [*pictures, lies, ratios]


def _described(effects: tuple[AnnouncementEffect, ...], *settings: str) -> str:
    told = []
    for one in effects:
        at = ", ".join(f"{name} {one.settings[name]:g}" for name in settings)
        told.append(f"{at}: announced {_percent(one.functionality)} %, ratio {_number(one.ratio)}")
    return f"{'; '.join(told)}."


def _signed(study: VehicleStudy) -> list[str]:
    if study.signed is None:
        return []
    done = study.signed
    return [
        f"Signed for real, by threshold RSA: {done.real} messages about dangers and {done.lies} lies with enough shares "
        f"verified; {done.too_few} with too few shares and {done.repeated} lies of one car that repeats its share were refused."
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}" if math.isfinite(share) else "–"


def _number(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.2f}" if math.isfinite(value) else "∞"
