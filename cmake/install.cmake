# Installed files. Manual pages and completions are generated from the same tables as --help.
set(BR_MAN ${CMAKE_CURRENT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${BR_MAN}/browser-runner.1
    COMMAND ${CMAKE_COMMAND} -E make_directory ${BR_MAN}
    COMMAND browser-runner help --man-to ${BR_MAN} DEPENDS browser-runner VERBATIM)
foreach(shell bash zsh fish)
    add_custom_command(OUTPUT completion.${shell}
        COMMAND browser-runner completion ${shell} > completion.${shell}
        DEPENDS browser-runner VERBATIM)
endforeach()
add_custom_target(manual ALL
    DEPENDS ${BR_MAN}/browser-runner.1 completion.bash completion.zsh completion.fish)

install(TARGETS browser-runner RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${BR_MAN}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/completion.bash RENAME browser-runner
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/completion.zsh RENAME _browser-runner
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/completion.fish RENAME browser-runner.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Where programs look for them.
install(DIRECTORY docs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/browser-runner)

# Removes what the last installation of this build wrote, but no folder that others may use.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)

# The static build is the program alone.
if(BROWSER_RUNNER_STATIC)
    return()
endif()

include(CMakePackageConfigHelpers)
# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH BR_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" BR_PC_PREFIX "\${pcfiledir}/${BR_PC_PREFIX}")
# Where the compiler looks anyway, so that pkg-config leaves the paths out.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(BR_PC_PREFIX /usr)
endif()
configure_file(cmake/browser-runner.pc.in browser-runner.pc @ONLY)
write_basic_package_version_file(browser-runner-config-version.cmake COMPATIBILITY SameMinorVersion)
install(TARGETS browser-runner-shared EXPORT browser-runner
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT browser-runner FILE browser-runner-config.cmake NAMESPACE browser-runner::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/browser-runner)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/browser-runner-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/browser-runner)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/browser-runner.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(DIRECTORY include/browser_runner DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The guides in the layout of the source, so that their links work.
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN schema EXCLUDE)
file(RELATIVE_PATH schema /${CMAKE_INSTALL_DOCDIR}/docs /${CMAKE_INSTALL_DATADIR}/browser-runner/schema)
file(CREATE_LINK ${schema} ${CMAKE_CURRENT_BINARY_DIR}/schema SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/schema DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
