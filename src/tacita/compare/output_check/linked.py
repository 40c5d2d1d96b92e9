"""Outputs that leave together, or after others: each with its own totals, then all with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, Owners
from tacita.compare.output_check.differencing import Difference, find_differences
from tacita.compare.output_check.output_limits import OutputLimits, OutputRules
from tacita.compare.output_check.output_verdict import OutputVerdict
from tacita.compare.output_check.reason import OutputReason, OutputState
from tacita.compare.output_check.spaces import COUNT, SIZES, Space, together
from tacita.compare.output_check.universe import universe_rows
from tacita.core.arrays import BoolArray
from tacita.data.microdata import Microdata

__all__ = ["JudgedOutput", "link_verdicts"]

SHOWN = 6


@dataclass(frozen=True, eq=False)
class JudgedOutput:
    """An output judged on its own.

    Parameters
    ----------
    verdict
        The verdict.
    basis
        What it is based on; None where nobody said it.
    unsafe
        (c,): figures that must not be shown.
    """

    verdict: OutputVerdict
    basis: OutputBasis | None
    unsafe: BoolArray = field(repr=False)


def link_verdicts(
    judged: Sequence[JudgedOutput],
    earlier: Sequence[tuple[str, OutputBasis]],
    data: Microdata,
    owners: Owners,
    rules: OutputRules,
) -> tuple[OutputVerdict, ...]:
    """Return the verdicts with what follows from totals of each output, and from several outputs together.

    Notes
    -----
    An output that fails on its own does not leave, and nothing is taken off it. Of such an output the figures are looked at
    that would be left if the unsafe ones were hidden.
    """
    verdicts = [one.verdict for one in judged]
    for number, one in enumerate(judged):
        if one.basis is None or not len(one.basis):
            continue
        shown = one.basis.shown & ~one.unsafe if one.verdict.state == "fail" else one.basis.shown
        for space in together([number], [one.basis], [shown], owners):
            if space.name != SIZES:
                found, complete = find_differences(space, rules.limits)
                reasons = [_hidden_follow(found, _below(owners, rules.limits))] if found else []
                reasons += [] if complete else [_incomplete(space)]
                verdicts[number] = verdicts[number].with_reasons(reasons).excepting(rules)
    names = [*(one.name for one in verdicts), *(name for name, _ in earlier)]
    leaving = [(n, one.basis) for n, one in enumerate(judged) if one.basis is not None and verdicts[n].state != "fail"]
    leaving += [(len(judged) + place, basis) for place, (_, basis) in enumerate(earlier)]
    for number, reason in _compared(leaving, names, len(judged), data, owners, rules):
        verdicts[number] = verdicts[number].with_reasons([reason]).excepting(rules)
    return tuple(verdicts)


def _compared(
    leaving: Sequence[tuple[int, OutputBasis]],
    names: list[str],
    new: int,
    data: Microdata,
    owners: Owners,
    rules: OutputRules,
) -> Iterator[tuple[int, OutputReason]]:
    """Compare the outputs that leave; numbers below ``new`` are theirs, the others left earlier."""
    bases = [basis for _, basis in leaving]
    done: list[tuple[int, ...]] = []
    for space in together([number for number, _ in leaving], bases, [basis.shown for basis in bases], owners):
        is_new = [number for number in space.numbers if number < new]
        if len(space.numbers) < 2 or not is_new or (space.name == SIZES and space.numbers in done):
            continue
        done.append(space.numbers)
        found, complete = find_differences(space, rules.limits, new=frozenset(is_new))
        for one in found:
            state = _state(one, dict(leaving), data, rules.limits)
            if state != "pass":
                yield from _reasons(one, state, names, new, _below(owners, rules.limits))
        if not complete:
            for number in is_new:
                yield number, _incomplete(space)


def _state(found: Difference, bases: dict[int, OutputBasis], data: Microdata, limits: OutputLimits) -> OutputState:
    """What a difference is worth: less where only numbers follow, of records that lack a value."""
    if found.space == SIZES:
        return "review"
    if found.space != COUNT:
        return "fail"
    left_out = np.zeros(len(data), bool)
    for number in found.outputs:
        output = bases[number].output
        left_out |= universe_rows(data, output.universe, output.owner) & (bases[number].inner < 0)
    return limits.missing if bool(left_out[found.records].all()) else "fail"


def _below(owners: Owners, limits: OutputLimits) -> str:
    holdings = "" if owners.holdings is None else f" or {limits.holdings_at_least} holdings"
    return f"fewer than {limits.at_least} contributors{holdings}"


def _incomplete(space: Space) -> OutputReason:
    words = f"its figures of {space.name} were not compared wholly: there are too many combinations."
    return OutputReason("differencing", "review", words, (), "Raise 'effort' of the limits, or send fewer figures.")


def _hidden_follow(found: Sequence[Difference], below: str) -> OutputReason:
    """Say that hidden cells of an output follow from its own totals."""
    totals = tuple(dict.fromkeys(next(title for _, title, sign in one.figures if sign > 0) for one in found))
    words = (
        f"where cells are hidden, its own totals still give {len(found)} or more groups of {below}, such as "
        f"{totals[0]} less what is shown of it."
    )
    return OutputReason("differencing", "fail", words, totals, "Hide further cells that protect the hidden ones.")


def _reasons(
    found: Difference, state: OutputState, names: list[str], new: int, below: str
) -> Iterator[tuple[int, OutputReason]]:
    """Say to every new output that takes part what follows from it."""
    signs = [f"{'' if sign > 0 else 'less '}'{names[number]}' ({title})" for number, title, sign in found.figures]
    shown = ", ".join(sorted(signs[:SHOWN], key=lambda one: one.startswith("less ")))
    shown += " and more" if len(signs) > SHOWN else ""
    advice = "Keep one of them back, or use the same universe in both."
    if found.space == SIZES:
        words = f"where numbers of records are known, {shown} is a group of {below}."
        advice = "Ask whether the numbers of records are shown, or use the same records in both."
    elif state == "fail":
        words = f"in figures of {found.space}, {shown} is about {below}."
    else:
        words = f"{shown} is the number of those who lack a value, {below}."
    for number in found.outputs:
        if number < new:
            others = tuple(names[other] for other in found.outputs if other != number)
            cells = tuple(title for other, title, _ in found.figures if other == number)
            yield number, OutputReason("differencing", state, words, cells, advice, others)
