# One command per task. Each ends with a sentence that says what it did; `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help setup run install uninstall test check proof bench docs lock dist clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

setup: ## everything a developer needs, in .venv
	@scripts/setup.sh dev

run: ## the demo agent on http://127.0.0.1:8080 (ARGS="--port 9090", EXTRAS="postgres models")
	@scripts/setup.sh run $(EXTRAS)
	@exec .venv/bin/openplaybook demo $(ARGS)

install: ## the command openplaybook in ~/.local/bin, in an environment of its own (EXTRAS as above)
	@scripts/install.sh install $(EXTRAS)

uninstall: ## remove that again; agents and conversations stay
	@scripts/install.sh uninstall

test: ## the test suite (ARGS="tests/unit/wire -q" for a part of it)
	@scripts/setup.sh dev
	@scripts/test.sh $(ARGS)

check: ## formatting, lint, types, layers and style limits
	@scripts/setup.sh dev
	@scripts/check.sh

proof: ## the long proofs, and whole what `make test` samples (hours)
	@scripts/setup.sh dev
	@OPENPLAYBOOK_WHOLE=1 scripts/test.sh -m "proof or sweep or hypothesis" $(ARGS)

bench: ## measurements into benchmarks/results and docs/performance.md
	@scripts/setup.sh dev
	@.venv/bin/python -m benchmarks $(ARGS)

docs: ## what is generated in the documents: the table of what works, the wire table of OpenAPI, the systems
	@scripts/setup.sh dev
	@.venv/bin/python -m scripts.requirements_table
	@.venv/bin/python -m scripts.openapi_support
	@.venv/bin/python -m scripts.connector_systems
	@.venv/bin/python -m scripts.reference

lock: ## pin every dependency with its hashes (needs uv)
	@scripts/lock.sh

dist: ## the source distribution and the wheel, in dist/
	@scripts/setup.sh run
	@scripts/dist.sh

clean: ## remove what set-up, tests and builds made
	rm -rf .venv dist build benchmarks/results benchmarks/venvs tests/e2e/node/node_modules
	rm -rf console/node_modules console/src/api/generated src/openplaybook/console/built
	rm -rf src/openplaybook/wire/_generated .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
