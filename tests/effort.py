"""How much is tried: some examples of a check and all but the longest tests in ``make test``, all of both in ``make test-all``.

Hypothesis draws the same examples in every run, so that the first of them are looked at in both.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

__all__ = ["ALL", "LONGEST", "QUICK", "examples", "is_among_the_longest", "load_profile"]

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


LONGEST = {
    "tests/attack/queries/test_attack_search.py": ("test_noise_that_belongs_to_sets_holds_it",),
    "tests/attack/queries/test_universe_difference.py": (
        "test_many_pairs_beat_cell_keys_and_an_auditor_of_rows_holds_them",
    ),
    "tests/attack/reconstruction/test_block_reconstruction.py": ("test_the_papers_block_is_found",),
    "tests/attack/test_conformance.py": (
        "test_the_same_seed_gives_the_same_claims_one_for_each_victim_and_leaves_its_target[many_splits]",
        "test_the_same_seed_gives_the_same_claims_one_for_each_victim_and_leaves_its_target[refusal_reading]",
    ),
    "tests/cli/test_outlier_option.py": ("test_study_outliers_runs_without_reference_data",),
    "tests/cli/test_verbs.py": ("test_no_progress_bar_in_a_pipe",),
    "tests/compare/test_optimise_census.py": (
        "test_gain_at_the_best_share[swap-0.5-18]",
        "test_gain_at_the_best_share[micro-0.3-19]",
    ),
    "tests/deploy/test_data_version.py": ("test_a_new_version_takes_the_place_of_the_old_one",),
    "tests/docs/test_examples.py": (
        "test_examples_of_a_page_run[docs/explanation/file-attacks.md]",
        "test_examples_of_a_page_run[docs/howto/census-tables.md]",
        "test_examples_of_a_page_run[docs/howto/measure-a-release.md]",
        "test_examples_of_a_page_run[docs/tutorial/census.md]",
        "test_examples_of_a_page_run[docs/howto/choose-a-release.md]",
        "test_examples_of_a_page_run[docs/howto/benchmark-masks.md]",
        "test_examples_of_a_page_run[docs/howto/red-team/attack-a-release.md]",
        "test_examples_of_a_page_run[docs/explanation/regression-attacks.md]",
    ),
    "tests/mask/safe/test_exact_safe.py": ("test_the_search_is_within_one_of_the_exact_bound[1]",),
    "tests/query/attacks/test_mas.py": ("test_averaging_beats_drop_q_alone",),
    "tests/query/remote/test_remote_database.py": ("test_a_remote_answer_is_drawn_as_one_from_here",),
    "tests/risk/test_strongest.py": ("test_rank_swapping_of_the_household_sample_is_linked_by_its_p",),
    "tests/study/red_team/test_regression.py": (
        "test_it_ends_as_is_known[covariance_attack: policy camouflage]",
        "test_it_ends_as_is_known[covariance_attack: policy mas, 12 000 firms]",
    ),
    "tests/study/test_outliers.py": ("test_written_files_are_replaced_and_others_stay",),
    "tests/tables/adjustment/test_directions.py": ("test_each_step_is_no_worse[1]", "test_each_step_is_no_worse[2]"),
    "tests/tables/suppression/test_suppress.py": ("test_empty_cells_never_cost_the_exact_method_more",),
    "tests/web/pages/browser/test_pages_in_browser.py": ("test_nothing_sticks_out_and_nobody_else_is_asked[wide]",),
}
"""Tests that take more than two seconds each and have neighbours that see most of the same: slow, as if they were marked so."""


def is_among_the_longest(nodeid: str) -> bool:
    """Whether a test, by its full name, is one of the longest."""
    file, _, name = nodeid.partition("::")
    return name in LONGEST.get(file, ())
