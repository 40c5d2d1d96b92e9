"""The verbs of the program: one file each, loaded when it is asked for.

In come the words of a command line; out come what the library gave, shown, and files that it wrote. Read ``mask.py`` first.
"""
