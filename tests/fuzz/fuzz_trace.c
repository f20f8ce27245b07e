/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes become a profile or an error; never a crash, a hang or a leak. Build with
 * ./configure CC=clang --enable-fuzzing --enable-sanitizers, and run it with a folder of
 * traces to begin with: tests/fuzz/fuzz_trace tests/input */
#include "config.h"

#include "base/stream.h"
#include "model/builder.h"
#include "reader/reader.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct builder_options options = { .is_raw = size % 2 != 0 };
	struct file_facts facts = { .pid = -1, .tid = -1 };
	struct error err = ERROR_INIT;
	struct stream *stream = stream_open_memory(data, size, SIZE_MAX);
	struct builder *b = builder_new(&options);

	builder_input(b, "fuzz");
	if (reader_load_stream(stream, &facts, &reader_trace, b, &err))
		profile_free(builder_finish(b, &err));
	else
		builder_free(b);
	stream_close(stream);
	return 0;
}
