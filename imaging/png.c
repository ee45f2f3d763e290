#include "imaging/decode.h"

#include "imaging/image.h"
#include "imaging/output.h"
#include "imaging/png_plain.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* State of reading; the pixels belong to the caller. */
struct png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t size;
    size_t offset;
};

struct png_writer {
    png_structp png;
    png_infop info;
    struct output output;
};

static void on_png_error(png_structp png, png_const_charp message)
{
    error_set(png_get_error_ptr(png), BR_UNKNOWN_ERROR, "PNG: %s", message);
    png_longjmp(png, 1);
}

static void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_png_read(png_structp png, png_bytep buf, size_t size)
{
    struct png_reader *reader = png_get_io_ptr(png);
    if (size > reader->size - reader->offset) {
        png_error(png, "the file ends early");
    }
    memcpy(buf, reader->bytes + reader->offset, size);
    reader->offset += size;
}

static void on_png_write(png_structp png, png_bytep bytes, size_t size)
{
    struct png_writer *writer = png_get_io_ptr(png);
    if (!output_add(&writer->output, bytes, size)) {
        png_error(png, "no memory for the file");
    }
}

static void on_png_flush(png_structp png)
{
    (void)png;
}

/*
 * Rejects pictures that are too large, or have more pixels than a file of this size can contain: so
 * a file of a few bytes cannot allocate much memory.
 */
static bool reader_check_size(const struct png_reader *reader, struct br_error *err)
{
    uint64_t width = png_get_image_width(reader->png, reader->info);
    uint64_t height = png_get_image_height(reader->png, reader->info);
    if (!image_check_size(width, height, err)) {
        return false;
    }
    uint64_t bits_per_pixel = (uint64_t)png_get_bit_depth(reader->png, reader->info) *
                              png_get_channels(reader->png, reader->info);
    if (width * height * bits_per_pixel / 8 > (uint64_t)reader->size * PNG_MAX_RATIO) {
        return error_set(err, BR_UNKNOWN_ERROR, "PNG: %zu bytes cannot hold %dx%d pixels",
                         reader->size, (int)width, (int)height);
    }
    return true;
}

/* Requests 8 bits of red, green, blue and alpha for any file. Returns the number of passes. */
static int reader_set_format(struct png_reader *reader)
{
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    png_set_gray_to_rgb(reader->png);
    png_set_add_alpha(reader->png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    return passes;
}

/* Creates *image, which belongs to the caller even if reading the rows fails. */
static bool reader_run(struct png_reader *reader, struct br_image *image, struct br_error *err)
{
    if (setjmp(png_jmpbuf(reader->png))) {
        return false;
    }
    png_set_read_fn(reader->png, reader, on_png_read);
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    /* Of the optional chunks only tRNS is used; profiles and texts are not decompressed. */
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
    png_read_info(reader->png, reader->info);
    if (!reader_check_size(reader, err)) {
        return false;
    }
    int width = (int)png_get_image_width(reader->png, reader->info);
    int height = (int)png_get_image_height(reader->png, reader->info);
    if (!image_create(width, height, image, err)) {
        return false;
    }
    int passes = reader_set_format(reader);
    assert(png_get_rowbytes(reader->png, reader->info) == image_stride(image));
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < height; y++) {
            png_read_row(reader->png, image_row(image, y), NULL);
        }
    }
    png_read_end(reader->png, NULL);
    return true;
}

bool br_png_decode(const void *bytes, size_t size, struct br_image *ret_image, struct br_error *err)
{
    if (png_plain_decode(bytes, size, ret_image)) {
        return true;
    }
    struct png_reader reader = { .bytes = bytes, .size = size };
    struct br_image image = { 0 };
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, err, on_png_error, on_png_warning);
    reader.info = reader.png ? png_create_info_struct(reader.png) : NULL;
    bool ok = reader.info ? reader_run(&reader, &image, err)
                          : error_set(err, BR_UNKNOWN_ERROR, "PNG: libpng cannot start");
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    if (!ok) {
        br_image_finish(&image);
        return false;
    }
    *ret_image = image;
    return true;
}

bool png_decode_size(const void *bytes, size_t size, int *ret_width, int *ret_height,
                     struct br_error *err)
{
    /* After the signature and the header of the first chunk, which is always IHDR. */
    enum { SIZE_OFFSET = 16, SIZE_END = 24 };
    const uint8_t *start = bytes;
    if (size < SIZE_END || memcmp(start + SIZE_OFFSET - 4, "IHDR", 4) != 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "PNG: the file has no header");
    }
    uint32_t width = png_get_uint_32(start + SIZE_OFFSET);
    uint32_t height = png_get_uint_32(start + SIZE_OFFSET + 4);
    *ret_width = (int)width;
    *ret_height = (int)height;
    return image_check_size(width, height, err);
}

static bool writer_run(struct png_writer *writer, const struct br_image *image)
{
    if (setjmp(png_jmpbuf(writer->png))) {
        return false;
    }
    bool is_opaque = image_is_opaque(image);
    png_set_write_fn(writer->png, writer, on_png_write, on_png_flush);
    png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)image->width, (png_uint_32)image->height,
                 8, is_opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    /* Pages are flat: unfiltered rows give the smallest files and are the fastest to write. */
    png_set_compression_level(writer->png, 6);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(writer->png, writer->info);
    if (is_opaque) {
        png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
    }
    for (int y = 0; y < image->height; y++) {
        png_write_row(writer->png, image_row(image, y));
    }
    png_write_end(writer->png, writer->info);
    return true;
}

bool br_png_encode(const struct br_image *image, unsigned char **ret_bytes, size_t *ret_size,
                   struct br_error *err)
{
    struct png_writer writer = { 0 };
    writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, err, on_png_error, on_png_warning);
    writer.info = writer.png ? png_create_info_struct(writer.png) : NULL;
    bool ok = writer.info ? writer_run(&writer, image)
                          : error_set(err, BR_UNKNOWN_ERROR, "PNG: libpng cannot start");
    png_destroy_write_struct(&writer.png, &writer.info);
    if (!ok) {
        free(writer.output.bytes);
        return false;
    }
    *ret_bytes = writer.output.bytes;
    *ret_size = writer.output.size;
    return true;
}
