# shellcheck shell=bash disable=SC2034 # the variables are for the scripts that source this
# What the scripts of this folder share. Sourced, never run: it moves to the root of the repository.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# One set of features for every build, so that nothing is compiled twice. `--workspace` for the same reason: what
# a dependency is built with depends on the packages that are selected.
workspace=(--workspace --locked --features catbuddy-workbench/custom-protocol)

target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$PWD/$target

# What the scripts themselves make, whatever Cargo's own folder is.
outcome=$PWD/target
mkdir -p "$outcome"

# Each argument is a line.
say() { printf '%s\n' "$@" >&2; }

fail() {
    say "$@"
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

has_display() {
    [[ $(uname -s) != Linux || -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]
}

# The front end, built anew only when something it is made of is newer.
build_front_end() {
    local built=ui/dist/index.html
    if [[ -f $built && -z $(find ui -path ui/node_modules -prune -o -path ui/dist -prune \
        -o -path ui/src/messages/compiled -prune -o -type f -newer "$built" -print -quit) ]]; then
        return
    fi
    say "Building the front end."
    # Vite keeps the time of a file whose text did not change.
    (cd ui && npm run --silent build) && touch "$built"
}

# Warnings are errors here and only here, so that a half-written change still compiles.
lint_rust() {
    cargo clippy "${workspace[@]}" --all-targets --keep-going -- -D warnings &&
        # Left out of `--all-targets`, as it is of a plain `cargo test`: it needs the built window.
        cargo clippy "${workspace[@]}" --test e2e -- -D warnings
}

document_rust() {
    RUSTDOCFLAGS="-D warnings" cargo doc "${workspace[@]}" --no-deps
}

# The tests of the real window, which must be built. Arguments go to the test runner. Each test has a display, a
# home and a WebDriver of its own.
window_tests() {
    CATBUDDY_WINDOW=$target/debug/catbuddy-workbench CATBUDDY_OUTCOME=$outcome \
        cargo test "${workspace[@]}" --test e2e -- "$@"
}
