br_fuzz(fuzz_suite br_checks)
br_fuzz(fuzz_archive br_checks)
br_fuzz(fuzz_lost_pixel br_checks)
