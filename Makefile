# Everything that a fresh machine with python3 and make needs. `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help setup play serve demo matrix network kills cheats simulate endurance nightly fuzz figures pictures test check format floors clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); $(PYTHON) -m virtualenv $(VENV); } || \
	  { rm -rf $(VENV); echo "No virtual environment could be made. On Debian: apt install python3-venv"; exit 1; }

$(VENV)/.installed: pyproject.toml setup.py constraints.txt $(wildcard ui/locale/*/LC_MESSAGES/*.po) | $(BIN)/python
	@echo "Installing Verish into $(VENV)..."
	$(PIP) install -c constraints.txt -e .
	touch $@

$(VENV)/.serving: $(VENV)/.installed
	$(PIP) install -c constraints.txt -e '.[serve]'
	touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(PIP) install -c constraints.txt -e '.[test,check]'
	touch $@

setup: $(VENV)/.installed ## make .venv with .venv/bin/verish in it

play: setup ## open a table in the terminal, with three headless peers to play against
	$(BIN)/verish play --bots 3

serve: $(VENV)/.serving ## play in a browser: a page at 127.0.0.1, port 8000
	$(BIN)/verish serve

demo: setup ## four headless peers find each other, play one deal, and it is audited
	$(BIN)/verish demo

matrix: $(VENV)/.developing ## every form and variation over real sockets, audited: some five minutes
	$(BIN)/python -m tests.matrix

network: $(VENV)/.developing ## every kind of bad network, in network namespaces (needs root): some ten minutes
	$(BIN)/python -m pytest -n 2 -m network tests/network

kills: $(VENV)/.developing ## peers killed at random moments in DEALS deals, who come back and lose nothing
	$(BIN)/python -m tests.kills --deals $(or $(DEALS),20)

cheats: $(VENV)/.developing ## try every attack of docs/threats.md, and print which were caught: some ten minutes
	$(BIN)/python -m tests.cheats

simulate: $(VENV)/.developing ## whole tables in virtual time, with faults of every kind: SEEDS=1..500
	$(BIN)/python -m tests.simulation --jobs 2 --seeds $(or $(SEEDS),1..500)

endurance: $(VENV)/.developing ## all three one after the other, and one table: SEEDS=1..250 DEALS=20
	$(BIN)/python -m tests.endurance --jobs 2 --seeds $(or $(SEEDS),1..250) --deals $(or $(DEALS),20)

nightly: $(VENV)/.developing ## the same for 100,000 deals: most of a day on two cores
	$(BIN)/python -m tests.simulation --jobs 2 --seeds $(or $(SEEDS),1..50000)

fuzz: $(VENV)/.developing ## feed every reader hostile bytes for SECONDS (600), then play under floods
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),600)
	$(BIN)/python -m pytest -m long tests/adversary/test_floods.py

figures: $(VENV)/.developing ## what the program costs in a terminal: first picture, bytes of a change, idle time
	$(BIN)/python -m tests.figures

pictures: $(VENV)/.developing ## make the pictures of README.md anew, from the real screens
	$(BIN)/python -m tests.screens readme --svg docs/pictures

test: $(VENV)/.developing ## run every test, but for the long ones of `network`
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.developing ## style, types, import contracts, complete translations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m ui.locale check

format: $(VENV)/.developing ## let ruff lay out and tidy the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

floors: ## run the tests with the oldest libraries that pyproject.toml allows
	$(PYTHON) -m venv $(VENV)-floors
	$(VENV)-floors/bin/pip --quiet install uv
	$(VENV)-floors/bin/uv pip install --quiet --python $(VENV)-floors --resolution lowest-direct -e '.[test]'
	$(VENV)-floors/bin/python -m pytest -n 2

clean: ## remove what can be made again
	rm -rf $(VENV) $(VENV)-floors build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -f ui/locale/*/LC_MESSAGES/*.mo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
