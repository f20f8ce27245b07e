/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scanner that all readers use, compared with json-c: both give the same for any text. */
#include "config.h"

#include "../unit/json_agree.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf why = { 0 };
	enum json_outcome outcome;

	if (!json_agree((const char *)data, size, size % 4 == 0, &outcome, &why))
		fuzz_found("the scanner and json-c differ: %s", buf_text(&why));
	buf_done(&why);
	return 0;
}
