br_fuzz(fuzz_png br_imaging)
br_fuzz(fuzz_jpeg br_imaging)
br_fuzz(fuzz_diff br_imaging)
br_fuzz(fuzz_webp br_imaging)
