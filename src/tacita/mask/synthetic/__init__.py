"""Synthetic and hybrid values: drawn anew from what was fitted to the original, so that no record is anybody's.

In come microdata; out come microdata whose chosen columns hold drawn values. Read ``ipso.py`` first.
"""

from tacita.mask.synthetic.hybrid_microaggregation import HybridMicroaggregation
from tacita.mask.synthetic.ipso import Ipso
from tacita.mask.synthetic.sufficient_perturbation import SufficientPerturbation

__all__ = ["HybridMicroaggregation", "Ipso", "SufficientPerturbation"]
