"""Files of tables: CSV, JSON and the JJ form of tau-ARGUS; the ending of the name says which."""
