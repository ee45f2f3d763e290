br_test(test_find unit br_chrome)
br_test(test_command_line unit br_chrome)
br_test(test_process unit br_chrome)
