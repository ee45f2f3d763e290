#!/usr/bin/env bash
# The archive of tools/release.sh: the same bytes when it is built again elsewhere, all of its parts, the main job in a fresh
# Debian without any of the libraries, and certificates where other distributions keep them.
set -euo pipefail
. "$(dirname "$0")/common.sh"
need_roots
need openssl openssl

cd "$source_dir"
archive_lock
built=$(tools/release.sh --dirty)
archive=$work/$(basename "$built")
cp "$built" "$archive"
(cd build/dist && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS"
archive_unlock

# Again, in another place, whose path has a blank.
if [ -z "$(git status --porcelain)" ]; then
    place="$cache/another place"
    rm -rf "$place"
    git clone -q --no-local "$source_dir" "$place"
    again=$place/$("$place/tools/release.sh")
    cmp "$archive" "$again" || fail "the same commit gave other bytes in another place"
    rm -rf "$place"
else
    echo "not tried, since there are changes that are not committed: the same bytes again" >&2
fi

# No newer symbol and no foreign library was let through.
root=$work/root
root_make "$root" bookworm
tar -C "$root/opt" -xzf "$archive"
place=$(basename "$archive" .tar.gz)
program=/opt/$place/bin/browser-runner
newest=$(objdump -T "$root$program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
[ "$(printf '%s\n' "$newest" GLIBC_2.34 | sort -V | tail -n 1)" = GLIBC_2.34 ] || fail "the program needs $newest"
root_run "$root" ldd "$program" >"$work/ldd.txt"
! grep -Ev 'linux-vdso|libc\.so|libm\.so|ld-linux' "$work/ldd.txt" || fail "foreign libraries"
for part in share/man/man1/browser-runner.1 share/bash-completion/completions/browser-runner \
    share/zsh/site-functions/_browser-runner share/fish/vendor_completions.d/browser-runner.fish LICENSE \
    licences/libwebsockets.txt licences/libssl.txt licences/libjansson.txt licences/libexpat1.txt \
    licences/libhiredis.txt; do
    [ -s "$root/opt/$place/$part" ] || fail "$part is missing"
done
root_run "$root" "$program" --version >"$work/version.txt"
for library in libwebsockets OpenSSL jansson expat libpng libjpeg-turbo zlib libdeflate hiredis; do
    grep -q "$library [0-9]" "$work/version.txt" || fail "--version does not say $library"
done

# A TLS server whose certificate is in the file where each distribution keeps them; without, it is refused.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
mkfifo "$work/port"
python3 - "$work/certificate.pem" "$work/key.pem" >"$work/port" <<'PYTHON' &
import http.server, ssl, sys, threading
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(418)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_):
        pass
class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):  # a client that refuses the certificate
        pass
server = Server(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
read -r -t 20 port <"$work/port" || fail "the TLS server did not start"
connect() {
    echo '{"type":"start","url":"about:blank"}' |
        root_run "$root" "$program" run - --connect "https://localhost:$port" 2>&1 || true
}
connect_said() {
    connect >"$work/said.txt"
    grep -q "$1" "$work/said.txt" || { cat "$work/said.txt" >&2; return 1; }
}
connect_said "is its certificate trusted" || fail "an unknown certificate is accepted"
for file in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
    install -D -m 644 "$work/certificate.pem" "$root$file"
    connect_said "HTTP status 418" || fail "certificates in $file are not found"
    rm "$root$file"
done

root_apt "$root" chromium-headless-shell fonts-liberation
check_main_job root_run "$root" "$program" run - --temp-profile
measured "archive" "$(du -h "$archive" | cut -f 1)"
measured "program, unpacked" "$(du -h "$root$program" | cut -f 1)"
measured "start" "$(start_time "$root$program" --version)"
