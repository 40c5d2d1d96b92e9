"""Masks: functions from microdata to microdata. One technique a file; importing this room registers them all."""

from tacita.mask.additive_noise import AdditiveNoise
from tacita.mask.base import Mask
from tacita.mask.correlated_noise import CorrelatedNoise, LinearNoise, adjust_subpopulation
from tacita.mask.data_swap import DataSwap
from tacita.mask.jpeg import Jpeg
from tacita.mask.mdav import Mdav
from tacita.mask.nonlinear_noise import NonlinearNoise
from tacita.mask.outlier_noise import OutlierNoise
from tacita.mask.rank_swap import RankSwap, RankSwapNormal
from tacita.mask.recipe import Recipe
from tacita.mask.record_resampling import RecordResampling
from tacita.mask.release import Release
from tacita.mask.resampling import Resampling
from tacita.mask.rounding import RandomRounding, Rounding
from tacita.mask.shuffle import Shuffle

__all__ = [
    "AdditiveNoise",
    "CorrelatedNoise",
    "DataSwap",
    "Jpeg",
    "LinearNoise",
    "Mask",
    "Mdav",
    "NonlinearNoise",
    "OutlierNoise",
    "RandomRounding",
    "RankSwap",
    "RankSwapNormal",
    "Recipe",
    "RecordResampling",
    "Release",
    "Resampling",
    "Rounding",
    "Shuffle",
    "adjust_subpopulation",
]
