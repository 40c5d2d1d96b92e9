"""The first page, which lists the data sets, and the page of a data set, which lists its variables."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacita.web.accounts.visitor import Visitor, check_role
from tacita.web.api.reception import Reception
from tacita.web.pages.addresses import PAGES
from tacita.web.pages.forms import catalogue_of
from tacita.web.pages.page_errors import for_visitors
from tacita.web.pages.page_templates import show
from tacita.web.settings import ROLES_IN_WORDS

__all__ = ["OFFERS", "ExplorePages", "offers_of"]

OFFERS = {
    "tabulate": ("Tables", "Counts, percentages, means and totals by one to three variables."),
    "regress": ("Regression", "A linear or logistic regression, with residual plots."),
    "quantiles": ("Quantiles", "Medians, quartiles and other quantiles, read from bins."),
    "correlate": ("Correlations", "Correlations of numeric variables."),
    "statistic": ("Single numbers", "One count, sum or mean about a universe."),
}
"""What may be asked on pages: the name of each page and what it does."""


def offers_of(dataset: str, requests: tuple[str, ...]) -> list[tuple[str, str, str, str]]:
    """Return the pages of a data set: kind, name, address and what it does.

    Examples
    --------
    >>> offers_of("survey", ("quantiles", "residuals"))[0][:3]
    ('quantiles', 'Quantiles', '/explore/survey/quantiles')
    """
    return [
        (kind, name, f"/explore/{dataset}/{PAGES[kind]}", about)
        for kind, (name, about) in OFFERS.items()
        if kind in requests
    ]


class ExplorePages:
    """The pages that one chooses on.

    Parameters
    ----------
    reception
        Where data sets are known.
    """

    def __init__(self, reception: Reception) -> None:
        self.reception = reception

    def routes(self) -> list[Route]:
        """Return the addresses of these pages."""
        return [
            Route("/", for_visitors(self.reception, self.home), methods=["GET"]),
            Route("/explore/{dataset}", for_visitors(self.reception, self.overview), methods=["GET"]),
        ]

    async def home(self, request: Request, visitor: Visitor) -> Response:
        """List the data sets that the visitor may see."""
        datasets = await self.reception.datasets(visitor)
        closed = await self.reception.closed()
        rows = [
            (one, offers_of(one.name, one.requests), one.name in closed, ROLES_IN_WORDS[check_role(one.open_to)])
            for one in datasets
        ]
        return show(request, self.reception, visitor, "home.html", rows=rows)

    async def overview(self, request: Request, visitor: Visitor) -> Response:
        """Show a data set: what may be asked, and its variables."""
        facts = await self.reception.dataset(visitor, request.path_params["dataset"])
        is_closed = facts.name in await self.reception.closed()
        said: dict[str, Any] = {
            "facts": facts,
            "offers": offers_of(facts.name, facts.requests),
            "page": "overview",
            "variables": catalogue_of(facts),
            "is_closed": is_closed,
        }
        return show(request, self.reception, visitor, "dataset.html", **said)
