br_test(test_actions unit br_actions)
target_sources(test_actions PRIVATE case_table.c)
br_executable(action_reader action_reader.c br_actions)
add_dependencies(unit_tests action_reader)
add_test(NAME unit/action_schema
         COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/action_schema.py $<TARGET_FILE:action_reader>
                 $<TARGET_FILE:browser-runner> ${PROJECT_SOURCE_DIR} 3)
set_tests_properties(unit/action_schema PROPERTIES LABELS unit TIMEOUT ${BR_TEST_SECONDS})
add_test(NAME long/instructions
         COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/action_schema.py $<TARGET_FILE:action_reader>
                 $<TARGET_FILE:browser-runner> ${PROJECT_SOURCE_DIR})
add_dependencies(long_tests action_reader browser-runner)
set_tests_properties(long/instructions PROPERTIES LABELS long TIMEOUT 300)
add_test(NAME unit/tools_rules
         COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/tools_rules.py $<TARGET_FILE:browser-runner>
                 ${PROJECT_SOURCE_DIR})
set_tests_properties(unit/tools_rules PROPERTIES LABELS unit TIMEOUT ${BR_TEST_SECONDS})
