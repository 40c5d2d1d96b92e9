"""Tests of reconstruction attacks."""
