br_fuzz(fuzz_message br_cdp)
