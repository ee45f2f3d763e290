# Not all of br_checks, which the TSan build would compile for this test alone.
br_test(test_server integration br_net)
foreach(file server.c server_guard.c server_process.c)
    target_sources(test_server PRIVATE ${PROJECT_SOURCE_DIR}/runner/checks/${file})
endforeach()
