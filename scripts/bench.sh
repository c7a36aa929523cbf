#!/usr/bin/env bash
# Runs the benchmarks, or those whose name holds the argument, and gathers their figures in target/bench.json.
source "$(dirname "$0")/common.sh"

scripts/setup.sh window
cargo bench --workspace --exclude catbuddy-workbench --locked --benches -- "$@"
node scripts/bench-table.mjs "$target/criterion" "$outcome/bench.json"
