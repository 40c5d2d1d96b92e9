"""Masks: functions from microdata to microdata. One technique a file; importing this room registers them all."""

from tacita.mask.additive_noise import AdditiveNoise
from tacita.mask.base import Mask
from tacita.mask.calibrate import Calibrate
from tacita.mask.correlated_noise import CorrelatedNoise, LinearNoise, adjust_subpopulation
from tacita.mask.data_swap import DataSwap
from tacita.mask.date_coarsen import DateCoarsen
from tacita.mask.fixed_size import FixedSize
from tacita.mask.generalise import Generalisation, Generalise
from tacita.mask.global_recode import GlobalRecode
from tacita.mask.individual_ranking import IndividualRanking
from tacita.mask.jpeg import Jpeg
from tacita.mask.k_ward import KWard
from tacita.mask.local_recode import LocalRecode
from tacita.mask.local_suppression import LocalSuppression, suppressions
from tacita.mask.margins import Target, margin_targets
from tacita.mask.mdav import Mdav
from tacita.mask.mixed_microaggregation import MixedMicroaggregation
from tacita.mask.mu_approx import MuApprox
from tacita.mask.multiplicative_noise import MultiplicativeNoise, adjust_moments
from tacita.mask.nonlinear_noise import NonlinearNoise
from tacita.mask.optimal_univariate import OptimalUnivariate
from tacita.mask.outlier_noise import OutlierNoise
from tacita.mask.pram import Pram
from tacita.mask.pram_estimate import PramTable, pram_table
from tacita.mask.projection import Projection
from tacita.mask.rank_swap import RankSwap, RankSwapNormal
from tacita.mask.recipe import Recipe
from tacita.mask.record_resampling import RecordResampling
from tacita.mask.record_swap import RecordSwap
from tacita.mask.release import Release
from tacita.mask.replace import Replace
from tacita.mask.resampling import Resampling
from tacita.mask.rounding import RandomRounding, Rounding
from tacita.mask.running_centroid import RunningCentroid
from tacita.mask.sample import Sample
from tacita.mask.shuffle import Shuffle
from tacita.mask.spanning_tree import SpanningTree
from tacita.mask.subsample import Subsample
from tacita.mask.top_bottom_code import TopBottomCode
from tacita.mask.vmdav import Vmdav
from tacita.mask.weight_noise import WeightNoise
from tacita.mask.weight_rounding import WeightRounding

__all__ = [
    "AdditiveNoise",
    "Calibrate",
    "CorrelatedNoise",
    "DataSwap",
    "DateCoarsen",
    "FixedSize",
    "Generalisation",
    "Generalise",
    "GlobalRecode",
    "IndividualRanking",
    "Jpeg",
    "KWard",
    "LinearNoise",
    "LocalRecode",
    "LocalSuppression",
    "Mask",
    "Mdav",
    "MixedMicroaggregation",
    "MuApprox",
    "MultiplicativeNoise",
    "NonlinearNoise",
    "OptimalUnivariate",
    "OutlierNoise",
    "Pram",
    "PramTable",
    "Projection",
    "RandomRounding",
    "RankSwap",
    "RankSwapNormal",
    "Recipe",
    "RecordResampling",
    "RecordSwap",
    "Release",
    "Replace",
    "Resampling",
    "Rounding",
    "RunningCentroid",
    "Sample",
    "Shuffle",
    "SpanningTree",
    "Subsample",
    "Target",
    "TopBottomCode",
    "Vmdav",
    "WeightNoise",
    "WeightRounding",
    "adjust_moments",
    "adjust_subpopulation",
    "margin_targets",
    "pram_table",
    "suppressions",
]
