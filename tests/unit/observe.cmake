br_test(test_console unit br_observe)
br_test(test_network unit br_observe)
br_test(test_source_map unit br_observe)
br_test(test_journal unit br_observe)
