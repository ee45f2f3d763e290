br_fuzz(fuzz_report br_report)
