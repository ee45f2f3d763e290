br_fuzz(fuzz_instructions br_batch)
