# Chores; `make` alone lists them. Needs Python 3.11 or newer, make and git, nothing else.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# One more than cores: a fifth of the time of a test is waiting, for what moves in a browser, and for other processes.
# On two cores three of them take 9:56, two 10:53.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
PYTEST_ARGS ?=
PARTS ?=
UNIT := not soak and not pg and not e2e and not slow

# HOST and PORT are options of `serve`; left empty, its own defaults and TEFUDA_HOST, TEFUDA_PORT hold.
HOST ?=
PORT ?=

# Every server and every worker of the tests would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.DEFAULT_GOAL := help
.PHONY: help play dev test check coverage lint format bench soak clean install

help:  ## list these
	@echo 'Tefuda - a card room in the browser'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*##  *\(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'
	@echo
	@echo 'e.g.  make play HOST=0.0.0.0 PORT=8080     make test PYTEST_ARGS="-k stakes"'

play: $(READY)  ## install what is needed and serve the site
	$(BIN)/tefuda serve $(if $(HOST),--host '$(HOST)') $(if $(PORT),--port '$(PORT)')

dev: $(READY)  ## serve, and reload when code or templates change
	FLASK_DEBUG=1 $(BIN)/uvicorn wsgi:asgi --reload --reload-dir webapp --timeout-graceful-shutdown 1 \
		$(if $(HOST),--host '$(HOST)') --port '$(or $(PORT),5000)'

check: lint  ## lint, and the tests of engine, laws and units on SQLite: the inner loop
	HYPOTHESIS_PROFILE=check $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal -m "$(UNIT)" \
		tests/engine tests/contracts tests/golden tests/services/core tests/services/test_players.py \
		tests/web/i18n/test_translations.py tests/web/templating tests/test_architecture.py tests/test_glossary.py $(PYTEST_ARGS)

test: $(READY_DEV)  ## every test, in a browser and on PostgreSQL too
	$(BIN)/python tests/e2e/browser.py
	$(BIN)/python tests/support/postgres.py
	$(BIN)/python tests/support/proxies.py
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

coverage: $(READY_DEV)  ## every test but those in a browser with branch coverage, and the floor
	$(BIN)/python tests/support/postgres.py
	$(BIN)/python tests/support/proxies.py
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not soak and not e2e" --cov --cov-report=term $(PYTEST_ARGS)

lint: $(READY_DEV)  ## style, types, templates, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/lint-imports

format: $(READY_DEV)  ## put style in order
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(READY_DEV)  ## how fast it is (PARTS="engine server ..."), beside others' servers and evaluators where they can be had
	for package in a2wsgi granian gunicorn hypercorn eval7 phevaluator treys gymnasium rlcard; do \
		$(PIP) install --quiet --only-binary :all: -c constraints.txt $$package || echo "without $$package"; \
	done
	$(BIN)/python -m tests.bench $(PARTS)

soak: $(READY_DEV)  ## the long tests
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m soak $(PYTEST_ARGS)

install: $(READY_DEV)  ## everything a developer needs, in .venv

clean:  ## remove what was made, except the instance folder
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks \
		.coverage .coverage.* htmlcov test-results tests/e2e/artifacts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------------------------ installing
# The build tool comes from the same pinned list, so that nothing is fetched behind pip's back.
# Written again only when the lists change: a second `make play` starts at once.

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Tefuda needs Python 3.11 or newer; try: make PYTHON=python3.12 ...' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet -c constraints.txt hatchling
	$(PIP) install --quiet -c constraints.txt --no-build-isolation -e '.[lab]'
	@touch $@

$(READY_DEV): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --quiet -c constraints.txt hatchling
	$(PIP) install --quiet -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $(READY) $@
