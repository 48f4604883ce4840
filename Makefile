# Tasks; `make` alone lists them. Needs Python 3.11 or newer, make and git.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
CORES ?= $(shell nproc 2>/dev/null || echo 2)
# One worker more than cores, because tests wait for browsers and other processes for a fifth of their time.
JOBS ?= $(shell echo $$(($(CORES) + 1)))
PYTEST_ARGS ?=
PARTS ?=
UNIT := not soak and not pg and not e2e and not slow

# Options of `serve`; if empty, its defaults apply, or TEFUDA_HOST and TEFUDA_PORT.
HOST ?=
PORT ?=

# Otherwise each server and each worker of the tests would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.DEFAULT_GOAL := help
.PHONY: help play dev test check coverage lint format bench soak clean install

help:  ## list the tasks
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

check: lint  ## lint, and the fast tests: engine, contracts and units on SQLite
	HYPOTHESIS_PROFILE=check $(BIN)/python -m pytest -q -n $(CORES) --dist worksteal -m "$(UNIT)" \
		tests/engine tests/contracts tests/golden tests/services/core tests/services/test_players.py \
		tests/web/i18n/test_translations.py tests/web/templating tests/test_architecture.py $(PYTEST_ARGS)

test: $(READY_DEV)  ## every test, in a browser and on PostgreSQL too
	$(BIN)/python tests/e2e/browser.py
	$(BIN)/python tests/support/postgres.py
	$(BIN)/python tests/support/proxies.py
	HYPOTHESIS_PROFILE=$(or $(HYPOTHESIS_PROFILE),ci) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

coverage: $(READY_DEV)  ## every test without a browser, with branch coverage and its minimum
	$(BIN)/python tests/support/postgres.py
	$(BIN)/python tests/support/proxies.py
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not soak and not e2e" --cov --cov-report=term $(PYTEST_ARGS)

lint: $(READY_DEV)  ## style, types, templates, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/djlint templates --lint --quiet
	$(BIN)/lint-imports

format: $(READY_DEV)  ## format the code, and fix what the linter can fix
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(READY_DEV)  ## benchmarks (PARTS="engine server ..."), an action beside a bare view of Flask
	$(PIP) install --quiet -c constraints.txt gunicorn
	$(BIN)/python -m tests.bench $(PARTS)

soak: $(READY_DEV)  ## the long tests
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m soak $(PYTEST_ARGS)

install: $(READY_DEV)  ## everything a developer needs, in .venv

clean:  ## remove everything that was built, except the instance folder
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks \
		.coverage .coverage.* htmlcov test-results tests/e2e/artifacts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------------------------ installing
# The build tool is installed from the pinned list as well, so that pip fetches nothing else.
# The stamp files are renewed only if the lists change, so a second `make play` starts at once.

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
