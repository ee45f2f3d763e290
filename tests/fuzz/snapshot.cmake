br_fuzz(fuzz_snapshot br_markdown)
