"""Design-based variances, cluster by cluster: every cluster of the version is looked at for every cell."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["mean_variance_oracle", "share_variance_oracle", "total_variance_oracle"]


def total_variance_oracle(
    z: Sequence[float],
    inside: Sequence[bool],
    stratum: Sequence[int],
    cluster: Sequence[int],
) -> float:
    """Return the variance of the sum of z over the records inside; all records of the version are given."""
    home: dict[int, int] = {}
    for h, p in zip(stratum, cluster, strict=True):
        home.setdefault(p, h)  # a cluster belongs to the stratum of its first record
    totals = dict.fromkeys(home, 0.0)
    for value, is_in, p in zip(z, inside, cluster, strict=True):
        totals[p] += value if is_in else 0.0
    variance = 0.0
    for h in set(home.values()):
        mine = [totals[p] for p in home if home[p] == h]
        n = len(mine)
        if n == 1:
            variance += mine[0] ** 2
        else:
            mean = sum(mine) / n
            variance += n / (n - 1) * sum((t - mean) ** 2 for t in mine)
    return variance


def mean_variance_oracle(
    x: Sequence[float],
    w: Sequence[float],
    inside: Sequence[bool],
    stratum: Sequence[int],
    cluster: Sequence[int],
) -> float:
    """Return the linearised variance of the weighted mean of x over the records inside."""
    weight = sum(wi for wi, is_in in zip(w, inside, strict=True) if is_in)
    mean = sum(wi * xi for wi, xi, is_in in zip(w, x, inside, strict=True) if is_in) / weight
    z = [wi * (xi - mean) / weight if is_in else 0.0 for wi, xi, is_in in zip(w, x, inside, strict=True)]
    return total_variance_oracle(z, inside, stratum, cluster)


def share_variance_oracle(
    w: Sequence[float],
    inside: Sequence[bool],
    universe: Sequence[bool],
    stratum: Sequence[int],
    cluster: Sequence[int],
) -> float:
    """Return the linearised variance of the weighted share of the records inside in the universe."""
    whole = sum(wi for wi, is_in in zip(w, universe, strict=True) if is_in)
    share = sum(wi for wi, a, b in zip(w, inside, universe, strict=True) if a and b) / whole
    z = [wi * ((a and b) - share) / whole if b else 0.0 for wi, a, b in zip(w, inside, universe, strict=True)]
    return total_variance_oracle(z, universe, stratum, cluster)
