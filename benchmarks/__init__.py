"""Benchmarks: speed and quality, each runnable by one command, printing ratios."""
