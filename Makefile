# make demo   make a pack of playable levels and say where it is
# make test   all checks: lint, types, import order, tests
# make bench  time levolve against its peers
# make pictures draw the pictures of the documentation
# make rounds  make the rounds of Reach the Flag that come with levolve
# make proofs the long form of proofs whose short form is among the tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench proofs pictures rounds lint types order twins tests browser clean

demo: $(VENV)/.installed
	$(BIN)/levolve demo

test: lint types order tests twins

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

order: $(VENV)/.installed-test
	$(BIN)/lint-imports

tests: $(VENV)/.installed-test browser
	$(BIN)/pytest -n auto --dist loadfile

# The page of a pack is tested in a real browser.
browser:
	@if { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
		echo "installing chromium"; ROOT=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$ROOT apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$ROOT apt-get install -qq -y chromium >/dev/null; \
	else echo "Some tests need a browser: install chromium or google-chrome so that it is on the path, then run 'make test' again." >&2; exit 1; fi

# The same comparison of kernels with their slow twins, with the kernels run as plain Python: what they say, not what was compiled.
twins: $(VENV)/.installed-test
	NUMBA_DISABLE_JIT=1 LEVOLVE_EXAMPLES=5 $(BIN)/pytest -n auto tests/kernels

proofs: $(VENV)/.installed-test
	LEVOLVE_SEEDS=20 $(BIN)/pytest -n auto tests/runs/test_every_combination.py tests/runs/test_dungeons.py tests/puzzles

pictures: $(VENV)/.installed
	$(BIN)/python docs/pictures.py

rounds: $(VENV)/.installed
	$(BIN)/python docs/rounds.py

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/evolution.py
	$(BIN)/python benchmarks/mazes.py
	$(BIN)/python benchmarks/fashion.py
	$(BIN)/python benchmarks/puzzles.py
	$(BIN)/python benchmarks/dungeons.py
	$(BIN)/python benchmarks/packs.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) levolve-demo build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
