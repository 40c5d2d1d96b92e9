"""The one wall to optimisers: linear and mixed-integer models on sparse arrays, solved by HiGHS.

In come models as arrays; out come arrays and a word that says how far the solver got. No other room imports a solver or knows
its options. Read ``solver.py`` first.
"""

from tacita.solve.solution import Solution, Status
from tacita.solve.solver import Solver, solve

__all__ = ["Solution", "Solver", "Status", "solve"]
