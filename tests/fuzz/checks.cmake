br_fuzz(fuzz_suite br_checks)
br_fuzz(fuzz_archive br_checks)
