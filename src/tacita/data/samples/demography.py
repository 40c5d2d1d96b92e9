"""What persons of an age are: schooling, work, occupation. Shared by the household survey and the register."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacita.data.hierarchy import Hierarchy
from tacita.data.samples.draws import BoolArray, FloatArray, IntArray, pick_within, zipf

__all__ = [
    "AGES",
    "EDUCATION",
    "EMPLOYMENT",
    "FEMALE",
    "MAJOR_GROUPS",
    "MARITAL",
    "OCCUPATIONS",
    "OCCUPATION_HIERARCHY",
    "SEX",
    "WORKING_AGE",
    "age_band",
    "draw_education",
    "draw_employment",
    "draw_major_group",
    "draw_occupation",
    "has_occupation",
    "major_group_of",
]

AGES = np.arange(106)
WORKING_AGE = 15
"""Younger persons are not asked about work."""

SEX = ("male", "female")
FEMALE = SEX.index("female")
MARITAL = ("single", "married", "widowed", "divorced")
EDUCATION = ("no schooling", "primary", "lower secondary", "upper secondary", "bachelor", "master", "doctorate")
EMPLOYMENT = ("employee", "self-employed", "unemployed", "student", "retired", "other")


def age_band(age: npt.NDArray[np.integer], starts: tuple[int, ...]) -> IntArray:
    """Return the number of the age band; ``starts`` are the first ages of the bands after the first.

    Examples
    --------
    >>> age_band(np.array([3, 17, 80]), (16, 65))
    array([0, 1, 2])
    """
    return np.searchsorted(np.asarray(starts), age, side="right")


# --- education --------------------------------------------------------------------------------------------------------

_EDUCATION_STARTS = (35, 50, 65, 80)
_EDUCATION_SHARES: FloatArray = np.array(
    [  # none  prim  lower upper bach  mast  doct
        [0.005, 0.02, 0.11, 0.435, 0.25, 0.16, 0.02],
        [0.006, 0.03, 0.15, 0.454, 0.21, 0.13, 0.02],
        [0.008, 0.06, 0.22, 0.462, 0.15, 0.088, 0.012],
        [0.015, 0.15, 0.30, 0.400, 0.08, 0.048, 0.007],
        [0.030, 0.28, 0.36, 0.270, 0.035, 0.022, 0.003],
    ]
)
_SCHOOL_STARTS = (11, 15, 18, 21, 23, 27)
"""The first age at which each level after the first can be completed."""


def draw_education(rng: np.random.Generator, age: npt.NDArray[np.integer]) -> IntArray:
    """Draw the highest completed level: by generation, and never above what the age allows."""
    level = pick_within(rng, _EDUCATION_SHARES, age_band(age, _EDUCATION_STARTS))
    return np.minimum(level, age_band(age, _SCHOOL_STARTS))


# --- work -------------------------------------------------------------------------------------------------------------

_EMPLOYMENT_STARTS = (18, 25, 55, 65, 75)
_EMPLOYMENT_SHARES: FloatArray = np.array(
    [  # empl  self  unem  stud  reti  other
        [0.08, 0.002, 0.01, 0.88, 0.000, 0.028],
        [0.42, 0.015, 0.06, 0.46, 0.000, 0.045],
        [0.70, 0.095, 0.05, 0.02, 0.015, 0.120],
        [0.52, 0.110, 0.04, 0.00, 0.190, 0.140],
        [0.07, 0.050, 0.00, 0.00, 0.840, 0.040],
        [0.01, 0.015, 0.00, 0.00, 0.950, 0.025],
    ]
)
_NEVER_WORKED: FloatArray = np.array([0.0, 0.0, 0.05, 0.9, 0.04, 0.45])


def draw_employment(rng: np.random.Generator, age: npt.NDArray[np.integer]) -> IntArray:
    """Draw what persons mainly do; the result has no meaning below working age."""
    return pick_within(rng, _EMPLOYMENT_SHARES, age_band(age, _EMPLOYMENT_STARTS))


def has_occupation(rng: np.random.Generator, age: npt.NDArray[np.integer], employment: IntArray) -> BoolArray:
    """Draw who has a present or last occupation: nobody below working age, not all students and homemakers."""
    return (age >= WORKING_AGE) & (rng.random(len(age)) >= _NEVER_WORKED[employment])


# --- occupation -------------------------------------------------------------------------------------------------------

_GROUPS = {
    "Armed forces": "01 02 03",
    "Managers": "11 12 13 14",
    "Professionals": "21 22 23 24 25 26",
    "Technicians": "31 32 33 34 35",
    "Clerks": "41 42 43 44",
    "Service and sales": "51 52 53 54",
    "Agriculture": "61 62 63",
    "Craft": "71 72 73 74 75",
    "Operators": "81 82 83",
    "Elementary": "91 92 93 94 95 96",
}
MAJOR_GROUPS = tuple(_GROUPS)
OCCUPATIONS = tuple(code for codes in _GROUPS.values() for code in codes.split())
"""Two-digit codes in the manner of ISCO-08; those of the armed forces begin with a zero."""
OCCUPATION_HIERARCHY = Hierarchy(tuple((code, MAJOR_GROUPS[int(code[0])], "Total") for code in OCCUPATIONS))

_MAJOR_BY_EDUCATION: FloatArray = np.array(
    [  # armed mana  prof  tech  cler  serv  agri  craf  oper  elem
        [0.000, 0.01, 0.00, 0.01, 0.02, 0.20, 0.08, 0.14, 0.14, 0.40],
        [0.000, 0.01, 0.01, 0.02, 0.04, 0.22, 0.07, 0.18, 0.15, 0.30],
        [0.003, 0.02, 0.01, 0.05, 0.09, 0.267, 0.05, 0.20, 0.13, 0.18],
        [0.006, 0.04, 0.05, 0.17, 0.16, 0.234, 0.03, 0.18, 0.07, 0.06],
        [0.005, 0.10, 0.44, 0.25, 0.09, 0.07, 0.01, 0.02, 0.005, 0.01],
        [0.002, 0.15, 0.63, 0.13, 0.04, 0.028, 0.005, 0.008, 0.002, 0.005],
        [0.000, 0.14, 0.82, 0.03, 0.005, 0.005, 0.000, 0.000, 0.000, 0.000],
    ]
)
_MAJOR_OF: IntArray = np.array([int(code[0]) for code in OCCUPATIONS], dtype=np.int64)
_SHARE_IN_MAJOR: FloatArray = np.concatenate([zipf(len(codes.split()), 0.8) for codes in _GROUPS.values()])
_OCCUPATION_SHARES: FloatArray = _MAJOR_BY_EDUCATION[:, _MAJOR_OF] * _SHARE_IN_MAJOR


def draw_occupation(rng: np.random.Generator, education: IntArray) -> IntArray:
    """Draw two-digit occupations, as education suggests."""
    return pick_within(rng, _OCCUPATION_SHARES, education)


def draw_major_group(rng: np.random.Generator, education: IntArray) -> IntArray:
    """Draw major groups of occupations, as education suggests."""
    return pick_within(rng, _MAJOR_BY_EDUCATION, education)


def major_group_of(occupation: IntArray) -> IntArray:
    """Return the major group of each two-digit occupation.

    Examples
    --------
    >>> [MAJOR_GROUPS[i] for i in major_group_of(np.array([0, 4, 42]))]
    ['Armed forces', 'Managers', 'Elementary']
    """
    return _MAJOR_OF[occupation]
