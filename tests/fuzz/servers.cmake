br_fuzz(fuzz_cdp_scope br_servers_cdp)
br_fuzz(fuzz_bridge br_debug_bridge)
br_fuzz(fuzz_brop br_brop)
br_fuzz(fuzz_console br_console_bridge)
