"""Quality of results: our figures beside published ones."""
