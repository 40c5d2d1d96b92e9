"""The one wall to optimisers: linear and mixed-integer models on sparse arrays, solved by HiGHS.

No other room imports a solver. A model is arrays; an answer is arrays and a word that says how far the solver got.
"""

from tacita.solve.answer import Answer, Status
from tacita.solve.solver import Solver, solve

__all__ = ["Answer", "Solver", "Status", "solve"]
