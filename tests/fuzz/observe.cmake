br_fuzz(fuzz_source_map br_observe)
