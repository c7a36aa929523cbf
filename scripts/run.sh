#!/usr/bin/env bash
# Opens the window on the person's own workspace, or on the sample when there is none. Arguments go to the window.
#
# Without a display the same window is drawn on a virtual one: its picture goes to target/screens/run.png, the
# summary of the assembled prompt to standard output.
source "$(dirname "$0")/common.sh"

if has_display; then
    scripts/setup.sh window
    build_front_end
    cargo build "${workspace[@]}" --bin catbuddy-workbench
    exec "$target/debug/catbuddy-workbench" --without-asking "$@"
fi

scripts/setup.sh
build_front_end
cargo build "${workspace[@]}" --bin catbuddy-workbench --bin draw-window
exec "$target/debug/draw-window" --program "$target/debug/catbuddy-workbench" --log "$outcome/screens/run.log" \
    --picture "$outcome/screens/run.png" -- --without-asking "$@"
