br_fuzz(fuzz_suite br_checks)
