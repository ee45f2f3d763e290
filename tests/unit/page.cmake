foreach(module file_name navigation_state url_pattern)
    br_test(test_${module} unit br_page)
endforeach()
