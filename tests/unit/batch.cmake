br_test(test_batch_reader unit br_batch)
