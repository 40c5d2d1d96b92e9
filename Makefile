# Two commands matter: `make demo` and `make test`. Both set up everything they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test test-all checks lint types docs bench first-calls bench-quality bench-server redteam chaos fuzz clean setup browser wordnet lock kernels dist

setup: $(READY)

$(READY): pyproject.toml constraints.txt tools/setup.sh
	@sh tools/setup.sh "$(PYTHON)" "$(VENV)"
	@touch $@

# What was changed since the kernels were compiled last, and nothing else.
kernels: $(READY)
	@$(BIN)/python tools/kernels/build.py

browser:
	@sh tools/browser.sh

wordnet: browser  # one after the other: two installations at a time wait for each other, and fail
	@sh tools/wordnet.sh

demo: $(READY)
	@$(BIN)/tacita demo --output demo-output

# ROOM=tables: the tests of one room and of what uses it; ROOM=docs: those of the documentation.
test: checks kernels
	@$(BIN)/python -m compileall -q src tests  # also where Python is told to write no bytecode: processes start sooner
	places=$$($(BIN)/python tools/rooms.py $(ROOM)) && $(BIN)/pytest -n 2 --dist worksteal -m "not slow" --durations=25 $$places

test-all: checks kernels
	$(BIN)/pytest -n 2 --cov --cov-report=
	$(BIN)/python tools/coverage_page.py

checks: $(READY) browser wordnet
	@$(MAKE) --no-print-directory -j2 lint types $(if $(filter-out docs,$(ROOM)),,docs)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python tools/build_docs.py

bench: $(READY)
	-@$(BIN)/pip install --quiet --no-build-isolation -e ".[sparring]"  # a peer to compare with; without it one row says so
	$(BIN)/python -m benchmarks.speed --write docs/benchmarks/speed.md

first-calls: $(READY)
	$(BIN)/python -m benchmarks.first_calls --write docs/benchmarks/first-calls.md

bench-quality: $(READY)
	$(BIN)/python -m benchmarks.quality --write docs/benchmarks/quality.md

# Load on a server of this machine, about three minutes. LOAD="--seconds 10 --records 100000" for a first look.
bench-server: $(READY)
	$(BIN)/python -m benchmarks.server $(LOAD) --write docs/benchmarks/server.md

# Every attack where it is known to succeed and where it is known to fail; fails when one ends otherwise.
redteam: $(READY)
	$(BIN)/python -m benchmarks.red_team --write docs/benchmarks/red-team.md

# Kills and a full disk under load; fails when anything that left was lost. CHAOS="--kills 4" for a first look.
chaos: $(READY)
	$(BIN)/python -m benchmarks.chaos $(CHAOS) --write docs/benchmarks/faults.md

# Damaged files for every reader: no crash, no traceback, no hang, no swelling. FUZZ="--inputs 2000 --seed 7" for fewer or others.
FUZZ ?= --inputs 20000 --jobs 2
fuzz: $(READY)
	$(BIN)/python -m fuzz $(FUZZ)

# Writes the versions that are installed now as those that everybody gets; run the tests before and after.
lock: $(READY)
	$(BIN)/pip freeze --exclude-editable | grep -v '^tacita' | sort -f > constraints.txt

# A wheel and the sources, tried in a fresh environment without a compiler.
dist: $(READY)
	@sh tools/dist.sh "$(PYTHON)" "$(BIN)"

clean:
	rm -rf $(VENV) .venv-peers site dist src/tacita/_kernels demo-output fuzz-failures .pytest_cache .mypy_cache .ruff_cache
