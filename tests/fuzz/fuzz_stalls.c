/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of stalls. */
#include "config.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_read(&reader_stalls, data, size);
}
