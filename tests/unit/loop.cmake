br_test(test_loop unit br_loop)
br_test(test_mailbox unit br_loop)
br_test(test_message unit br_cdp)
br_test(test_endpoint unit br_cdp)
