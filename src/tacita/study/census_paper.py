"""What Giessing and Hoehne (2011) printed of their census tables."""

from __future__ import annotations

__all__ = [
    "PAPER_DISTRIBUTIONS",
    "PAPER_FREQUENCIES",
    "PAPER_LARGEST",
    "PAPER_MEANS",
    "PAPER_SAFE",
    "RESULTS",
]

RESULTS = (0, *range(3, 14))
"""Columns of Table 1."""

PAPER_SAFE: dict[int, tuple[float, ...]] = {
    1: (0.680, 0.288, 0.031, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    2: (0.408, 0.472, 0.073, 0.006, 0.040, 0.001, 0, 0, 0, 0, 0, 0),
    3: (0.208, 0.514, 0.101, 0.015, 0.153, 0.008, 0, 0.001, 0, 0, 0, 0),
    4: (0.077, 0.440, 0.122, 0.026, 0.262, 0.058, 0.002, 0.013, 0, 0, 0, 0),
    5: (0.022, 0.294, 0.112, 0.046, 0.337, 0.111, 0.023, 0.053, 0.002, 0, 0, 0),
    6: (0.004, 0.157, 0.085, 0.051, 0.347, 0.154, 0.052, 0.136, 0.010, 0, 0.002, 0),
    7: (0, 0.037, 0.070, 0.044, 0.294, 0.182, 0.087, 0.198, 0.071, 0.004, 0.013, 0),
    8: (0, 0.009, 0.015, 0.035, 0.203, 0.164, 0.119, 0.244, 0.123, 0.044, 0.042, 0.002),
}
"""Table 1: transition probabilities of SAFE in controlled tables, by count."""

PAPER_LARGEST: dict[tuple[int, float], int] = {
    (20, 49): 16,
    (50, 99): 19,
    (100, 299): 25,
    (300, 499): 21,
    (500, 999): 30,
    (1000, 4999): 24,
    (5000, float("inf")): 26,
}
"""Table 4: largest deviation of SAFE in tables that are not controlled, by count."""

PAPER_DISTRIBUTIONS: dict[str, tuple[float, ...]] = {
    "SAFE": (12.88, 44.62, 27.68, 11.09, 3.16, 0.48, 0.10),
    "additive D=3": (23.17, 44.05, 23.31, 9.47),
    "noise D=3": (29.44, 40.23, 22.31, 8.01),
    "additive D=4": (29.44, 39.87, 21.01, 5.86, 3.82),
    "noise D=4": (38.99, 34.08, 19.20, 4.31, 3.42),
    "additive D=5": (30.62, 40.05, 20.41, 5.07, 2.38, 1.47),
    "noise D=5": (40.18, 34.63, 18.48, 3.33, 1.92, 1.46),
}
"""Table 5: percentages of 22 670 cells that somebody is in, by absolute deviation 0, 1, ..."""

PAPER_MEANS = {
    "SAFE": 1.49,
    "additive D=3": 1.19,
    "noise D=3": 1.09,
    "additive D=4": 1.15,
    "noise D=4": 0.99,
    "additive D=5": 1.13,
    "noise D=5": 0.97,
}
"""Section 6: mean absolute deviations of the same cells."""

PAPER_FREQUENCIES: dict[int, tuple[int, int]] = {
    -13: (1, 0), -12: (5, 5), -11: (30, 31), -10: (110, 110), -9: (310, 309), -8: (836, 837), -7: (1872, 1871),
    -6: (8203, 8204), -5: (34859, 34859), -4: (162116, 162115), -3: (369234, 369234), -2: (622462, 622464),
    -1: (1226831, 1226831), 0: (739905, 739905), 1: (783760, 783758), 2: (778735, 778735), 3: (393652, 393654),
    4: (170659, 170657), 5: (37674, 37675), 6: (9230, 9231), 7: (2141, 2141), 8: (878, 879), 9: (372, 370),
    10: (108, 108), 11: (44, 45), 12: (7, 6), 13: (0, 0),
}  # fmt: skip
"""Table 6: cells by deviation of SAFE, true and after the deviations were perturbed."""
