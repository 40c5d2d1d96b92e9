"""The commands of ``tacita games``: one file each, loaded with the group; heavy parts are imported when a command runs.

In come files and settings; out come tables on the screen, JSON, and pages with pictures. Read ``solve.py`` first; the group of
commands is the module ``games`` of ``cli/verbs``.
"""
