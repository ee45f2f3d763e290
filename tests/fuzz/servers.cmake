br_fuzz(fuzz_bridge br_debug_bridge)
br_fuzz(fuzz_brop br_brop)
br_fuzz(fuzz_console br_console_bridge)
