foreach(module profile lock preset run_directory)
    br_test(test_${module} unit br_profiles)
    target_sources(test_${module} PRIVATE profile_place.c)
endforeach()
