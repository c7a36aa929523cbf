#!/usr/bin/env bash
# Runs every benchmark in a release build, and gathers their rows in target/bench.json, beside the ratios that were
# committed. Arguments go to them.
source "$(dirname "$0")/common.sh"

scripts/setup.sh window
rows=$outcome/bench.jsonl
rm -f "$rows"
CBW_BENCH_OUT=$rows cargo bench --workspace --exclude catbuddy-workbench --locked --bench '*' -- "$@"
build_front_end
cargo build --release "${workspace[@]}" --bin catbuddy-workbench --bin measure-window
"$target/release/measure-window" --program "$target/release/catbuddy-workbench" --log "$outcome/measure-window.log" --rows "$rows"
node scripts/bench-table.mjs "$rows" "$outcome/bench.json" docs/bench-ratios.json
