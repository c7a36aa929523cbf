#!/usr/bin/env bash
# Writes the TypeScript of the wire types, the typed client's list of commands, and the shell's list of commands.
source "$(dirname "$0")/common.sh"

CBW_WRITE_TYPES=1 cargo test --locked -p workbench --lib generated_files_are_up_to_date
git --no-pager diff --stat -- ui/src/backend/generated src-tauri/commands.in.rs
