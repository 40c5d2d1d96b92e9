"""Tests of what a notebook shows."""
