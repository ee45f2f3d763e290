#include "runner/formats/image_block.h"

#include "imaging/base64.h"
#include "runner/base/memory.h"

static json_t *block(const char *media_type, json_t *data)
{
    return json_pack("{s:s, s:{s:s, s:s, s:o}}", "type", "image", "source", "type", "base64",
                     "media_type", media_type, "data", data);
}

json_t *image_block(const struct br_capture *capture)
{
    size_t length = base64_encoded_size(capture->size);
    CLEANUP_FREE char *text = xmalloc(length);
    base64_encode(capture->bytes, capture->size, text);
    return block(capture->media_type, json_stringn_nocheck(text, length));
}

json_t *image_block_without_data(const struct br_capture *capture)
{
    return block(capture->media_type, json_string(""));
}
