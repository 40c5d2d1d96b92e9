"""The business survey: enterprises with an activity tree, holdings, skewed magnitudes and dominant firms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.samples.activities import ACTIVITIES, ACTIVITY_HIERARCHY, ACTIVITY_SHARES, SECTION_OF, SECTIONS
from tacita.data.samples.draws import (
    BoolArray,
    Draw,
    FloatArray,
    IntArray,
    assemble,
    check_size,
    numbered,
    pick,
    pick_within,
    streams_of,
    texts,
    zipf,
)
from tacita.data.samples.places import DISTRICT_HIERARCHY, DISTRICT_SHARES, DISTRICTS
from tacita.data.schema import Column

__all__ = ["business_survey"]

_SIZE_CLASSES = ("0-9", "10-49", "50-249", "250+")
_SIZE_STARTS = (10, 50, 250)
_SIZE_SHARES = (0.42, 0.31, 0.18, 0.09)
_BASE_WEIGHTS: FloatArray = np.array([24.0, 6.5, 1.8, 1.0])
_LARGEST = 60_000
_NOT_STATED = -1
_LAST_DAY = 19_722  # 31 December 2023, in days since 1970
_FOUNDERS = (
    "Abel Albers Bauer Berg Blanc Bos Castel Conti Dahl Dubois Ekman Elster Fabre Falk Ferro Gallo Garnier Haas Hansen "
    "Holm Ivars Jansen Keller Klein Kos Lang Lemaire Lind Lopez Marek Meier Moreau Nagy Noor Novak Olsen Orlov Pavel "
    "Perrin Quist Ricci Roos Rossi Sandberg Silva Soto Tamm Thorn Ulrich Vance Vega Visser Weiss Winter Yilmaz Zeller"
)
_FORMS = ("Ltd", "plc", "& Sons", "Group", "Co-operative")
_LEGAL_FORMS = ("sole proprietor", "partnership", "private company", "public company", "co-operative", "foundation")
_BY_NAME: FloatArray = np.array(
    [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [3, 2, 0, 0, 0, 0], [0, 1, 6, 2, 0, 1], [0, 0, 0, 0, 1, 0]], np.float64
)
"""How common each legal form is among enterprises of each ending of the name: most endings leave no choice."""


def business_survey(n: int = 2000, *, seed: Seed) -> Microdata:
    """Make a business survey of an invented country.

    Magnitudes are log-normal around what activity and employment suggest, with a Pareto tail of large firms: many
    cells of a table by activity and region have one firm that holds more than 80 % of them. Amounts of a firm rise
    and fall together.

    Parameters
    ----------
    n
        Number of enterprises.
    seed
        Same seed, same data.

    Returns
    -------
    Microdata
        One record an enterprise, with these columns:

        ============= ============ ======= ====================================================================
        column        role         scale   content
        ============= ============ ======= ====================================================================
        enterprise_id identifier   nominal number of the enterprise, such as E000017
        name          identifier   nominal name of the enterprise, not always unique
        holding       household    nominal group of enterprises under one control; nine in ten are on their own
                                           and have a number that no other has
        activity      key          nominal class such as 10.12; with group, division and section (hierarchy)
        region        key          nominal 45 districts such as TA111; with region and part (hierarchy)
        size_class    key, stratum ordinal by employees: 0-9, 10-49, 50-249, 250+
        employees     key          numeric persons employed
        founded       key          date    day of foundation; 2 % missing
        legal_form    other        nominal sole proprietor, partnership, private or public company,
                                           co-operative, foundation; as the name says, where it says so
        turnover      confidential numeric thousand euros a year
        exports       confidential numeric part of turnover; zero for most
        wages         confidential numeric thousand euros a year
        energy        confidential numeric thousand euros a year; 4 % not stated (-1)
        investments   confidential numeric thousand euros a year; many zeros, 3 % missing
        profit        confidential numeric thousand euros a year; negative for a loss
        weight        weight       numeric 1 for 250+ employees, more for smaller enterprises
        ============= ============ ======= ====================================================================

    Examples
    --------
    >>> from tacita.data.samples import business_survey
    >>> data = business_survey(100, seed=1)
    >>> data.schema["activity"].hierarchy.labels(3)["10.12"]
    'C'
    """
    n = check_size(n, owner="business_survey")
    draw = streams_of("business_survey", seed)
    activity = pick(draw("activity"), ACTIVITY_SHARES, n)
    section = SECTION_OF[activity]
    employees = _employees(draw("employees"), n)
    size_class = np.searchsorted(_SIZE_STARTS, employees, side="right")
    name, form = _names(draw("name"), section)
    arrays = {
        "enterprise_id": numbered("E", np.arange(1, n + 1), 6),
        "name": name,
        "holding": _holdings(draw("holding"), size_class),
        "activity": texts(activity, ACTIVITIES),
        "region": texts(pick(draw("region"), DISTRICT_SHARES, n), DISTRICTS),
        "size_class": texts(size_class, _SIZE_CLASSES),
        "employees": pa.array(employees),
        "founded": _founded(draw, size_class),
        "legal_form": texts(pick_within(draw("legal_form"), _BY_NAME, form), _LEGAL_FORMS),
        "weight": pa.array(_weights(section, size_class)),
        **_magnitudes(draw, section, employees),
    }
    return assemble(arrays, _columns())


def _employees(rng: np.random.Generator, n: int) -> IntArray:
    """Draw a size class, then a number in it; large firms follow a Pareto law."""
    size_class, u = pick(rng, _SIZE_SHARES, n), rng.random(n)
    within = [10 * u**1.6, 10 + 40 * u**1.7, 50 * 5**u, np.minimum(250 * (1 - u) ** (-1 / 1.05), _LARGEST)]
    employees: FloatArray = np.choose(size_class, within)
    return np.floor(employees).astype(np.int64)


def _names(rng: np.random.Generator, section: IntArray) -> tuple[pa.Array, IntArray]:
    """Draw names, and say which ending each has."""
    n = len(section)
    founders = _FOUNDERS.split()
    founder = texts(rng.integers(len(founders), size=n), founders)
    trade = texts(section, [s.trade for s in SECTIONS])
    form = pick(rng, zipf(len(_FORMS), 1.0), n)
    return pc.binary_join_element_wise(founder, trade, texts(form, _FORMS), " "), form


def _holdings(rng: np.random.Generator, size_class: IntArray) -> pa.Array:
    """Give each enterprise the number of its holding; one on its own has a number for itself."""
    n = len(size_class)
    groups = n // 25 + 1
    belongs = rng.random(n) < np.array([0.02, 0.08, 0.25, 0.4])[size_class]
    number = np.where(belongs, pick(rng, zipf(groups, 0.5), n), groups + np.arange(n))
    # A random order keeps the number from telling who is on its own.
    return numbered("H", rng.permutation(groups + n)[number] + 1, 6)


def _founded(draw: Draw, size_class: IntArray) -> pa.Array:
    n = len(size_class)
    years = draw("founded").exponential(12.0 + 8.0 * size_class)
    days = _LAST_DAY - np.minimum(years * 365.25, 50_000).astype(np.int32)
    return pa.array(days.astype(np.int32), mask=_skipped(draw, "founded", 0.02, n)).cast(pa.date32())


def _skipped(draw: Draw, column: str, share: float, n: int) -> BoolArray:
    return draw(column, "missing").random(n) < share


def _magnitudes(draw: Draw, section: IntArray, employees: IntArray) -> dict[str, pa.Array]:
    """Draw all amounts around one success of the firm, which they share."""
    n = len(section)
    words = ("turnover", "wage", "energy", "exports")
    typical = {word: np.array([getattr(s, word) for s in SECTIONS])[section] for word in words}
    staff = np.maximum(employees, 0.6)
    success = draw("turnover", "success").standard_normal(n)

    def spread(column: str, by_success: float, alone: float) -> FloatArray:
        return np.exp(by_success * success + alone * draw(column).standard_normal(n))

    turnover = staff**1.06 * typical["turnover"] * spread("turnover", 0.5, 0.4)
    wages = staff**1.02 * typical["wage"] * spread("wages", 0.08, 0.2)
    energy = turnover * typical["energy"] * spread("energy", 0.0, 0.5)
    invests = draw("investments", "any").random(n) < np.minimum(0.5 + 0.07 * np.log(staff + 1), 0.97)
    investments = invests * turnover * 0.035 * spread("investments", 0.1, 0.8)
    exporting = draw("exports", "any").random(n) < np.minimum(typical["exports"] * (1 + 0.45 * np.log(staff + 1)), 0.9)
    exports = exporting * turnover * 0.9 * draw("exports").random(n) ** 1.4
    profit = turnover * (0.055 + 0.03 * success + 0.06 * draw("profit").standard_normal(n))
    whole = {"turnover": turnover, "wages": wages, "exports": exports, "profit": profit}
    arrays = {name: pa.array(_whole(amount)) for name, amount in whole.items()}
    arrays["energy"] = pa.array(np.where(_skipped(draw, "energy", 0.04, n), _NOT_STATED, _whole(energy)))
    arrays["investments"] = pa.array(_whole(investments), mask=_skipped(draw, "investments", 0.03, n))
    return arrays


def _whole(amount: FloatArray) -> IntArray:
    return np.rint(amount).astype(np.int64)


def _weights(section: IntArray, size_class: IntArray) -> FloatArray:
    """One weight for each section and size class; all of the largest class are in the survey."""
    by_section = np.linspace(0.8, 1.25, len(SECTIONS))
    weights: FloatArray = np.maximum(_BASE_WEIGHTS[size_class] * by_section[section], 1.0)
    weights[size_class == len(_SIZE_CLASSES) - 1] = 1.0
    return np.round(weights, 3)


def _columns() -> tuple[Column, ...]:
    identifier: dict[str, Any] = {"scale": "nominal", "roles": ("identifier",)}
    amount: dict[str, Any] = {"scale": "numeric", "roles": ("confidential",)}
    positive: dict[str, Any] = {**amount, "bounds": (0, None)}
    tree: dict[str, Any] = {"scale": "nominal", "roles": ("key",)}
    size: dict[str, Any] = {"scale": "ordinal", "roles": ("key", "stratum"), "categories": _SIZE_CLASSES}
    energy: dict[str, Any] = {**positive, "missing": (_NOT_STATED,), "labels": ((_NOT_STATED, "not stated"),)}
    weight: dict[str, Any] = {"scale": "numeric", "roles": ("weight",), "bounds": (1, None)}
    return (
        Column(name="enterprise_id", label="Number of the enterprise", **identifier),
        Column(name="name", label="Name of the enterprise", **identifier),
        Column(name="holding", scale="nominal", roles=("household",), label="Group of enterprises under one control"),
        Column(name="activity", hierarchy=ACTIVITY_HIERARCHY, label="Economic activity, class", **tree),
        Column(name="region", hierarchy=DISTRICT_HIERARCHY, label="District", **tree),
        Column(name="size_class", label="Size class by persons employed", **size),
        Column(name="employees", scale="numeric", roles=("key",), bounds=(0, None), label="Persons employed"),
        Column(name="founded", scale="date", roles=("key",), label="Day of foundation"),
        Column(name="legal_form", scale="nominal", label="Legal form"),
        Column(name="turnover", label="Turnover, thousand euros a year", **positive),
        Column(name="exports", label="Exports, thousand euros a year", **positive),
        Column(name="wages", label="Wages and salaries, thousand euros a year", **positive),
        Column(name="energy", label="Purchases of energy, thousand euros a year", **energy),
        Column(name="investments", label="Investments, thousand euros a year", **positive),
        Column(name="profit", label="Profit or loss, thousand euros a year", **amount),
        Column(name="weight", label="Sampling weight", **weight),
    )
