"""Reconstruction: a whole file of records from statistics about it.

In come answers to questions about many sets of people, or the published statistics of a block; out come records. Read
``subset_sums.py`` first.
"""

from tacita.attack.reconstruction.block_reconstruction import BlockReconstruction
from tacita.attack.reconstruction.block_target import BlockStatistic, BlockTarget
from tacita.attack.reconstruction.subset_sums import SubsetSums
from tacita.attack.reconstruction.sums_target import SumsTarget

__all__ = ["BlockReconstruction", "BlockStatistic", "BlockTarget", "SubsetSums", "SumsTarget"]
