"""Economic activities in the manner of NACE: sections, divisions, groups and classes, and what is typical of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.data.hierarchy import Hierarchy
from tacita.data.samples.draws import FloatArray, IntArray, zipf

__all__ = ["ACTIVITIES", "ACTIVITY_HIERARCHY", "ACTIVITY_SHARES", "SECTIONS", "SECTION_OF", "Section"]


@dataclass(frozen=True)
class Section:
    """One section of the tree.

    Parameters
    ----------
    letter
        Its code.
    percent
        Its share of the enterprises.
    turnover, wage
        Thousand euros for each person employed.
    energy
        Energy as a part of turnover.
    exports
        How likely a small enterprise is to export; larger ones are likelier.
    trade
        A word in the names of its enterprises.
    divisions
        For each division the numbers of classes in its groups: ``{"01": "3 1"}`` has 01.11, 01.12, 01.13 and 01.20.
    """

    letter: str
    percent: float
    turnover: float
    wage: float
    energy: float
    exports: float
    trade: str
    divisions: dict[str, str]

    def classes(self) -> list[str]:
        """Return the codes of all classes; the only class of a group ends in 0."""
        return [code for division, counts in self.divisions.items() for code in _classes(division, counts)]


def _classes(division: str, counts: str) -> list[str]:
    codes: list[str] = []
    for group, count in enumerate(map(int, counts.split()), 1):
        ends = range(1, count + 1) if count > 1 else range(1)
        codes += [f"{division}.{group}{end}" for end in ends]
    return codes


_MANUFACTURING = {"10": "3 1 4 2", "13": "1 2 3", "20": "4 1 2", "25": "2 1 3", "28": "3 4 2"}
SECTIONS = (
    Section("A", 6, 110, 21, 0.045, 0.05, "Farms", {"01": "4 3 2 1", "02": "1 1", "03": "2 1"}),
    Section("B", 1, 260, 44, 0.080, 0.10, "Quarries", {"08": "2 3"}),
    Section(
        "C",
        17,
        240,
        40,
        0.030,
        0.30,
        "Works",
        {"10": "3 1 4 2", "13": "1 2 3", "20": "4 1 2", "25": "2 1 3", "28": "3 4 2"},
    ),
    Section("D", 1, 1400, 58, 0.200, 0.08, "Power", {"35": "4 2 1"}),
    Section("E", 2, 230, 38, 0.060, 0.06, "Recycling", {"38": "2 2 1"}),
    Section("F", 13, 160, 35, 0.015, 0.03, "Builders", {"41": "1 1", "43": "3 4 2"}),
    Section("G", 22, 380, 30, 0.010, 0.18, "Trading", {"45": "2 1 2", "46": "4 3 3 2", "47": "2 4 3 1"}),
    Section("H", 6, 190, 36, 0.090, 0.15, "Transport", {"49": "1 1 3", "52": "1 4"}),
    Section("I", 8, 75, 20, 0.035, 0.02, "Inns", {"55": "1 1 1", "56": "1 2"}),
    Section("J", 6, 210, 56, 0.006, 0.28, "Software", {"58": "3 2", "62": "1 3", "63": "2 1"}),
    Section("M", 11, 140, 48, 0.005, 0.14, "Partners", {"69": "1 1", "70": "1 2", "71": "2 1"}),
    Section("N", 5, 85, 25, 0.012, 0.06, "Services", {"77": "2 3 1", "81": "1 3 1"}),
    Section("Q", 2, 70, 31, 0.015, 0.01, "Care", {"86": "1 3 1"}),
)

ACTIVITIES = tuple(code for section in SECTIONS for code in section.classes())
SECTION_OF: IntArray = np.repeat(np.arange(len(SECTIONS)), [len(section.classes()) for section in SECTIONS])
"""For each class the number of its section."""
ACTIVITY_HIERARCHY = Hierarchy(
    tuple(
        (code, code[:4], code[:2], SECTIONS[i].letter, "Total") for code, i in zip(ACTIVITIES, SECTION_OF, strict=True)
    )
)
ACTIVITY_SHARES: FloatArray = np.concatenate(
    [section.percent / 100 * zipf(len(section.classes()), 1.0) for section in SECTIONS]
)
"""Classes of a section differ much in size, so that some have very few enterprises."""
