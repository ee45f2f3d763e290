"""Presets: of the run, of an action, with an overriding setting, and after a crash."""
from faults import RECOVERED, Talk, kill

BROWSER = "any"
READ = """(async () => {
  const hints = await navigator.userAgentData.getHighEntropyValues(['fullVersionList', 'model', 'platformVersion']);
  const sent = (await (await fetch('/echo?json=1')).json()).headers;
  return { w: innerWidth, h: innerHeight, screen: [screen.width, screen.height], d: devicePixelRatio,
    agent: navigator.userAgent, platform: navigator.platform, touch: navigator.maxTouchPoints > 0,
    coarse: matchMedia('(pointer: coarse)').matches, mobile: hints.mobile, hinted: hints.platform,
    model: hints.model, brands: hints.brands.map((one) => one.brand).sort(),
    version: (hints.fullVersionList[0] || {}).version,
    sent: [sent['user-agent'], sent['sec-ch-ua-mobile'] || '', sent['sec-ch-ua-platform'] || ''],
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: navigator.language,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches };
})()"""
IPHONE = {"w": 402, "h": 681, "screen": [402, 874], "d": 3, "platform": "iPhone", "touch": True, "coarse": True,
          "agent": {"$regex": r"^Mozilla/5\.0 \(iPhone; .* Version/26\.\d Mobile/15E148 Safari/604\.1$"},
          "brands": [], "sent": [{"$regex": "iPhone"}, "", ""]}
PIXEL = {"w": 412, "d": 2.625, "touch": True, "mobile": True, "hinted": "Android", "model": "Pixel 10",
         "brands": ["Chromium", "Google Chrome", "Not:A-Brand"], "sent": [{"$regex": "Android"}, "?1", '"Android"']}
DESKTOP = {"w": 1920, "h": 1080, "d": 1, "touch": False, "coarse": False, "mobile": False, "hinted": "Windows",
           "platform": "Win32", "sent": [{"$regex": "Windows NT"}, "?0", '"Windows"']}
CI = {"w": 1280, "h": 720, "screen": [1280, 720], "d": 1, "touch": False, "zone": "UTC", "language": "en-US",
      "still": True, "agent": {"$regex": "Linux"}, "sent": [{"$regex": "Linux"}, "?0", '"Linux"']}


def run(ctx):
    page = ctx.origin + "/case/"
    read = ("evaluate", {"expression": READ})

    # The preset of a run; other settings override it; a restored page still has it.
    talk = Talk(ctx, "--preset", "iphone")
    talk.start(page)
    talk.do({"success": True, "result": IPHONE}, "evaluate", "--preset iphone", expression=READ)
    kill(ctx, "renderer")
    talk.do({**RECOVERED, "result": IPHONE}, "evaluate", "crashed", expression=READ)
    talk.do("ok", "start", "another start", url=page)
    talk.do({"success": True, "result": IPHONE}, "evaluate", "after another start", expression=READ)
    # A page without a mobile viewport is laid out 980 wide: clicks hit the intended element.
    talk.do("ok", "navigate", url=page + "wide.html")
    for name in ("right", "low", "near"):
        talk.do("ok", "click", selector="#" + name)
    talk.do({"success": True, "result": [980, "right", "low", "near"]}, "evaluate", "980 wide",
            expression="[innerWidth, ...clicked]")
    talk.end()
    given = ctx.run_batch([("start", {"url": page}), read], "--screenshots", "none", "--preset", "pixel",
                          "--viewport", "500x700@2")
    ctx.match(given.response(2), {"success": True, "result": {**PIXEL, "w": 500, "h": 700, "d": 2}}, "--viewport")

    # One after another by the action: a preset replaces all settings that it names.
    version = "navigator.userAgentData.brands.find((one) => one.brand === 'Chromium').version"
    steps = [("start", {"url": page}), ("evaluate", {"expression": version}),
             ("emulate", {"preset": "pixel"}), ("navigate", {"url": page}), read,
             ("evaluate", {"expression": version}),
             ("emulate", {"preset": "desktop", "timezone": "Asia/Tokyo", "locale": "de-DE"}),
             ("navigate", {"url": page}), read,
             ("emulate", {"preset": "tablet", "viewport": {"width": 600, "height": 900}}), ("navigate", {"url": page}), read,
             ("emulate", {"preset": "laptop"}), ("navigate", {"url": page}), read,
             ("emulate", {"preset": "ci"}), ("navigate", {"url": page}), read]
    result = ctx.run_batch(steps, "--screenshots", "none")
    own = result.response(2)["result"]
    ctx.expect(result.response(6)["result"] == own, "the preset's Chrome is the real one's")
    for number, wanted in ((5, {**PIXEL, "agent": {"$regex": f"Chrome/{own}\\.0\\.0\\.0 Mobile"}}),
                           (9, {**DESKTOP, "zone": "Asia/Tokyo", "language": "de-DE"}),
                           (12, {"w": 600, "h": 900, "touch": True, "platform": "MacIntel", "brands": []}),
                           (15, {"w": 1470, "d": 2, "touch": False, "platform": "MacIntel", "hinted": "macOS"}),
                           (18, CI)):
        ctx.match(result.response(number), {"success": True, "result": wanted}, f"response {number}")
    ctx.expect(str(result.response(5)["result"]["version"]).startswith(own + "."), "the full version")

    # An unknown name is reported before anything runs.
    chrome = ctx.mark_chrome()
    for args in (["run", ctx.batch(steps), "--preset", "nokia"], ["shot", "about:blank", "--preset", "nokia"],
                 ["run", ctx.batch([("emulate", {"preset": "nokia"})], "nokia.xml")]):
        refused = ctx.run([*args, "--chrome", chrome])
        ctx.expect(refused.exit == 2 and "desktop, laptop, iphone, pixel, tablet, ci" in refused.stderr,
                   f"{args[0]}: {refused.exit} {refused.stderr}")
    ctx.expect(not ctx.marked(), "Chrome was started for an unknown preset")
    ctx.expect("iphone" in ctx.run(["shot", "--help"]).stdout.decode(), "--help lists them")
