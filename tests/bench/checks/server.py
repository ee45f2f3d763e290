"""The pages of checks.py over HTTP, in a process of its own: `page/N`, a style sheet and a picture.

Answers with its port on stdout and ends with its standard input. `change/N` makes page N another
one from then on, `change/0` takes that back.
"""
import http.server
import os
import sys
import threading

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#e9c46a"/>
<path d="M6 20h20l-4 6H10zM15 6v12H8z" fill="#24407a"/></svg>"""
STYLE = """
body { margin: 0; font: 16px/1.5 sans-serif; color: #223; background: #f4f6fa; }
header { display: flex; gap: 24px; align-items: center; padding: 16px 32px; background: #24407a; color: #fff; }
main { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; padding: 24px 32px; }
.card { background: #fff; border-radius: 8px; padding: 16px; box-shadow: 0 1px 4px #0003; transition: box-shadow .3s; }
.spinner { width: 20px; height: 20px; border: 3px solid #fff8; border-top-color: #fff; border-radius: 50%;
    animation: turn 1s linear infinite; }
.bar { height: 8px; border-radius: 4px; background: linear-gradient(90deg, #2a9d8f, #e9c46a); }
table { margin: 0 32px; width: calc(100% - 64px); border-collapse: collapse; background: #fff; }
td { border-bottom: 1px solid #dde; padding: 6px 12px; }
@keyframes turn { to { transform: rotate(360deg); } }
"""
WORDS = "harbour lane crane ferry pilot cargo anchor tide beacon quay rope sail".split()


def word(number):
    return WORDS[number * 7 % len(WORDS)]


def page(number, is_changed):
    cards = "".join(
        f"<div class=card><h3>{word(number + i)} {number * 13 + i}</h3><p>{word(i)} and {word(number * i)} of the"
        f" {word(number)}</p><div class=bar style='width:{(number * 17 + i * 23) % 90 + 10}%'></div></div>"
        for i in range(8))
    rows = "".join(f"<tr><td>{i}</td><td>{word(number + i)}</td><td>{number * 31 * (i + 1) % 997}</td></tr>"
                   for i in range(12))
    title = "Another day" if is_changed else "Overview"
    return (f"<!doctype html><html lang=en><meta charset=utf-8><title>Page {number}</title>"
            f"<link rel=stylesheet href=/style.css><header><img src=/picture.svg width=32 height=32 alt=''>"
            f"<b>{title} {number}</b><input autofocus value='{word(number)}'><div class=spinner></div></header>"
            f"<main>{cards}</main><table>{rows}</table></html>")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet
    changed = 0

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        _, place, *rest = self.path.split("/")
        if place == "page":
            number = int(rest[0])
            self.answer("text/html", page(number, number == Handler.changed).encode())
        elif place == "change":
            Handler.changed = int(rest[0])
            self.answer("text/plain", b"")
        elif place == "style.css":
            self.answer("text/css", STYLE.encode())
        elif place == "picture.svg":
            self.answer("image/svg+xml", PICTURE.encode())
        else:
            self.send_error(404)

    def log_message(self, format, *args):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
