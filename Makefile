# Commands for developers. `make setup` comes first: all others use its virtual environment.

BIN = .venv/bin
QUICK = tests/scorer tests/vision/cards tests/vision/checks tests/vision/crops tests/vision/groups tests/vision/images \
        tests/vision/rescore tests/webui/games tests/webui/test_wording.py \
        --ignore=tests/scorer/scoring/test_many_sheets.py
TEXTS = webui/translations

.PHONY: setup lint types imports quick test slow golden page messages hooks app

setup:  # virtual environment in .venv with everything that the tests need
	python3 -m venv .venv
	$(BIN)/pip install -e '.[test]'

lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

quick:  # scoring, and the parts of reading that need no network: under a minute
	$(BIN)/pytest $(QUICK)

test:  # the test command of README.md
	bash -ec "$$(.ci/readme-command 'test command')"

slow:  # the tests that `make test` leaves out: whole trainings, backups on PostgreSQL, many random sheets and club evenings
	$(BIN)/pytest -m by_hand

golden:  # after an intended change: .venv/bin/python -m tests.golden.remake
	$(BIN)/pytest -n0 tests/golden

page:  # the page at http://127.0.0.1:8765, reloaded at each change; its games are kept in build/page
	$(BIN)/flask --app tests.webui.development run --debug --port 8765

messages:  # after a change of what people read: the list of all sentences, and the catalogues of other languages
	$(BIN)/pybabel -q extract -F pyproject.toml --sort-output --add-location=file --omit-header -o $(TEXTS)/messages.pot webui
	if ls -d $(TEXTS)/*/ 2>/dev/null; then \
	  $(BIN)/pybabel -q update -i $(TEXTS)/messages.pot -d $(TEXTS) --ignore-pot-creation-date && \
	  $(BIN)/pybabel -q compile -d $(TEXTS); fi

app:  # dist/handfoot: a folder that runs without Python on systems like this one
	python3 deploy/app/make.py

hooks:  # lint, types and import rules before each commit
	$(BIN)/pip install pre-commit
	$(BIN)/pre-commit install
