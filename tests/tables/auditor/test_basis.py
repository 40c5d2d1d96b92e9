"""What a verdict is based on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from benchmarks.table_instances import frequency_table, magnitude_table

from tacita.tables.auditor.audit import audit
from tacita.tables.auditor.basis import Basis
from tacita.tables.model.relations import Relations


def test_a_certificate_names_its_cells_relations_and_rules() -> None:
    problem = magnitude_table([(2, 2), (3,)], seed=1)
    hidden = problem.can_hide | problem.unsafe
    found = audit(problem, hidden)
    assert found.basis == Basis.of(problem, hidden)
    plain = found.to_plain()["basis"]
    assert set(plain) == {"cells", "relations", "rules"}
    assert all(text.startswith("sha256:") and len(text) == 71 for text in plain.values())


def test_every_change_is_seen_where_it_belongs() -> None:
    problem = frequency_table([(3,), (3,)], seed=1, twice=True)
    hidden = problem.unsafe.copy()
    was = Basis.of(problem, hidden)
    cell = int(np.flatnonzero(problem.unsafe)[0])
    other = int(np.flatnonzero(~hidden)[-1])

    def differs(now: Basis) -> tuple[bool, bool, bool]:
        return now.cells != was.cells, now.relations != was.relations, now.rules != was.rules

    bump = np.arange(problem.size) == cell
    more = hidden | (np.arange(problem.size) == other)
    values = problem.values + (np.arange(problem.size) == other)
    fewer = Relations(problem.relations.start[:-1], problem.relations.cells, problem.relations.signs, problem.size)
    assert differs(Basis.of(problem, hidden)) == (False, False, False)
    assert differs(Basis.of(problem, more)) == (True, False, False)
    assert differs(Basis.of(replace(problem, values=values), hidden))[0]
    assert differs(Basis.of(replace(problem, above=problem.above + bump), hidden)) == (False, False, True)
    assert differs(Basis.of(replace(problem, upper=np.where(bump, 99.0, problem.upper)), hidden)) == (
        False,
        False,
        True,
    )
    assert differs(Basis.of(replace(problem, relations=fewer), hidden)) == (False, True, False)


def test_the_last_digits_do_not_count() -> None:
    rows, hidden = Relations.of([(0, [1])], 2), np.zeros(2, bool)
    values = np.array([0.1 + 0.2, 999999999999.9999])
    near = np.array([0.3, 1e12])
    assert Basis.of_cells(values, hidden, rows) == Basis.of_cells(near, hidden, rows)
    assert Basis.of_cells(values, hidden, rows) != Basis.of_cells(near + 1, hidden, rows)
    assert Basis.of_cells(-near, hidden, rows) != Basis.of_cells(near, hidden, rows)
