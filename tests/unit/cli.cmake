br_test(test_access unit br_cli)
br_test(test_act_words unit br_cli)
target_sources(test_act_words PRIVATE case_table.c)
br_test(test_bridge_words unit br_cli)
# Not all of br_cli, which the TSan build would compile for this test alone.
br_test(test_printer unit br_loop)
target_sources(test_printer PRIVATE ${PROJECT_SOURCE_DIR}/runner/cli/printer.c)
br_test(test_systemd unit br_cli)
if(PYTHON3)
    add_test(NAME unit/completion COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/completion_test.py
                                          $<TARGET_FILE:browser-runner> ${PROJECT_BINARY_DIR}/man)
    set_tests_properties(unit/completion PROPERTIES LABELS unit TIMEOUT ${BR_TEST_SECONDS})
endif()
