/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any input through a pipe: decompressed, converted, and its format detected. */
#include "config.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_pipe(data, size);
}
