#!/usr/bin/env bash
# The properties and the kill loops of `make test` at their full size. Takes hours on a small machine.
source "$(dirname "$0")/common.sh"

scripts/setup.sh
# CBW_LONG: 1,000 kills while saving, two processes × 500 assemblies, a history of 100,000.
CBW_LONG=1 PROPTEST_CASES=${PROPTEST_CASES:-20000} cargo test "${workspace[@]}" --no-fail-fast
# Every picture in every language.
build_front_end
cargo build "${workspace[@]}" --bin catbuddy-workbench --bin cbw --test e2e
CBW_LONG=1 window_tests states
