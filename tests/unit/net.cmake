br_test(test_bucket unit br_net)
br_test(test_gate unit br_net)
br_test(test_queue unit br_net)
br_test(test_server_url unit br_net)
