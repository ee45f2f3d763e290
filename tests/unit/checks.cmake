br_test(test_suite unit br_checks)
br_executable(suite_reader suite_reader.c br_checks)
add_test(NAME unit/suite_schema
         COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/suite_schema.py $<TARGET_FILE:suite_reader>
                 ${PROJECT_SOURCE_DIR})
set_tests_properties(unit/suite_schema PROPERTIES LABELS unit TIMEOUT 300)
