"""Servers that are quick to ask, for searches of attacks: counts over arrays, exact, with size control, or with noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Literal

import numpy as np

from tacita.attack.judge.answers import Answers
from tacita.attack.targets import Ask, OracleTarget, ServerTarget
from tacita.data.microdata import Microdata
from tacita.study.red_team.queries import exact_answers
from tacita.study.red_team.town import KEYS, town, town_target

__all__ = ["Kind", "oracle_target", "quick_server"]

Kind = Literal["exact", "size", "anew", "keyed"]


def quick_server(data: Microdata, seed: int, kind: Kind) -> Ask:
    """Count records by conditions on classes."""
    codes = {name: data.codes(name) for name in (*KEYS, "ill")}
    places = {name: {str(word): i for i, word in enumerate(found.categories)} for name, found in codes.items()}
    anew = np.random.default_rng(seed)

    def ask(request: Mapping[str, Any]) -> Mapping[str, Any]:
        if request["kind"] != "statistic":
            return {"status": "refused", "reasons": ["not_offered"]}
        inside = np.ones(len(data), bool)
        for name, words in request.get("where", {}).items():
            fits = np.zeros(len(places[name]), bool)
            fits[[places[name][word] for word in words]] = True
            inside &= fits[codes[name].values]
        count = float(inside.sum())
        if kind == "size" and not 5 <= count <= len(data) - 5:
            return {"status": "refused", "reasons": ["set_size"]}
        if kind == "anew":
            count += anew.normal(0, 1.0)
        if kind == "keyed":
            count += np.random.default_rng([seed, *np.flatnonzero(inside)[:40], int(count)]).normal(0, 4.0)
        return {"status": "answered", "value": count}

    return ask


def oracle_target(kind: Kind, *, seed: int = 1, victims: int = 40) -> tuple[OracleTarget, Answers]:
    """A town behind a server whose program the attacker has, and other people of the same kind."""
    here = town(seed, people=1200, victims=victims)
    target, answers = town_target(here, exact_answers(), wanted="ill", ask=lambda data: quick_server(data, seed, kind))
    given = {one.name: getattr(target, one.name) for one in fields(ServerTarget)}

    def serve(data: Microdata, number: int) -> Ask:
        return quick_server(data, number, kind)

    return OracleTarget(**given, serve=serve, reference=town(seed + 100, people=2400, victims=0).data), answers
