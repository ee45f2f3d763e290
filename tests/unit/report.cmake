foreach(module results page junit summary merge)
    br_test(test_report_${module} unit br_report)
    target_sources(test_report_${module} PRIVATE report_place.c)
endforeach()
