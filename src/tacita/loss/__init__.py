"""Losses: what masking took away from the data. One measure family a file; importing this room registers them all."""

from tacita.loss.base import Loss
from tacita.loss.mean_variation import Il1, Il1s
from tacita.loss.moments import IlMoments
from tacita.loss.probabilistic import Pil

__all__ = ["Il1", "Il1s", "IlMoments", "Loss", "Pil"]
