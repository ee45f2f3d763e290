# The fake browser, for every integration test: br_integration_test(NAME FOLDER…).
add_library(fake_browser OBJECT fake_ask.c fake_browser.c fake_peer.c fake_record.c
                                fake_server.c fake_steps.c fake_words.c)
target_link_libraries(fake_browser PUBLIC br_cdp PkgConfig::CMOCKA)
target_compile_definitions(fake_browser PRIVATE FIXTURES="${PROJECT_SOURCE_DIR}/fixtures")

function(br_integration_test name)
    br_test(${name} integration ${ARGN})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:fake_browser>)
    target_link_libraries(${name} PRIVATE PkgConfig::WEBSOCKETS) # the fake server's handshake
endfunction()

br_integration_test(test_cdp br_cdp)
br_integration_test(test_cdp_faults br_cdp)
# Floods of events: with a sanitizer they take a minute on a machine that is busy.
math(EXPR seconds "2 * ${BR_TEST_SECONDS}")
set_tests_properties(integration/test_cdp integration/test_cdp_faults PROPERTIES TIMEOUT ${seconds})
br_integration_test(test_websocket br_chrome)
br_integration_test(test_http br_cdp)
br_integration_test(test_relay br_cdp)
target_sources(test_relay PRIVATE ../unit/case_table.c)
