# Two commands matter: `make run` and `make test`. Both make .venv and install the pinned packages first.
SHELL := /bin/bash
.DEFAULT_GOAL := help
ACCEPTED := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c '$(ACCEPTED)' 2>/dev/null && { command -v $$name; break; }; done)
BIN := .venv/bin
# Names of files and folders may have any letters, whatever LANG and LC_ALL say.
export PYTHONUTF8 = 1
# Of the tests, on two cores: many wait for processes that they have started.
PROCESSES ?= 4
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help run manage test lint translation format bench performance soak pins tools

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

.venv/bin/python:
	@[ -n "$(PYTHON)" ] && "$(PYTHON)" -c '$(ACCEPTED)' 2>/dev/null || { \
		echo "Potline needs Python 3.11, 3.12 or 3.13; say which: PYTHON=/path/to/python3.12 make $(MAKECMDGOALS)"; exit 1; }
	@case "$$PWD" in *:*) echo "Python cannot make .venv in a folder with a colon in its name ($$PWD): rename that folder."; exit 1;; esac
	@echo "Making .venv ..."
	@"$(PYTHON)" -m venv .venv || { rm -rf .venv; echo "Python's venv module is missing (Debian: apt-get install python3-venv)."; exit 1; }

.venv/run-installed: requirements.txt | .venv/bin/python
	@echo "Installing the pinned packages ..."
	@$(PIP) -r requirements.txt
	@bash .ci/redis $(BIN)/python
	@touch $@

.venv/dev-installed: requirements-dev.txt | .venv/bin/python
	@echo "Installing the pinned packages, test and lint tools ..."
	@$(PIP) -r requirements-dev.txt
	@bash .ci/redis $(BIN)/python
	@touch .venv/run-installed $@

run: .venv/run-installed ## the whole casino floor on this machine; PORT=8123 picks another port
	@$(BIN)/python -m config.local run

manage: .venv/run-installed ## one manage.py command on the embedded servers: make manage ARGS="showmigrations"
	@$(BIN)/python -m config.local manage $(ARGS)

tools: # the browser and hledger that some tests use: found, or installed where we may
	@bash .ci/tools

# Bytecode is kept even where the environment forbids it: each of a hundred processes would compile everything anew.
test: .venv/dev-installed tools ## all tests on throw-away databases; ARGS="-k name" for some, by one process
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest $(if $(ARGS),$(ARGS),-n $(PROCESSES) --dist loadfile)

lint: .venv/dev-installed ## ruff, mypy, migrations
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python -m mypy .
	@$(BIN)/python manage.py makemigrations --check --dry-run 2>&1 | grep -v -e 'RuntimeWarning' -e 'Is the server running' -e 'warnings.warn'; exit $${PIPESTATUS[0]}

translation: .venv/run-installed ## the catalogue of a language, kept up to date and compiled: make translation TO=mi
	@command -v msgfmt >/dev/null || { echo "The gettext tools are missing (Debian: apt-get install gettext)."; exit 1; }
	@[[ "$(TO)" =~ ^[a-z] ]] || { echo "Say which language: make translation TO=mi"; exit 1; }
	@$(BIN)/python manage.py makemessages --locale $(TO) --no-wrap --ignore .venv --ignore tests --ignore var
	@$(BIN)/python manage.py makemessages --domain djangojs --locale $(TO) --no-wrap --ignore .venv --ignore tests --ignore var --ignore vendor
	@$(BIN)/python manage.py compilemessages --locale $(TO) --ignore .venv

format: .venv/dev-installed ## ruff's formatter and safe fixes
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

bench: .venv/dev-installed ## the benchmarks, one file a question
	@set -e; for file in bench/bench_*.py; do echo "== $$file"; $(BIN)/python -m bench.$$(basename $$file .py); done

performance: .venv/dev-installed ## measures steps, batches, settlement and the idle floor, and writes docs/performance.md
	@$(BIN)/python -m bench.performance

soak: .venv/dev-installed tools ## long fault, soak and volume runs, apart from the tests
	@POTLINE_SOAK=1 $(BIN)/python -m pytest tests/soak $$(grep -rlE --include='test_*.py' "^from (tests.examples|hypothesis)|mark\.soak" tests) -s --timeout=0 $(ARGS)

COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11
pins: .venv/dev-installed ## refresh requirements*.txt from requirements*.in
	@$(COMPILE) requirements.in -o requirements.txt
	@$(COMPILE) -c requirements.txt requirements-production.in -o requirements-production.txt
	@$(COMPILE) -c requirements.txt requirements-dev.in -o requirements-dev.txt
