foreach(module png png_palette jpeg base64 scale shrink compare diff draw label tokens webp quantize)
    br_test(test_${module} unit br_imaging)
endforeach()
target_link_libraries(test_jpeg PRIVATE m)

br_test(test_image_threads unit br_imaging)
target_link_libraries(test_image_threads PRIVATE Threads::Threads)

# Makes imaging/jpeg_tables.h; see tools/train_huffman.sh.
br_executable(train_huffman ${PROJECT_SOURCE_DIR}/tools/train_huffman.c br_imaging)
