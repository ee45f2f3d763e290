# The session over the fake browser: br_session_test(NAME).
add_library(session_rig OBJECT session_rig.c)
target_link_libraries(session_rig PUBLIC br_session PkgConfig::CMOCKA)

function(br_session_test name)
    br_integration_test(${name} br_session br_formats ${ARGN})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:session_rig>)
endfunction()

br_session_test(test_batch br_batch)
br_session_test(test_session)
br_session_test(test_session_beside)
br_session_test(test_session_capture)
br_session_test(test_session_recovery)
br_session_test(test_session_scripts)
br_session_test(test_session_silence)
br_session_test(test_session_tabs)
br_session_test(test_session_threads)
br_session_test(test_warm br_sessions)
