# make demo   build a pack of playable levels and print its path
# make test   all checks: lint, types, import order, tests
# make quick  the checks to repeat while you work: lint, types, import order, fast tests
# make bench  measure the speed of levolve on this machine and of other libraries (levolve bench), in about 15 minutes
# make measurements measure what single pages of the documentation state: quality, schemes, clients of the studio, and more
# make pictures draw the pictures of the documentation
# make docs   write the tables of the pages "Coming from …" (docs/sources)
# make rounds  create the rounds of Reach the Flag that levolve ships
# make golden compare digests of what levolve computes and writes with tests/golden/golden.json
# make lowest run a part of the tests with the lowest versions of all dependencies that are allowed
# make proofs run the long versions of some tests, and the schemes of the sources beside the figures of their documents
# make plain  run many tests with kernels that are compiled in plain mode (docs/compiler.md)
# make engine write the digest of the sources that determine results to src/levolve/version.py
# make faults kill commands, let each system call of a write fail, and fill disks: nothing may be lost
# make engines open, save and draw maps with the Tiled editor, and play them in pygame and arcade
# make fuzz   read 200,000 altered files with each reader of files
# make alterations check 2,000 files whose layers, nodes, tiles or pixels were moved or changed: what is certified is what is shown

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tests start levolve hundreds of times; without stored bytecode each start would compile its modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick plain engine bench measurements proofs faults engines editor fuzz alterations pictures docs rounds lint types order twins tests browser clean golden lowest

demo: $(VENV)/.installed
	$(BIN)/levolve demo

# The type checker keeps only one core busy; the other runs the shorter checks meanwhile.
test: $(VENV)/.installed-test
	$(MAKE) --jobs=2 types lint order twins
	$(MAKE) tests

# Files of tests that take seconds with compiled kernels in the cache, by measured processor time.
QUICK := tests/test_architecture.py tests/test_engine.py tests/test_language.py tests/test_public_names.py \
	tests/golden tests/levels tests/puzzles tests/recipes tests/search
quick: lint types order
	LEVOLVE_EXAMPLES=5 $(BIN)/pytest -n auto $(QUICK)

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

order: $(VENV)/.installed-test
	$(BIN)/lint-imports

tests: $(VENV)/.installed-test browser editor
	$(BIN)/pytest -n auto --dist loadfile

