br_test(test_actions unit br_actions)
