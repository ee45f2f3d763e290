# A listener whose events are written down, and clients for it: br_net_test(NAME).
add_library(net_rig OBJECT net_rig.c net_socket.c)
target_link_libraries(net_rig PUBLIC br_net PkgConfig::CMOCKA)

function(br_net_test name)
    br_test(${name} integration br_net)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:net_rig>)
endfunction()

br_net_test(test_net)
br_net_test(test_net_lines)
br_net_test(test_net_gate)
br_net_test(test_service)
br_threads(integration/test_service)
br_net_test(test_way_out)
br_threads(integration/test_way_out)

br_test(test_room integration br_backend)
target_sources(test_room PRIVATE $<TARGET_OBJECTS:net_rig>)

br_test(test_bridge_threads integration br_debug_bridge)
target_sources(test_bridge_threads PRIVATE $<TARGET_OBJECTS:net_rig>)

br_integration_test(test_console_places br_console_bridge)
br_threads(integration/test_console_places)
