"""Questions as addresses: what stands behind the ``?`` of a page, read as a request and written back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlencode

from starlette.datastructures import QueryParams

__all__ = [
    "MOST_PIECES_SHOWN",
    "PAGES",
    "address_of",
    "effect_text",
    "effects_of",
    "interaction_text",
    "interactions_of",
    "plain_request",
    "universe_pieces",
]

MOST_PIECES_SHOWN = 3
"""Pieces of a universe that a form can hold; requests of programs may have more."""

PAGES = {
    "tabulate": "table",
    "regress": "regression",
    "residuals": "regression",
    "quantiles": "quantiles",
    "correlate": "correlations",
    "statistic": "number",
}
"""The page on which a question of each kind is asked."""

_PREFIXES = ("u.", "u1.", "u2.")
_TRANSFORMS = ("square", "sqrt", "log")


def universe_pieces(query: QueryParams) -> list[dict[str, list[str]]]:
    """Return the conditions of each piece of a universe; pieces without a tick are left out.

    Parameters
    ----------
    query
        What stands behind the ``?``: ``u.sex=f&u.sex=m`` is the first piece, ``u1.`` and ``u2.`` begin the others.

    Examples
    --------
    >>> universe_pieces(QueryParams("u.sex=f&u.region=north&u.region=south&u1.sex=m"))
    [{'sex': ['f'], 'region': ['north', 'south']}, {'sex': ['m']}]
    """
    pieces: list[dict[str, list[str]]] = []
    for prefix in _PREFIXES:
        piece: dict[str, list[str]] = {}
        for name, word in query.multi_items():
            if name.startswith(prefix) and len(name) > len(prefix):
                piece.setdefault(name[len(prefix) :], []).append(word)
        if piece:
            pieces.append(piece)
    return pieces


def plain_request(kind: str, query: QueryParams) -> dict[str, Any] | None:
    """Return the request that an address asks for; None where it is not complete.

    Parameters
    ----------
    kind
        Kind of request that the page is for.
    query
        What stands behind the ``?``.

    Examples
    --------
    >>> plain_request("tabulate", QueryParams("by=sex&by=&statistic=count&u.region=north"))
    {'kind': 'tabulate', 'by': ['sex'], 'where': {'region': ['north']}}
    >>> plain_request("tabulate", QueryParams("statistic=count")) is None
    True
    """
    made = _READ[kind](query)
    if made is None:
        return None
    pieces = universe_pieces(query)
    if pieces:
        made["where"] = pieces[0] if len(pieces) == 1 else {"any": pieces}
    return {"kind": kind, **made}


def address_of(dataset: str, request: Mapping[str, Any], **more: str) -> str | None:
    """Return the address of a question; None where no page can ask it.

    Parameters
    ----------
    dataset
        Name of the data set.
    request
        The question in its JSON form.
    **more
        Further settings of the page.

    Examples
    --------
    >>> address_of("survey", {"kind": "tabulate", "by": ["sex"], "where": {"region": ["north"]}})
    '/explore/survey/table?by=sex&u.region=north'
    """
    kind = str(request.get("kind", ""))
    pieces = _pieces(request.get("where") or {})
    if kind not in PAGES or len(pieces) > MOST_PIECES_SHOWN:
        return None
    pairs = list(_WRITE[kind](request))
    for prefix, piece in zip(_PREFIXES, pieces, strict=False):
        pairs += [(prefix + name, str(word)) for name, words in piece.items() for word in words]
    pairs += more.items()
    return f"/explore/{quote(dataset, safe='')}/{PAGES[kind]}?{urlencode(pairs)}"


def effect_text(effect: str | Mapping[str, str]) -> str:
    """Return a predictor as an address has it: ``age`` or ``age:square``.

    Examples
    --------
    >>> effect_text({"variable": "a:b", "transform": "log"})
    'a%3Ab:log'
    """
    if isinstance(effect, str):
        return _guarded(effect)
    return (
        f"{_guarded(effect['variable'])}:{effect['transform']}" if effect["transform"] else _guarded(effect["variable"])
    )


def effects_of(texts: Iterable[str]) -> list[str | dict[str, str]]:
    """Return predictors from an address, each once.

    Examples
    --------
    >>> effects_of(["age", "age:square", "age"])
    ['age', {'variable': 'age', 'transform': 'square'}]
    """
    found: list[str | dict[str, str]] = []
    for text in dict.fromkeys(texts):
        name, mark, change = text.rpartition(":")
        if mark and change in _TRANSFORMS:
            found.append({"variable": unquote(name), "transform": change})
        elif text:
            found.append(unquote(text))
    return found


def interaction_text(names: Sequence[str]) -> str:
    """Return an interaction as an address has it: ``age*sex``."""
    return "*".join(map(_guarded, names))


def interactions_of(texts: Iterable[str]) -> list[list[str]]:
    """Return interactions from an address, each once.

    Examples
    --------
    >>> interactions_of(["age*sex", "", "age*sex"])
    [['age', 'sex']]
    """
    return [[unquote(name) for name in text.split("*")] for text in dict.fromkeys(texts) if text]


def _guarded(name: str) -> str:
    """Write the three signs that have a meaning here as numbers, should a name have them."""
    return name.replace("%", "%25").replace("*", "%2A").replace(":", "%3A")


def _pieces(where: Mapping[str, Any]) -> list[Mapping[str, Sequence[str]]]:
    parts = where.get("any")
    if isinstance(parts, list) and len(where) == 1 and all(isinstance(part, Mapping) for part in parts):
        return list(parts)
    return [where] if where else []


def _given(query: QueryParams, *names: str) -> dict[str, Any]:
    """What an address says of some settings; an empty one says nothing."""
    return {name: query[name] for name in names if query.get(name)}


# --- each kind, read ------------------------------------------------------------------------------------------------------


def _table(query: QueryParams) -> dict[str, Any] | None:
    by = [name for name in query.getlist("by") if name]
    if not by:
        return None
    made = {"by": by, **_given(query, "statistic", "unit", "each")}
    if made.get("statistic") in ("mean", "total"):  # a form sends its response for counts as well
        made |= _given(query, "response")
    return {name: value for name, value in made.items() if (name, value) not in _USUAL}


def _regression(query: QueryParams) -> dict[str, Any] | None:
    predictors = effects_of(query.getlist("x"))
    if not query.get("response") or not predictors:
        return None
    made: dict[str, Any] = {"response": query["response"], "predictors": predictors}
    interactions = interactions_of(query.getlist("i"))
    if interactions:
        made["interactions"] = interactions
    if query.get("family", "linear") != "linear":
        made["family"] = query["family"]
    return {**made, "robust": True} if query.get("robust") else made


def _quantiles(query: QueryParams) -> dict[str, Any] | None:
    if not query.get("response"):
        return None
    levels = [_number(text) for text in query.getlist("level") if text]
    return {"response": query["response"], **({"levels": levels} if levels else {})}


def _correlations(query: QueryParams) -> dict[str, Any] | None:
    columns = list(dict.fromkeys(name for name in query.getlist("column") if name))
    if len(columns) < 2:
        return None
    return {"columns": columns, **({"method": query["method"]} if query.get("method", "pearson") != "pearson" else {})}


def _number_page(query: QueryParams) -> dict[str, Any] | None:
    if not query.get("statistic"):
        return None
    made = _given(query, "statistic")
    if made["statistic"] != "count":
        made |= _given(query, "response")
    wanted = {"quantile": "level", "count_above": "above"}.get(made["statistic"])
    if wanted and query.get(wanted):
        made[wanted] = _number(query[wanted])
    return made


def _number(text: str) -> float | str:
    """A number, or the text as it is, which the request then refuses by name."""
    try:
        return float(text)
    except ValueError:
        return text


_USUAL = (("statistic", "count"), ("unit", "persons"))
_READ = {
    "tabulate": _table,
    "regress": _regression,
    "residuals": _regression,
    "quantiles": _quantiles,
    "correlate": _correlations,
    "statistic": _number_page,
}


# --- each kind, written ---------------------------------------------------------------------------------------------------

_Pairs = Iterable[tuple[str, str]]


def _write_table(request: Mapping[str, Any]) -> _Pairs:
    yield from (("by", name) for name in request["by"])
    yield from _said(request, "statistic", "response", "unit", "each")


def _write_regression(request: Mapping[str, Any]) -> _Pairs:
    yield "response", request["response"]
    yield from (("x", effect_text(effect)) for effect in request["predictors"])
    yield from (("i", interaction_text(names)) for names in request.get("interactions", ()))
    yield from _said(request, "family")
    if request.get("robust"):
        yield "robust", "1"
    if request["kind"] == "residuals":
        yield "plots", "1"


def _write_quantiles(request: Mapping[str, Any]) -> _Pairs:
    yield "response", request["response"]
    yield from (("level", f"{level:g}") for level in request.get("levels", ()))


def _write_correlations(request: Mapping[str, Any]) -> _Pairs:
    yield from (("column", name) for name in request["columns"])
    yield from _said(request, "method")


def _write_number(request: Mapping[str, Any]) -> _Pairs:
    yield "statistic", request.get("statistic", "count")
    yield from _said(request, "response", "level", "above")


def _said(request: Mapping[str, Any], *names: str) -> _Pairs:
    yield from ((name, str(request[name])) for name in names if request.get(name) is not None)


_WRITE = {
    "tabulate": _write_table,
    "regress": _write_regression,
    "residuals": _write_regression,
    "quantiles": _write_quantiles,
    "correlate": _write_correlations,
    "statistic": _write_number,
}
