"""Pages with floods of output: answers stay small and say what was cut, and actions continue meanwhile."""
import json

from faults import Talk, arrived, board, kill

BROWSER = "any"
MB = 1000 * 1000


def marked(length):
    return f"… ({length} characters)"


def run(ctx):
    talk = Talk(ctx, "--timeout", "20000", timeout=20000)
    url = board(ctx, 140)
    talk.start(url)

    def small(response, what, most=200_000):
        size = len(json.dumps(response))
        ctx.expect(size < most, f"{what}: the answer has {size} bytes")
        return response

    def said(response, begin):
        return [log for log in response["logs"] if log["message"].startswith(begin)]

    def expect_text(response, begin, end, what):
        texts = [log["message"] for log in said(response, begin)]
        ctx.expect(texts and all(text.endswith(end) and len(text) < 16384 for text in texts),
                   f"{what}: {[text[:20] + ' … ' + text[-40:] for text in texts]}")

    # Texts: a large one, one of many bytes for each character, many of them, an exception.
    response = small(talk.do({"success": True}, "evaluate", "texts", expression="""
        console.log('A'.repeat(3e6)); console.log('B', '€'.repeat(5e5));
        console.log(...Array(40000).fill('C')); console.log('D'.repeat(20000));
        console.log('G'.repeat(9000), 'G'.repeat(9000));
        console.error('E' + '😀'.repeat(1e5));
        setTimeout(() => { throw new Error('F'.repeat(1e6)); });
        new Promise(resolve => setTimeout(resolve, 300)).then(() => 'done')"""), "texts")
    expect_text(response, "AAA", marked(3 * MB), "a large text")
    expect_text(response, "B €€", marked(500_000), "a text of euros")
    expect_text(response, "C C ", "characters)", "many arguments")
    expect_text(response, "DDD", "D" + marked(20_000), "a text that is a little too long")
    expect_text(response, "GGG", "G… (more than 16336 characters)", "two texts that are too long together")
    expect_text(response, "E😀", marked(200_001), "a text of pairs of surrogates")
    expect_text(response, "Uncaught Error: FFF", " characters)", "an exception")

    # Many lines during an action: the action arrives, and dropped lines are counted.
    talk.do("ok", "evaluate", expression="""let n = 0; const flood = setInterval(() => {
        for (let i = 0; i < 300; i++) { console.log('line', n++, { n }); }
        document.title = 'T'.repeat(n); }, 20); 0""")
    before = arrived(ctx, "c5")
    response = small(talk.do({"success": True}, "click", "in a flood", selector="#c5"), "a click", 1_500_000)
    ctx.expect(arrived(ctx, "c5") == before + 1, "the click did not arrive once")
    response = small(talk.do({"success": True, "result": 2}, "evaluate", "the end of a flood", expression="""
        new Promise(resolve => setTimeout(() => { clearInterval(flood); resolve(2); }, 500))"""),
                     "the end of a flood", 1_500_000)
    ctx.expect(any("more entries were dropped" in log["message"] for log in response["logs"])
               or any("events of the page were lost" in log["message"] for log in response["logs"]),
               "nothing says that lines are missing")

    # Title and URL; also in the list of tabs.
    talk.do("ok", "evaluate", expression="document.title = 'é'.repeat(2e6); 0")
    response = small(talk.do({"success": True}, "evaluate", "title", expression="1"), "title", 20_000)
    ctx.expect(response["title"] == "é" * 1000 + marked(2 * MB),
               f"the title is {response['title'][:20]} … {response['title'][-40:]}")
    talk.do("ok", "evaluate", expression="""document.title = 'short';
        history.replaceState(null, '', '#' + 'u'.repeat(3e5)); 0""")
    response = small(talk.do({"success": True, "title": "short"}, "tab", "URL", op="list"), "URL", 20_000)
    whole = len(url) + 1 + 300_000
    expected = (url + "#" + "u" * 300_000)[:4096] + marked(whole)
    ctx.expect(response["url"] == expected, f"the URL is {response['url'][:60]} … {response['url'][-40:]}")
    tab = response["result"][0]
    ctx.expect(tab["url"] == expected, f"the tab's URL is {tab['url'][:60]} … {tab['url'][-40:]}")
    # A URL that is shown cut is restored completely.
    kill(ctx)
    talk.do({"success": True, "recovered": True, "result": whole}, "evaluate", "after a crash",
            expression="location.href.length")
    talk.do("ok", "navigate", url=url)

    # Requests, a frame's dialog, a tab, a download.
    response = small(talk.do({"success": True}, "evaluate", "URLs", expression="""
        Promise.all([1, 2, 3].map(n => fetch('/e2e/none' + n + '?' + 'q'.repeat(2e5)).catch(() => {})))
            .then(() => {
                const link = document.createElement('a');
                link.download = 'x'; link.href = 'data:text/plain,' + 'd'.repeat(3e5); link.click();
                fetch('/count?name=posted', { method: 'POST', body: 'p'.repeat(1e6) });
                alert('a'.repeat(1e6));
            })"""), "URLs")
    urls = [event["url"] for event in response["networkEvents"] if "/e2e/none" in event["url"]]
    ctx.expect(len(urls) == 3 and all(each.endswith(" characters)") and len(each) < 4200 for each in urls),
               f"requests: {[each[:50] + ' … ' + each[-40:] for each in urls]}")
    ctx.expect(any(log["category"] == "dialog" and log["message"].endswith("…") for log in response["logs"]),
               "the dialog's text is not there, or does not say that it is cut")

    # A value that is too large.
    talk.do({"success": False, "errorCode": "LIMIT_EXCEEDED", "error": {"$contains": "34 MB"}}, "evaluate",
            "a value that is too large", expression="'w'.repeat(34e6)")
    talk.do({"success": True, "result": 3}, "evaluate", expression="3")
    talk.end()
