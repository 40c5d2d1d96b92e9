"""Optimise: improve masked data after masking, so that less information is lost and risk does not grow."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from tacita.compare.evaluate import known_release
from tacita.compare.optimise.kept_claims import KeptClaims
from tacita.compare.optimise.masked_rules import MaskedRules
from tacita.compare.optimise.optimise_settings import Bounds, Method, OptimiseSettings, Reading
from tacita.compare.optimise.optimised import Aim, Optimised, as_optimised
from tacita.compare.optimise.post_masking import PostMasked, PostMaskingTask, StopLimits, chosen_cells
from tacita.compare.optimise.primed_score import ScoreParts, score_parts
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.docstrings import described_by
from tacita.core.errors import ColumnError, DataError, MeasureError, ParameterError, did_you_mean
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.streams import Seed, Streams, check_seed, draw_seed
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.release.release import Release
from tacita.risk.strongest import Strongest, StrongestAttack

__all__ = ["optimise"]


_WAYS = (1.0, 0.75, 0.5, 0.25)


@described_by(OptimiseSettings)
def optimise(
    original: Microdata,
    masked: Microdata | Release,
    *,
    columns: Columns = OptimiseSettings.columns,
    method: Method = "gradient",
    known: Sequence[str] | None = None,
    target_ratio: float = 0.5,
    share: float | None = None,
    of: Literal["records", "values"] = "records",
    reading: Reading = "raw",
    target_e: float | None = None,
    step: float | None = None,
    max_steps: int | None = None,
    time_limit: float | None = None,
    seed: Seed | None = None,
    bounds: Bounds | None = None,
    decimals: Literal["keep", "any"] = "keep",
    keep_zeros: bool = True,
    identities: Sequence[str] = (),
    chains: Sequence[Sequence[str]] = (),
    rewards_lower_risk: bool = False,
) -> Optimised:
    """Improve masked data: the moments of the original come back, the largest errors go, risk is measured.

    Two methods lower ``E = sum_j (m_j - m'_j)^2 + sum_{j <= k} (S_jk - S'_jk)^2``, the error of means and second moments of the
    standardised columns (5.3), while the mean relative error IL1' comes to within 1 percent of ``target_ratio`` times what
    it was (5.4). Only the ``share`` of records that contribute most to IL1' changes. ``hill_climbing`` is Algorithm 13: one
    random value at a time. ``gradient`` uses that E is a polynomial in the values: L-BFGS-B with a price on leaving the
    band, nearest originals found anew between rounds; it scales to files where climbing does not.

    ``score`` lowers ``Score' = 0.5 IL' + 0.25 DLD' + 0.25 ID'`` (5.1) itself, risk included, one value at a time over all
    records. By default a risk below where it started brings nothing, so that the search lowers loss and holds risk.

    Protects nothing by itself: the masked data must be safe before. Read ``before`` and ``after``: the first two methods
    only hope that risk will not grow. k-anonymity of the masked columns is kept: records that the masked file does not tell
    apart move together, to the mean of what each of them came to. What a recipe claims beside that (marginals, means, ranks)
    optimised values no longer keep; ``dropped`` of the result says so.

    Parameters
    ----------
    original
        The data before masking.
    masked
        The data after masking, or the release. The number and order of its records may differ from the original's.
    seed
        Makes the result repeatable; without it 128 bits are drawn from the system.

    Returns
    -------
    Optimised
        The data, loss and risk before and after, steps, why the search stopped, and whether IL1' is in its band; a
        TacitaWarning says so where it is not, and where k-anonymity could not be kept.

    Raises
    ------
    ParameterError
        When a parameter is out of its limits.
    ColumnError
        When a column is not there or not numeric.
    DataError
        When the masked data break their own bounds, identities or chains; when nothing may change; when IL1' cannot reach its
        target by the values that may change.

    Complexity
    ----------
    One search of nearest originals for all records. Then ``hill_climbing`` O(d) for E in each step and one nearest-neighbour
    query where E falls; ``gradient`` O(r d^2) for each iteration on r records, and one query for each of them in a
    round; ``score`` O(d) for the moments and up to one query for each column known in a step. O(n d) memory.

    Notes
    -----
    Algorithm 13 as printed cannot run: ``undo`` is never taken back, E and IL1' are not restored, no target need ever be
    reached, the size of a step is not given. Here a refused step leaves everything as it was; E is tested before the
    nearest original is searched, which gives the same path; the climb also waits for IL1' to be in its band, and stops
    when 20 steps for each value brought no progress. With few records to change, E has a floor: the records that stay
    leave only so much variance to make up covariances with.

    ID' looks at fixed intervals around the masked rank, so it can be gamed: values barely outside count as safe. That is
    why lower risk is not rewarded by default. Paired risks, which no search looks at, are reported where the link is known,
    and so is the strongest attack by ``columns``, before and after.

    A missing value lies at the mean and stays missing. Where an original value is 0, an error counts as 1.

    References
    ----------
    Sebe, F. (2002), Statistical microdata protection, sections 5.1 and 5.2, Algorithm 13; Sebe, F., Domingo-Ferrer, J.,
    Mateo-Sanz, J. M. and Torra, V. (2002), Post-masking optimization of the tradeoff between information loss and disclosure risk
    in masked microdata sets.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.RankSwap(columns=["earnings", "tax", "savings"], p=15).apply(data, seed=7)
    >>> better = tc.optimise(data, masked, columns=["earnings", "tax", "savings"], share=0.3)
    >>> better.after.e < better.before.e
    True
    """
    given = locals()
    settings = {parameter.name: given[parameter.name] for parameter in OptimiseSettings.parameters()}
    started = time.monotonic()
    released = known_release(masked)
    own = _origins(original, released)
    asked = OptimiseSettings(**settings)
    chosen = draw_seed() if seed is None else check_seed(seed, owner="optimise")
    names, known_count = _columns(original, released, asked)
    rules = MaskedRules.of(names, original, released, asked)
    claims = KeptClaims.of(original, released, names, masked if isinstance(masked, Release) else None)
    task = _task(original, released, rules, known_count, asked)
    task = replace(task, movable=claims.whole_groups(task.movable) & ~rules.frozen(task.y))
    before = score_parts(task.x, task.y, known=known_count, nearest=task.nearest, own=own)
    found = _search(task, asked, before, chosen)
    aim = Aim(asked.method, None if asked.method == "score" else asked.target_ratio, asked.target_e)
    found = found._replace(values=_kept(task, claims, found.values))
    made = as_optimised(task, found, released, before, own, claims, aim=aim, seed=chosen, started=started)
    if own is None:
        return made
    return replace(
        made,
        strongest_before=_strongest(original, released, names),
        strongest_after=_strongest(original, made.data, names),
        seconds=time.monotonic() - started,
    )


def _strongest(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> StrongestAttack | None:
    """Return the strongest attack by the columns that were worked on; None where none can be computed."""
    try:
        return Strongest(columns=names).of_card(pair_records(original, masked, "link"), ()).attacks[0].attack
    except MeasureError:
        return None


def _origins(original: Microdata, masked: Microdata) -> tuple[IntArray, IntArray] | None:
    """Return the masked rows whose origin is known, and these origins; None without a link."""
    for name, data in (("original", original), ("masked", masked)):
        if not isinstance(data, Microdata):
            raise ParameterError(
                f"optimise: '{name}' must be Microdata, got {type(data).__name__}; Microdata.from_frame makes them of a frame."
            )
    if masked.source != original.source:
        return None
    pair = pair_records(original, masked, "link")
    return pair.masked_rows, pair.rows


def _columns(original: Microdata, masked: Microdata, asked: OptimiseSettings) -> tuple[tuple[str, ...], int]:
    """Return the columns, those that an intruder knows first, and how many these are."""
    shared = original.schema.select(name for name in original.names if name in masked.schema)
    names = shared.resolve(asked.columns, owner="optimise", scales={"numeric"})
    masked.schema.resolve(names, owner="optimise", scales={"numeric"})
    if asked.known is None:
        keys = [name for name in names if shared[name].has_role("key")]
        first = keys if 0 < len(keys) < len(names) else list(names[: (len(names) + 1) // 2])
    else:
        among = shared.select(names)
        first = list(among.resolve(asked.known, owner="optimise") if isinstance(asked.known, Selector) else asked.known)
        stray = [name for name in first if name not in names]
        if stray:
            raise ColumnError(
                f"optimise: 'known' names '{stray[0]}', which must be in 'columns' too.{did_you_mean(stray[0], names)}"
            )
        if not first or len(set(first)) < len(first):
            raise ColumnError("optimise: 'known' must name at least one column, and each once.")
    return (*first, *(name for name in names if name not in first)), len(first)


def _task(
    original: Microdata, masked: Microdata, rules: MaskedRules, known: int, asked: OptimiseSettings
) -> PostMaskingTask:
    x, y = np.ascontiguousarray(original.floats(rules.names)), np.ascontiguousarray(masked.floats(rules.names))
    if len(x) < 2 or len(y) < 2:
        raise DataError(f"optimise: both files must have at least 2 records, got {len(x)} and {len(y)}.")
    for j, name in enumerate(rules.names):
        if np.isnan(x[:, j]).all() or np.isnan(y[:, j]).all():
            raise DataError(f"optimise: column '{name}' has no value in one of the files; leave it out of 'columns'.")
    task = PostMaskingTask.of(x, y, rules, known=known, reading=asked.reading)
    movable = chosen_cells(task, share=asked.own_share, of=asked.of) & ~rules.frozen(y)
    if not movable.any():
        raise DataError("optimise: no value may change, since totals that are 0 stay 0; try 'keep_zeros=False'.")
    return replace(task, movable=movable)


def _kept(task: PostMaskingTask, claims: KeptClaims, values: FloatArray) -> FloatArray:
    """Return what was found as it is written, groups moved together: all of the way, or as far as the moments gain most."""
    from tacita.numeric.post_masking.moment_objective import moment_error, moment_sums

    if not claims.groups:
        return task.rules.as_written(task.y, values)
    way, wanted = claims.kept(task.y, values) - task.y, moment_sums(task.standard(task.x))
    made = [task.rules.restored(task.y, task.rules.as_written(task.y, task.y + part * way)) for part in _WAYS]
    errors = [moment_error(moment_sums(task.standard(values)), wanted) for values in made]
    return made[int(np.argmin(errors))]


def _search(task: PostMaskingTask, asked: OptimiseSettings, before: ScoreParts, seed: Seed) -> PostMasked:
    from tacita.compare.optimise.moment_search import climb_moments, descend_moments
    from tacita.compare.optimise.score_search import search_for_score

    limits = StopLimits(asked.target_e, asked.most_steps(int(task.movable.sum())), asked.time_limit)
    ratio, step, rewards = asked.target_ratio, asked.own_step, asked.rewards_lower_risk
    if asked.method == "gradient":
        return descend_moments(task, limits, target_ratio=ratio)
    settings = repr((ratio, asked.own_share, asked.of, asked.reading, step, rewards))
    words_seed = int(Streams(seed).stream("optimise", asked.method, settings).integers(2**63))
    if asked.method == "hill_climbing":
        return climb_moments(task, limits, target_ratio=ratio, step=step, words_seed=words_seed)
    return search_for_score(task, limits, step=step, words_seed=words_seed, rewards_lower_risk=rewards, before=before)
