"""serve-storm for ten minutes: what grows or stops only after a while."""
import harness

TIER = "long"
storm = harness.case("serve-storm")
storm.SECONDS = 600
TIME_LIMIT = storm.SECONDS + 360


def run(ctx):
    storm.run(ctx)
