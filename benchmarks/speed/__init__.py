"""Speed, as ratios within one run: against the obvious version in tests/oracles and against the hardware's limit."""
