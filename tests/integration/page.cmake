# A page over the fake browser, one layer below the session: br_page_test(NAME).
add_library(page_rig OBJECT page_rig.c)
target_link_libraries(page_rig PUBLIC br_page PkgConfig::CMOCKA)

function(br_page_test name)
    br_integration_test(${name} br_page)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:page_rig>)
endfunction()

br_page_test(test_page_frames)
br_page_test(test_page_pictures)
br_page_test(test_page_settings)
br_page_test(test_page_settle)
br_page_test(test_page_tabs)
br_page_test(test_page_target)
br_page_test(test_page_time)
