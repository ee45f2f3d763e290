br_fuzz(fuzz_xml br_formats)
