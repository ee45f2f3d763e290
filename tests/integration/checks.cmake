br_test(test_server integration br_checks)
