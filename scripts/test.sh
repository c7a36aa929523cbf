#!/usr/bin/env bash
# Everything that CI runs: formatting, lints, types, the tests of both languages, and the real window on a virtual
# display. Goes on after a failure, so that one run shows all of them; ends with the sum of what the runners counted.
source "$(dirname "$0")/common.sh"

scripts/setup.sh

logs=$outcome/test-logs
rm -rf "$logs" "$outcome/e2e-failures"
mkdir -p "$logs"
passed=0
failed=0
failures=()

# Passed and failed of a log, as the runner counted them.
#   cargo: one line for each test binary: "test result: ok. 12 passed; 0 failed; …"
#   vitest: one line in all: "      Tests  1 failed | 12 passed (13)"
#   check: nothing is counted; the step itself is one check
counted() {
    case $1 in
    cargo) sed -n 's/^test result: .* \([0-9]*\) passed; \([0-9]*\) failed;.*/\1 \2/p' "$2" ;;
    vitest) sed 's/\x1b\[[0-9;]*m//g' "$2" | awk '$1 == "Tests" {
        for (i = 2; i < NF; i++) { if ($(i + 1) ~ /^passed/) p = $i; if ($(i + 1) ~ /^failed/) f = $i }
        print p + 0, f + 0 }' ;;
    esac | awk '{ passed += $1; failed += $2 } END { print passed + 0, failed + 0 }'
}

# step NAME KIND COMMAND…: runs it, keeps what it says, adds what it counted. A step that fails without a test
# that failed (it did not compile, a lint spoke) counts as one failure.
step() {
    local name=$1 kind=$2 log status=0 good bad
    shift 2
    log="$logs/${name// /-}.log"
    say "" "== $name"
    "$@" 2>&1 | tee "$log" || status=$?
    read -r good bad < <(counted "$kind" "$log")
    if [[ $kind == check && $status == 0 ]]; then good=1; fi
    if [[ $status != 0 && $bad == 0 ]]; then bad=1; fi
    passed=$((passed + good))
    failed=$((failed + bad))
    if [[ $bad != 0 ]]; then failures+=("$name: $bad failed, see $log"); fi
}

in_ui() { (cd ui && "$@"); }

step "front end, types" check in_ui npm run --silent check
step "front end, lints" check in_ui npm run --silent lint
step "front end, tests" vitest in_ui npm test
step "front end, build" check build_front_end

step "formatting" check cargo fmt --all --check
step "lints" check lint_rust
step "documentation" check document_rust
step "tests" cargo cargo test "${workspace[@]}" --no-fail-fast

left_out=("the long runs (make test-long)" "the benchmarks (make bench)")
if [[ $(uname -s) == Linux ]]; then
    # The same selection as the tests above, so that nothing but the window itself is compiled.
    step "window, build" check cargo build "${workspace[@]}" --bin catbuddy-workbench --bin cbw --test e2e
    step "window, tests" cargo window_tests
else
    left_out+=("the real window (its tests need Linux)")
fi
if has shellcheck; then
    step "scripts" check shellcheck scripts/*.sh .ci/run
else
    left_out+=("the lint of the scripts (shellcheck is not installed)")
fi

say ""
for text in "${left_out[@]}"; do say "Left out: $text"; done
if [[ $failed != 0 ]]; then
    for text in "${failures[@]}"; do say "Failed: $text"; done
    grep -hE '^ *FAIL |^test .* FAILED$|^(error|warning)(\[|:)' <(sed 's/\x1b\[[0-9;]*m//g' "$logs"/*.log) | sort -u | head -40 || true
fi
echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
