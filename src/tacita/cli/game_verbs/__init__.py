"""The commands of ``tacita games``: one file each, loaded with the group; heavy parts are imported when a command runs.

In come files and settings; out come tables on the screen, JSON, and pages with pictures. Read ``cli/verbs/games.py`` first.
"""
