"""One trial of a search: mask with one seed, measure, and say what happened. Here, or as the work of another process."""

from __future__ import annotations

import os
import pickle
import struct
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import IO, Any

from tacita.compare.evaluate import measure_pair
from tacita.core.errors import TacitaError, TacitaWarning
from tacita.core.progress import show_progress
from tacita.core.streams import Seed
from tacita.data.measure import Measure
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pairing, pair_records
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.release.recipe import Recipe
from tacita.risk.strongest import SEARCH_SHARE

__all__ = ["Trial", "TrialPlan", "read_message", "serve_trials", "try_recipe", "write_message", "write_pickled"]


@dataclass(frozen=True)
class TrialPlan:
    """What is measured in every trial, how records are paired, and which measures run as they are, however long."""

    measures: tuple[Measure, ...]
    pairing: Pairing
    as_asked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trial:
    """What one seed of one candidate gave.

    Parameters
    ----------
    seed
        The seed of the masking.
    values
        The measures by name; empty where the trial failed.
    skipped
        Measures that could not be computed, with the reason.
    notes
        Warnings of the mask or of the measures.
    problem
        Why the trial failed; empty where it did not.
    is_final
        Whether trying again would end in the same way; a process that was killed, or for which there was not enough
        memory, may do better next time.
    seconds
        How long it took.
    """

    seed: Seed
    values: Mapping[str, float] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    problem: str = ""
    is_final: bool = True
    seconds: float = 0.0

    def as_plain(self) -> dict[str, Any]:
        """Return the trial ready for JSON."""
        return {**asdict(self), "notes": list(self.notes)}


def try_recipe(data: Microdata, recipe: Recipe, seed: Seed, plan: TrialPlan) -> Trial:
    """Mask and measure; a failure is an answer like any other, because one candidate must not end a search."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught, show_progress(None), one_blas_thread():
        warnings.simplefilter("always")
        try:
            release = recipe.apply(data, seed=seed)
            pair = pair_records(data, release.data, plan.pairing)
            results, skipped = measure_pair(pair, plan.measures, as_asked=plan.as_asked, share=SEARCH_SHARE)
        except TacitaError as error:
            return Trial(seed, problem=str(error), seconds=time.perf_counter() - start)
        except MemoryError:
            problem = "There was not enough memory for it; another search with the same journal tries it again."
            return Trial(seed, problem=problem, is_final=False, seconds=time.perf_counter() - start)
        except Exception as error:  # noqa: BLE001 - a message of another library may quote data, so only its kind is kept
            problem = f"It ended with an unexpected {type(error).__name__}; apply the recipe by itself to see it."
            return Trial(seed, problem=problem, seconds=time.perf_counter() - start)
    notes = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, TacitaWarning))
    values = {name: measured.value for name, (_, measured) in results.items()}
    return Trial(seed, values, skipped, tuple(notes), seconds=time.perf_counter() - start)


# --- messages between processes -------------------------------------------------------------------------------------------


def write_message(stream: IO[bytes], content: object) -> None:
    """Write one message."""
    write_pickled(stream, pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL))


def write_pickled(stream: IO[bytes], body: bytes) -> None:
    """Write a message that is pickled already, with its length in front."""
    stream.write(struct.pack("<Q", len(body)))
    stream.write(body)
    stream.flush()


def read_message(stream: IO[bytes]) -> Any:
    """Read one message; None where the other side has gone."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    size = struct.unpack("<Q", head)[0]
    body = stream.read(size)
    return pickle.loads(body) if len(body) == size else None


def serve_trials() -> None:
    """Be a worker: take data and plan from standard input, then answer one task after another on standard output."""
    # Standard output belongs to the answers; whatever a library prints goes to standard error instead.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks = sys.stdin.buffer
    start = read_message(tasks)
    if start is None:
        return
    data, plan = start
    while (task := read_message(tasks)) is not None:
        recipe, seed = task
        write_message(answers, try_recipe(data, recipe, seed, plan))
