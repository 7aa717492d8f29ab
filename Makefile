# Everything runs in .venv, which the first target that needs it makes; `make help` lists the targets.

PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --constraint constraints.txt
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
INPUTS := pyproject.toml constraints.txt
DEMO_AGENTS := random,greedy,battle,loki,quest,balanced

.PHONY: help demo play serve docs test test-all gpu-check lint bench compile player clean

help:
	@echo 'make demo     play a game, then a small tournament (the first time: install and compile, a few minutes)'
	@echo 'make play     play against agents in the terminal'
	@echo 'make serve    play in the browser, at the address that it prints'
	@echo 'make test     run the tests but those marked slow (WORKERS=2 processes; PYTEST_ARGS for pytest)'
	@echo 'make test-all run all tests'
	@echo 'make gpu-check compile the games for a GPU and run them in a simulator (downloads 350 MB; needs no GPU)'
	@echo 'make lint     check style, types and spelling'
	@echo 'make docs     build the documentation site: build/site/index.html'
	@echo 'make bench    measure decisions a second'
	@echo 'make compile  compile the engine for this machine'
	@echo 'make player   train a player such as the one that comes with the project: hours; may be stopped and resumed'
	@echo 'make clean    remove .venv, caches and whatever was built'
	@echo 'PYTHON names the interpreter to use, 3.11 or newer (now: $(PYTHON)).'

demo: $(VENV)/.core
	@$(BIN)/bloodrage demo
	@mkdir -p runs && rm -f runs/demo.sqlite*
	@$(BIN)/bloodrage tournament run --agents $(DEMO_AGENTS) --deals 15 --store runs/demo.sqlite --html runs/demo.html

play: $(VENV)/.core
	@$(BIN)/bloodrage play

serve: $(VENV)/.web
	@$(BIN)/bloodrage serve

# All games are compiled before the workers start, or each of them would.
test: $(VENV)/.test
	@$(BIN)/bloodrage compile --all
	$(PYTEST) -m 'not slow' $(PYTEST_ARGS)

test-all: $(VENV)/.test
	@$(BIN)/bloodrage compile --all
	$(PYTEST) $(PYTEST_ARGS)

gpu-check: $(VENV)/.test
	@$(PIP) 'numba-cuda[cu12]'
	$(PYTEST) tests/test_gpu.py $(PYTEST_ARGS)

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy

docs: $(VENV)/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo 'wrote build/site/index.html'

bench: $(VENV)/.core
	@$(BIN)/bloodrage bench

compile: $(VENV)/.core
	@$(BIN)/bloodrage compile

player: $(VENV)/.train
	$(BIN)/bloodrage train training/configs/player.toml --out runs/player

clean:
	rm -rf $(VENV) build dist *.egg-info .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# setuptools stands in .venv so that the editable install needs no build environment of its own.
$(VENV)/.made: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "bloodrage needs Python 3.11 or newer; '$(PYTHON)' is none (try: make PYTHON=python3.12)" >&2; exit 1; }
	@echo 'Installing into $(VENV) ...'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade 'setuptools>=77'
	@touch $@

$(VENV)/.core: $(VENV)/.made $(INPUTS)
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/.docs $(VENV)/.test $(VENV)/.lint $(VENV)/.train $(VENV)/.web: $(VENV)/.%: $(VENV)/.core
	@$(PIP) --no-build-isolation --editable '.[$*]'
	@touch $@
