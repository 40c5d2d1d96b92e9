"""Tests of attacks across releases."""
