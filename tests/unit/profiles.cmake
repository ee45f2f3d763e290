br_test(test_profile unit br_profiles)
