foreach(module file_name url_pattern)
    br_test(test_${module} unit br_page)
endforeach()
