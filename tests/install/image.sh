#!/usr/bin/env bash
# The image: the Dockerfile, carried out line by line on a root made by mmdebstrap, since building an image needs a daemon.
# Then the size, the main job, a check, `serve` with its health and its end, as user 65534 with a read-only root and without
# /dev/shm.
set -euo pipefail
. "$(dirname "$0")/common.sh"
need_roots
need ip iproute2
need python3 python3
MOST_MB=450

root=$work/root
declare -A variables
declare -a entrypoint
image_user=0
image_directory=/

# build_image: what the Dockerfile says. A line that is not known here is an error, so that none stays untried.
build_image() {
    local line words
    sed -e '/^ *#/d' -e ':again' -e '/\\$/{N;s/\\\n *//;b again' -e '}' Dockerfile | sed '/^$/d' >"$work/Dockerfile"
    while IFS= read -r line <&4; do
        words=${line#* }
        case $line in
            "FROM debian:"*) root_make "$root" "$(sed 's/.*:\([a-z]*\).*/\1/' <<<"$line")" ;;
            "RUN "*) root_run "$root" sh -c "$words" >"$work/run.log" 2>&1 || {
                tail -n 10 "$work/run.log" >&2
                fail "Dockerfile: $line"
            } ;;
            "ADD "*.tar.gz\ *) tar -C "$root${words##* }" --no-same-owner -xzf ${words% *} ;;
            "COPY "*) cp "${words% *}" "$root${words##* }" ;;
            "ENV "*) for pair in $words; do variables[${pair%%=*}]=${pair#*=}; done ;;
            "USER "*) image_user=${words%%:*} ;;
            "WORKDIR "*) image_directory=$words ;;
            "ENTRYPOINT "*) mapfile -t entrypoint < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$words") ;;
            "CMD "* | "HEALTHCHECK "*) ;;
            *) fail "Dockerfile: this script does not know: $line" ;;
        esac
    done 4<"$work/Dockerfile"
}

# in_image ARGUMENT…: like `docker run --read-only --tmpfs /tmp IMAGE ARGUMENT…`.
in_image() {
    local name environment=
    for name in "${!variables[@]}"; do environment+=" $name=${variables[$name]}"; done
    environment=$environment user=$image_user read_only=1 directory=$image_directory shm=${shm:-64m} root_run "$root" "${entrypoint[@]}" "$@"
}

cd "$source_dir"
archive_lock
tools/release.sh --dirty >/dev/null
[ "$(find build/dist -name '*.tar.gz' | wc -l)" = 1 ] || fail "build/dist has several archives"
build_image
megabytes=$(($(du -sx --apparent-size -B 1000000 "$root" | cut -f 1)))
measured "image, unpacked" "$megabytes MB"
[ "$megabytes" -le $MOST_MB ] || fail "the image has $megabytes MB, more than $MOST_MB"
[ "$image_user" = 65534 ] || fail "the image's user is $image_user"

in_image --version >/dev/null || fail "--version"
check_main_job in_image run - --temp-profile
shm=0 check_main_job in_image run - --temp-profile
measured "main job without /dev/shm" "$(tail -n 1 "$work/answers.ndjson" | grep -o '"durationMs":[0-9]*' | cut -d : -f 2) ms"

# Docker's filter of system calls, without user namespaces: an error with its remedy, and --no-sandbox.
filtered() { wrapper="python3 $source_dir/tests/install/seccomp.py" in_image "$@"; }
! filtered doctor >"$work/doctor.txt" 2>&1 || fail "a browser isolates pages without user namespaces"
grep -q -- '--no-sandbox' "$work/doctor.txt" || { cat "$work/doctor.txt" >&2; fail "no remedy without user namespaces"; }
check_main_job filtered run - --temp-profile --no-sandbox

# A check: its baseline, then a comparison, in the folder that is mounted at /work.
mkdir "$work/mounted"
printf '{"checks":[{"name":"shop","url":"%s/shop/"}]}' "$origin" >"$work/mounted/smoke.json"
chmod -R a+rwX "$work/mounted"
mount --bind "$work/mounted" "$root/work"
trap 'umount "$root/work"; finish' EXIT
in_image check smoke.json --allow-errors >"$work/check.txt" 2>&1 || { cat "$work/check.txt" >&2; fail "the first check"; }
[ -s "$work/mounted/smoke.baselines/shop@desktop.png" ] || { find "$work/mounted" >&2; fail "no baseline was written"; }
in_image check smoke.json --ci >"$work/check.txt" 2>&1 || { cat "$work/check.txt" >&2; fail "the check"; }

# serve: its health, a session, the order on SIGTERM, no process left behind.
mkfifo "$work/lines"
isolated=1 in_image serve --actions=0 --temp-profile >"$work/lines" 2>"$work/serve.txt" &
server=$!
exec 5<"$work/lines"
read -r -t 60 line <&5 || { cat "$work/serve.txt" >&2; fail "serve does not say where it listens"; }
[[ $line == *'"kind":"listening"'* ]] || fail "serve said: $line"
inner=$(pgrep -P "$server" -f . | head -n 1)
while [ "$(cat "/proc/$inner/comm")" != tini ]; do inner=$(pgrep -P "$inner" | head -n 1); done
health() { (cd / && nsenter --target "$inner" --mount --net --pid --root="/proc/$inner/root" sh -c "cd / && exec browser-runner-health"); }
health || fail "the server is not well"
kill -STOP "$(pgrep -P "$inner")"
! health || fail "a server that stands still is well"
kill -CONT "$(pgrep -P "$inner")"
kill -TERM "$inner"
code=0
wait $server || code=$?
[ "$code" = 0 ] || { cat "$work/serve.txt" >&2; fail "serve ended with $code on SIGTERM"; }
measured "start in the image" "$(start_time chroot "$root" browser-runner --version)"
