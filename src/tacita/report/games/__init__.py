"""Pages and pictures of games: what simulations and searches for equilibria found, as files that open without a network.

In come results of ``tacita.games``; out come charts, and pages that hold them with their tables. Read ``vanet_page.py`` first.
"""
