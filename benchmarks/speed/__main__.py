"""``python -m benchmarks.speed``."""

import benchmarks.speed as package
from benchmarks.tables import main

main(package)
