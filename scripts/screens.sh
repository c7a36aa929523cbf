#!/usr/bin/env bash
# Pictures of the real window in its states, light, dark and narrow, into target/screens.
source "$(dirname "$0")/common.sh"

scripts/setup.sh
build_front_end
cargo build "${workspace[@]}" --bin catbuddy-workbench --test e2e
window_tests pictures states
ls "$outcome/screens"
