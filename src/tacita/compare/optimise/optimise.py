"""Optimise: improve masked data after masking, so that less information is lost and risk does not grow."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from tacita.compare.evaluate import known_release
from tacita.compare.optimise.kept_claims import KeptClaims
from tacita.compare.optimise.masked_rules import Bounds, MaskedRules
from tacita.compare.optimise.optimised import Aim, Method, Optimised, as_optimised
from tacita.compare.optimise.post_masking import PostMasked, PostMaskingTask, Reading, StopLimits, chosen_cells
from tacita.compare.optimise.primed_score import ScoreParts, score_parts
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, MeasureError, ParameterError, did_you_mean
from tacita.core.parameters import Columns, Interval, coerce
from tacita.core.selectors import Selector
from tacita.core.streams import Seed, Streams, check_seed, draw_seed
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.release.release import Release
from tacita.risk.strongest import Strongest, StrongestAttack

__all__ = ["optimise"]


_STEPS = {"gradient": 1_000, "hill_climbing": 5_000_000}
_SCORE_PASSES = 30
_NUMERIC = Selector("numeric columns")
_WAYS = (1.0, 0.75, 0.5, 0.25)
_SHARE = {"gradient": 0.1, "hill_climbing": 0.1, "score": 1.0}
_STEP = {"gradient": 1.0, "hill_climbing": 3.0, "score": 1.0}


def optimise(
    original: Microdata,
    masked: Microdata | Release,
    *,
    columns: Columns = _NUMERIC,
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
    columns
        The columns to work on; by default all numeric ones that both files have.
    method
        ``gradient``, ``hill_climbing`` or ``score``.
    known
        The columns that an intruder knows for DLD', best known first; by default the numeric keys if there are other
        columns beside them, otherwise the first half of the columns.
    target_ratio
        The paper's p: IL1' afterwards relative to before. Not used by ``score``.
    share
        The paper's q: the share of records that may change; by default 0.1, and 1 for ``score``.
    of
        Whether ``share`` counts ``records`` or ``values``: the paper's M is a set of records in the text and of values in (5.3).
    reading
        Relative errors of ``raw`` values, or of ``standardised`` ones as Algorithm 13 prints it; there denominators come near 0.
    target_e
        Stop when E is there and IL1' in its band; by default go on until E no longer falls. Not used by ``score``.
    step
        Largest change of one value in a step, in standard deviations: a value moves by ``step u^3`` of them with u uniform on
        (-1, 1), mostly a little. By default 3 for ``hill_climbing`` and 1 for ``score``, which takes every second step towards
        the nearest original instead.
    max_steps
        Most steps; by default 5 000 000 of ``hill_climbing``, 30 for each value of ``score``, 1000 iterations of ``gradient``.
    time_limit
        Seconds after which the search stops; the result then depends on the speed of the machine.
    seed
        Makes the result repeatable; without it 128 bits are drawn from the system.
    bounds
        Smallest and largest value of a column, None for no bound; by default those of the schema. A column without a lower
        bound that has no negative value in either file gets none.
    decimals
        ``keep`` writes every column with as many decimals as it has in the masked file: whole numbers stay whole, and parts of
        a whole total move by whole numbers. ``any`` does not round.
    keep_zeros
        Zeros of the masked file stay zeros, and no other value becomes one. Parts of a total that is 0 stay as they are.
    identities
        Accounting identities such as ``total = part + part``: parts move, totals are recomputed.
    chains
        Chains of columns, largest first, such as ``["income", "tax"]``: no record gets out of order.
    rewards_lower_risk
        Let ``score`` gain by risk below where it started. Such a search learns to put values barely outside the rank
        intervals that ID' looks at, which a person who knows the method can use; see the notes.

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
    started = time.monotonic()
    released = known_release(masked)
    own = _origins(original, released)
    plan = _plan(method, columns, target_ratio, share, of, reading, step, (target_e, max_steps, time_limit))
    chosen = draw_seed() if seed is None else check_seed(seed, owner="optimise")
    rewards_lower_risk = coerce(rewards_lower_risk, bool, owner="optimise", name="rewards_lower_risk")
    names, known_count = _columns(original, released, plan.columns, known)
    rules = MaskedRules.of(
        names,
        original,
        released,
        bounds=bounds,
        decimals=decimals,
        keep_zeros=keep_zeros,
        identities=identities,
        chains=chains,
    )
    claims = KeptClaims.of(original, released, names, masked if isinstance(masked, Release) else None)
    task = _task(original, released, rules, known_count, plan)
    task = replace(task, movable=claims.whole_groups(task.movable) & ~rules.frozen(task.y))
    before = score_parts(task.x, task.y, known=known_count, nearest=task.nearest, own=own)
    found = _search(task, plan, before, chosen, rewards_lower_risk)
    aim = Aim(plan.method, None if plan.method == "score" else plan.target_ratio, plan.limits[0])
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


class _Plan(NamedTuple):
    """The parameters of a search after their check."""

    method: Method
    columns: Columns
    target_ratio: float
    share: float
    of: Literal["records", "values"]
    reading: Reading
    step: float
    limits: tuple[float | None, int | None, float | None]


_TYPES: dict[str, Any] = {
    "method": Method,
    "columns": Columns,
    "target_ratio": Annotated[float, Interval(0, closed="neither")],
    "share": Annotated[float, Interval(0, 1, closed="right")],
    "of": Literal["records", "values"],
    "reading": Reading,
    "step": Annotated[float, Interval(0, closed="neither")],
}
_LIMIT_TYPES: dict[str, Any] = {
    "target_e": Annotated[float, Interval(0)] | None,
    "max_steps": Annotated[int, Interval(1)] | None,
    "time_limit": Annotated[float, Interval(0)] | None,
}


def _plan(
    method: Method,
    columns: Columns,
    target_ratio: float,
    share: float | None,
    of: Literal["records", "values"],
    reading: Reading,
    step: float | None,
    limits: tuple[float | None, int | None, float | None],
) -> _Plan:
    method = coerce(method, Method, owner="optimise", name="method")
    given = _Plan(
        method,
        columns,
        target_ratio,
        _SHARE[method] if share is None else share,
        of,
        reading,
        _STEP[method] if step is None else step,
        _limits(*limits),
    )
    checked = {name: coerce(getattr(given, name), kind, owner="optimise", name=name) for name, kind in _TYPES.items()}
    if reading == "standardised" and method == "score":
        raise ParameterError("optimise: 'reading' must be 'raw' for the method 'score', whose IL' is on raw values.")
    return given._replace(**checked)


def _limits(*given: Any) -> tuple[float | None, int | None, float | None]:
    target_e, max_steps, time_limit = (
        coerce(value, kind, owner="optimise", name=name)
        for value, (name, kind) in zip(given, _LIMIT_TYPES.items(), strict=True)
    )
    return target_e, max_steps, time_limit


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


def _columns(
    original: Microdata, masked: Microdata, columns: Columns, known: Sequence[str] | None
) -> tuple[tuple[str, ...], int]:
    """Return the columns, those that an intruder knows first, and how many these are."""
    shared = original.schema.select(name for name in original.names if name in masked.schema)
    names = shared.resolve(columns, owner="optimise", scales={"numeric"})
    masked.schema.resolve(names, owner="optimise", scales={"numeric"})
    if known is None:
        keys = [name for name in names if shared[name].has_role("key")]
        first = keys if 0 < len(keys) < len(names) else list(names[: (len(names) + 1) // 2])
    else:
        first = list(coerce(known, Columns, owner="optimise", name="known"))
        stray = [name for name in first if name not in names]
        if stray:
            raise ColumnError(
                f"optimise: 'known' names '{stray[0]}', which must be in 'columns' too.{did_you_mean(stray[0], names)}"
            )
        if not first or len(set(first)) < len(first):
            raise ColumnError("optimise: 'known' must name at least one column, and each once.")
    return (*first, *(name for name in names if name not in first)), len(first)


def _task(original: Microdata, masked: Microdata, rules: MaskedRules, known: int, plan: _Plan) -> PostMaskingTask:
    x, y = np.ascontiguousarray(original.floats(rules.names)), np.ascontiguousarray(masked.floats(rules.names))
    if len(x) < 2 or len(y) < 2:
        raise DataError(f"optimise: both files must have at least 2 records, got {len(x)} and {len(y)}.")
    for j, name in enumerate(rules.names):
        if np.isnan(x[:, j]).all() or np.isnan(y[:, j]).all():
            raise DataError(f"optimise: column '{name}' has no value in one of the files; leave it out of 'columns'.")
    task = PostMaskingTask.of(x, y, rules, known=known, reading=plan.reading)
    movable = chosen_cells(task, share=plan.share, of=plan.of) & ~rules.frozen(y)
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


def _search(task: PostMaskingTask, plan: _Plan, before: ScoreParts, seed: Seed, rewards_lower_risk: bool) -> PostMasked:
    from tacita.compare.optimise.moment_search import climb_moments, descend_moments
    from tacita.compare.optimise.score_search import search_for_score

    most = _STEPS.get(plan.method, _SCORE_PASSES * int(task.movable.sum()))
    target_e, max_steps, time_limit = plan.limits
    limits = StopLimits(target_e, most if max_steps is None else max_steps, time_limit)
    if plan.method == "gradient":
        return descend_moments(task, limits, target_ratio=plan.target_ratio)
    settings = repr((plan.target_ratio, plan.share, plan.of, plan.reading, plan.step, rewards_lower_risk))
    words_seed = int(Streams(seed).stream("optimise", plan.method, settings).integers(2**63))
    if plan.method == "hill_climbing":
        return climb_moments(task, limits, target_ratio=plan.target_ratio, step=plan.step, words_seed=words_seed)
    return search_for_score(
        task, limits, step=plan.step, words_seed=words_seed, rewards_lower_risk=rewards_lower_risk, before=before
    )
