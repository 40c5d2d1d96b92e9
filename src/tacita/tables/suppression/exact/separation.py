"""Separation: cuts that a point of the master problem violates.

At fractional points the room of a hidden cell counts only up to the level: a table's circuits rarely need more, and the
cut is judged by its true weights afterwards.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.tables.suppression.exact.block_attack import BlockAttack, Stretch
from tacita.tables.suppression.exact.block_form import OUTSIDER, Core
from tacita.tables.suppression.exact.cuts import Cut, bridge_cut, combination, level_cut
from tacita.tables.suppression.exact.proof import Miss

__all__ = ["Separator"]


_FAINT = 2e-3
"""Room of a published cell while a cut is refined: among equal cuts the one over fewest cells wins."""
_VIOLATED = 1e-2
_PATIENCE = 2
_REPEATS = 3
_SERVED = 40


class Separator:
    """Looks for violated cuts of one core.

    Parameters
    ----------
    core
        The problem.
    attack
        Its attacks.
    """

    def __init__(self, core: Core, attack: BlockAttack) -> None:
        self.core = core
        self._attack = attack
        levels = ((1, core.above, 1.0), (-1, core.below, 1.0), (0, core.sliding, 0.5))
        guard, side, level = [], [], []
        for which, of, _ in levels:
            most = of.max(axis=1)
            there = np.flatnonzero(most > 0)
            guard.append(there)
            side.append(np.full(len(there), which))
            level.append(most[there])
        self.guard, self.side, self.level = np.concatenate(guard), np.concatenate(side), np.concatenate(level)
        self.near = self._neighbours()
        self._quiet = np.zeros((len(self.guard), core.attackers), np.int64)

    def _neighbours(self) -> list[set[int]]:
        """For each guarded cell the attackers that are tried at fractional points: those alone in a relation with it."""
        core = self.core
        owner: dict[int, list[int]] = {}
        for who, own in enumerate(core.knows):
            for cell in own.tolist():
                owner.setdefault(cell, []).append(who)
        by_cell = core.rows.tocsc()
        near: list[set[int]] = []
        for guard, cell in enumerate(core.guarded.tolist()):
            rows = by_cell.indices[by_cell.indptr[cell] : by_cell.indptr[cell + 1]]
            cells = np.unique(
                np.concatenate([core.rows.indices[core.rows.indptr[r] : core.rows.indptr[r + 1]] for r in rows])
                if len(rows)
                else np.empty(0, np.int64)
            )
            found = {who for c in cells.tolist() for who in owner.get(c, ())}
            asks = np.maximum(np.maximum(core.above[guard], core.below[guard]), core.sliding[guard]) > 0
            near.append({OUTSIDER} | {who for who in found if asks[who]})
        return near

    # --- fractional points -----------------------------------------------------------------------------------------------

    def at(self, y: FloatArray, limit: int, tick: Callable[[], bool]) -> list[Cut]:
        """Return cuts that a point violates, up to about ``limit``: pairs first that gave cuts of late, the others then."""
        settled = np.zeros((len(self.guard), self.core.attackers), bool)
        within = BlockAttack(self.core, y > 0)
        cuts: list[Cut] = []
        for keen in (True, False):
            for place in np.argsort(self._quiet.min(axis=1), kind="stable"):
                for who in sorted(self.near[self.guard[place]]):
                    if tick() or len(cuts) >= limit:
                        return cuts
                    if settled[place, who] or (keen and self._quiet[place, who] >= _PATIENCE):
                        continue
                    found = self._cuts(y, int(place), who, settled, within)
                    self._quiet[place, who] = 0 if found else self._quiet[place, who] + 1
                    settled[place, who] = True
                    cuts += found
                    if found and who == OUTSIDER:
                        settled[place] = True
            if cuts:
                break
        return cuts

    def _cuts(self, y: FloatArray, place: int, who: int, settled: BoolArray, within: BlockAttack) -> list[Cut]:
        """Attack one level at a point; each cut found raises its cells, until the attack fails or cuts get few."""
        cuts: list[Cut] = []
        if self._level(place, who) <= self.core.slack[self.guard[place]]:
            return cuts  # the attacker has the whole cell but for rounding
        plain = self._reaches(y, place, who, 0.0, within)
        for found in plain:
            self._settle_by(y, found.move, settled)
        point = y.copy()
        for turn in range(_REPEATS if _is_short(plain) else 0):
            refined = self._reaches(point, place, who, _FAINT, self._attack)
            cut = self._best_cut((refined, plain) if turn == 0 else (refined,), place, who, point)
            if cut is None or cut.missing(point) < _VIOLATED:
                break
            cuts.append(cut)
            point[cut.cells] = 1.0
            if not _is_short(refined):
                break
        return cuts

    def _reaches(self, y: FloatArray, place: int, who: int, faint: float, attack: BlockAttack) -> list[Stretch]:
        core, level, side = self.core, self._level(place, who), self.side[place]
        cell = int(core.guarded[self.guard[place]])
        cap = 0.5 if side == 0 else 1.0
        part = np.maximum(y, faint)
        down, up = (part * np.minimum(room / level, cap) for room in core.rooms_of(who))
        sides = (1, -1) if side == 0 else (int(side),)
        return [attack.stretch(cell, s, down, up, stop=cap) for s in sides]

    def _level(self, place: int, who: int) -> float:
        of = {1: self.core.above, -1: self.core.below, 0: self.core.sliding}[int(self.side[place])]
        return float(of[self.guard[place], who])

    def _best_cut(self, tries: tuple[list[Stretch], ...], place: int, who: int, y: FloatArray) -> Cut | None:
        best: Cut | None = None
        sides = (1, -1) if self.side[place] == 0 else (int(self.side[place]),)
        cell = int(self.core.guarded[self.guard[place]])
        for reaches in tries:
            cut = self.cut(
                cell, who, self._level(place, who), [(f.weights, s) for f, s in zip(reaches, sides, strict=True)], y
            )
            if cut is not None and (best is None or cut.missing(y) > best.missing(y) + 1e-6):
                best = cut
        return best

    def cut(self, cell: int, who: int, level: float, parts: list[tuple[FloatArray, int]], y: FloatArray) -> Cut | None:
        """Return the cut of multipliers, sharpened at a point."""
        made = [(combination(self.core, weights, cell), side) for weights, side in parts if len(weights)]
        known = [(r, side) for r, side in made if r is not None]
        if not known or len(known) < len(parts):
            return None
        return level_cut(self.core, known, level, self.core.rooms_of(who), y)

    def _settle_by(self, y: FloatArray, move: FloatArray, settled: BoolArray) -> None:
        """Settle the levels that a move, made longer or shorter or turned round, reaches within the capped room."""
        core = self.core
        there = np.flatnonzero(move)
        far = move[core.guarded[self.guard]]
        able = np.flatnonzero((far != 0) & (self.side != 0) & ~settled[:, OUTSIDER])
        if not len(able):
            return
        # Those that it moves farthest are the likely ones, and the check of all would cost as much as a programme.
        able = able[np.argsort(-np.abs(far[able]) / self.level[able])[:_SERVED]]
        blind = np.flatnonzero(~core.touched(move != 0))
        scale = self.side[able] * self.level[able] / far[able]
        long = scale[:, None] * move[there][None, :]
        part = y[there][None, :]
        level = self.level[able][:, None]
        room = part * np.where(
            long > 0, np.minimum(core.up[there][None, :], level), np.minimum(core.down[there], level)
        )
        does = able[(np.abs(long) <= room + 1e-7 * level).all(axis=1)]
        settled[np.ix_(does, blind)] = True

    def bridges(self, y: FloatArray, limit: int, tick: Callable[[], bool]) -> list[Cut]:
        """Return cuts "no cell is hidden in vain" that a point violates."""
        core = self.core
        cuts: list[Cut] = []
        loose = np.where(core.forced, 1.0, y)
        for cell in np.argsort(-np.where(core.forced, 0.0, y)):
            if y[cell] < 0.1 or core.forced[cell] or len(cuts) >= limit or tick():
                break
            part = np.minimum(loose / y[cell], 1.0)
            found = self._attack.stretch(int(cell), 1, part, part)
            if found.share > 1.0 - _VIOLATED:
                continue
            part = np.maximum(part, _FAINT)
            found = self._attack.stretch(int(cell), 1, part, part)
            r = combination(core, found.weights, int(cell)) if len(found.weights) else None
            cut = bridge_cut(core, r, int(cell)) if r is not None else None
            if cut is not None and cut.missing(y) > _VIOLATED:
                cuts.append(cut)
        return cuts

    # --- whole points ----------------------------------------------------------------------------------------------------

    def of_misses(self, hidden: BoolArray, misses: list[Miss], tick: Callable[[], bool]) -> list[Cut]:
        """Return cuts for the levels that a pattern misses; at least one that cuts it off."""
        core, y = self.core, hidden.astype(np.float64)
        cuts: list[Cut] = []
        for miss in misses:
            self.near[miss.guard].add(miss.attacker)
            cell = int(core.guarded[miss.guard])
            made = self.cut(cell, miss.attacker, miss.level, list(miss.parts), y)
            sides = {side for _, side in miss.parts}
            side = 0 if len(sides) == 2 else next(iter(sides))
            place = np.flatnonzero((self.guard == miss.guard) & (self.side == side))
            nothing = np.ones((len(self.guard), core.attackers), bool)
            more = (
                self._cuts(y, int(place[0]), miss.attacker, nothing, self._attack) if len(place) and not tick() else []
            )
            cuts += more
            if made is not None and made.missing(y) > 1e-4 and not more:
                cuts.append(made)
        if not cuts:
            others = np.flatnonzero(~hidden)
            cuts.append(Cut(others, np.ones(len(others))))
        return cuts


def _is_short(reaches: list[Stretch]) -> bool:
    """Whether a level is missed by enough to make a cut worth its row."""
    return sum(found.share for found in reaches) < 1.0 - _VIOLATED
