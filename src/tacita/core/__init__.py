"""The ground floor: parameters, registry, errors, seeded streams, progress. It imports nothing of ours."""
