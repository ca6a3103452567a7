# Everything a person needs: make run, make test, make format, make docs, make bench, make lock.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

FIRST_TO_KNOW := $(addprefix tests/test_,chips.py choices.py currency.py definitions.py golden.py house.py insurance.py \
    layouts.py limits.py loader.py roads.py settlement.py settlement_edges.py table.py view.py) \
    $(addprefix src/punto/,amounts.py coup messages roads rulebook settlement table)

# Installs the formatter of the pages where there is Node; where there is none, says so and does nothing more.
PRETTIER := command -v npm > /dev/null || { echo "No Node: the formatting of the pages is left out."; exit 0; }; \
    test node_modules/.package-lock.json -nt package-lock.json || npm ci --silent --no-audit --no-fund || exit 1;

MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

.PHONY: run test check format pages-check full trace proofs chaos busy mutants conformance stories explore docs dist bench lock clean pythons pictures

run: $(VENV)/run.stamp
	@echo "Opening a small casino …"
	@trap : INT; $(BIN)/punto serve --demo || test $$? -eq 130  # Ctrl-C ends it, and is no error of make's

test: $(VENV)/dev.stamp pages-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/python tests/side_by_side.py "$(BIN)/mypy" "$(BIN)/lint-imports" "$(MKDOCS)"

# What a minute can tell: form, types, the ways of importing, and the rules from cards to settled wagers.
check: $(VENV)/dev.stamp pages-check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q $(FIRST_TO_KNOW)

# Writes Python, and where Node is there the pages, in the layout that make test checks.
format: $(VENV)/dev.stamp
	$(BIN)/ruff format .
	@$(PRETTIER) npm run --silent format

# The pages need no Node to be served; only the check of their layout does.
pages-check:
	@$(PRETTIER) npm run --silent check

# Every key of every book left out, one at a time: refused by the loader, or played; every key misspelt and rubbish in
# every value: one fault each; and long walks by what is listed as possible. Then what make test plays by chance, by
# seeds of its own and longer. Takes hours.
full: $(VENV)/dev.stamp
	PUNTO_FULL=1 $(BIN)/pytest -q tests/test_left_out.py tests/test_mistakes.py tests/test_legal.py tests/test_coup.py
	PUNTO_CHAOS=1 $(BIN)/pytest -q tests/test_table_machine.py tests/test_privacy.py tests/test_leaks.py

# Runs the tests that show clauses and writes down which test shows which (src/punto/rulebook/trace.json).
trace: $(VENV)/dev.stamp
	$(BIN)/pytest -q --write-trace $(shell grep -l "mark.clause" tests/test_*.py)

# Proves by mutation which clauses are enforced, and writes it down (src/punto/rulebook/proofs.json): a few minutes. Then
# changes every part of every book, and looks whether a story shows it, which takes longer.
proofs: $(VENV)/dev.stamp
	PYTHONPATH=src:tests:mutants $(BIN)/python proofs/prove.py
	PYTHONPATH=src:tests:mutants $(BIN)/python proofs/parts.py

# Makes two submissions with this Python and with another, and compares their bytes: make pythons OTHER=python3.13
OTHER ?= python3.13
pythons: $(VENV)/dev.stamp
	$(OTHER) -m venv $(VENV)-other
	$(VENV)-other/bin/pip install --quiet --require-hashes -r locks/run.txt
	$(VENV)-other/bin/pip install --quiet --no-deps --no-build-isolation -e .
	$(BIN)/python proofs/pythons.py $(VENV)-other/bin/python

# Takes pictures of every view at eight sizes, to be looked at: make pictures FOLDER=pictures
FOLDER ?= pictures
pictures: $(VENV)/dev.stamp
	$(BIN)/python tests/pictures.py $(FOLDER)

# Kills the real service 500 times on each database, and looks whether anything was lost. Takes hours.
chaos: $(VENV)/dev.stamp
	$(BIN)/python chaos/crash.py

