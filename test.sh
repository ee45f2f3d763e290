#!/usr/bin/env bash
# Installs what the tests need, builds, and passes all tests of a tier. Quiet when all is well.
#   ./test.sh           the gate, which every change has to pass: unit and integration tests under ASan and UBSan,
#                       those with threads under TSan, the end-to-end cases with the release build, quickstart.sh
#   ./test.sh --long [SECONDS]
#                       what takes longer: end-to-end cases with the browsers that the gate has not chosen today, and
#                       long ones, widgets from npm, fuzz targets; none is begun after that time
#   ./test.sh --all     both, and the tests of speed
#   ./test.sh --fast    unit and integration tests of the plain build
#   ./test.sh --changed [BASE]
#                       of the gate, with the plain build, the tests that what differs from BASE (main) can reach
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

results=()
is_failed=0

# stage NAME COMMAND…: runs tests. What failed is judged in the end, for all stages together.
stage() {
    local file="build/results/${1//[ ,]/-}.json" code=0
    say "testing: $1"
    "${@:2}" --name "$1" --results "$file" || code=$?
    if [ ! -s "$file" ]; then
        echo "$1: broken off" >&2
        exit $((code ? code : 1))
    fi
    results+=("$file")
}

# Hash of what is tested, changes that are not committed included; empty where there is no git.
tree_hash() (
    export GIT_INDEX_FILE
    GIT_INDEX_FILE=$(mktemp -u)
    trap 'rm -f "$GIT_INDEX_FILE"' EXIT
    git read-tree HEAD 2>/dev/null && git add -A . && git write-tree
)

# beside COMMAND…: runs it with what other work leaves of the processors; await_beside waits for all of them.
beside_pids=()
beside() {
    set -m # a process group of its own, which is ended with this script
    (
        renice -n 10 -p "$BASHPID" >/dev/null
        "$@"
    ) &
    set +m
    beside_pids+=("$!")
    trap 'kill -- "${beside_pids[@]/#/-}" 2>/dev/null || true' EXIT
}

await_beside() {
    local pid
    for pid in "${beside_pids[@]}"; do
        wait "$pid"
    done
    beside_pids=()
    trap - EXIT
}

build_the_rest() {
    build tsan -- thread_tests
    build release -DBROWSER_RUNNER_TESTS=ON -- e2e_tests
}

gate() {
    # Tests wait for more than half of their time: three keep a processor busy, of the cases, with Chrome's threads, two and a
    # half. What the network gives is fetched beside the first build, builds fill what ASan's tests leave, and TSan's tests run
    # beside the cases.
    local jobs=$(($(nproc) * 3)) cases=$(($(nproc) * 5 / 2))
    beside widgets_install
    build asan -- unit_tests integration_tests
    await_beside # what the network does not give is better known before the tests
    beside build_the_rest
    stage "unit and integration, ASan" tests/runner.py --build build/asan --label 'unit|integration' --jobs "$jobs"
    await_beside
    stage "end to end, and threads, TSan" tests/e2e/run.py --binary build/release/browser-runner \
        --ctest build/release:e2e build/tsan:threads --jobs "$cases"
    say "running quickstart.sh"
    quietly ./quickstart.sh || is_failed=1
}

long() {
    local began=$SECONDS budget=$1 jobs=$(($(nproc) * 2))
    left() { echo "--budget=$((budget > SECONDS - began ? budget - SECONDS + began : 1))"; }
    build fuzz -- fuzz_tests
    build release -DBROWSER_RUNNER_TESTS=ON -- e2e_tests long_tests
    stage "fuzz targets" tests/runner.py --build build/fuzz --label fuzz "$(left)"
    stage "end to end, other browsers" tests/e2e/run.py --binary build/release/browser-runner --others --jobs "$jobs" "$(left)"
    stage "end to end, long" tests/e2e/run.py --binary build/release/browser-runner --tier long --jobs "$jobs" "$(left)"
    stage "other long ones" tests/runner.py --build build/release --label long --jobs "$jobs" "$(left)"
}

changed() {
    local jobs=$(($(nproc) * 2)) names=build/changed.txt
    git merge-base "$1" HEAD >/dev/null # a wrong name fails before the build
    build dev -- unit_tests integration_tests e2e_tests
    tests/changed.py build/dev "$1" $names
    stage "changed, unit and integration" tests/runner.py --build build/dev --label 'unit|integration' --names $names
    stage "changed, end to end" tests/e2e/run.py --binary build/dev/browser-runner --ctest build/dev:e2e --names $names --jobs "$jobs"
}

# Alone, since what else runs makes everything slower.
timing() {
    build release -DBROWSER_RUNNER_TESTS=ON -- timing_tests
    stage "speed" tests/runner.py --build build/release --label timing --jobs 1
    stage "speed, end to end" tests/e2e/run.py --binary build/release/browser-runner --tier timing --jobs 1
}

tier=${1:---gate}
packages_install "${BUILD_PACKAGES[@]}" "${BROWSER_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
mkdir -p build
tree=$(tree_hash || true)
case $tier in
    --fast)
        build dev
        stage "unit and integration" tests/runner.py --build build/dev --label 'unit|integration'
        ;;
    --changed)
        widgets_install
        changed "${2:-main}"
        ;;
    --gate)
        gate
        ;;
    --long)
        widgets_install
        packages_install "${INSTALL_PACKAGES[@]}"
        long "${2:-7200}"
        ;;
    --all)
        packages_install "${INSTALL_PACKAGES[@]}"
        gate
        long 7200
        timing
        ;;
    *)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac

tests/runner.py --close "${results[@]}" || is_failed=1
[ "$is_failed" = 0 ] || exit 1
case $tier in
    --gate | --all)
        # For whoever lands the change: the tree that has passed.
        [ "$tree" != "$(tree_hash)" ] || echo "$tree" >build/passed
        ;;
esac
echo "Next: ./quickstart.sh shows the main job; build/release/browser-runner is the program; CONTRIBUTING.md says how tests are run."
