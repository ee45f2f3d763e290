foreach(module xml ndjson image_block)
    br_test(test_${module} unit br_formats)
endforeach()
