"""Files of tables: CSV, JSON and the JJ form of tau-ARGUS; the ending of the name says which.

In come paths; out come tables and protection problems, and the same the other way round. Read ``read_write.py`` first.
"""
