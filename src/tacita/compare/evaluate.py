"""Evaluate: run every applicable measure on a masked file and its original."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tacita.compare.scorecard import Scorecard
from tacita.core import registry
from tacita.core.errors import ColumnError, MeasureError, ParameterError, UnknownMethodError, did_you_mean
from tacita.core.parameters import Columns
from tacita.core.progress import track
from tacita.data.measure import Measure, Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pairing, pair_records
from tacita.mask.release import Release

__all__ = ["evaluate", "find_measure"]

BoolArray = npt.NDArray[np.bool_]


def evaluate(
    original: Microdata,
    masked: Microdata | Release,
    *,
    measures: Sequence[str | Measure] | None = None,
    columns: Columns | None = None,
    pairing: Pairing = "auto",
    among: BoolArray | None = None,
) -> Scorecard:
    """Measure what masking cost and what risk is left.

    Parameters
    ----------
    original
        The data before masking.
    masked
        The data after masking, or the release.
    measures
        Names of registered measures, or measures with parameters of their own; by default every applicable one
        that stands on a card by default (``tacita methods`` says which).
    columns
        The columns to compare, for measures given by name; by default each measure's own choice.
    pairing
        ``auto`` pairs by the link kept inside and otherwise by the nearest record (primed measures); ``order`` pairs by
        row order, ``link`` and ``nearest`` insist on the one or the other.
    among
        Measure only some records: for each original record whether it belongs to them. Each is still compared with the
        whole of the other file, so a linked record was found among all.

    Returns
    -------
    Scorecard
        Measures by name; those that cannot be computed are listed with the reason.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.RankSwap(columns=["income"], p=10).apply(data, seed=7)
    >>> card = tc.evaluate(data, masked, columns=["income"])
    >>> card.pairing
    'link'
    >>> card["rid"] <= 100
    True
    """
    released = masked.data if isinstance(masked, Release) else masked
    pair = pair_records(original, released, pairing)
    if among is not None:
        pair = pair.among(among)
    chosen = [_built(m, columns) for m in (measures if measures is not None else _default_names())]
    results: dict[str, tuple[Measure, Measured]] = {}
    skipped: dict[str, str] = {}
    for measure in track(chosen, "Measuring"):
        try:
            results[measure.name] = (measure, measure.of_pair(pair))
        except (MeasureError, ColumnError) as error:
            if measures is not None:
                raise  # a measure that was asked for by name must not vanish from the card
            skipped[measure.name] = str(error)
    if columns is not None and skipped and not results:  # columns that were asked for must not give an empty card
        raise MeasureError(f"No measure could be computed for these columns. {next(iter(skipped.values()))}")
    return Scorecard(original, released, results, skipped, pair.how)


def find_measure(name: str) -> type[Measure]:
    """Return the registered loss or risk of that name."""
    named = {m.name: m for m in registry.methods() if issubclass(m, Measure)}
    if name not in named:
        raise UnknownMethodError(f"There is no measure named '{name}'.{did_you_mean(name, named)}")
    return named[name]


def _default_names() -> list[str]:
    return [m.name for m in registry.methods() if issubclass(m, Measure) and m.traits.by_default]


def _built(measure: str | Measure, columns: Columns | None) -> Measure:
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise ParameterError(f"evaluate: 'measures' must be names or measures, got {type(measure).__name__}.")
    kind = find_measure(measure)
    return kind() if columns is None else kind(columns=columns)
