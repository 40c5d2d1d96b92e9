"""HiGHS behind a small face: one object for one model that is solved once or many times.

A solver keeps the basis of its last run, so a linear model whose costs, bounds or rows changed a little is solved again
in a few steps; this is what makes thousands of attacker problems on one table affordable.

References
----------
Huangfu, Q. and Hall, J. A. J. (2018), Parallelizing the dual revised simplex method, Mathematical Programming
Computation 10(1), 119-142: HiGHS.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import TacitaError
from tacita.solve.solution import Solution, Status

__all__ = ["Solver", "solve"]


Progress = Callable[[float, float, float], bool]
"""Called now and then with seconds, best objective and bound; returning True stops the solver."""

Method = Literal["auto", "primal", "dual"]
"""Which simplex method goes on from the last basis: primal after a change of costs, dual after a change of bounds."""


class Solver:
    """A linear or mixed-integer model: ``min c x`` subject to ``row_lower <= A x <= row_upper``, ``lower <= x <= upper``.

    Parameters
    ----------
    cost
        c, one entry for each variable.
    rows
        A, any scipy sparse matrix with one column for each variable; None for no rows yet.
    row_lower, row_upper
        Sides of the rows; infinities where there is none.
    lower, upper
        Bounds of the variables.
    integer
        Which variables must be whole; None for none.
    threads
        Processor threads; 0 lets the solver choose.
    method
        For a continuous model that is solved many times: ``"primal"`` when mostly costs change between the runs,
        ``"dual"`` when mostly bounds change; both leave out presolving. ``"auto"`` leaves the choice to the solver.

    Examples
    --------
    >>> import numpy as np, scipy.sparse as sp
    >>> model = Solver(np.array([-1.0, -2.0]), sp.csr_array([[1.0, 1.0]]), np.array([-np.inf]), np.array([4.0]),
    ...                np.zeros(2), np.array([3.0, 2.5]), integer=np.array([True, True]))
    >>> model.run().values.tolist()
    [2.0, 2.0]
    """

    def __init__(
        self,
        cost: FloatArray,
        rows: Any,
        row_lower: FloatArray,
        row_upper: FloatArray,
        lower: FloatArray,
        upper: FloatArray,
        *,
        integer: BoolArray | None = None,
        threads: int = 0,
        method: Method = "auto",
    ) -> None:
        import highspy  # only here: loading it costs more than many models

        self._highs = highspy.Highs()
        self._kinds = highspy
        self.columns = len(cost)
        self._whole = np.zeros(self.columns, bool) if integer is None else np.asarray(integer, bool)
        self.is_integer = bool(self._whole.any())
        self._option("output_flag", False)
        self._option("threads", threads)
        if method != "auto":
            self._option("simplex_strategy", {"dual": 1, "primal": 4}[method])
            self._option("presolve", "off")
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = self.columns, 0
        model.col_cost_ = np.asarray(cost, dtype=np.float64)
        model.col_lower_, model.col_upper_ = self._bounds(slice(None), lower, upper)
        self._highs.passModel(model)
        if self.is_integer:
            whole = np.flatnonzero(self._whole).astype(np.int32)
            kinds = np.full(len(whole), int(highspy.HighsVarType.kInteger), dtype=np.uint8)
            self._highs.changeColsIntegrality(len(whole), whole, kinds)
        if rows is not None:
            self.add_rows(rows, row_lower, row_upper)

    # --- changing the model --------------------------------------------------------------------------------------------

    def add_rows(self, rows: Any, row_lower: FloatArray, row_upper: FloatArray) -> None:
        """Add constraints; the last basis stays of use."""
        import scipy.sparse as sp

        added = sp.csr_array(rows)
        if added.shape[1] != self.columns or len(row_lower) != added.shape[0] or len(row_upper) != added.shape[0]:
            raise TacitaError(f"add_rows: rows must have {self.columns} columns and one lower and upper side each.")
        if added.shape[0]:
            self._highs.addRows(
                added.shape[0],
                np.asarray(row_lower, np.float64),
                np.asarray(row_upper, np.float64),
                added.nnz,
                added.indptr[:-1].astype(np.int32),
                added.indices.astype(np.int32),
                added.data.astype(np.float64),
            )

    def set_cost(self, variables: IntArray, cost: FloatArray) -> None:
        """Change the objective of some variables."""
        self._highs.changeColsCost(len(variables), np.asarray(variables, np.int32), np.asarray(cost, np.float64))

    def set_bounds(self, variables: IntArray, lower: FloatArray, upper: FloatArray) -> None:
        """Change the bounds of some variables."""
        self._highs.changeColsBounds(
            len(variables),
            np.asarray(variables, np.int32),
            np.asarray(lower, np.float64),
            np.asarray(upper, np.float64),
        )

    def _bounds(self, variables: Any, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Round the bounds of whole variables inwards: the solver has returned a fractional bound as a solution."""
        low, high, whole = np.array(lower, np.float64), np.array(upper, np.float64), self._whole[variables]
        low[whole], high[whole] = np.ceil(low[whole] - 1e-9), np.floor(high[whole] + 1e-9)
        return low, high

    def set_sides(self, rows: IntArray, row_lower: FloatArray, row_upper: FloatArray) -> None:
        """Change the sides of some rows."""
        for row, low, high in zip(rows.tolist(), row_lower.tolist(), row_upper.tolist(), strict=True):
            self._highs.changeRowBounds(row, low, high)

    def forget(self) -> None:
        """Forget the last basis and solution: the next run starts from the bounds.

        Worth it where the start is nearly a solution, as it is when all variables but one are best at their bound.
        """
        self._highs.clearSolver()

    # --- solving ---------------------------------------------------------------------------------------------------------

    def run(
        self,
        *,
        maximise: bool = False,
        time_limit: float | None = None,
        gap: float = 0.0,
        start: FloatArray | None = None,
        progress: Progress | None = None,
        prices: bool = True,
    ) -> Solution:
        """Solve the model as it is now.

        Parameters
        ----------
        maximise
            Look for the largest objective instead of the smallest.
        time_limit
            Seconds after which the best solution so far is returned.
        gap
            For whole variables: stop when the objective is proven to be within this share of the optimum.
        start
            For whole variables: a known solution.
        progress
            For whole variables: called now and then with seconds, best objective and bound; True stops.
        prices
            Whether the answer has ``duals`` and ``reduced``; leaving them out saves time on many short runs.
        """
        highs, kinds = self._highs, self._kinds
        sense = kinds.ObjSense.kMaximize if maximise else kinds.ObjSense.kMinimize
        highs.changeObjectiveSense(sense)
        limit = float("inf") if time_limit is None else max(time_limit, 0.0)
        self._option("time_limit", highs.getRunTime() + limit)  # the solver's clock runs over all its runs
        if self.is_integer:
            self._option("mip_rel_gap", gap)
            if start is not None:
                known = kinds.HighsSolution()
                known.col_value = [float(v) for v in start]
                highs.setSolution(known)
        begin = time.perf_counter()
        self._listen(progress)
        highs.run()
        if highs.getModelStatus() == kinds.HighsModelStatus.kUnknown:
            highs.clearSolver()  # the old basis led nowhere: begin anew
            highs.run()
        return self._answer(maximise, time.perf_counter() - begin, prices)

    def _listen(self, progress: Progress | None) -> None:
        highs, event = self._highs, self._kinds.cb.HighsCallbackType
        kinds = (event.kCallbackMipInterrupt,)
        if progress is None:
            return

        def heard(_kind: Any, _message: Any, out: Any, back: Any, _data: Any) -> None:
            if progress(float(out.running_time), float(out.mip_primal_bound), float(out.mip_dual_bound)):
                back.user_interrupt = True

        highs.setCallback(heard, None)
        for kind in kinds:
            highs.startCallback(kind)

    def _answer(self, maximise: bool, seconds: float, prices: bool) -> Solution:
        highs, status = self._highs, self._status()
        info, found = highs.getInfo(), highs.getSolution()
        there = status in ("optimal", "feasible")
        values = np.array(found.col_value) if there else np.empty(0)
        if there and self.is_integer:
            values[self._whole] = _rounded(values[self._whole])
        objective = float(info.objective_function_value) if there else float("nan")
        if self.is_integer:
            bound = float(info.mip_dual_bound)
        else:
            bound = objective if status == "optimal" else (np.inf if maximise else -np.inf)
        priced = prices and there and not self.is_integer and bool(found.dual_valid)
        duals = np.array(found.row_dual) if priced else np.empty(0)
        reduced = np.array(found.col_dual) if priced else np.empty(0)
        return Solution(status, values, objective, float(bound), duals, reduced, seconds)

    def _status(self) -> Status:
        kind = self._kinds.HighsModelStatus
        status = self._highs.getModelStatus()
        if status in (kind.kOptimal, kind.kModelEmpty):
            return "optimal"
        if status == kind.kInfeasible:
            return "infeasible"
        if status in (kind.kUnbounded, kind.kUnboundedOrInfeasible):
            return "unbounded"
        if status in (
            kind.kTimeLimit,
            kind.kInterrupt,
            kind.kIterationLimit,
            kind.kSolutionLimit,
            kind.kObjectiveBound,
        ):
            feasible = self._highs.getInfo().primal_solution_status == 2  # kSolutionStatusFeasible
            return "feasible" if feasible else "unknown"
        raise TacitaError(f"The solver stopped with '{self._highs.modelStatusToString(status)}'.")

    def _option(self, name: str, value: Any) -> None:
        self._highs.setOptionValue(name, value)


def _rounded(values: FloatArray) -> FloatArray:
    whole = np.rint(values)
    if np.abs(whole - values).max(initial=0.0) > 1e-4:
        raise TacitaError("The solver returned fractions for whole variables; this is a fault of the solver.")
    return whole


def solve(
    cost: FloatArray,
    rows: Any,
    row_lower: FloatArray,
    row_upper: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    *,
    integer: BoolArray | None = None,
    maximise: bool = False,
    time_limit: float | None = None,
    gap: float = 0.0,
) -> Solution:
    """Solve one model once; the parameters are those of :class:`Solver` and of its run."""
    model = Solver(cost, rows, row_lower, row_upper, lower, upper, integer=integer)
    return model.run(maximise=maximise, time_limit=time_limit, gap=gap)
