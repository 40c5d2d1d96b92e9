"""Look-alikes of public files that the project did not make, with the truth about their columns as a statistician would say it.

Names, codes, prefixes and gaps are those of the originals; the records are drawn. A truth is a role and a scale; where
statisticians would differ, both words are allowed: ``key|other``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

__all__ = ["FILES", "File", "N", "Rng", "ages", "amount", "anonymous", "codes", "file_of", "gaps", "homes", "instead"]

Truth = dict[str, str]
File = tuple[pa.Table, Truth]
Rng = np.random.Generator

N = 2000


def homes(rng: Rng, n: int = N) -> Any:
    """Household numbers of records that stand together, with gaps between the numbers."""
    sizes = rng.choice([1, 2, 3, 4, 5, 6], n, p=[0.3, 0.3, 0.17, 0.15, 0.05, 0.03])
    return np.repeat(np.cumsum(rng.integers(1, 4, n)) + 100, sizes)[:n]


def codes(rng: Rng, listed: Any, n: int = N) -> Any:
    """Codes of unequal frequency."""
    share = rng.dirichlet(np.full(len(list(listed)), 3.0))
    return rng.choice(list(listed), n, p=share)


def gaps(rng: Rng, values: Any, share: float = 0.05) -> pa.Array:
    """Values of which some are missing."""
    return pa.array(values, mask=rng.random(len(values)) < share)


def instead(rng: Rng, values: Any, others: Any, share: float = 0.06) -> Any:
    """Values of which some are replaced by codes for no answer."""
    return np.where(rng.random(len(values)) < share, rng.choice(list(others), len(values)), values)


def amount(rng: Rng, median: float, zeros: float = 0.0, digits: int = 0) -> Any:
    amounts = np.round(rng.lognormal(np.log(median), 0.9, N), digits) * (rng.random(N) >= zeros)
    return amounts.astype(np.int64) if digits == 0 else amounts


def ages(rng: Rng, low: int = 0, high: int = 95) -> Any:
    return np.clip(rng.normal(42, 21, N), low, high).astype(int)


def file_of(columns: dict[str, tuple[Any, str]]) -> File:
    return pa.table({name: values for name, (values, _) in columns.items()}), {n: t for n, (_, t) in columns.items()}


# --- the files --------------------------------------------------------------------------------------------------------------


def eu_silc(rng: Rng) -> File:
    """Statistics on income and living conditions: variable numbers of the regulation, flags, region of NUTS."""
    home = homes(rng)
    return file_of(
        {
            "PB010": (np.full(N, 2013), "other numeric|nominal"),
            "PB020": (["AT"] * N, "other nominal"),
            "PB030": (home * 10 + np.arange(N) % 10, "identifier nominal"),
            "PX030": (home, "household nominal"),
            "DB040": (rng.choice(["AT11", "AT12", "AT13", "AT21", "AT31"], N), "key nominal"),
            "PB040": (np.round(rng.gamma(8, 60, N), 5), "weight numeric"),
            "PB140": (2013 - np.clip(ages(rng, 16), 16, 90), "key numeric"),
            "PB150": (codes(rng, [1, 2]), "key nominal"),
            "PB190": (gaps(rng, codes(rng, range(1, 6))), "key nominal"),
            "PB220A": (rng.choice(["AT", "EU", "OTH"], N, p=[0.85, 0.08, 0.07]), "key nominal"),
            "PE040": (gaps(rng, codes(rng, range(0, 6))), "key ordinal"),
            "PL031": (codes(rng, range(1, 12)), "key nominal"),
            "PL051": (
                gaps(rng, codes(rng, [11, 12, 13, 21, 22, 31, 41, 42, 51, 52, 61, 71, 72, 81, 83, 91]), 0.3),
                "key nominal",
            ),
            "PH010": (gaps(rng, codes(rng, range(1, 6))), "confidential ordinal"),
            "PH010_F": (codes(rng, [1, -1, -3]), "other nominal"),
            "PY010N": (amount(rng, 18000, 0.4, 2), "confidential numeric"),
            "PY050N": (amount(rng, 9000, 0.9, 2), "confidential numeric"),
            "PY010N_F": (codes(rng, [0, 1, 11]), "other nominal"),
            "HY020": (np.round(rng.normal(38000, 24000, N), 2), "confidential numeric"),
            "HX040": (rng.integers(1, 7, N), "key numeric"),
        }
    )


def lfs(rng: Rng) -> File:
    """A labour force survey: codes of classifications, bands of ages by their middles, 9 and 99 for no answer."""
    home = homes(rng)
    return file_of(
        {
            "REFYEAR": (np.full(N, 2019), "other numeric|nominal"),
            "REFWEEK": (rng.integers(1, 53, N), "other numeric|nominal"),
            "COUNTRY": (["PT"] * N, "other nominal"),
            "REGION": (codes(rng, [11, 15, 16, 17, 18, 20, 30]), "key nominal"),
            "DEGURBA": (codes(rng, [1, 2, 3]), "key ordinal|nominal"),
            "HHNUM": (home, "household nominal"),
            "SEX": (codes(rng, [1, 2]), "key nominal"),
            "AGE": (rng.choice(np.arange(2, 98, 5), N), "key numeric|ordinal"),
            "MARSTAT": (instead(rng, codes(rng, [1, 2, 3]), [9]), "key nominal"),
            "NATIONAL": (rng.choice(["000", "001", "002", "004", "911"], N), "key nominal"),
            "HATLEV1D": (rng.choice(["L", "M", "H"], N), "key ordinal|nominal"),
            "ILOSTAT": (codes(rng, [1, 2, 3, 4]), "key nominal"),
            "ISCO3D": (instead(rng, rng.choice(_isco(rng, 90), N), [999]), "key nominal"),
            "NACE2D": (rng.choice([f"{i:02d}" for i in range(1, 88, 2)], N), "key nominal"),
            "SIZEFIRM": (instead(rng, codes(rng, [11, 12, 13, 14, 15]), [99]), "key ordinal|nominal"),
            "HWUSUAL": (
                instead(rng, np.clip(rng.normal(38, 9, N).astype(int), 1, 80), [99]),
                "confidential|key numeric",
            ),
            "INCDECIL": (instead(rng, rng.integers(1, 11, N), [99]), "confidential|key ordinal"),
            "HHNBPERS": (rng.integers(1, 8, N), "key numeric"),
            "COEFF": (np.round(rng.gamma(6, 0.05, N), 4), "weight numeric"),
        }
    )


def _isco(rng: Rng, many: int) -> Any:
    return np.sort(rng.choice(np.arange(110, 965), many, replace=False))


def dhs(rng: Rng) -> File:
    """A demographic and health survey: caseid with blanks, v-numbers, weights in millionths."""
    cluster = np.repeat(np.arange(1, N // 20 + 1), 20)
    number = np.concatenate([np.sort(rng.integers(1, 40, 20)) for _ in range(N // 20)])
    return file_of(
        {
            "caseid": (
                [f"{c:8d}{h:4d}{i:3d}" for i, (c, h) in enumerate(zip(cluster, number, strict=True))],
                "identifier nominal",
            ),
            "v000": (["KE7"] * N, "other nominal"),
            "v001": (cluster, "cluster nominal"),
            "v002": (number, "household|cluster|other|identifier nominal"),
            "v005": (rng.gamma(5, 2e5, N).astype(int), "weight numeric"),
            "v012": (rng.integers(15, 50, N), "key numeric"),
            "v013": (rng.integers(1, 8, N), "key ordinal"),
            "v022": (codes(rng, range(1, 19)), "stratum nominal"),
            "v024": (codes(rng, range(1, 9)), "key nominal"),
            "v025": (codes(rng, [1, 2]), "key nominal"),
            "v106": (codes(rng, [0, 1, 2, 3]), "key ordinal"),
            "v113": (codes(rng, [11, 12, 13, 21, 31, 32, 41, 42, 43, 51, 61, 62, 71, 96]), "key nominal"),
            "v130": (codes(rng, [1, 2, 3, 4, 96]), "confidential nominal"),
            "v190": (rng.integers(1, 6, N), "key|confidential ordinal"),
            "v201": (rng.poisson(2.2, N), "key numeric"),
            "v312": (codes(rng, [0, 1, 2, 3, 5, 9, 11]), "confidential nominal"),
            "v501": (codes(rng, [0, 1, 2, 3, 4, 5]), "key nominal"),
            "v717": (instead(rng, codes(rng, range(0, 10)), [98]), "key nominal"),
        }
    )


def acs(rng: Rng) -> File:
    """A community survey of persons: leading zeros, replicate weights, allocation flags, gaps where a question does not apply."""
    home = homes(rng)
    wage = gaps(rng, amount(rng, 32000, 0.3) // 100 * 100, 0.18)
    return file_of(
        {
            "RT": (["P"] * N, "other nominal"),
            "SERIALNO": ([f"2019HU{h:07d}" for h in home], "household nominal"),
            "SPORDER": (rng.integers(1, 7, N), "other|key nominal|numeric|ordinal"),
            "PUMA": (rng.choice([f"{p:05d}" for p in range(100, 4200, 300)], N), "key nominal"),
            "ST": (rng.choice(["01", "02", "06"], N), "key nominal"),
            "PWGTP": (rng.integers(3, 260, N), "weight numeric"),
            "AGEP": (ages(rng), "key numeric"),
            "CIT": (codes(rng, range(1, 6)), "key nominal"),
            "MAR": (codes(rng, range(1, 6)), "key nominal"),
            "SEX": (codes(rng, [1, 2]), "key nominal"),
            "SCHL": (gaps(rng, codes(rng, range(1, 25))), "key ordinal"),
            "RAC1P": (codes(rng, range(1, 10)), "key nominal"),
            "HISP": (rng.choice(["01", "02", "03", "24"], N), "key nominal"),
            "OCCP": (gaps(rng, rng.choice([f"{o:04d}" for o in range(10, 9750, 70)], N), 0.35), "key nominal"),
            "NAICSP": (
                gaps(rng, rng.choice(["722Z", "6111", "622M", "23", "44511", "9211MP"], N), 0.35),
                "key nominal",
            ),
            "WAGP": (wage, "confidential numeric"),
            "WKHP": (gaps(rng, np.clip(rng.normal(38, 11, N).astype(int), 1, 99), 0.35), "confidential|key numeric"),
            "PINCP": (gaps(rng, amount(rng, 30000, 0.1) - 200), "confidential numeric"),
            "POVPIP": (gaps(rng, rng.integers(0, 502, N)), "confidential numeric"),
            "FAGEP": (codes(rng, [0, 1]), "other nominal"),
            "PWGTP1": (rng.integers(1, 320, N), "other numeric"),
            "PWGTP2": (rng.integers(1, 320, N), "other numeric"),
        }
    )


def testdata(rng: Rng) -> File:
    """The household survey that an R package brings along: codes without words, household numbers in runs."""
    home = homes(rng)
    return file_of(
        {
            "urbrur": (codes(rng, [1, 2]), "key nominal"),
            "roof": (codes(rng, [2, 4, 5, 6, 9]), "key nominal"),
            "walls": (codes(rng, [2, 3, 9]), "key nominal"),
            "water": (codes(rng, range(1, 10)), "key nominal"),
            "electcon": (codes(rng, [1, 2, 3, 4]), "key nominal"),
            "relat": (codes(rng, range(1, 10)), "key nominal"),
            "sex": (codes(rng, [1, 2]), "key nominal"),
            "age": (ages(rng), "key numeric"),
            "hhcivil": (codes(rng, [1, 2, 3, 4]), "key nominal"),
            "expend": (rng.integers(10_000, 99_999_999, N), "confidential numeric"),
            "income": (instead(rng, rng.integers(1000, 99_999, N) * 1000, [0], 0.02), "confidential numeric"),
            "savings": (rng.integers(10_000, 9_999_999, N), "confidential numeric"),
            "ori_hid": (home, "household nominal"),
            "sampling_weight": (codes(rng, [100, 120, 150, 180, 210]), "weight numeric"),
            "household_weights": (np.round(rng.gamma(4, 25, N), 5), "other numeric"),
        }
    )


def free1(rng: Rng) -> File:
    """A file of codes as a Windows program for microdata brings it: 9, 99 and 999999 for no answer, amounts with many zeros."""
    return file_of(
        {
            "REGION": (rng.integers(1, 38, N), "key nominal"),
            "SEX": (codes(rng, [1, 2]), "key nominal"),
            "AGE": (ages(rng, 15, 92), "key numeric"),
            "MARSTAT": (codes(rng, [1, 2, 3, 4]), "key nominal"),
            "KINDPERS": (instead(rng, codes(rng, [1, 2, 3, 4]), [9]), "key nominal"),
            "NUMYOUNG": (rng.poisson(0.6, N), "key numeric"),
            "NUMOLD": (rng.poisson(0.2, N), "key numeric|nominal"),
            "AGEYOUNG": (instead(rng, rng.integers(0, 18, N), [99], 0.6), "key numeric|ordinal"),
            "EDUC1": (instead(rng, codes(rng, range(1, 8)), [9]), "key ordinal"),
            "EDUC2": (instead(rng, codes(rng, [10, 20, 30, 31, 32, 40, 50]), [99]), "key ordinal"),
            "ETNI": (codes(rng, [1, 2, 3, 4]), "key nominal"),
            "PARTY": (instead(rng, codes(rng, range(1, 9)), [99]), "confidential nominal"),
            "HOURS": (
                instead(rng, np.clip(rng.normal(34, 9, N).astype(int), 1, 70), [99]),
                "confidential|key numeric",
            ),
            "INCOME": (instead(rng, amount(rng, 2900), [999999]), "confidential numeric"),
            "MONEY": (amount(rng, 4000, 0.5), "confidential numeric"),
            "ASSETS": (amount(rng, 9000, 0.6), "confidential numeric"),
            "DEBTS": (amount(rng, 3000, 0.7), "confidential numeric"),
            "WEIGHT": (rng.integers(90, 2700, N), "weight numeric"),
        }
    )


def adult(rng: Rng) -> File:
    """The extract of a census that machine learning uses: words, hyphens in names, question marks for no answer."""
    jobs = ["Private", "Self-emp-inc", "State-gov", "Never-worked", "?"]
    grades = ["11th", "HS-grad", "Bachelors", "Masters", "Doctorate", "Some-college"]
    return file_of(
        {
            "age": (np.clip(ages(rng), 17, 90), "key numeric"),
            "workclass": (rng.choice(jobs, N), "key nominal"),
            "fnlwgt": (rng.integers(12_000, 900_000, N), "weight numeric"),
            "education": (rng.choice(grades, N), "key nominal|ordinal"),
            "education-num": (rng.integers(1, 17, N), "key ordinal|numeric"),
            "marital-status": (
                rng.choice(["Divorced", "Never-married", "Married-civ-spouse", "Widowed"], N),
                "key nominal",
            ),
            "occupation": (
                rng.choice(["Sales", "Adm-clerical", "Craft-repair", "Armed-Forces", "?"], N),
                "key nominal",
            ),
            "relationship": (rng.choice(["Wife", "Husband", "Own-child", "Unmarried"], N), "key nominal"),
            "race": (rng.choice(["White", "Black", "Other"], N), "key nominal"),
            "sex": (rng.choice(["Male", "Female"], N), "key nominal"),
            "capital-gain": (amount(rng, 5000, 0.91), "confidential numeric"),
            "capital-loss": (amount(rng, 1800, 0.95), "confidential numeric"),
            "hours-per-week": (np.clip(rng.normal(40, 11, N).astype(int), 1, 99), "key|confidential numeric"),
            "native-country": (rng.choice(["United-States", "Mexico", "Germany", "?"], N), "key nominal"),
            "income": (rng.choice(["<=50K", ">50K"], N), "confidential nominal|ordinal"),
        }
    )


def hospital(rng: Rng) -> File:
    """Discharges of hospitals: ICD, DRG, length of stay, dates, costs."""
    day = np.datetime64("2021-01-01") + rng.integers(0, 365, N)
    stay = rng.geometric(0.22, N)
    letters = rng.choice(list("ABCEFIJKMNS"), N)
    return file_of(
        {
            "patient_id": (rng.permutation(N) + 4_000_000, "identifier nominal"),
            "hospital_nr": (codes(rng, range(1, 41)), "cluster|key nominal"),
            "admission_date": (day, "key date"),
            "discharge_date": (day + stay, "key date"),
            "birth_date": (np.datetime64("2021-01-01") - rng.integers(0, 34_000, N), "key date"),
            "gender": (rng.choice(["F", "M", "U"], N, p=[0.5, 0.49, 0.01]), "key nominal"),
            "postcode": (rng.choice([f"{p:05d}" for p in range(1067, 9999, 130)], N), "key nominal"),
            "insurance_type": (codes(rng, [1, 2, 3, 9]), "key nominal"),
            "main_diagnosis_icd": (
                [
                    f"{c}{i:02d}.{j}"
                    for c, i, j in zip(letters, rng.integers(0, 40, N), rng.integers(0, 9, N), strict=True)
                ],
                "confidential nominal",
            ),
            "drg": (
                [f"{c}{i:02d}Z" for c, i in zip(letters, rng.integers(1, 30, N), strict=True)],
                "confidential nominal",
            ),
            "los": (stay, "confidential|key numeric"),
            "severity": (rng.integers(0, 5, N), "confidential|key ordinal"),
            "ventilation_hours": (amount(rng, 40, 0.92), "confidential numeric"),
            "discharge_status": (instead(rng, codes(rng, [1, 2, 3, 6, 7]), [99]), "key|confidential nominal"),
            "total_cost": (amount(rng, 4200, 0, 2), "confidential numeric"),
        }
    )


def business(rng: Rng) -> File:
    """A structural business survey: numbers of firms, NACE, size classes, turnover with large firms and zeros."""
    staff = np.maximum(rng.lognormal(2.5, 1.3, N).astype(int), 1)
    return file_of(
        {
            "ent_id": (rng.permutation(N * 7)[:N] + 1_000_000, "identifier nominal"),
            "firm_name": ([f"Firm {i} Ltd" for i in range(N)], "identifier nominal"),
            "nuts2": (rng.choice(["DE11", "DE12", "DE21", "DE30", "DEA1"], N), "key nominal"),
            "nace_rev2": (rng.choice([f"{a:02d}.{b}" for a in range(10, 34) for b in (1, 2)], N), "key nominal"),
            "legal_form": (codes(rng, [1, 2, 3, 4, 9]), "key nominal"),
            "size_class": (np.digitize(staff, [10, 20, 50, 250]) + 1, "key ordinal"),
            "employees": (staff, "key numeric"),
            "foundation_year": (rng.integers(1920, 2020, N), "key numeric"),
            "foreign_owned": (codes(rng, [0, 1]), "key nominal"),
            "turnover": (staff * amount(rng, 120_000), "confidential numeric"),
            "exports": (amount(rng, 900_000, 0.6), "confidential numeric"),
            "value_added": (np.round(rng.normal(4e5, 3e5, N)), "confidential numeric"),
            "rd_expenditure": (amount(rng, 50_000, 0.85), "confidential numeric"),
            "stratum": (codes(rng, range(1, 31)), "stratum nominal"),
            "wgt": (np.round(rng.gamma(2, 6, N) + 1, 3), "weight numeric"),
        }
    )


def census(rng: Rng) -> File:
    """An extract of a census in the manner of an international archive: codes of 2 to 5 digits, 98 and 99 at their ends."""
    home = homes(rng)
    return file_of(
        {
            "SAMPLE": (np.full(N, 76200901), "other nominal|numeric"),
            "SERIAL": (home * 1000, "household nominal"),
            "PERNUM": (rng.integers(1, 8, N), "other|key nominal|numeric|ordinal"),
            "PERWT": (np.round(rng.gamma(9, 1.2, N), 2), "weight numeric"),
            "GEOLEV1": (codes(rng, range(76011, 76054, 3)), "key nominal"),
            "URBAN": (codes(rng, [1, 2]), "key nominal"),
            "OWNERSHIP": (instead(rng, codes(rng, [1, 2]), [0, 9]), "key nominal"),
            "ROOMS": (np.clip(rng.poisson(4.5, N), 1, 16), "key numeric"),
            "FAMSIZE": (rng.integers(1, 9, N), "key numeric"),
            "RELATE": (codes(rng, [1, 2, 3, 4, 5, 6]), "key nominal"),
            "AGE": (instead(rng, ages(rng), [999], 0.01), "key numeric"),
            "SEX": (codes(rng, [1, 2]), "key nominal"),
            "MARST": (codes(rng, [1, 2, 3, 4]), "key nominal"),
            "RELIGION": (codes(rng, [0, 2, 4, 6, 7, 99]), "confidential nominal"),
            "RACE": (codes(rng, [10, 20, 30, 40, 51]), "key nominal"),
            "EDATTAIN": (instead(rng, codes(rng, [1, 2, 3, 4]), [0, 9]), "key ordinal"),
            "EMPSTAT": (codes(rng, [0, 1, 2, 3]), "key nominal"),
            "OCCISCO": (instead(rng, codes(rng, range(1, 12)), [97, 99]), "key nominal"),
            "INCTOT": (instead(rng, amount(rng, 900, 0.25), [9999998, 9999999]), "confidential numeric"),
        }
    )


def ess(rng: Rng) -> File:
    """A social survey: opinions on scales from 0 to 10 with 77, 88 and 99 behind them, weights near one."""
    points = list(range(11))

    def opinion() -> Any:
        return instead(rng, codes(rng, points), [77, 88, 99])

    return file_of(
        {
            "name": (["ESS9e03"] * N, "other nominal"),
            "essround": (np.full(N, 9), "other nominal|numeric"),
            "idno": (rng.permutation(N * 3)[:N] + 1, "identifier nominal"),
            "cntry": (rng.choice(["AT", "BE", "CH", "DE", "IT"], N), "key nominal"),
            "region": (rng.choice(["AT11", "BE10", "CH01", "DE1", "ITC1"], N), "key nominal"),
            "dweight": (np.round(rng.gamma(12, 1 / 12, N), 8), "weight|other numeric"),
            "pspwght": (np.round(rng.gamma(8, 1 / 8, N), 8), "weight|other numeric"),
            "gndr": (instead(rng, codes(rng, [1, 2]), [9], 0.01), "key nominal"),
            "agea": (instead(rng, ages(rng, 15, 90), [999], 0.01), "key numeric"),
            "hhmmb": (instead(rng, np.clip(rng.poisson(1.6, N) + 1, 1, 11), [77, 99], 0.02), "key numeric"),
            "domicil": (instead(rng, codes(rng, [1, 2, 3, 4, 5]), [7, 8, 9], 0.02), "key nominal|ordinal"),
            "marsts": (instead(rng, codes(rng, [1, 2, 3, 4, 5, 6]), [66, 77, 88, 99], 0.4), "key nominal"),
            "eisced": (instead(rng, codes(rng, range(1, 8)), [55, 77, 88, 99]), "key ordinal"),
            "eduyrs": (instead(rng, np.clip(rng.normal(13, 4, N).astype(int), 0, 40), [77, 88, 99]), "key numeric"),
            "mainact": (instead(rng, codes(rng, range(1, 10)), [66, 77, 88, 99], 0.5), "key nominal"),
            "isco08": (instead(rng, rng.choice(_isco(rng, 200) * 10, N), [66666, 77777, 99999], 0.1), "key nominal"),
            "rlgdnm": (instead(rng, codes(rng, range(1, 9)), [66, 77, 99], 0.4), "confidential nominal"),
            "rlgdgr": (opinion(), "confidential ordinal"),
            "vote": (instead(rng, codes(rng, [1, 2, 3]), [7, 8, 9], 0.03), "confidential nominal"),
            "ppltrst": (opinion(), "confidential ordinal"),
            "trstprl": (opinion(), "confidential ordinal"),
            "stflife": (opinion(), "confidential ordinal"),
            "health": (instead(rng, codes(rng, range(1, 6)), [7, 8, 9], 0.02), "confidential ordinal"),
            "hinctnta": (instead(rng, rng.integers(1, 11, N), [77, 88, 99], 0.2), "confidential|key ordinal"),
        }
    )


FILES: dict[str, Callable[[Rng], File]] = {
    make.__name__: make for make in (eu_silc, lfs, dhs, acs, testdata, free1, adult, hospital, business, census, ess)
}
"""The files by their names."""


def anonymous(file: File) -> File:
    """Return a file whose columns are called V1, V2, ...: only values tell what they are."""
    table, truth = file
    names = [f"V{i + 1}" for i in range(table.num_columns)]
    return table.rename_columns(names), dict(zip(names, truth.values(), strict=True))
