foreach(module xml ndjson image_block provider history)
    br_test(test_${module} unit br_formats)
endforeach()
