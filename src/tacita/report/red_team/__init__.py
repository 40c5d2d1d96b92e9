"""Pages of the red team: what was attacked, what came of it, and what to do.

In come campaigns; out come pages that open without a network. Read ``campaign_page.py`` first.
"""

from tacita.report.red_team.campaign_page import campaign_page, campaign_tables

__all__ = ["campaign_page", "campaign_tables"]
