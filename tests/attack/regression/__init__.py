"""Tests of the regression attacks."""
