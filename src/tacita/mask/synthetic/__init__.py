"""Synthetic and hybrid values: drawn anew from what was fitted to the original, so that no record is anybody's.

In come microdata; out come microdata whose chosen columns hold drawn values. Read ``ipso.py`` first, and ``sequential.py`` for
whole files.
"""

from tacita.mask.synthetic.gaussian_copula import GaussianCopula
from tacita.mask.synthetic.hybrid_microaggregation import HybridMicroaggregation
from tacita.mask.synthetic.ipso import Ipso
from tacita.mask.synthetic.latin_hypercube import LatinHypercube
from tacita.mask.synthetic.paired_hybrid import PairedHybrid
from tacita.mask.synthetic.partial import PartialSynthesis
from tacita.mask.synthetic.sequential import SequentialSynthesis
from tacita.mask.synthetic.sufficient_perturbation import SufficientPerturbation

__all__ = [
    "GaussianCopula",
    "HybridMicroaggregation",
    "Ipso",
    "LatinHypercube",
    "PairedHybrid",
    "PartialSynthesis",
    "SequentialSynthesis",
    "SufficientPerturbation",
]
