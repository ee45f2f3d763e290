"""Storage is restored as it was when Chrome was killed; removed entries stay removed."""
from faults import RECOVERED, Talk, kill, until

BROWSER = "any"
SET = """(() => {
  document.cookie = 'session=s1';
  document.cookie = 'lasting=l1; max-age=3600';
  document.cookie = 'removed=r1';
  localStorage.setItem('local', 'one');
  localStorage.setItem('removed', 'r');
  sessionStorage.setItem('tab', 'three \u2713');
  return 1;
})()"""
CHANGE = """(() => {
  document.cookie = 'removed=; max-age=0';
  localStorage.removeItem('removed');
  localStorage.setItem('local', 'two');
  return 2;
})()"""
READ = """fetch('/echo?json=1').then((answer) => answer.json()).then((sent) => ({
  sent: (sent.headers.cookie || '').split('; ').sort().join(), cookies: document.cookie.split('; ').sort().join(),
  local: {...localStorage}, tab: {...sessionStorage}}))"""
HELD = {"sent": "hidden=h1,lasting=l1,session=s1", "cookies": "lasting=l1,session=s1",
        "local": {"$exactly": {"local": "two"}}, "tab": {"$exactly": {"tab": "three \u2713"}}}


def is_kept(talk):
    """The session keeps the page's last report of itself, such as its title; if that takes long, it is requested again."""
    until(lambda: talk.do("ok", "evaluate", expression="0").get("title"), "the page says what it holds")


def run(ctx):
    for profile in (("--temp-profile",), ("--project", "kept")):
        talk = Talk(ctx, profile=profile)
        talk.start(ctx.origin + "/cookie?name=hidden&value=h1")
        talk.do("ok", "evaluate", expression=SET)
        talk.do("ok", "evaluate", expression=CHANGE)
        is_kept(talk)
        kill(ctx)
        talk.do({**RECOVERED, "result": HELD}, "evaluate", "killed at once", expression=READ)
        # Once more: restored storage is kept, too.
        is_kept(talk)
        kill(ctx)
        talk.do({**RECOVERED, "result": HELD}, "evaluate", "killed again", expression=READ)
        is_kept(talk)
        kill(ctx, "renderer")
        talk.do({**RECOVERED, "result": HELD}, "evaluate", "page crashed", expression=READ)
        talk.end()
    # In a project it persists beyond the session, except session storage and cookies.
    later = ctx.run_batch([("start", {"url": ctx.origin + "/shop/"}), ("evaluate", {"expression": READ})],
                          "--screenshots", "none", profile=("--project", "kept"))
    ctx.match(later.response(2), {"success": True, "result": {"cookies": "lasting=l1", "tab": {"$length": 0},
                                                              "local": {"local": "two"}}}, "the next run")
