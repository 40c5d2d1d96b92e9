"""Tests of attacks on tables."""
