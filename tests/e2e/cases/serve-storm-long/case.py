"""serve-storm for two minutes: what grows or stops only after a while."""
import harness

TIER = "long"
storm = harness.case("serve-storm")
storm.SECONDS = 120
TIME_LIMIT = storm.SECONDS + 360


def run(ctx):
    storm.run(ctx)
