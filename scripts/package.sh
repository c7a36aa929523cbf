#!/usr/bin/env bash
# Builds the packages for people: the .deb everywhere, the AppImage where its tools can be had.
source "$(dirname "$0")/common.sh"

[[ $(uname -s) == Linux ]] || fail "Packages are built on Linux so far."
scripts/setup.sh window
node scripts/notices.mjs ui/node_modules "$outcome/THIRD-PARTY.txt"
# Named here and not in tauri.conf.json, where a file that is missing would stop every other build.
notices='{ "bundle": { "resources": { "target/THIRD-PARTY.txt": "THIRD-PARTY.txt" } } }'

# The version of the command line goes with that of the `tauri` crate.
bundle() { npm exec --yes --package=@tauri-apps/cli@2.12.5 -- tauri build --config "$notices" --bundles "$1"; }

bundle deb
# Its tools are fetched from the network by the bundler, and it needs FUSE or the means to go without.
if APPIMAGE_EXTRACT_AND_RUN=1 bundle appimage; then
    say "Both packages stand below $target/release/bundle."
else
    say "The .deb stands in $target/release/bundle/deb. The AppImage was not built: its tools could not be had."
fi
