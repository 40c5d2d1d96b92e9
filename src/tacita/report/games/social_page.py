"""The page of a social network as a game: selfish play, the protocol, what leaving it brings, and what troubles leave of it."""

from __future__ import annotations

import math

from tacita.games.social.protocols import Reputation, TitForTat
from tacita.games.social.social_study import SocialStudy
from tacita.report.games.social_charts import gains_by_setting, rounds_chart, troubles_chart
from tacita.report.study_page import PageFigure, PageTable, study_page

__all__ = ["social_page", "trouble_rows"]

TROUBLE_HEADS = ("trouble", "welfare, % of all publishing", "PRF of followers", "PRF of who takes")


def social_page(study: SocialStudy) -> str:
    """Write the page; the same study gives the same text.

    Parameters
    ----------
    study
        What :func:`tacita.games.social.social_study.study_social` found.
    """
    tables = [_selfish_table(study)]
    if study.run is not None:
        tables.append(PageTable("What troubles leave", TROUBLE_HEADS, trouble_rows(study), TROUBLE_HEADS[1:]))
        tables.append(_deviation_table(study))
    notes = [
        *study.words(),
        *([f"The user with most neighbours is told: {study.advice.words()}"] if study.advice else []),
    ]
    return study_page("A social network as a game", notes=notes, figures=_figures(study), tables=tables)


def trouble_rows(study: SocialStudy) -> list[tuple[str, ...]]:
    """Return a row for each trouble, under ``TROUBLE_HEADS``."""
    return [
        (name, f"{100 * left:.1f}", f"{followers:.2f}", "–" if math.isnan(takers) else f"{takers:.2f}")
        for name, left, followers, takers in study.troubles
    ]


def _selfish_table(study: SocialStudy) -> PageTable:
    rows = [
        (ties, f"{100 * play.disclosing[-1]:.1f}", f"{play.mean_prf[-1]:.3g}", f"{len(play.changed)}", play.ending)
        for ties, play in study.selfish.items()
    ]
    heads = ("who gains nothing either way", "still disclosing, %", "mean PRF", "rounds", "ending")
    return PageTable("Selfish play, from everything public", heads, rows, heads[1:4])


def _deviation_table(study: SocialStudy) -> PageTable:
    heads = (study.setting, "gain in the round, for a link", "gain in the long run", "% of following")
    rows = [
        (f"{value:g}", f"{found.once:.3g}", f"{found.gain:.3g}", f"{100 * found.relative:.2f}")
        for value, found in study.by_setting
    ]
    return PageTable("The best deviation of one user", heads, rows, heads)


def _figures(study: SocialStudy) -> list[PageFigure]:
    lines = {f"selfish, ties: {ties}": play.disclosing for ties, play in study.selfish.items()}
    rounds = max(map(len, lines.values()))
    if study.run is not None:
        rounds = len(study.run.disclosing) + 1
        lines = {"protocol": (math.nan, *study.run.disclosing.tolist()), **lines}
    # Play that has settled stays where it is.
    lines = {name: (*own, *[own[-1]] * (rounds - len(own))) for name, own in lines.items()}
    percent = {name: [100 * value for value in own] for name, own in lines.items()}
    ends = "; ".join(f"{name}: {own[-1]:.1f} % at the end" for name, own in percent.items())
    figures = [
        PageFigure(
            "disclosing",
            "Who shows something to somebody, round by round. Selfish users begin with everything public and answer each other "
            "in turn.",
            f"Share of users who disclose: {ends}.",
            rounds_chart(percent, title="users who disclose, %"),
        )
    ]
    return figures if study.run is None else [*figures, _worth(study), _gains(study), _troubles(study)]


def _worth(study: SocialStudy) -> PageFigure:
    run = study.run
    if run is None:
        return PageFigure("worth", "", "", rounds_chart({}, title=""))
    kinds = run.as_plain()["utility"]
    lines = {name: [math.nan, *own] for name, own in kinds.items()}
    said = ", ".join(f"{name} {own[-1]:.2f}" for name, own in kinds.items())
    return PageFigure(
        "worth",
        "Mean PRF of each kind of user. The dashed line is PRF when all publish to all neighbours; where nobody does it is 0.",
        f"Mean PRF in the last round: {said}; {run.all_give:.2f} when all publish.",
        rounds_chart(lines, title="mean PRF", rule=run.all_give),
    )


def _gains(study: SocialStudy) -> PageFigure:
    points = [(value, found.relative) for value, found in study.by_setting]
    if isinstance(study.protocol, TitForTat):
        chosen, title = float(study.protocol.penance), "penance, rounds"
        caption = "Epsilon by penance: what the best of all strategies gains against users who follow."
    else:
        chosen = study.protocol.threshold if isinstance(study.protocol, Reputation) else math.nan
        title = "threshold of the reputation"
        caption = "Epsilon by threshold: what lies between the threshold and 1 can be had for nothing."
    said = ", ".join(f"{value:g}: {100 * gain:.1f} %" for value, gain in points)
    return PageFigure(
        "gains", caption, f"Gain of the best deviation. {said}.", gains_by_setting(points, title=title, chosen=chosen)
    )


def _troubles(study: SocialStudy) -> PageFigure:
    shares = {name: left for name, left, _, _ in study.troubles}
    said = ", ".join(f"{name}: {100 * share:.0f} %" for name, share in shares.items())
    return PageFigure(
        "troubles",
        "What is left of the welfare when all publish, in the last half of the rounds, with each trouble alone. PRF is convex in "
        "what one shows: where sensitivities add up to more than 1, some who only take and some who only give have a higher mean "
        "than all who do both, so that it may be above 100.",
        f"Welfare by trouble. {said}.",
        troubles_chart(shares),
    )
