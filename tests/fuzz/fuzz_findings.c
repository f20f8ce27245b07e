/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings and reports of files of any format, for times and values near the limits. */
#include "config.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_findings(data, size);
}
