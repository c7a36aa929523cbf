#!/usr/bin/env bash
# The properties of `make test` at their full size: many more generated cases. Takes hours on a small machine.
source "$(dirname "$0")/common.sh"

scripts/setup.sh
PROPTEST_CASES=${PROPTEST_CASES:-20000} cargo test "${workspace[@]}" --no-fail-fast
