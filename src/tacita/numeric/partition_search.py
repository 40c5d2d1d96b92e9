"""Searching for a better microaggregation: a fast mode at the cost of a few MDAVs, and a quality mode.

All functions take standardised records x of shape (n, d), a least group size k and return int64 labels 0.. of groups
with k..2k-1 records. The fast mode starts from MDAV and descends. The quality mode anneals: chains run side by side
from the same partition, their results are mixed component by component (`mix_partitions`), and from the mixture they
are reheated and mixed again.

References
----------
Domingo-Ferrer, J., Torra, V. (2005). Ordinal, continuous and heterogeneous k-anonymity through microaggregation. Data
Mining and Knowledge Discovery 11(2), 195-212: MDAV.
Domingo-Ferrer, J., Mateo-Sanz, J. M. (2002). Practical data-oriented microaggregation for statistical disclosure
control. IEEE TKDE 14(1), 189-201: sizes k..2k-1 suffice.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.numeric.mdav import mdav_partition
from tacita.numeric.partition import group_centroids, group_sizes, partition_sse, relabel, sizes_between
from tacita.numeric.partition_anneal import Survey, anneal, survey
from tacita.numeric.partition_descent import descend
from tacita.numeric.partition_grow import grow_partition
from tacita.numeric.partition_mix import mix_partitions
from tacita.numeric.partition_near import forest_lists, near_lists
from tacita.numeric.partition_order import group_order, nearest_tour, order_partition
from tacita.numeric.partition_random import stream_state

__all__ = ["default_moves", "fast_partition", "grow_partition", "improve_partition", "order_partition"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
NearArray = npt.NDArray[np.int32]

_CHAINS = 2
"""Chains that run side by side. Part of the method: the result must not depend on the number of cores."""
_FIRST, _HEATS = 32, (0.3, 0.1, 0.03)
"""Slices of the first annealing; then the share of the first temperature to which later rounds reheat, in turn."""
_ROUNDS, _SLICES = 8, 4
"""Later rounds, and slices of each."""
