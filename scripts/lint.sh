#!/usr/bin/env bash
# Formatting, lints, types and documentation of both languages, without running a test. Stops at the first fault.
source "$(dirname "$0")/common.sh"

scripts/setup.sh window
(cd ui && npm run --silent check && npm run --silent lint)
cargo fmt --all --check
lint_rust
document_rust
if has shellcheck; then shellcheck scripts/*.sh .ci/run; else say "shellcheck is not installed: the scripts are not linted."; fi
if has cargo-deny; then cargo deny --all-features check; else say "cargo-deny is not installed: licences and advisories are not checked."; fi
