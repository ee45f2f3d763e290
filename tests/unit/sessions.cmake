br_test(test_session_settings unit br_sessions)