# The page of a pack is tested in a real browser.
browser:
	@if { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
		echo "installing chromium"; ROOT=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$ROOT apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$ROOT apt-get install -qq -y chromium >/dev/null; \
	else echo "Some tests need a browser: install chromium or google-chrome so that it is on the path, then run 'make test' again." >&2; exit 1; fi

# Maps are opened, saved and drawn by the Tiled editor. Where it cannot be installed, those tests are skipped.
editor:
	@if command -v tiled >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
		echo "installing tiled"; ROOT=$$(test "$$(id -u)" = 0 || echo sudo); \
		{ $$ROOT apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$ROOT apt-get install -qq -y tiled >/dev/null; } \
		|| echo "tiled cannot be installed: the tests that need it are skipped" >&2; \
	else echo "apt-get is not there to install tiled: the tests that need it are skipped" >&2; fi

engines: $(VENV)/.installed-test editor
	$(BIN)/pytest -rs tests/engines tests/formats/test_tiled_readers.py

# Compares kernels with their reference implementations again, with the kernels run as plain Python instead of compiled.
twins: $(VENV)/.installed-test
	NUMBA_DISABLE_JIT=1 LEVOLVE_EXAMPLES=3 $(BIN)/pytest --ignore tests/kernels/compiler tests/kernels

plain: $(VENV)/.installed-test
	LEVOLVE_COMPILER=plain $(BIN)/pytest tests/kernels tests/search tests/puzzles tests/worlds tests/levels/measures

engine: $(VENV)/bin/python
	$(BIN)/python tests/engine_digest.py

# Each fault also runs once with the protection removed, to see that the test notices it.
faults: $(VENV)/.installed-test
	LEVOLVE_FAULTS=1 $(BIN)/pytest tests/faults
	LEVOLVE_FAULTS=1 $(BIN)/pytest tests/jobs/store/test_store.py -k two_processes

# After a change of results on purpose: python tests/golden/golden.py --write
golden: $(VENV)/.installed-test
	$(BIN)/python tests/golden/golden.py

# In an environment of its own. What those versions load may itself be newer, and warn that they are old.
# One test is left out: the lowest typer loads rich for every help, which is slower and nothing else.
LOWEST := .venv-lowest
lowest: tests/minima.py pyproject.toml
	$(PYTHON) -m venv --clear $(LOWEST)
	$(PYTHON) tests/minima.py > $(LOWEST)/minima.txt
	$(LOWEST)/bin/python -m pip install --quiet --requirement $(LOWEST)/minima.txt --editable . pytest hypothesis playwright
	LEVOLVE_EXAMPLES=3 $(LOWEST)/bin/pytest -W ignore::DeprecationWarning tests/cli/test_help.py tests/cli/test_command_table.py \
		tests/bridges/test_gymnasium_play.py tests/bridges/test_ribs.py tests/bridges/test_tensorboard.py \
		tests/jobs/packs/test_folder.py tests/studio/test_guard.py tests/as_a_user/test_pipes.py \
		-k 'not load_nothing_that_is_slow'

proofs: $(VENV)/.installed-test
	LEVOLVE_SEEDS=20 $(BIN)/pytest -n auto tests/jobs/runs/test_every_combination.py tests/jobs/runs/test_dungeons.py tests/puzzles
	LEVOLVE_SEEDS=50 $(BIN)/pytest -n auto tests/puzzles/test_schemes.py
	LEVOLVE_EXAMPLES=200 $(BIN)/pytest -n auto tests/kernels tests/search tests/levels
	LEVOLVE_LEVELS=100000 $(BIN)/pytest -n auto tests/levels/things/test_many_levels.py
	$(BIN)/python benchmarks/sources.py

# An input that fails is saved in tests/fuzz/found. For one reader: make fuzz READERS=tmx INPUTS=1000000
INPUTS ?= 200000
fuzz: $(VENV)/.installed-test
	$(BIN)/python tests/fuzz/fuzz_run.py --inputs $(INPUTS) $(READERS)
	LEVOLVE_EXAMPLES=2000 $(BIN)/pytest tests/fuzz

alterations: $(VENV)/.installed-test
	LEVOLVE_ALTERATIONS=2000 $(BIN)/pytest -q -s tests/alterations

pictures: $(VENV)/.installed-test browser
	$(BIN)/python docs/pictures.py
	$(BIN)/python docs/studio_pictures.py

docs: $(VENV)/.installed
	$(BIN)/python docs/sources/tables.py

rounds: $(VENV)/.installed
	$(BIN)/python docs/rounds.py

bench: $(VENV)/.installed-bench
	$(BIN)/levolve bench -o bench.json -o bench.png

measurements: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/mazes.py
	$(BIN)/python benchmarks/fashion.py
	$(BIN)/python benchmarks/puzzles.py
	$(BIN)/python benchmarks/dungeons.py
	$(BIN)/python benchmarks/packs.py
	$(BIN)/python benchmarks/executors.py
	$(BIN)/python benchmarks/breeding.py
	$(BIN)/python benchmarks/likeness.py easy..hard
	$(BIN)/python benchmarks/environments.py
	$(BIN)/python benchmarks/fronts.py
	$(BIN)/python benchmarks/store.py
	$(BIN)/python benchmarks/studio.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[studio]'
	$(BIN)/python -m compileall -q src
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	$(BIN)/python -m compileall -q src
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python -m compileall -q src
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) $(LOWEST) levolve-demo build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
