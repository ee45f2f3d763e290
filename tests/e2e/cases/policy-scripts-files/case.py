"""A hostile batch under the rules for scripts and files: what is refused, and that it happens without the rule."""
from harness import case

BROWSER = "any"


def run(ctx):
    case("policy-instructions").run_scripts_and_files(ctx)
