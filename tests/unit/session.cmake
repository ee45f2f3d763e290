br_test(test_audit unit br_session)
br_test(test_masking unit br_session br_formats)
br_test(test_retry unit br_session)
br_test(test_limits unit br_session)
