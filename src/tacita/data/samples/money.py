"""Incomes, taxes and savings of the household survey: skewed, with zeros, losses and a heavy tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.data.samples.demography import EMPLOYMENT, FEMALE, WORKING_AGE
from tacita.data.samples.draws import BoolArray, Draw, FloatArray, IntArray, curve, pick_within

__all__ = ["Money", "Worker", "draw_money"]

_RETIRED = EMPLOYMENT.index("retired")

_BY_EDUCATION: FloatArray = np.array([-0.35, -0.25, -0.12, 0.0, 0.2, 0.36, 0.5])
_BY_MAJOR_GROUP: FloatArray = np.array([0.02, 0.38, 0.2, 0.1, -0.05, -0.2, -0.25, 0.0, -0.03, -0.28])
_BENEFIT_SHARE: FloatArray = np.array([0.03, 0.02, 0.85, 0.4, 0.98, 0.55])
_BENEFIT_LOG: FloatArray = np.log([2500.0, 2500.0, 9500.0, 4200.0, 17500.0, 6500.0])
_TAX = {0: 0, 9_000: 0, 20_000: 1_900, 40_000: 7_800, 80_000: 23_500, 1_000_000: 430_000, 100_000_000: 45_000_000}


@dataclass(frozen=True)
class Worker:
    """What the money of a person depends on; numbers of categories as in the demography."""

    age: IntArray
    sex: IntArray
    education: IntArray
    employment: IntArray
    major_group: IntArray
    in_city: BoolArray

    @property
    def is_adult(self) -> BoolArray:
        """Whether the person is of working age or beyond."""
        return self.age >= WORKING_AGE


@dataclass(frozen=True)
class Money:
    """Yearly amounts of each person in whole euros; ``income`` is exactly ``earnings + other_income``."""

    earnings: IntArray
    other_income: IntArray
    tax: IntArray
    savings: IntArray

    @property
    def income(self) -> IntArray:
        """All income before tax."""
        return self.earnings + self.other_income


def draw_money(draw: Draw, worker: Worker) -> Money:
    """Draw all amounts. Incomes are multiples of 10, so that none can be taken for the code -9."""
    earnings = _earnings(draw("earnings"), worker)
    other = _other_income(draw("other_income"), worker)
    tax = _tax(draw("tax"), earnings + other)
    return Money(earnings, other, tax, _savings(draw("savings"), worker, earnings + other))


def _earnings(rng: np.random.Generator, worker: Worker) -> IntArray:
    """Log-normal around what education, age and occupation pay; one in fifty has a Pareto factor on top."""
    n = len(worker.age)
    usual = 10.33 + _BY_EDUCATION[worker.education] + _BY_MAJOR_GROUP[worker.major_group]
    usual = usual - 0.0007 * (np.clip(worker.age, 18, 70) - 49.0) ** 2
    usual = usual - 0.09 * (worker.sex == FEMALE) + 0.06 * worker.in_city
    noise = rng.standard_normal(n)
    tail = np.where(rng.random(n) < 0.02, 1 + rng.pareto(1.9, n), 1.0)
    part_time = np.where(rng.random(n) < np.where(worker.sex == FEMALE, 0.34, 0.1), 0.3 + 0.4 * rng.random(n), 1.0)
    pay = np.exp(usual + 0.36 * noise) * tail * part_time
    trade = np.exp(usual - 0.15 + 0.85 * noise) * tail
    loss = -0.35 * np.exp(usual + 0.9 * noise)
    trade = np.where(rng.random(n) < 0.07, loss, trade)
    months = np.where(rng.random(n) < 0.4, rng.random(n) * 0.6, 0.0)
    by_status = [pay, trade, pay * months, 0.25 * pay * months, 0.0 * pay, 0.0 * pay]
    drawn = np.choose(worker.employment, by_status)
    return _tens(np.where(worker.is_adult, drawn, 0.0))


def _other_income(rng: np.random.Generator, worker: Worker) -> IntArray:
    """Pensions and benefits by status, and returns on capital for one adult in eight."""
    n = len(worker.age)
    has_benefit = rng.random(n) < _BENEFIT_SHARE[worker.employment]
    pension_step = np.where(worker.employment == _RETIRED, 0.9 * _BY_EDUCATION[worker.education], 0.0)
    benefit = np.exp(_BENEFIT_LOG[worker.employment] + pension_step + 0.35 * rng.standard_normal(n))
    has_capital = rng.random(n) < curve({15: 0.01, 30: 0.08, 70: 0.25}, worker.age)
    capital = np.exp(6.3 + 1.7 * rng.standard_normal(n))
    return _tens(np.where(worker.is_adult, has_benefit * benefit + has_capital * capital, 0.0))


def _tax(rng: np.random.Generator, income: IntArray) -> IntArray:
    """A progressive tariff with deductions that differ between persons."""
    due = curve(_TAX, income)
    return np.rint(due * (1 - 0.15 * rng.random(len(income)))).astype(np.int64)


def _savings(rng: np.random.Generator, worker: Worker, income: IntArray) -> IntArray:
    """A heavy tail that grows with age and income; one adult in six has none, and few children have any."""
    n = len(worker.age)
    has_any = pick_within(rng, np.array([[0.7, 0.3], [0.17, 0.83]]), worker.is_adult.astype(np.int64)) == 1
    level = 5.6 + 0.03 * np.minimum(worker.age, 70) + 0.16 * np.log1p(np.maximum(income, 0))
    amount = np.exp(level + 1.5 * rng.standard_normal(n))
    return np.where(has_any, np.rint(amount), 0).astype(np.int64)


def _tens(amount: FloatArray) -> IntArray:
    return 10 * np.rint(amount / 10).astype(np.int64)
