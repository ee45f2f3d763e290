"""An element by its role on a page that reloads again and again: it is searched until that ends."""

BROWSER = "shared"


def run(ctx):
    result = ctx.run_batch([
        ("start", {"url": ctx.origin + "/case/reloads.html", "waitUntil": "domcontentloaded"}),
        ("click", {"role": "button", "name": "Go on", "retryOptions": {"maxRetries": 0}}),
        ("wait", {"expression": "sessionStorage.clicked", "timeout": 8000}),
    ], "--screenshots", "none")
    for number in (1, 2, 3):
        response = result.response(number)
        ctx.expect(response["success"], f"{number}: {response.get('errorCode')}: {response.get('error')}")
