"""Refusals in words: what a rule protects, and what one may change. Names of rules only, never a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tacita.core import registry
from tacita.core.errors import TacitaError
from tacita.report.words import title_of

__all__ = ["RULES", "RefusalWords", "refusal_words"]

_WIDER = "Take more classes into the universe, or ask for everybody."
_COARSER = "Use fewer variables, or variables with fewer classes."
_LATER = "Wait a little and ask again."
_NO_COST = "Correct the question and ask again."


@dataclass(frozen=True)
class RefusalWords:
    """One reason why a question is not answered.

    Parameters
    ----------
    rule
        Name of the rule.
    title
        Its name as words.
    sentence
        What the rule is there for.
    change
        What one may change; empty where there is nothing.
    """

    rule: str
    title: str
    sentence: str
    change: str = ""


RULES: dict[str, tuple[str, str]] = {
    # what cannot be read
    "request_form": ("The question is not complete, or not in the form of a question.", _NO_COST),
    "unknown_variable": ("The question names a variable that this data set does not have.", _NO_COST),
    "unknown_class": ("The question names a class or a bin that the variable does not have.", _NO_COST),
    "variable_use": (
        "The variable may not be used in this place; the list of variables says what each may be used for.",
        "Choose another variable.",
    ),
    "not_offered": (
        "This kind of question is not answered for this data set.",
        "The page of the data set lists what may be asked.",
    ),
    "universe_complexity": ("The universe is put together from too many parts.", "Use fewer conditions."),
    "body_size": ("The question is too long.", "Tick fewer classes."),
    # restrictions on what is asked
    "table_size": ("The table has too many variables or cells; it would be the records themselves.", _COARSER),
    "sparsity": (
        "The table has more cells than its universe can fill: most cells would be about single records.",
        f"{_COARSER} {_WIDER}",
    ),
    "cell_size": (
        "A mean or total would be about very few records in one of the cells.",
        f"{_COARSER} {_WIDER} You may also ask class by class, for those cells that can be shown.",
    ),
    "combinations": (
        "These variables together are too telling about single people.",
        "Leave one of the variables out.",
    ),
    "confidential_universe": (
        "A universe or a table may not be made by something confidential, nor by the response itself.",
        "Make the universe and the table by other variables.",
    ),
    "single_values": (
        "This statistic is the value of a single record.",
        "Ask for a mean or a total, or for quantiles, which are read from bins.",
    ),
    # restrictions on who is asked about
    "set_size": ("The universe, or what it leaves out, has too few records.", _WIDER),
    "small_marginals": (
        "The variables of the universe single out very few people.",
        "Use fewer variables in the universe.",
    ),
    "universe_gamma": ("The universe, or a piece of it, has too few records.", _WIDER),
    "row_audit": (
        "Together with earlier answers the table would tell something about very few people.",
        f"{_COARSER} Or leave the confidential variable out.",
    ),
    "no_records": ("Nobody is in this universe, or nobody that can be analysed.", _WIDER),
    # restrictions on what was answered before
    "across_versions": (
        "The difference from an answer about an earlier version of the data would be about few people.",
        "Change the universe by whole classes of larger groups.",
    ),
    "decompositions": (
        "This set of records was split up in too many ways already; the noise would average out.",
        "Use a table that was answered before, or another universe.",
    ),
    "differences": ("The universe is too close to one that was answered before.", "Change it by larger groups."),
    "overlap": (
        "The universe has too much in common with one that was answered before.",
        "Choose one that shares less with it.",
    ),
    "sum_audit": (
        "Together with earlier answers this one would determine something about few records.",
        "Ask for other sums, or about larger groups.",
    ),
    "privacy_budget": (
        "The privacy budget of this data set does not allow this answer.",
        "Questions that were answered before are answered again without cost.",
    ),
    "related_models": (
        "Too many models of this response, or models too close to this one, were answered before.",
        "Change several terms at once, or use a model that was answered before.",
    ),
    "models_per_response": ("Too many models of this response were answered before.", "Choose another response."),
    "close_universes": ("A model was answered for nearly the same universe.", "Change the universe by larger groups."),
    "closely_related": ("Too many models close to this one were answered before.", "Change several terms at once."),
    "answered_before": ("The same question was answered before.", "Nothing has to be done."),
    "waits": ("You ask very often.", _LATER),
    "no_rule": (
        "No rule of this data set allows such a question, so it is not answered.",
        "Ask another kind of question.",
    ),
    "denied_by_review": ("A person has looked at this question and has refused it.", "Ask another question."),
    # the form of a model
    "no_predictors": (
        "A model must have a predictor.",
        "Move a variable into the equation, or ask for a table of means.",
    ),
    "predictor_limit": ("The model has too many predictors.", "Take some out."),
    "response_as_predictor": ("The response stands on both sides of the equation.", "Take it out of the predictors."),
    "repeated_term": ("A term stands twice in the equation.", "Take one of the two out."),
    "transform_not_approved": ("This transformation is not allowed here.", "Use the variable as it is."),
    "transform_of_category": ("Only numbers can be transformed, not classes.", "Use the variable as it is."),
    "transform_domain": (
        "The transformation does not exist for all values that the variable can have.",
        "Use the variable as it is, or its square.",
    ),
    "interaction_order": ("An interaction has too many variables.", "Use interactions of fewer variables."),
    "interaction_without_main_effects": (
        "An interaction needs each of its variables in the equation as well.",
        "Add the variables, or take the interaction out.",
    ),
    "interaction_with_itself": ("An interaction has one variable twice.", "Use different variables."),
    "interaction_without_pairs": (
        "An interaction of three variables needs all three interactions of two.",
        "Add the three pairs, or take the interaction out.",
    ),
    "fully_interacted": (
        "With only classes and all their interactions the model would be a table of means of small groups.",
        "Take an interaction out, or add a numeric predictor.",
    ),
    "robust_not_linear": ("Robust fits are for linear regressions only.", "Take 'robust' off, or choose linear."),
    "response_not_binary": (
        "A logistic regression needs a response with two classes.",
        "Choose such a response, or linear.",
    ),
    # the data of a model
    "sparse_categories": (
        "Some classes, or combinations of classes, have too few records for a coefficient.",
        "Take the variable or the interaction out, or widen the universe.",
    ),
    "nearly_constant": ("A variable has the same value for nearly all records.", f"Leave it out. {_WIDER}"),
    "too_few_records": ("There are too few records for this model.", f"Use fewer predictors. {_WIDER}"),
    "dependent_columns": ("A predictor follows from the others, or is constant.", "Take one of them out."),
    # the result of a model
    "residual_freedom": ("There are too few records for so many coefficients.", f"Use fewer predictors. {_WIDER}"),
    "parameters_per_record": ("There are too many coefficients for so few records.", f"Use fewer predictors. {_WIDER}"),
    "r_squared": ("The model fits so well that it would tell the values of single records.", "Use fewer predictors."),
    "leverage": (
        "A single record decides too much of the fit.",
        f"Take a transformation or a predictor with rare large values out. {_WIDER}",
    ),
    "local_predictability": (
        "The model tells the values of a small group nearly exactly.",
        "Take a predictor or an interaction out.",
    ),
    "separation": (
        "The predictors tell the two classes of the response apart without an error.",
        "Take a predictor out, or widen the universe.",
    ),
    "no_convergence": ("The fit did not come to an end.", "Use fewer predictors, or no robust fit."),
    "robust_scale": ("Half of the records or more fit exactly, so a robust fit has no scale.", "Take 'robust' off."),
    "not_computable": ("This could not be computed for these records.", "Change the universe or the variables."),
    # correlations
    "correlation_records": ("There are too few records without missing values.", _WIDER),
    "correlation_largest": ("Two variables nearly tell each other.", "Leave one of the two out."),
    "correlation_influence": ("A single record decides too much of a correlation.", f"Use Spearman's. {_WIDER}"),
    # the server
    "budget_user": ("Your budget of questions is used up.", "It begins anew later."),
    "budget_organisation": ("The budget of questions of your organisation is used up.", "It begins anew later."),
    "budget_address": (
        "The budget of questions for visitors from your network is used up.",
        "It begins anew later; with a token you have a budget of your own.",
    ),
    "budget_dataset": ("The budget of questions of this data set is used up.", "It begins anew later."),
    "at_once": ("You have too many questions under way.", _LATER),
    "busy": ("Too many questions are under way.", _LATER),
    "queue_full": ("Too many large tables wait already.", _LATER),
    "time_limit": ("The answer took too long.", "Ask for less."),
    "unavailable": ("Nothing can be answered at present.", _LATER),
    "closed": ("This data set is closed at present.", "Come back later."),
    "form_token": ("The form is out of date.", "Open its page again and send it from there."),
    "other_site": ("A form must be sent from a page of this server.", "Open the page here and send the form again."),
    "token": ("The token is not one, has expired, or was revoked.", "Sign in again."),
    "dataset": ("The question names no data set.", "Choose one on the first page."),
    "unknown_dataset": (
        "There is no such data set, or it asks for a token.",
        "Choose one on the first page, or sign in.",
    ),
    "unknown_answer": ("There is no such answer.", "Ask the question again."),
    "unknown_job": ("There is no such table in the queue.", "Ask for it again."),
    "format": ("This answer cannot be had in that form.", "Use one of the buttons below the answer."),
    "host": ("The server is not called by this name.", "Use the address that you were given."),
    "slow": ("The request took too long to arrive.", "Send it again."),
    "not_closed": ("The data set is not closed.", "Nothing has to be done."),
    "not_found": ("There is nothing at this address.", "Begin at the first page."),
}
"""Each rule: what it is there for, and what one may change."""


def refusal_words(rules: Iterable[str]) -> Sequence[RefusalWords]:
    """Return rules in words, each once.

    Parameters
    ----------
    rules
        Names of rules, as a refusal has them.

    Notes
    -----
    A restriction that is not listed here says what the first sentence of its documentation says.

    Examples
    --------
    >>> refusal_words(["set_size"])[0].sentence
    'The universe, or what it leaves out, has too few records.'
    """
    return [_words(rule) for rule in dict.fromkeys(rules)]


def _words(rule: str) -> RefusalWords:
    if rule in RULES:
        return RefusalWords(rule, title_of(rule), *RULES[rule])
    try:
        sentence = registry.find("restriction", rule).summary()
    except TacitaError:
        sentence = "A rule of this data set does not allow the question."
    return RefusalWords(rule, title_of(rule), sentence)
