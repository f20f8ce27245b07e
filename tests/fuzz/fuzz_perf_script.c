/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of `perf script`. */
#include "config.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read(&reader_perf_script, data, size);
}
