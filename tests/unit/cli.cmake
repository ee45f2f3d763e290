br_test(test_act_words unit br_cli)
br_test(test_bridge_words unit br_cli)
br_test(test_printer unit br_cli)
if(PYTHON3)
    add_test(NAME unit/completion COMMAND ${PYTHON3} ${CMAKE_CURRENT_SOURCE_DIR}/completion_test.py
                                          $<TARGET_FILE:browser-runner> ${PROJECT_BINARY_DIR}/man)
    set_tests_properties(unit/completion PROPERTIES LABELS unit TIMEOUT ${BR_TEST_SECONDS})
endif()
