"""Runs in the environment of the peers: reads games line by line and answers with the equilibria that a solver lists.

An order is one line of JSON: ``{"solver": ..., "utilities": [...]}``, a nested list for each player. The answer is one line:
processor seconds, and for each equilibrium the probabilities of each player; or what went wrong. Ends when its input ends.
"""

import json
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")


def gambit(solver, tensors):
    """Call a solver of pygambit."""
    import pygambit

    game = pygambit.Game.from_arrays(*tensors)
    solve = {
        "enummixed": lambda: pygambit.nash.enummixed_solve(game, rational=False),
        "enummixed exact": lambda: pygambit.nash.enummixed_solve(game, rational=True),
        "enumpoly": lambda: pygambit.nash.enumpoly_solve(game),
        "gnm": lambda: pygambit.nash.gnm_solve(game),
    }[solver]
    start = time.process_time()
    found = solve().equilibria
    seconds = time.process_time() - start
    return seconds, [[[float(one[p][s]) for s in p.strategies] for p in game.players] for one in found]


def nashpy(solver, tensors):
    """Call a solver of nashpy."""
    import nashpy as package

    game = package.Game(*tensors)
    start = time.process_time()
    found = [[np.asarray(x, float).tolist() for x in pair] for pair in getattr(game, solver)()]
    return time.process_time() - start, [pair for pair in found if np.isfinite(np.concatenate(pair)).all()]


def main():
    """Answer orders until there are no more."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # what packages print is no answer
    for line in sys.stdin:
        order = json.loads(line)
        package, _, solver = order["solver"].partition(" ")
        tensors = [np.array(own, float) for own in order["utilities"]]
        try:
            seconds, found = {"gambit": gambit, "nashpy": nashpy}[package](solver, tensors)
            answer = {"seconds": seconds, "found": found}
        except Exception as error:  # noqa: BLE001 - whatever goes wrong there is told here
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
