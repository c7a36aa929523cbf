#!/usr/bin/env bash
# Runs every benchmark in a release build, and gathers their rows in target/bench.json, beside the ratios that were
# committed. Arguments go to them.
source "$(dirname "$0")/common.sh"

scripts/setup.sh window
rows=$outcome/bench.jsonl
rm -f "$rows"
CBW_BENCH_OUT=$rows cargo bench --workspace --exclude catbuddy-workbench --locked --bench '*' -- "$@"
node scripts/bench-table.mjs "$rows" "$outcome/bench.json" docs/bench-ratios.json
