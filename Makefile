# Everything starts from a fresh checkout: the first target that is asked for sets up what it needs.
#   make demo    the main job for real: a puzzle in a browser, solved by the bot, with pictures under demo/
#   make test    what the build machine checks
PY := .venv/bin/python
PYTEST := $(PY) -m pytest

.PHONY: help setup demo test lint format unit screen matrix play-matrix bench bench-reader screens golden clean

help:
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

setup: ## Debian packages, .venv and all libraries, where missing
	@tools/setup.sh

demo: setup ## solve a puzzle in a browser on this screen, or on a virtual one
	@$(PY) tools/demo.py

test: setup ## everything the build machine checks
	@./check.sh

lint: setup ## format, style, types and floors only
	@./check.sh lint

format: setup ## put every file into the project's format
	@$(PY) -m ruff format . && $(PY) -m ruff check --fix .

unit: setup ## the tests that need no screen
	@$(PYTEST) -n 2 -m "not screen"

screen: setup ## the tests on a virtual screen
	@$(PYTEST) -m screen

matrix: setup ## the tests on a virtual screen with every size, zoom and scale
	@$(PYTEST) -m screen --all-zooms

play-matrix: setup ## ten games of each real program at two sizes and two scales; half an hour
	@$(PY) tools/play_matrix.py

bench: setup ## how fast the solver, its kernels and the main job are, answers asserted
	@$(PY) benchmarks/solver.py
	@$(PY) benchmarks/kernels.py
	@$(PY) benchmarks/main_job.py

bench-reader: setup ## how many of all labelled pictures are read rightly, and how fast; a quarter of an hour
	@$(PY) benchmarks/reader.py

screens: setup ## some hundred labelled pictures under build/screens, to tune the reader on
	@$(PY) tools/make_screens.py tuning build/screens
	@$(PY) tools/make_screens.py negatives build/screens/hard

golden: setup ## photograph the committed pictures under fixtures/screens anew
	@$(PY) tools/make_screens.py golden fixtures/screens

clean: ## remove what the targets above made
	rm -rf .venv build dist demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
