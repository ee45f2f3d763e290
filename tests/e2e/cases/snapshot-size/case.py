"""The text of a snapshot compared with the page's HTML: never longer, and it has what a person reads."""
import statistics
import sys

from harness import ROOT

BROWSER = "shared"
PAGES = sorted(path.name for path in (ROOT / "fixtures/snapshot/corpus").glob("*.html"))
LEAST_WORDS = 98.0  # percent of the visible words
# All documents and open shadow roots: their HTML, and the words of the rendered texts, each by itself, because
# innerText joins the words of two adjacent buttons. Content hidden from models is excluded.
MEASURE = """(() => {
    const sizes = { html: 0, words: [] };
    const isSeen = (text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        const { width, height } = range.getBoundingClientRect();
        return width > 1 && height > 1 && text.parentElement?.checkVisibility({ visibilityProperty: true }) &&
            !text.parentElement.closest('[data-no-ai], option');
    };
    const add = (root) => {
        const walker = root.ownerDocument?.createTreeWalker(root, NodeFilter.SHOW_TEXT) ??
            root.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
            if (isSeen(text)) {
                sizes.words.push(...text.data.split(/[^\\p{L}\\p{N}]+/u).filter(Boolean));
            }
        }
        for (const element of root.querySelectorAll('*')) {
            if (element.shadowRoot) {
                sizes.html += element.shadowRoot.innerHTML.length;
                add(element.shadowRoot);
            }
            if (element.localName === 'iframe' && element.contentDocument) {
                sizes.html += element.contentDocument.documentElement.outerHTML.length;
                add(element.contentDocument);
            }
        }
    };
    sizes.html += new TextEncoder().encode(document.documentElement.outerHTML).length;
    add(document);
    return sizes;
})()"""


def run(ctx):
    steps = [("start", {"url": "about:blank"})]
    for page in PAGES:
        steps += [("navigate", {"url": f"{ctx.origin}/snapshot/corpus/{page}"}),
                  ("evaluate", {"expression": MEASURE}), ("snapshot", {})]
    result = ctx.run_batch(steps, "--screenshots", "none", seconds=110)
    failed = [answer["error"] for answer in result.responses if not answer["success"]]
    ctx.expect(not failed, f"failed: {failed}")
    shares, seen, visible = [], 0, 0
    for index, page in enumerate(PAGES):
        sizes = result.response(3 + 3 * index)["result"]
        text = result.response(4 + 3 * index)["result"]["text"]
        size = len(text.encode())
        ctx.expect(size <= sizes["html"], f"{page}: {size} bytes of text for {sizes['html']} of HTML")
        said = text.lower()
        missing = sorted({word for word in sizes["words"] if word.lower() not in said})
        seen += len(sizes["words"]) - sum(word in missing for word in sizes["words"])
        visible += len(sizes["words"])
        shares.append(100 * size / sizes["html"])
        if missing:
            print(f"{page}: not said: {' '.join(missing)[:200]}", file=sys.stderr)
    print(f"{100 * seen / visible:.2f} % of {visible} visible words, at least {LEAST_WORDS} %; "
          f"text of {statistics.median(shares):.0f} % of the HTML's bytes in the median, {max(shares):.0f} % at most", file=sys.stderr)
    ctx.expect(visible > 2000 and 100 * seen / visible >= LEAST_WORDS, f"{seen} of {visible} visible words are said")
