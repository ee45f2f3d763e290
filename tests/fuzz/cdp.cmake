br_fuzz(fuzz_message br_cdp)
br_fuzz(fuzz_cutter br_cdp)
br_fuzz(fuzz_cbor br_cdp)
br_fuzz(fuzz_raw_command br_cdp)
