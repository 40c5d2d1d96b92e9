"""Masks: functions from microdata to microdata. One technique a file, in folders by family; importing this room registers all.

In come microdata and a seed; out come microdata with the same schema that show less of single respondents. Read ``base.py``
first, then ``numeric_mask.py`` and ``swap/rank_swap.py`` as the pattern of a mask.
"""

from tacita.core.moved import moved
from tacita.mask.base import Mask
from tacita.mask.microaggregation.clustered import Clustered
from tacita.mask.microaggregation.fixed_size import FixedSize
from tacita.mask.microaggregation.individual_ranking import IndividualRanking
from tacita.mask.microaggregation.k_ward import KWard
from tacita.mask.microaggregation.mdav import Mdav
from tacita.mask.microaggregation.mixed_microaggregation import MixedMicroaggregation
from tacita.mask.microaggregation.mu_approx import MuApprox
from tacita.mask.microaggregation.optimal_univariate import OptimalUnivariate
from tacita.mask.microaggregation.projection import Projection
from tacita.mask.microaggregation.rmd import Rmd
from tacita.mask.microaggregation.running_centroid import RunningCentroid
from tacita.mask.microaggregation.spanning_tree import SpanningTree
from tacita.mask.microaggregation.vmdav import Vmdav
from tacita.mask.noise.additive_noise import AdditiveNoise
from tacita.mask.noise.correlated_noise import CorrelatedNoise, LinearNoise, adjust_subpopulation
from tacita.mask.noise.multiplicative_noise import MultiplicativeNoise, adjust_moments
from tacita.mask.noise.nonlinear_noise import NonlinearNoise
from tacita.mask.noise.outlier_noise import OutlierNoise
from tacita.mask.noise.romm import Romm
from tacita.mask.noise.scaled_noise import RestrictedNoise, ScaledNoise
from tacita.mask.randomise.jpeg import Jpeg
from tacita.mask.randomise.pram import Pram
from tacita.mask.randomise.pram_estimate import PramTable, pram_table
from tacita.mask.randomise.record_resampling import RecordResampling
from tacita.mask.randomise.replace import Replace
from tacita.mask.randomise.resampling import Resampling
from tacita.mask.recode.date_coarsen import DateCoarsen
from tacita.mask.recode.generalise import Generalisation, Generalise
from tacita.mask.recode.global_recode import GlobalRecode
from tacita.mask.recode.local_recode import LocalRecode
from tacita.mask.recode.multivariate_top_code import MultivariateTopCode
from tacita.mask.recode.rounding import RandomRounding, Rounding
from tacita.mask.recode.top_bottom_code import TopBottomCode
from tacita.mask.reweight.calibrate import Calibrate
from tacita.mask.reweight.margins import Target, margin_targets
from tacita.mask.reweight.sample import Sample
from tacita.mask.reweight.subsample import Subsample
from tacita.mask.reweight.weight_noise import WeightNoise
from tacita.mask.reweight.weight_rounding import WeightRounding
from tacita.mask.safe.safe import Safe
from tacita.mask.safe.safe_certificate import SafeCertificate, certify_safe
from tacita.mask.suppress.local_suppression import LocalSuppression, suppressions
from tacita.mask.swap.data_swap import DataSwap
from tacita.mask.swap.rank_swap import RankSwap, RankSwapNormal
from tacita.mask.swap.rank_swap_controlled import RankSwapControlled
from tacita.mask.swap.record_swap import RecordSwap
from tacita.mask.swap.shuffle import Shuffle
from tacita.mask.synthetic.fully import FullySynthetic
from tacita.mask.synthetic.gaussian_copula import GaussianCopula
from tacita.mask.synthetic.households import HouseholdSynthesis
from tacita.mask.synthetic.hybrid_microaggregation import HybridMicroaggregation
from tacita.mask.synthetic.ipso import Ipso
from tacita.mask.synthetic.latin_hypercube import LatinHypercube
from tacita.mask.synthetic.paired_hybrid import PairedHybrid
from tacita.mask.synthetic.partial import PartialSynthesis
from tacita.mask.synthetic.private_tables import PrivacyStatement, PrivateTables
from tacita.mask.synthetic.sequential import SequentialSynthesis
from tacita.mask.synthetic.sufficient_perturbation import SufficientPerturbation

__all__ = [
    "AdditiveNoise",
    "Calibrate",
    "Clustered",
    "CorrelatedNoise",
    "DataSwap",
    "DateCoarsen",
    "FixedSize",
    "FullySynthetic",
    "GaussianCopula",
    "Generalisation",
    "Generalise",
    "GlobalRecode",
    "HouseholdSynthesis",
    "HybridMicroaggregation",
    "IndividualRanking",
    "Ipso",
    "Jpeg",
    "KWard",
    "LatinHypercube",
    "LinearNoise",
    "LocalRecode",
    "LocalSuppression",
    "Mask",
    "Mdav",
    "MixedMicroaggregation",
    "MuApprox",
    "MultiplicativeNoise",
    "MultivariateTopCode",
    "NonlinearNoise",
    "OptimalUnivariate",
    "OutlierNoise",
    "PairedHybrid",
    "PartialSynthesis",
    "Pram",
    "PramTable",
    "PrivacyStatement",
    "PrivateTables",
    "Projection",
    "RandomRounding",
    "RankSwap",
    "RankSwapControlled",
    "RankSwapNormal",
    "RecordResampling",
    "RecordSwap",
    "Replace",
    "Resampling",
    "RestrictedNoise",
    "Rmd",
    "Romm",
    "Rounding",
    "RunningCentroid",
    "Safe",
    "SafeCertificate",
    "Sample",
    "ScaledNoise",
    "SequentialSynthesis",
    "Shuffle",
    "SpanningTree",
    "Subsample",
    "SufficientPerturbation",
    "Target",
    "TopBottomCode",
    "Vmdav",
    "WeightNoise",
    "WeightRounding",
    "adjust_moments",
    "adjust_subpopulation",
    "certify_safe",
    "margin_targets",
    "pram_table",
    "suppressions",
]

__getattr__ = moved("tacita.mask", {"Recipe": "tacita.Recipe", "Release": "tacita.Release"})


def __dir__() -> list[str]:
    """Return the masks alone; the other names of the room are in ``__all__`` and in the reference."""
    return [
        name for name in __all__ if isinstance(it := globals()[name], type) and issubclass(it, Mask) and it is not Mask
    ]
