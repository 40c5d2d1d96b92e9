"""Other programs to compare with, each in an environment of its own that a benchmark makes when it is first asked for."""
