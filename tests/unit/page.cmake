br_test(test_url_pattern unit br_page)
