"""Tests of the guesses: in come columns of known meaning; out come roles, scales, codes and drafts. Read ``foreign.py`` first."""
