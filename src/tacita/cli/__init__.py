"""The command line: one file a verb in `verbs`, each a thin call of the library.

In come words; out come files, sentences on the screen or JSON, and an exit status. Read ``main.py`` first, then any verb, such
as ``verbs/mask.py``.
"""
