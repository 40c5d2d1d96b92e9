"""How many examples a check tries: some in ``make test``, all in ``make test-all``.

Hypothesis draws the same examples in every run, so that the first of them are looked at in both.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

__all__ = ["ALL", "QUICK", "examples", "load_profile"]

ALL, QUICK = 60, 15

for _name, _most in (("all", ALL), ("quick", QUICK)):
    settings.register_profile(
        _name,
        deadline=None,  # the first example of a kernel compiles it
        derandomize=True,
        max_examples=_most,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


def load_profile(chosen_marks: str) -> None:
    """Take the profile of a run; one that leaves out the slow tests is quick."""
    settings.load_profile("quick" if chosen_marks.strip() == "not slow" else "all")


def examples(most: int) -> int:
    """Return how many examples to try of a check that tries so many in ``make test-all``; three at least."""
    return max(3, most * settings().max_examples // ALL)
