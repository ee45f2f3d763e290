#!/usr/bin/env bash
# Makes the npm packages in build/dist from npm/ and the archive that tools/release.sh has put there: the package
# browser-runner, and one with the program for this platform.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

archives=(build/dist/browser-runner-*-linux-x86_64.tar.gz)
if [ ! -f "${archives[0]}" ]; then
    echo "tools/npm.sh: run tools/release.sh first" >&2
    exit 1
fi
version=$(sed -n 's/^project(browser-runner VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
staging=build/npm
rm -rf $staging
mkdir -p $staging/unpacked
tar -C $staging/unpacked --strip-components=1 -xzf "build/dist/browser-runner-$version-linux-x86_64.tar.gz"
cp -r npm/browser-runner npm/platform $staging
cp LICENSE $staging/browser-runner
cp -r LICENSE $staging/unpacked/bin $staging/unpacked/licences $staging/platform
sed -i "s/\"0\.0\.0\"/\"$version\"/" $staging/*/package.json
rm -f build/dist/*.tgz
for package in browser-runner platform; do
    quietly npm pack --ignore-scripts --pack-destination build/dist "./$staging/$package"
done
ls build/dist/*.tgz
