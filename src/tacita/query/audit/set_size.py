"""Query-set-size control: sets of few records, and of all records but few, are refused."""

from __future__ import annotations

from tacita.core.errors import ParameterError
from tacita.query.audit.decision import Decision

__all__ = ["judge_set_size"]

RULE = "set_size"


def judge_set_size(size: int, n_records: int, *, k: int, may_ask_for_all: bool = True) -> Decision:
    """Allow a set C of records with ``k <= |C| <= n - k``.

    **Protects against** asking for a person. **Does not protect against** trackers, which pad a small set with
    records and take them out again: a known-weak rule on its own.

    Parameters
    ----------
    size
        Records of the set.
    n_records
        Records of the data set.
    k
        Fewest records of a set, and of what it leaves out.
    may_ask_for_all
        Whether the set of all records is allowed too, which leaves nobody out.

    Raises
    ------
    ParameterError
        When k is not positive or the size is impossible.

    Notes
    -----
    The paper's rule refuses the total, and every tracker makes it up from two queries; to allow it costs nothing.

    References
    ----------
    Denning, D. E., Denning, P. J. and Schwartz, M. D. (1979), The tracker: a threat to statistical database security,
    ACM Transactions on Database Systems 4, 76-96.

    Examples
    --------
    >>> [judge_set_size(size, 20, k=3).outcome for size in (2, 3, 17, 18, 20)]
    ['deny', 'allow', 'allow', 'deny', 'allow']
    """
    if k < 1:
        raise ParameterError(f"judge_set_size: 'k' must be at least 1, got {k}.")
    if not 0 <= size <= n_records:
        raise ParameterError("judge_set_size: 'size' must be between 0 and the number of records.")
    if (size == n_records >= k and may_ask_for_all) or k <= size <= n_records - k:
        return Decision("allow", RULE)
    return Decision("deny", RULE, f"The set has fewer than {k} records, or leaves fewer than {k} out.")
