br_test(test_suite unit br_checks)
foreach(module approve baseline bounds entry environment select verdict)
    br_test(test_${module} unit br_checks)
    target_sources(test_${module} PRIVATE check_place.c report_place.c)
endforeach()
br_executable(suite_reader suite_reader.c br_checks)
add_dependencies(unit_tests suite_reader)
# Thousands of documents: they take a minute on a machine that is busy.
math(EXPR seconds "3 * ${BR_TEST_SECONDS}")
add_test(NAME unit/suite_schema
         COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/suite_schema.py $<TARGET_FILE:suite_reader>
                 ${PROJECT_SOURCE_DIR} 4)
set_tests_properties(unit/suite_schema PROPERTIES LABELS unit TIMEOUT ${seconds})
add_test(NAME long/suites
         COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/suite_schema.py $<TARGET_FILE:suite_reader> ${PROJECT_SOURCE_DIR})
add_dependencies(long_tests suite_reader)
set_tests_properties(long/suites PROPERTIES LABELS long TIMEOUT 300)
