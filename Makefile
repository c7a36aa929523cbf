# Each target is one command; what it does stands in the script of the same name.
# ARGS reaches the window: make run ARGS="--workspace some/folder"

.DEFAULT_GOAL := help
.PHONY: help setup run test test-long bench lint types package screens

help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Installs what building and testing need, and says what it does
	@scripts/setup.sh

run: ## Opens the window; without a display: draws it, keeps a picture, prints a summary
	@scripts/run.sh $(ARGS)

test: ## Everything that CI runs
	@scripts/test.sh

test-long: ## The same properties at their full size
	@scripts/test-long.sh

bench: ## Benchmarks; the table goes to target/bench.json
	@scripts/bench.sh

lint: ## Formatting, lints, types and documentation, without running a test
	@scripts/lint.sh

types: ## Writes the TypeScript of the wire types
	@scripts/types.sh

package: ## Builds the .deb, and the AppImage where its tools can be had
	@scripts/package.sh

screens: ## Pictures of the real window, into target/screens
	@scripts/screens.sh
