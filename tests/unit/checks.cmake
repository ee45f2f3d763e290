br_executable(suite_reader suite_reader.c br_checks)
