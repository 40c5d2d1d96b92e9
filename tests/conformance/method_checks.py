"""Checks that hold for every method, mask or measure: parameters, recipe form, description."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError

import pytest

from tacita.core.errors import ParameterError
from tacita.core.method import Method

__all__ = ["METHOD_CHECKS"]


def plain_form_comes_back(method: Method) -> None:
    """What a recipe file or a form holds builds an equal method."""
    through_json = json.loads(json.dumps(method.to_plain()))
    assert type(method).from_plain(through_json) == method


def pickle_comes_back(method: Method) -> None:
    """A method can be sent to another process."""
    assert pickle.loads(pickle.dumps(method)) == method


def is_frozen_and_hashable(method: Method) -> None:
    """A method never changes, so it can be a key."""
    assert hash(method) == hash(type(method).from_plain(method.to_plain()))
    name = next((p.name for p in type(method).parameters()), "name")
    with pytest.raises(FrozenInstanceError):
        setattr(method, name, getattr(method, name))


def description_is_complete(method: Method) -> None:
    """Everything a form or a help page needs is there, as JSON."""
    shown = json.loads(json.dumps(type(method).describe(), allow_nan=False))
    assert (shown["kind"], shown["name"]) == (method.kind, method.name)
    assert shown["summary"].endswith("."), "the docstring must begin with one sentence"
    for parameter in shown["parameters"]:
        assert parameter["help"], f"parameter '{parameter['name']}' is not explained"
        assert parameter["must_be"]


def unknown_parameter_is_refused(method: Method) -> None:
    """A misspelled name is an error with a suggestion."""
    name = next((p.name for p in type(method).parameters()), "")
    words = f"Did you mean '{name}'" if name else "x"
    with pytest.raises(ParameterError, match=words):
        type(method).from_plain({**method.to_plain(), name + "x": 1})


def defaults_fit_their_annotations(method: Method) -> None:
    """A default that is written out is accepted as it is."""
    for parameter in type(method).parameters():
        if not parameter.required:
            made = type(method).from_plain({**method.to_plain(), parameter.name: parameter.default})
            assert getattr(made, parameter.name) == parameter.default


def wrong_types_are_parameter_errors(method: Method) -> None:
    """Whatever is given for a parameter, the error is ours and names the parameter."""
    for parameter in type(method).parameters():
        with pytest.raises(ParameterError, match=f"'{parameter.name}' must be"):
            type(method)(**{**_values(method), parameter.name: object()})


def _values(method: Method) -> dict[str, object]:
    return {p.name: getattr(method, p.name) for p in type(method).parameters()}


METHOD_CHECKS = (
    plain_form_comes_back,
    pickle_comes_back,
    is_frozen_and_hashable,
    description_is_complete,
    unknown_parameter_is_refused,
    defaults_fit_their_annotations,
    wrong_types_are_parameter_errors,
)
