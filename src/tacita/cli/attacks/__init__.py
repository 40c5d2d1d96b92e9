"""What ``tacita attack`` can be pointed at, and how it tells what came of it.

In come a path or an address and the options of the verb; out come a campaign, its table on the screen, and its page. Read
``pointed_at.py`` first.
"""
