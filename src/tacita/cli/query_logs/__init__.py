"""What the commands of ``tacita logs`` share: options, how logs and directories are read, what the screen shows.

In come the words of the command line; out come logs with their topics. Read ``options.py`` first.
"""
