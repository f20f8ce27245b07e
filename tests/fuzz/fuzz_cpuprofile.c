/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes become a profile or an error, and any profile is written in all formats; never a
 * crash, a hang or a leak. Build with
 * ./configure CC=clang --enable-fuzzing --enable-sanitizers, and run it with a folder of
 * profiles to begin with: tests/fuzz/fuzz_cpuprofile tests/input */
#include "config.h"

#include "base/stream.h"
#include "export/export.h"
#include "model/builder.h"
#include "reader/reader.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void export_all(const struct profile *p, bool is_samples)
{
	struct export_options options = { .is_samples = is_samples };
	struct error err = ERROR_INIT;

	scope_all(&options.scope, p);
	for (size_t i = 0; export_formats[i]; i++) {
		struct sink *sink = sink_open_memory();

		export_formats[i]->write(p, &options, sink);
		sink_close(sink, &err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile *p = NULL;
	struct builder_options options = { .is_raw = size % 2 != 0 };
	struct file_facts facts = { .pid = -1, .tid = -1 };
	struct error err = ERROR_INIT;
	struct stream *stream = stream_open_memory(data, size, SIZE_MAX);
	struct builder *b = builder_new(&options);

	builder_input(b, "fuzz");
	if (reader_load_stream(stream, &facts, NULL, b, &err))
		p = builder_finish(b, &err);
	else
		builder_free(b);
	if (p)
		export_all(p, size % 3 != 0);
	profile_free(p);
	stream_close(stream);
	return 0;
}
