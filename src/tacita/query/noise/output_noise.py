"""Keyed, consistent noise on an answer, in layers, so that splitting a set and adding up the parts does not average it away.

Noise that depends on nothing but the set of members is fresh for every part of a set: adding up the two parts of t different
splits gives t independent estimates, and their mean has the variance 2 sigma^2 / t. A layer that adds up as the records do
is the same in all of them and cannot be averaged. Three layers stand side by side, each with its own standard deviation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.core.parameterised import Parameterised
from tacita.query.noise.set_numbers import MemberHash, set_uniforms

__all__ = ["ConditionLayer", "LayeredNoise", "normal_deviates"]

RECORD_UNIT = 12**0.5 / 2.0**31
"""A whole number of the layer of records times this is a deviate of variance 1."""


def normal_deviates(uniforms: FloatArray) -> FloatArray:
    """Return standard normal deviates for numbers in [0, 1), to 40 binary places, so that sums of them are exact.

    Examples
    --------
    >>> normal_deviates(np.array([0.5, 0.975])).round(2).tolist()
    [0.0, 1.96]
    """
    from scipy.special import ndtri

    inside = (np.floor(uniforms * 2.0**52) + 0.5) * 2.0**-52  # never 0, never 1
    return np.asarray(np.round(ndtri(inside) * 2.0**40) / 2.0**40)


@dataclass(frozen=True, eq=False)
class ConditionLayer:
    """One condition for each cell: those of the universe are the same for all, those of a table's variable differ.

    Parameters
    ----------
    conditions
        The canonical texts that occur.
    codes
        (m,): which of them each cell meets.
    """

    conditions: tuple[str, ...]
    codes: IntArray


@dataclass(frozen=True, kw_only=True)
class LayeredNoise(Parameterised):
    """Add keyed noise in three layers to an answer about a set of records.

    The noise is ``sd_set z(members) + sd_condition sum_c z(c) + sd_record sum_i r_i``: z(members) is drawn for the set of
    members, z(c) for each condition c that describes it, r_i of variance 1 for each member.

    Protects against repetition (everything is keyed) and, by the layer of records, against any linear combination of
    answers: whatever splits are added up, ``sd_record^2 n`` of variance stays on a set of n. Does not protect, beyond any
    number of splits, the fact that a set is empty or not: count the decompositions as well.

    Parameters
    ----------
    sd_set
        Standard deviation of the layer of the member set.
    sd_condition
        Standard deviation for each condition.
    sd_record
        Standard deviation for each member; the layer of a set of n has sd_record sqrt(n), which is sd_record times the
        sampling error of a count, so analyses of large sets lose little.

    Notes
    -----
    The layer of conditions stands against an attacker who averages splits of one kind: the universe's own conditions are in
    every part, p times in a split of p parts. It is **cancelled** by combining splits into different numbers of parts (three
    times a split in two less twice a split in three), and averaged by writing one set with other conditions;
    :mod:`tacita.query.noise.splitting` computes both. It is therefore 0 by default, and the layer of records, which nothing
    linear removes and which knows no wording, is not. A condition that a cell meets twice counts once.

    For other statistics than counts the standard deviations are in units of the answer. The streams depend on the
    parameters, because the same numbers at two sizes would give the answer back.

    Complexity: O(m L log L) for m cells with L conditions each.

    References
    ----------
    Francis, P., Probst Eide, S. and Munz, R. (2017), Diffix: high-utility database anonymization, Privacy Technologies and
    Policy, LNCS 10518, 141-158 (layers for conditions and members).

    Examples
    --------
    >>> noise, key = LayeredNoise(sd_condition=1.0), Key(b"0123456789abcdef")
    >>> one = noise.noise((5, 7, 30), ["sex=f", "age=1"], key=key)
    >>> one == noise.noise((5, 7, 30), ["age=1", "sex=f", "sex=f"], key=key)
    True
    """

    name: ClassVar[str] = "layers"
    sd_set: Annotated[float, Interval(0)] = 1.0
    sd_condition: Annotated[float, Interval(0)] = 0.0
    sd_record: Annotated[float, Interval(0)] = 0.5

    def record_layer(self, ids: npt.NDArray[np.uint64], *, key: Key, statistic: str = "count") -> IntArray:
        """Return a keyed whole number for each record, uniform on [-2^30, 2^30), whose exact sums make the layer of records.

        Parameters
        ----------
        ids
            (n,) or (n, 2): what identifies each record.
        key
            The secret key of the noise of this data version.
        statistic
            What is asked.

        Notes
        -----
        The numbers are none of those that the members' hash is made of, so that answers tell nothing about it. Sums over up
        to 2^32 records fit into 64 bits. O(n).
        """
        return self._key(key, "records", statistic).record_keys(ids)[:, 0] - 2**30

    def _key(self, key: Key, layer: str, statistic: str) -> Key:
        return key.derive("layer", layer, repr((self.sd_set, self.sd_condition, self.sd_record)), statistic)

    def noise(
        self,
        set_hash: MemberHash,
        conditions: Sequence[str],
        *,
        key: Key,
        statistic: str = "count",
        record_sum: int = 0,
    ) -> float:
        """Return the noise for one set: its sums and number of members, its conditions, the sum of its :meth:`record_layer`."""
        found = self.noise_of_cells(
            np.array([set_hash[:2]], dtype=np.int64),
            np.array([set_hash[2]], dtype=np.int64),
            [ConditionLayer((condition,), np.zeros(1, dtype=np.int64)) for condition in conditions],
            np.array([record_sum], dtype=np.int64),
            key=key,
            statistic=statistic,
        )
        return float(found[0])

    def noise_of_cells(
        self,
        sums: IntArray,
        counts: IntArray,
        layers: Sequence[ConditionLayer],
        record_sums: IntArray,
        *,
        key: Key,
        statistic: str = "count",
    ) -> FloatArray:
        """Return the noise for each cell.

        Parameters
        ----------
        sums, counts
            (m, 2) and (m,): the sums of the members' record keys, and how many they are.
        layers
            The conditions, one for each cell in each layer.
        record_sums
            (m,): exact sums of :meth:`record_layer` over the members.
        key
            The secret key of the noise of this data version.
        statistic
            What is asked; the layers of sets and conditions are drawn for it.

        Raises
        ------
        ParameterError
            When shapes do not fit.
        """
        if any(layer.codes.shape != counts.shape for layer in layers) or record_sums.shape != counts.shape:
            raise ParameterError(f"LayeredNoise: every layer must speak of {len(counts)} cells.")
        members = normal_deviates(set_uniforms(self._key(key, "sets", statistic), sums, counts))
        described = _described(layers, len(counts), self._key(key, "conditions", statistic))
        return self.sd_set * members + self.sd_condition * described + self.sd_record * RECORD_UNIT * record_sums


def _described(layers: Sequence[ConditionLayer], cells: int, key: Key) -> FloatArray:
    """Return the sum of the deviates of each cell's conditions, a condition met twice counted once."""
    names = sorted({condition for layer in layers for condition in layer.conditions})
    if not names:
        return np.zeros(cells)
    place = {name: i for i, name in enumerate(names)}
    deviates = normal_deviates(np.array([key.uniform(name) for name in names]))
    met = np.sort(
        np.stack([np.array([place[c] for c in layer.conditions])[layer.codes] for layer in layers], axis=1), axis=1
    )
    first = np.ones(met.shape, dtype=bool)
    first[:, 1:] = met[:, 1:] != met[:, :-1]
    return np.asarray(np.where(first, deviates[met], 0.0).sum(axis=1))
