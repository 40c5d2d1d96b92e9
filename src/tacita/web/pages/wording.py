"""Questions in words: what a page, a caption and a citation say of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tacita.report.words import names_in_words

__all__ = [
    "STATISTICS",
    "TRANSFORMS",
    "Labels",
    "effect_words",
    "equation_words",
    "question_words",
    "shortened",
    "straight",
    "universe_words",
]

STATISTICS = {
    "count": "Number of records",
    "weighted_count": "Weighted count",
    "percent": "Percent",
    "mean": "Mean",
    "total": "Total",
    "sum": "Sum",
    "variance": "Variance",
    "sd": "Standard deviation",
    "median": "Median",
    "quantile": "Quantile",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "count_above": "Number of records above a limit",
}
"""What a statistic is called."""

TRANSFORMS = {"": "as it is", "square": "square", "sqrt": "square root", "log": "logarithm"}
"""What a transformation is called."""

_MOST_CLASSES = 8
_TURNS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


class Labels:
    """What the variables of a data set are called by people.

    Parameters
    ----------
    variables
        The published catalogue, ready for JSON.

    Examples
    --------
    >>> Labels([{"name": "sex", "label": "Sex of the person"}])["sex"]
    'Sex of the person'
    """

    def __init__(self, variables: Sequence[Mapping[str, Any]]) -> None:
        self._labels = {row["name"]: straight(str(row.get("label") or row["name"])) for row in variables}

    def __getitem__(self, name: str) -> str:
        return self._labels.get(name, straight(name))


def question_words(request: Mapping[str, Any], labels: Labels) -> str:
    """Return a question in words.

    Parameters
    ----------
    request
        The question in its JSON form.
    labels
        What variables are called.

    Examples
    --------
    >>> question_words({"kind": "tabulate", "by": ["sex"], "where": {"region": ["north"]}}, Labels([]))
    'Number of records by sex. Universe: region is north'
    """
    said = _SAID.get(str(request.get("kind")))
    if said is None:
        return "A question that could not be read"
    return f"{said(request, labels)}. Universe: {universe_words(request.get('where') or {}, labels)}"


def universe_words(where: Mapping[str, Any], labels: Labels) -> str:
    """Return a universe in words.

    Examples
    --------
    >>> universe_words({"any": [{"sex": ["f"]}, {"age": ["up to 5", "6 to 9"]}]}, Labels([]))
    'sex is f; or age is up to 5 or 6 to 9'
    """
    if not where:
        return "everybody"
    parts = where.get("any")
    is_union = isinstance(parts, list) and len(where) == 1 and all(isinstance(part, Mapping) for part in parts)
    pieces = parts if is_union and parts is not None else [where]
    return "; or ".join(_piece_words(piece, labels) for piece in pieces)


def equation_words(request: Mapping[str, Any]) -> str:
    """Return a regression as an equation of names.

    Examples
    --------
    >>> equation_words({"response": "income", "predictors": ["age", "sex"], "interactions": [["age", "sex"]]})
    'income ~ age + sex + age × sex'
    """
    terms = [effect_words(effect) for effect in request.get("predictors", ())]
    terms += [" × ".join(names) for names in request.get("interactions", ())]
    return straight(f"{request.get('response', '')} ~ {' + '.join(terms)}")


def effect_words(effect: str | Mapping[str, str]) -> str:
    """Return a predictor as the coefficients call it: ``age`` or ``log(age)``."""
    if isinstance(effect, str):
        return effect
    return f"{effect['transform']}({effect['variable']})" if effect["transform"] else effect["variable"]


def straight(text: str) -> str:
    """Return a text without the signs that turn the direction of whatever is written after them.

    Examples
    --------
    >>> straight("north\u202ehtuos")
    'northhtuos'
    """
    return text.translate(_TURNS)


def shortened(text: str, most: int) -> str:
    """Return a text, cut at the end of a word where it is longer than it may be.

    Examples
    --------
    >>> shortened("How often do you go by bus?", 16)
    'How often do…'
    """
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def _piece_words(piece: Mapping[str, Sequence[str]], labels: Labels) -> str:
    if not piece:
        return "everybody"
    said = []
    for name, given in piece.items():
        words = [straight(str(word)) for word in ([given] if isinstance(given, str) else given)]
        more = len(words) - _MOST_CLASSES
        listed = names_in_words(words, _MOST_CLASSES) if more > 0 else " or ".join(words)
        said.append(f"{labels[name]} is {listed}")
    return " and ".join(said)


def _table_words(request: Mapping[str, Any], labels: Labels) -> str:
    statistic = request.get("statistic", "count")
    word = STATISTICS.get(statistic, statistic)
    if request.get("unit") == "households":
        word = "Number of households" if statistic == "count" else "Percent of households"
    if request.get("response"):
        word = f"{word} of {labels[request['response']]}"
    by = " and ".join(labels[name] for name in request.get("by", ()))
    each = f", each class of {labels[request['each']]} asked on its own" if request.get("each") else ""
    return f"{word} by {by}{each}"


def _regression_words(request: Mapping[str, Any], _labels: Labels) -> str:
    robust = "Robust " if request.get("robust") else ""
    word = f"{robust}{request.get('family', 'linear')} regression".capitalize()
    plots = "Residual plots of a " + word.lower() if request.get("kind") == "residuals" else word
    return f"{plots}: {equation_words(request)}"


def _quantile_words(request: Mapping[str, Any], labels: Labels) -> str:
    levels = ", ".join(f"{level:g}" for level in request.get("levels", (0.25, 0.5, 0.75)))
    return f"Quantiles of {labels[request['response']]} at {levels}"


def _correlation_words(request: Mapping[str, Any], labels: Labels) -> str:
    method = str(request.get("method", "pearson")).capitalize()
    return f"Correlations ({method}) of {', '.join(labels[name] for name in request.get('columns', ()))}"


def _number_words(request: Mapping[str, Any], labels: Labels) -> str:
    statistic = request.get("statistic", "count")
    word = STATISTICS.get(statistic, statistic)
    if request.get("level") is not None:
        word = f"{word} at {request['level']:g}"
    if request.get("above") is not None:
        word = f"Number of records above {request['above']:g}"
    return f"{word} of {labels[request['response']]}" if request.get("response") else word


_SAID = {
    "tabulate": _table_words,
    "regress": _regression_words,
    "residuals": _regression_words,
    "quantiles": _quantile_words,
    "correlate": _correlation_words,
    "statistic": _number_words,
}
