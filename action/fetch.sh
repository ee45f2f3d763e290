#!/usr/bin/env bash
# A step of action.yml: puts browser-runner on the PATH of the steps that follow: $PROGRAM, or the release $VERSION from
# $RELEASES, whose checksum is verified; and prints what `doctor` says.
set -euo pipefail

fail() {
    echo "::error::$*"
    exit 1
}

place=$RUNNER_TEMP/browser-runner
if [ -n "$PROGRAM" ]; then
    [ -x "$PROGRAM" ] || fail "the input \"program\" names $PROGRAM, which is not an executable file"
    bin=$(mktemp -d "$RUNNER_TEMP/program.XXXXXX")
    ln -s "$(realpath "$PROGRAM")" "$bin/browser-runner"
else
    [ "$(uname -s)" = Linux ] || fail "there are releases for Linux only; name a program with the input \"program\""
    name=browser-runner-$VERSION-linux-$(uname -m)
    bin=$place/$name/bin
    if [ ! -x "$bin/browser-runner" ]; then
        mkdir -p "$place"
        for file in "$name.tar.gz" SHA256SUMS; do
            curl --fail --silent --show-error --location --retry 3 --max-time 300 --output "$place/$file" \
                "$RELEASES/download/v$VERSION/$file" || fail "$RELEASES/download/v$VERSION/$file cannot be downloaded"
        done
        (cd "$place" && grep -F " $name.tar.gz" SHA256SUMS | sha256sum --check --quiet -) ||
            fail "$name.tar.gz does not have the checksum of its release"
        tar -C "$place" -xzf "$place/$name.tar.gz"
        rm "$place/$name.tar.gz" "$place/SHA256SUMS"
    fi
fi
echo "$bin" >>"$GITHUB_PATH"
"$bin/browser-runner" --version
"$bin/browser-runner" doctor || fail "there is no browser that works, see the lines above"
