"""Tacita: statistical disclosure control for Python.

``import tacita as tc`` brings the public names below. Everything heavy loads when it is first used. The code stands in rooms,
one folder each, and imports go one way; read ``data/microdata.py`` first, then ``mask/base.py``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_PLACES = {
    # rooms
    "mask": "tacita.mask",
    "risk": "tacita.risk",
    "loss": "tacita.loss",
    "tables": "tacita.tables",
    "attack": "tacita.attack",
    "query": "tacita.query",
    "logs": "tacita.logs",
    "games": "tacita.games",
    "samples": "tacita.data.samples",
    # data
    "Microdata": "tacita.data.microdata",
    "Schema": "tacita.data.schema",
    "Column": "tacita.data.schema",
    "Hierarchy": "tacita.data.hierarchy",
    "read": "tacita.data.read",
    "write": "tacita.data.write",
    "describe": "tacita.data.describe",
    # masking and release
    "Recipe": "tacita.release.recipe",
    "Release": "tacita.release.release",
    "publish": "tacita.report.publish",
    "judge": "tacita.compare.verdict",
    "Scenario": "tacita.data.scenario",
    "Limit": "tacita.data.limits",
    "Limits": "tacita.data.limits",
    "Key": "tacita.core.keyed",
    # tables
    "Table": "tacita.tables.model.table",
    "tabulate": "tacita.tables.model.tabulate",
    "publish_table": "tacita.report.publish_table",
    # measuring
    "assess": "tacita.compare.assess",
    "evaluate": "tacita.compare.evaluate",
    "frequencies": "tacita.compare.record_risks",
    "evaluate_outliers": "tacita.compare.outliers",
    "outlier_records": "tacita.compare.outliers",
    "Scorecard": "tacita.compare.scorecard",
    "optimise": "tacita.compare.optimise.optimise",
    "Score": "tacita.compare.score",
    "search": "tacita.compare.search.search",
    "grid": "tacita.compare.search.candidates",
    "benchmark": "tacita.compare.benchmark.benchmark",
    "compare_census": "tacita.compare.census.compare_census",
    "check_output": "tacita.compare.output_check.check_output",
    "Output": "tacita.compare.output_check.output",
    "attack_file": "tacita.compare.red_team.attack_file",
    "attack_generator": "tacita.compare.red_team.attack_generator",
    "attack_table": "tacita.compare.red_team.attack_table",
    "measure_log": "tacita.compare.logs.measure_log",
    "publish_log": "tacita.report.logs.publish_log",
    "combine": "tacita.compare.synthesis.combine",
    "analyse": "tacita.compare.synthesis.analyse",
    # errors and warnings
    "TacitaError": "tacita.core.errors",
    "TacitaNote": "tacita.core.errors",
    "TacitaWarning": "tacita.core.errors",
}

__all__ = [*sorted(_PLACES), "__version__"]

if TYPE_CHECKING:
    from tacita import attack, games, logs, loss, mask, query, risk, tables
    from tacita.compare.assess import assess
    from tacita.compare.benchmark.benchmark import benchmark
    from tacita.compare.census.compare_census import compare_census
    from tacita.compare.evaluate import evaluate
    from tacita.compare.logs.measure_log import measure_log
    from tacita.compare.optimise.optimise import optimise
    from tacita.compare.outliers import evaluate_outliers, outlier_records
    from tacita.compare.output_check.check_output import check_output
    from tacita.compare.output_check.output import Output
    from tacita.compare.record_risks import frequencies
    from tacita.compare.red_team.attack_file import attack_file
    from tacita.compare.red_team.attack_generator import attack_generator
    from tacita.compare.red_team.attack_table import attack_table
    from tacita.compare.score import Score
    from tacita.compare.scorecard import Scorecard
    from tacita.compare.search.candidates import grid
    from tacita.compare.search.search import search
    from tacita.compare.synthesis.analyse import analyse
    from tacita.compare.synthesis.combine import combine
    from tacita.compare.verdict import judge
    from tacita.core.errors import TacitaError, TacitaNote, TacitaWarning
    from tacita.core.keyed import Key
    from tacita.data import samples
    from tacita.data.describe import describe
    from tacita.data.hierarchy import Hierarchy
    from tacita.data.limits import Limit, Limits
    from tacita.data.microdata import Microdata
    from tacita.data.read import read
    from tacita.data.scenario import Scenario
    from tacita.data.schema import Column, Schema
    from tacita.data.write import write
    from tacita.release.recipe import Recipe
    from tacita.release.release import Release
    from tacita.report.logs.publish_log import publish_log
    from tacita.report.publish import publish
    from tacita.report.publish_table import publish_table
    from tacita.tables.model.table import Table
    from tacita.tables.model.tabulate import tabulate

    __version__: str


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tacita")
    if name not in _PLACES:
        raise AttributeError(f"module 'tacita' has no attribute '{name}'")
    module = importlib.import_module(_PLACES[name])
    # A room is a module named like the attribute; everything else is a name inside its module.
    found = module if _PLACES[name].rpartition(".")[2] == name and not hasattr(module, name) else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