# Runs every test five times beside four busy processes, and says whether one was red. Takes hours.
busy: $(VENV)/dev.stamp
	$(BIN)/python chaos/busy.py

# Changes the program in one place after the other, and looks whether a test notices: all of the settlement, a sample of
# the table and of the odds. The settlement takes about ten minutes, a sample of the table as long.
mutants: $(VENV)/dev.stamp
	$(BIN)/python mutants/run.py

# Makes the engine wrong in 200 places, one at a time, and looks whether the conformance kits of the books notice.
conformance: $(VENV)/dev.stamp
	$(BIN)/python mutants/conformance.py

# Chooses the stories of conformance kits anew, by the ways that they take through the engine: five minutes.
stories: $(VENV)/dev.stamp
	PYTHONPATH=mutants $(BIN)/python explore/choose.py

# Every command of an alphabet in every state of small tables of all books, breadth first, for ten minutes of processor
# time; the shortest story to each fault is written to explore-faults/.
explore: $(VENV)/dev.stamp
	$(BIN)/python explore/explorer.py

docs: $(VENV)/dev.stamp
	$(MKDOCS)
	@echo "site/index.html"

# Builds a wheel and a source archive into dist/, and tries the wheel in an environment of its own. Whoever publishes
# them says where the project is found: make dist URL=https://example.org/punto
URL ?=
dist: export PUNTO_PROJECT_URL = $(URL)
dist: $(VENV)/run.stamp
	rm -rf dist
	$(BIN)/python -m hatchling build
	PUNTO_PROJECT_URL= $(BIN)/python locks/check_dist.py dist $(URL)

bench: $(VENV)/dev.stamp
	$(BIN)/python benchmarks/settle.py
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/odds.py
	$(BIN)/python benchmarks/wordings.py
	$(BIN)/python benchmarks/simulate.py
	$(BIN)/python benchmarks/exposure.py
	$(BIN)/python benchmarks/table.py

# Pins every dependency again, with hashes: one lock for every Python from Debian's 3.11.2 on, on every platform. What
# is pinned already stays as it is where it can. The first is for whoever runs Punto, the second for whoever works on it.
LOCKED := --quiet --universal --python-version 3.11.2 --generate-hashes --no-header --no-annotate --strip-extras
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet uv
	cd locks && ../$(VENV)-lock/bin/uv pip compile $(LOCKED) \
	    --extra build --extra certify --extra serve -o run.txt ../pyproject.toml
	cd locks && ../$(VENV)-lock/bin/uv pip compile $(LOCKED) -c run.txt \
	    --extra build --extra certify --extra cluster --extra gym --extra parquet --extra serve --extra dev --extra docs \
	    -o dev.txt ../pyproject.toml

clean:
	rm -rf $(VENV) $(VENV)-lock $(VENV)-other node_modules site .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Where the set-up fails it has said why, and an error of make's below it would tell nobody anything: so make ends by the
# one signal that it says nothing about. Where that is ignored, it ends with its error.
SAID_WHY := { kill -s PIPE $$PPID; exit 1; }

$(VENV)/run.stamp: locks/run.txt pyproject.toml
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON) here. Punto needs Python 3.11 to 3.13:" \
	    "make PYTHON=/path/to/python3.13" >&2; $(SAID_WHY); }
	@$(PYTHON) locks/set_up.py $(VENV) run || $(SAID_WHY)

# Where there is the Chromium without windows, too, most of the browser tests take a third of the work.
INSTALL := DEBIAN_FRONTEND=noninteractive apt-get -qq install -y
$(VENV)/dev.stamp: locks/dev.txt $(VENV)/run.stamp
	@$(PYTHON) locks/set_up.py $(VENV) dev || $(SAID_WHY)
	@command -v chromium > /dev/null || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null && apt-get -qq update \
	    && { $(INSTALL) chromium chromium-headless-shell || $(INSTALL) chromium; } > /dev/null 2>&1; } \
	    || echo "No Chromium: the browser tests will be skipped. On Debian: apt-get install chromium."
