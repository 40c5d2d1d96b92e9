"""Masks: functions from microdata to microdata. One technique a file; importing this room registers them all."""

from tacita.mask.additive_noise import AdditiveNoise
from tacita.mask.base import Mask
from tacita.mask.mdav import Mdav
from tacita.mask.rank_swap import RankSwap
from tacita.mask.recipe import Recipe
from tacita.mask.release import Release

__all__ = ["AdditiveNoise", "Mask", "Mdav", "RankSwap", "Recipe", "Release"]
