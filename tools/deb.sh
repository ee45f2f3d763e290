#!/usr/bin/env bash
# Builds the Debian packages of the commit that is checked out, in build/deb, which has the packages afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

packages_install "${BUILD_PACKAGES[@]}" debhelper dpkg-dev
rm -rf build/deb
mkdir -p build/deb/browser-runner
git archive HEAD | tar -C build/deb/browser-runner -xf -
BROWSER_RUNNER_COMMIT=$(git rev-parse --short=12 HEAD)
export BROWSER_RUNNER_COMMIT
say "building the packages"
cd build/deb/browser-runner
quietly dpkg-buildpackage -b -us -uc
cd ..
rm -rf browser-runner
ls "$PWD"/*.deb
