/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Anything through a pipe: unpacked, converted, and its format found out. */
#include "config.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_pipe(data, size);
}
