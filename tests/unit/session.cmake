br_test(test_audit unit br_session)
