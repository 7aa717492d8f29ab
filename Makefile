# Everything runs in .venv, which the first target that needs it makes; `make help` lists the targets.

PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt
DEMO_AGENTS := random,greedy,battle,loki,quest,balanced

.PHONY: help demo play serve test lint bench compile player clean

help:
	@echo 'make demo     play a game, then a small tournament (the first time: install and compile, a few minutes)'
	@echo 'make play     play against agents in the terminal'
	@echo 'make serve    play in the browser, at the address that it prints'
	@echo 'make test     run the tests (WORKERS=2 at once; PYTEST_ARGS for more)'
	@echo 'make lint     check style and types'
	@echo 'make bench    measure decisions a second'
	@echo 'make compile  compile the engine for this machine'
	@echo 'make player   train the player that comes with the project anew: 11 hours; may be stopped and begun again'
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

test: $(VENV)/.test
	$(BIN)/python -m pytest -n $(WORKERS) $(PYTEST_ARGS)

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.core
	@$(BIN)/bloodrage bench

compile: $(VENV)/.core
	@$(BIN)/bloodrage compile

# A run that is done is done at once; docs/training.md tells what each is for.
LEARN := $(BIN)/python training/ppo.py training/configs
ROUNDS := $(BIN)/python training/rounds.py training/configs
MEAN := $(BIN)/python -m bloodrage_training.learn.average
player: $(VENV)/.train
	test -e runs/imitation.pt || $(BIN)/python training/imitate.py runs/imitation.pt --minutes 5
	$(LEARN)/ppo.toml
	$(LEARN)/ppo-2.toml
	$(LEARN)/ppo-3.toml
	$(LEARN)/ppo-4.toml
	$(LEARN)/ppo-5.toml
	$(MEAN) runs/mean-4-5.npz runs/ppo-4/checkpoint.pt runs/ppo-5/checkpoint.pt
	$(LEARN)/ppo-6.toml
	$(LEARN)/ppo-7.toml
	$(MEAN) runs/mean-6-7.npz runs/ppo-6/checkpoint.pt runs/ppo-7/checkpoint.pt
	$(ROUNDS)/rounds-2.toml
	$(ROUNDS)/rounds-3.toml
	$(BIN)/python -m bloodrage_training.learn.mirror runs/mirrored.npz runs/rounds-3/checkpoint.pt
	$(ROUNDS)/rounds-4.toml
	$(ROUNDS)/rounds-5.toml
	$(MEAN) runs/mean-rounds-5.npz $(foreach round,6 7 8 9 10,runs/rounds-5/mean-$(round).pt)
	$(LEARN)/ppo-two.toml
	$(LEARN)/ppo-two-2.toml
	$(MEAN) runs/mean-two.npz runs/ppo-two/checkpoint.pt runs/ppo-two-2/checkpoint.pt
	$(ROUNDS)/rounds-two.toml
	$(ROUNDS)/rounds-two-2.toml
	$(BIN)/python -m bloodrage_training.learn.merge runs/player.npz 2:runs/rounds-two-2/checkpoint.pt 3,4,5:runs/mean-rounds-5.npz

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

$(VENV)/.test $(VENV)/.lint $(VENV)/.train $(VENV)/.web: $(VENV)/.%: $(VENV)/.core
	@$(PIP) --no-build-isolation --editable '.[$*]'
	@touch $@
