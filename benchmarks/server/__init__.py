"""The server under load: questions at rates that rise, from another process, over loopback.

In come a rate and a time; out come a table of rates, answers and times, and whether the journal has every answer. Read
``load.py`` first.
"""
