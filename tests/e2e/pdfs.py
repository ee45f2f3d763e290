"""Reads PDFs as Chrome writes them: the pages, their sizes, and their text."""
import re
import zlib

OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.S)
STREAM = re.compile(rb"^(.*?)[ \n]stream\n(.*)\nendstream", re.S)
CODE = re.compile(rb"<([0-9A-Fa-f]+)>")
# What shows text: a font, glyphs in hexadecimal or as a literal, a form; and the end of a text.
SHOWN = re.compile(rb"/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\(((?:\\.|[^\\()])*)\)|/(X\d+) Do\b|\b(ET)\b", re.S)
ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def unescape(literal):
    return re.sub(rb"\\(\d{1,3}|.)", lambda match: bytes([int(match[1], 8)]) if match[1].isdigit()
                  else ESCAPED.get(match[1], match[1]), literal)


class Pdf:
    def __init__(self, data):
        assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF"), f"no PDF: {data[:40]!r}"
        self.objects = {int(match[1]): match[2] for match in OBJECT.finditer(data)}
        pages = [body for body in self.objects.values() if re.search(rb"/Type /Page\b", body)]
        self.page_count = len(pages)
        self.sizes = [tuple(round(float(number)) for number in re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", body).groups())
                      for body in pages]  # in points
        self.texts = [" ".join(self.text_of(body).split()) for body in pages]
        self.text = " ".join(self.texts)

    def stream(self, number):
        head, body = STREAM.search(self.objects[number]).groups()
        return zlib.decompress(body) if b"/FlateDecode" in head else body

    def named(self, body):
        """The fonts and forms that a page or a form names: the numbers of their objects."""
        return {name: int(number) for name, number in re.findall(rb"/([FX]\d+) (\d+) 0 R", body)}

    def characters(self, font):
        """What the glyphs of a font stand for."""
        known = {}
        reference = re.search(rb"/ToUnicode (\d+) 0 R", font)
        table = self.stream(int(reference[1])) if reference else b""
        for block in re.findall(rb"beginbfchar(.*?)endbfchar", table, re.S):
            for line in block.strip().splitlines():
                code, text = CODE.findall(line)
                known[int(code, 16)] = bytes.fromhex(text.decode()).decode("utf-16-be")
        for block in re.findall(rb"beginbfrange(.*?)endbfrange", table, re.S):
            for line in block.strip().splitlines():
                first, last, text = (int(one, 16) for one in CODE.findall(line))
                known.update({first + i: chr(text + i) for i in range(last - first + 1)})
        return known

    def text_of(self, page):
        return self.read(self.stream(int(re.search(rb"/Contents (\d+) 0 R", page)[1])), self.named(page))

    def read(self, contents, named):
        text, known = "", {}
        for name, glyphs, literal, form, end in SHOWN.findall(contents):
            if name:
                known = self.characters(self.objects[named[name]])
            elif form and b"/Subtype /Form" in self.objects[named[form]]:
                text += self.read(self.stream(named[form]), self.named(self.objects[named[form]]))
            elif end:
                text += "\n"
            else:
                codes = bytes.fromhex(glyphs.decode()) if glyphs else unescape(literal)
                text += "".join(known.get(int.from_bytes(codes[i:i + 2], "big"), "") for i in range(0, len(codes), 2))
        return text
