foreach(module xml json_reader tool_call ndjson image_block network_filter provider history terminal_log answer_text event_json terminal_picture)
    br_test(test_${module} unit br_formats)
endforeach()
