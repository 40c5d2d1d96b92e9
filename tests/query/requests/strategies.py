"""Requests of every kind, drawn by Hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tacita.query.requests import Correlate, Quantiles, QueryRequest, Regress, Residuals, Statistic, Tabulate
from tacita.query.universe.universe import Universe

__all__ = ["requests", "universes"]

names = st.sampled_from(["any", "age", "sex", "income", "kind", "where", "ä b", '"', "x'y"])
words = st.one_of(st.text(alphabet="ab ä\"'\\\n0", max_size=4), st.integers(-9, 9), st.floats(-3, 3), st.booleans())
pieces = st.dictionaries(names, st.lists(words, min_size=1, max_size=3), max_size=2)
universes = st.lists(pieces, min_size=1, max_size=3).map(lambda rows: Universe.from_plain({"any": rows}))
several = st.lists(names, min_size=1, max_size=4, unique=True)
effects = st.one_of(
    names,
    st.fixed_dictionaries({"variable": names, "transform": st.sampled_from(["", "square", "sqrt", "log"])}),
)


@st.composite
def tabulates(draw: st.DrawFn) -> Tabulate:
    statistic = draw(st.sampled_from(["count", "weighted_count", "percent", "mean", "total"]))
    response = draw(names) if statistic in ("mean", "total") else None
    unit = draw(st.sampled_from(["persons", "households"])) if statistic in ("count", "percent") else "persons"
    return Tabulate(
        by=draw(several),
        response=response,
        statistic=statistic,
        unit=unit,
        where=draw(universes),  # type: ignore[arg-type]
    )


@st.composite
def statistics(draw: st.DrawFn) -> Statistic:
    kind = draw(st.sampled_from(["count", "sum", "mean", "variance", "sd", "median", "quantile", "count_above"]))
    return Statistic(
        response=None if kind == "count" else draw(names),
        statistic=kind,  # type: ignore[arg-type]
        level=draw(st.floats(0, 1)) if kind == "quantile" else None,
        above=draw(st.floats(-1e9, 1e9)) if kind == "count_above" else None,
        where=draw(universes),
    )


@st.composite
def regressions(draw: st.DrawFn, kind: type[Regress] = Regress, **more: Any) -> Regress:
    family = draw(st.sampled_from(["linear", "logistic"]))
    return kind(
        response=draw(names),
        predictors=draw(st.lists(effects, min_size=1, max_size=3)),  # type: ignore[arg-type]
        interactions=draw(st.lists(st.lists(names, min_size=2, max_size=3), max_size=2)),  # type: ignore[arg-type]
        family=family,
        robust=family == "linear" and draw(st.booleans()),
        where=draw(universes),
        **{name: draw(values) for name, values in more.items()},
    )


requests: st.SearchStrategy[QueryRequest] = st.one_of(
    tabulates(),
    statistics(),
    regressions(),
    regressions(Residuals, plots=st.sampled_from(["synthetic", "binned"])),
    st.builds(
        Correlate,
        columns=st.lists(names, min_size=2, max_size=4, unique=True),
        method=st.sampled_from(["pearson", "spearman"]),
        where=universes,
    ),
    st.builds(
        Quantiles,
        response=names,
        levels=st.lists(st.floats(0, 1, exclude_min=True, exclude_max=True), min_size=1, max_size=3),
        where=universes,
    ),
)
