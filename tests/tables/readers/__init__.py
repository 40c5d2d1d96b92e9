"""Tests of what readers find in published counts."""
