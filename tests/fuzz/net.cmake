br_fuzz(fuzz_net br_net)
