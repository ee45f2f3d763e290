#!/bin/sh
# Regenerates imaging/jpeg_tables.h: takes a picture of each page of fixtures/pages/training with
# the system's Chrome and trains on them. The tables depend a little on Chrome and its fonts.
#
#     tools/train_huffman.sh BUILD_FOLDER
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:?"usage: $0 BUILD_FOLDER"}
trainer=$(find "$build" -name train_huffman -type f -perm -u+x | head -n 1)
: "${trainer:?"no train_huffman in $build"}"
pictures=$(mktemp -d)
trap 'rm -rf "$pictures"' EXIT

for page in "$root"/fixtures/pages/training/*.html; do
    chromium --headless --no-sandbox --disable-quic --disable-background-networking \
        --user-data-dir="$pictures/profile" --hide-scrollbars --window-size=1280,720 \
        --screenshot="$pictures/$(basename "$page" .html).png" "file://$page" 2>/dev/null
done
"$trainer" "$pictures"/*.png >"$pictures/jpeg_tables.h"
cp "$pictures/jpeg_tables.h" "$root/imaging/jpeg_tables.h"
